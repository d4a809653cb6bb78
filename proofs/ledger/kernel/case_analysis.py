"""The script of a contradiction: cases of facts, instances of lemmas, arithmetic at the ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.expansion import expand
from logca.proofs.ledger.kernel.certificates import Atom, certificate, product_proof
from logca.proofs.ledger.kernel.expressions import as_term
from logca.proofs.ledger.kernel.polynomial_facts import (
    Cleared,
    Fact,
    FactCases,
    LemmaInstance,
    cleared_of,
    contradictory,
    said,
    text_of,
)
from logca.proofs.ledger.kernel.skeletons import negation
from logca.proofs.provers.abstraction import Abstraction
from logca.proofs.provers.lemmas import Logarithm, Power
from logca.proofs.provers.unsat_core import fewest

__all__ = ["CaseAnalysis"]


@dataclass(slots=True, kw_only=True)
class CaseAnalysis:
    """Writes the cases of facts and lemmas, with what contradicts in each."""

    work: Abstraction = field(default_factory=Abstraction)
    count: int = 0
    facts_read: int = 0
    # the variables that the proof speaks of; what the others stand for need not exist [any unit]
    spoken: set[sp.Symbol] = field(default_factory=set)

    def need(
        self, facts: Sequence[Fact], instances: Sequence[LemmaInstance], divisors: Sequence[sp.Expr]
    ) -> None:
        """Let the proof speak of what is in these, and no more."""
        reached = set().union(
            *(statement.free_symbols for statement in said(facts)),
            *(divisor.free_symbols for divisor in divisors),
        )
        for instance in instances:
            for one in (instance.first, instance.second):
                parts = (one.u, one.power, one.v) if isinstance(one, Power) else (one.u, one.log)
                reached |= set().union(*(sp.sympify(part).free_symbols for part in parts))
        while reached:
            self.spoken |= reached & self.work.meaning.keys()
            inside = (self.work.meaning[symbol].free_symbols for symbol in self.spoken)
            reached = (set().union(*inside, set()) & self.work.meaning.keys()) - self.spoken

    def _variables(self) -> dict[sp.Symbol, sp.Expr]:
        return {s: each for s, each in self.work.meaning.items() if s in self.spoken}

    def introduced(self) -> list[str]:
        """The steps that define the variables of the abstraction."""
        steps: list[str] = []
        names: list[str] = []
        for symbol, stands_for in self._variables().items():
            steps.append(f"pose ({symbol.name} := {as_term(stands_for)})")
            names.insert(0, symbol.name)
            if symbol.is_nonnegative:
                sign, tactic = ("<", "positive") if symbol.is_positive else ("<=", "nonnegative")
                steps.append(
                    f"assert (P_{symbol.name} : 0 {sign} {symbol.name}) "
                    f"by (unfold {', '.join(names)}; {tactic})"
                )
        return steps

    def unfold(self) -> str:
        """The step that puts in what the variables stand for."""
        names = [symbol.name for symbol in self._variables()]
        return f"unfold {', '.join(reversed(names))};" if names else ""

    def facts(self) -> list[Fact]:
        """The facts that define variables, since the last call."""
        found: list[Fact] = []
        for fact in self.work.facts[self.facts_read :]:
            name = f"F{self.facts_read}"
            self.facts_read += 1
            cases = self._cases_of(fact, name)
            if cases is not None:
                found.append(cases)
        return found

    def _cases_of(self, fact: sp.Basic, name: str) -> Fact | None:
        if isinstance(fact, Relational):
            return self._atom(fact, name)
        cases = []
        for case in sp.Or.make_args(fact):
            parts = sp.And.make_args(case)
            parts = [
                negation(part.args[0])
                if isinstance(part, sp.Not) and isinstance(part.args[0], Relational)
                else part
                for part in parts
            ]
            if not all(isinstance(part, Relational) for part in parts):
                return None
            cases.append(tuple(self._atom(part, self._fresh()) for part in parts))
        return FactCases(name=name, cases=tuple(cases))

    def _atom(self, relation: Relational, name: str) -> Atom:
        cleared = cleared_of(self.work, relation)
        return Atom(name=name, kind=cleared.kind, polynomial=cleared.polynomial)

    def _fresh(self) -> str:
        self.count += 1
        return f"J{self.count}"

    def asserted(self, name: str, origin: str, cleared: Cleared) -> str:
        """The step from a comparison to its polynomial."""
        atom = Atom(name=name, kind=cleared.kind, polynomial=cleared.polynomial)
        sign = "nonzero" if cleared.kind in ("eq", "ne") else "positive"
        return (
            f"assert ({name} : {text_of(atom)}); [ refine ({cleared.lemma} _ _ "
            f"{as_term(cleared.polynomial)} {as_term(cleared.denominator)} _ _ "
            f"{cleared.proof.format(origin)}); "
            f"[ {self.unfold()} same | {self.unfold()} {sign} ] | ]"
        )

    def _compared(self, name: str, relation: Relational) -> tuple[str, Atom]:
        """The step from a hypothesis to its polynomial, and the atom."""
        cleared = cleared_of(self.work, relation)
        atom = Atom(name=f"C_{name}", kind=cleared.kind, polynomial=cleared.polynomial)
        return self.asserted(f"C_{name}", name, cleared), atom

    def cases(self, facts: list[Fact], instances: list[LemmaInstance]) -> str:
        """The rest of the proof: by cases of facts and lemmas, or by arithmetic at the end."""
        atoms = [fact for fact in facts if isinstance(fact, Atom)]
        if (len(atoms) < len(facts) or instances) and contradictory(said(atoms)):
            return self._end(atoms)
        split = next((fact for fact in facts if isinstance(fact, FactCases)), None)
        if split is not None:
            others = [fact for fact in facts if fact is not split]
            patterns, branches = [], []
            for case in split.cases:
                pattern = case[-1].name
                for atom in reversed(case[:-1]):
                    pattern = f"[{atom.name} {pattern}]"
                patterns.append(pattern)
                branches.append(self.cases([*others, *case], instances))
            pattern = patterns[-1]
            for each in reversed(patterns[:-1]):
                pattern = f"[{each} | {pattern}]"
            nested = branches[-1]
            return f"destruct {split.name} as {pattern}; [ {' | '.join([*branches[:-1], nested])} ]"
        if not instances:
            return self._end(atoms)
        first, *rest = instances
        return self._instance(first, facts, rest)

    def _end(self, atoms: list[Atom]) -> str:
        needed = fewest(atoms, lambda kept: contradictory(said(kept)))
        for atom in needed:
            if atom.kind == "ne":
                others = [each for each in needed if each is not atom]
                name = self._fresh()
                below = Atom(name=name, kind="gt", polynomial=expand(-atom.polynomial))
                above = Atom(name=name, kind="gt", polynomial=atom.polynomial)
                return (
                    f"destruct (ne_cases _ {as_term(expand(-atom.polynomial))} {atom.name} "
                    f"ltac:(ring)) as [{name} | {name}]; "
                    f"[ {self._end([*others, below])} | {self._end([*others, above])} ]"
                )
        return self._arithmetic(needed)

    def _arithmetic(self, atoms: list[Atom]) -> str:
        symbols = sorted(set().union(*(a.polynomial.free_symbols for a in atoms)), key=str)
        signs = {s: "gt" if s.is_positive else "ge" for s in symbols if s.is_nonnegative}
        proofs = {s: f"P_{s.name}" if s in self.work.meaning else f"D_{s.name}" for s in signs}
        products = certificate(atoms, signs)
        kept = " ".join(sorted({*(atom.name for atom in atoms), *proofs.values()}))
        clearing = f"clear - {kept}; clearbody_all" if kept else "idtac"
        if products is None:
            return f"{clearing}; finish"
        steps = []
        for product in products:
            steps.append(f"pose proof ({product_proof(product, signs, proofs)})")
        return "; ".join([clearing, *steps, "lra"])

    def _instance(
        self, instance: LemmaInstance, facts: list[Fact], rest: list[LemmaInstance]
    ) -> str:
        if isinstance(instance.first, Logarithm) and isinstance(instance.second, Logarithm):
            return self._logarithms(instance.first, instance.second, instance.step, facts, rest)
        a, b = instance.first, instance.second
        assert isinstance(a, Power)
        assert isinstance(b, Power)
        for power in (a, b):
            if not self._is_positive(power.u, facts):
                return self._guarded(power.u, instance, facts, rest)
        steps, names = [], []
        for power in (a, b):
            name = self._fresh()
            term = f"Rpower {as_term(power.u)} {as_term(power.v)}"
            seen = f"{self.unfold()} same"
            if power.power in self.work.meaning:
                defined = f"unfold {power.power.name}; symmetry; apply power_pos; positive"
                seen = f"first [ solve [{defined}] | {seen} ]"
            steps.append(f"assert ({name} : {term} = {as_term(power.power)}) by ({seen})")
            names.append(name)
        bound = sp.S.Zero if instance.step == 1 else sp.S.One
        sign = self._fresh()
        branches = []
        for kind in (sp.Lt, sp.Eq, sp.Gt):
            step, atom = self._compared(sign, kind(a.v, bound, evaluate=False))
            known = [fact for fact in facts if isinstance(fact, Atom)]
            if contradictory(said([*known, atom])):
                branches.append(f"{step}; {self._end([*known, atom])}")
            elif kind is sp.Eq:
                branches.append(f"{step}; {self._level(a, b, names, bound, [*facts, atom], rest)}")
            else:
                ordered = self._ordered(instance, kind is sp.Gt, names, [*facts, atom], rest)
                branches.append(f"{step}; {ordered}")
        return "; ".join(
            [
                *steps,
                f"destruct (Rtotal_order {as_term(a.v)} {as_term(bound)}) as "
                f"[{sign} | [{sign} | {sign}]]; [ {' | '.join(branches)} ]",
            ]
        )

    def _is_positive(self, u: sp.Expr, facts: list[Fact]) -> bool:
        """True if a base is positive by its signs, or by the case that it is in."""
        return bool(u.is_positive or self.work.signs.of(u) > 0) or any(
            isinstance(fact, Atom) and fact.kind == "gt" and fact.polynomial == u for fact in facts
        )

    def _guarded(
        self, u: sp.Expr, instance: LemmaInstance, facts: list[Fact], rest: list[LemmaInstance]
    ) -> str:
        """A lemma on a base that may not be positive: it says something where the base is."""
        name, told = self._fresh(), self._fresh()
        below = Atom(name=told, kind="ge", polynomial=expand(-u))
        above = Atom(name=name, kind="gt", polynomial=u)
        without = f"assert ({told} : {text_of(below)}) by lra"
        return (
            f"destruct (Rle_lt_dec {as_term(u)} 0) as [{name} | {name}]; "
            f"[ {without}; {self.cases([*facts, below], rest)} "
            f"| {self._instance(instance, [*facts, above], rest)} ]"
        )

    def _level(
        self,
        a: Power,
        b: Power,
        names: list[str],
        bound: sp.Expr,
        facts: list[Fact],
        rest: list[LemmaInstance],
    ) -> str:
        """The case of an exponent of 0 or 1."""
        steps, more = [], []
        for name, power in zip(names, (a, b), strict=True):
            exponent = as_term(power.v)
            lemma = "Rpower_O" if bound == 0 else "Rpower_1"
            value = sp.S.One if bound == 0 else power.u
            origin = self._fresh()
            steps.append(
                f"assert ({origin} : {as_term(power.power)} = {as_term(value)}) by "
                f"(apply (eq_trans (eq_sym {name})); "
                f"replace {exponent} with {as_term(bound)} by lra; apply {lemma}; positive)"
            )
            step, atom = self._compared(origin, sp.Eq(power.power, value, evaluate=False))
            steps.append(step)
            more.append(atom)
        return "; ".join([*steps, self.cases([*facts, *more], rest)])

    def _ordered(
        self,
        instance: LemmaInstance,
        up: bool,
        names: list[str],
        facts: list[Fact],
        rest: list[LemmaInstance],
    ) -> str:
        """The cases of the order of the bases."""
        a, b = instance.first, instance.second
        assert isinstance(a, Power)
        assert isinstance(b, Power)
        v = a.v
        u, w, exponent = as_term(a.u), as_term(b.u), as_term(v)
        suffix = "" if up else "_down"
        lemma = "power_monotone" if instance.step == 1 else "power_slope"
        case, fact = self._fresh(), self._fresh()
        if instance.step == 1:
            left, right = a.power, b.power
        else:
            left, right = a.power * b.u, b.power * a.u
        branches = []
        for kind, flipped in ((sp.Lt, sp.Gt), (sp.Eq, sp.Eq), (sp.Gt, sp.Lt)):
            first, order = self._compared(case, kind(a.u, b.u, evaluate=False))
            implied = (kind if up else flipped)(left, right, evaluate=False)
            second, atom = self._compared(fact, implied)
            steps, more = (
                [f"rewrite {names[0]}, {names[1]} in {fact}", first, second],
                [order, atom],
            )
            if instance.step == 3 and kind is not sp.Eq:
                for one, other, pair in ((a, b, names), (b, a, names[::-1])):
                    told, step, tangent = self._tangent(one, other, pair, up)
                    steps += [told, step]
                    more.append(tangent)
            branches.append("; ".join([*steps, self.cases([*facts, *more], rest)]))
        proof = f"{lemma}{suffix} {u} {w} {exponent} ltac:(positive) ltac:(positive) ltac:(lra)"
        return (
            f"destruct ({proof}) as [[{case} {fact}] | [[{case} {fact}] | [{case} {fact}]]]; "
            f"[ {' | '.join(branches)} ]"
        )

    def _tangent(
        self, one: Power, other: Power, names: Sequence[str], up: bool
    ) -> tuple[str, str, Atom]:
        """The power of one base beside its tangent in the other."""
        tangent = other.power * (other.u + one.v * (one.u - other.u))
        relation = (sp.Gt if up else sp.Lt)(one.power * other.u, tangent, evaluate=False)
        name = self._fresh()
        u, w, v = as_term(one.u), as_term(other.u), as_term(one.v)
        lemma = "power_tangent" if up else "power_tangent_down"
        guards = "lra" if up else "positive | lra"
        told = (
            f"assert ({name} : Rpower {u} {v} * {w} {'>' if up else '<'} Rpower {w} {v} * "
            f"({w} + {v} * ({u} - {w}))); "
            f"[ apply {lemma}; [ positive | positive | {guards} | intro; lra ] | ]; "
            f"rewrite {names[0]}, {names[1]} in {name}"
        )
        step, atom = self._compared(name, relation)
        return told, step, atom

    def _logarithms(
        self, a: Logarithm, b: Logarithm, level: int, facts: list[Fact], rest: list[LemmaInstance]
    ) -> str:
        steps, names = [], []
        for logarithm in (a, b):
            name = self._fresh()
            steps.append(
                f"assert ({name} : ln {as_term(logarithm.u)} = {as_term(logarithm.log)}) by "
                f"({self.unfold()} same)"
            )
            names.append(name)
        case, fact = self._fresh(), self._fresh()
        u, w = as_term(a.u), as_term(b.u)
        branches = []
        for kind in (sp.Lt, sp.Eq, sp.Gt):
            first, order = self._compared(case, kind(a.u, b.u, evaluate=False))
            second, atom = self._compared(fact, kind(a.log, b.log, evaluate=False))
            parts, more = (
                [f"rewrite {names[0]}, {names[1]} in {fact}", first, second],
                [order, atom],
            )
            if level == 3 and kind is not sp.Eq:
                for one, other in ((a, b), (b, a)):
                    name = self._fresh()
                    here, there = as_term(one.u), as_term(other.u)
                    parts.append(
                        f"assert ({name} : {there} * (ln {here} - ln {there}) < {here} - {there}); "
                        f"[ apply ln_tangent; [ positive | positive | intro; lra ] | ]; "
                        f"rewrite {names[one is b]}, {names[other is b]} in {name}"
                    )
                    step, tangent = self._compared(
                        name,
                        sp.Lt(other.u * (one.log - other.log), one.u - other.u, evaluate=False),
                    )
                    parts.append(step)
                    more.append(tangent)
            branches.append("; ".join([*parts, self.cases([*facts, *more], rest)]))
        proof = f"ln_monotone {u} {w} ltac:(positive) ltac:(positive)"
        steps.append(
            f"destruct ({proof}) as [[{case} {fact}] | [[{case} {fact}] | [{case} {fact}]]]; "
            f"[ {' | '.join(branches)} ]"
        )
        return "; ".join(steps)
