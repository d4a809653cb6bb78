"""Tactics for a goal that is a comparison: the negated goal leads to a contradiction.

What is hard about that is found here by z3, as everywhere in the ledger: which hypotheses and which
instances of the lemmas on real powers contradict the negated goal. Coq is then told to show just
these, each by its lemma, and which products of them contradict each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.derive.core.symbols import beta
from logca.proofs.ledger.kernel.certificates import Atom, Product, certificate
from logca.proofs.ledger.kernel.expressions import NotExported, as_term, identifier
from logca.proofs.ledger.kernel.skeletons import Goal, negation
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.instantiation import Supply
from logca.proofs.provers.lemmas import Logarithm, Power
from logca.proofs.provers.smt import satisfiable
from logca.proofs.provers.unsat_core import fewest
from logca.proofs.terms.definedness import RootExists

__all__ = ["Solved", "by_lemmas", "by_signs", "contradictory", "simple", "solved"]

_UNITS = 2_000_000
"""Work of Z3 on one contradiction [units of Z3]."""
_SIGN = "Z"
_LEVELS = ((0, True), (1, True), (3, True), (3, False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A goal after equations for symbols are inserted."""

    steps: tuple[str, ...]
    relations: tuple[tuple[str, sp.Basic], ...]
    relation: sp.Basic | None
    values: Mapping[sp.Symbol, sp.Expr]


def solved(goal: Goal) -> Solved:
    """Insert equations for symbols, as Coq's `subst` does."""
    relations = list(goal.known.relations)
    relation = goal.relation
    roots = list(goal.known.roots)
    steps: list[str] = []
    values: dict[sp.Symbol, sp.Expr] = {}
    while True:
        found = next(filter(None, (_equation(each) for _, each in relations)), None)
        if found is None:
            break
        symbol, value = found
        steps.append(f"try subst {identifier(symbol.name)}")
        values = {key: old.xreplace({symbol: value}) for key, old in values.items()}
        values[symbol] = value
        relations = [
            (name, _replaced(each, symbol, value))
            for name, each in relations
            if _equation(each) != found
        ]
        if symbol.is_nonnegative and symbol.is_Symbol and not value.is_nonnegative:
            # what was known of the symbol is known of its value
            sign = sp.Lt if symbol.is_positive else sp.Le
            known = sign(0, value, evaluate=False)
            relations.append((f"D_{symbol.name}", known))
        relation = _replaced(relation, symbol, value) if relation is not None else None
        roots = [(s, r) for s, r in roots if s != symbol]
    for name, each in list(relations):
        if isinstance(each, sp.Ne) and each.rhs == 0 and each.lhs.is_Symbol:
            symbol = each.lhs
            if symbol.is_nonnegative and not symbol.is_positive:
                domain = f"D_{symbol.name}"
                steps.append(f"try pose proof (nonnegative_nonzero _ {domain} {name}) as Q_{name}")
                relations.append((f"Q_{name}", sp.Lt(0, symbol, evaluate=False)))
    for name, each in list(relations):
        if isinstance(each, sp.Not) and isinstance(each.args[0], RootExists):
            k, _, l, b, upward = (part.xreplace(values) for part in each.args[0].args)
            if b == 1 and upward:
                absent = f"no_lower_root_linear _ _ _ _ {name} eq_refl ltac:(positive)"
                steps.append(f"try pose proof ({absent}) as N_{name}")
                relations.append((f"N_{name}", sp.Le(k, l, evaluate=False)))
    for symbol, root in roots:
        b = root.args[3].xreplace(values)
        if b == 1 and root.upward:
            name = f"A_{symbol.name}"
            steps.append(f"try pose proof (lower_root_above _ _ _ _ R_{symbol.name}) as {name}")
            k, l = (root.args[index].xreplace(values) for index in (0, 2))
            relations.append((name, sp.Lt(l, k, evaluate=False)))
        elif _speaks_of_peak([*relations, ("", relation)], b):
            reached = _reached(symbol, [arg.xreplace(values) for arg in root.args], relations)
            if reached is not None:
                steps.append(reached[0])
                relations.append((f"N_{symbol.name}", reached[1]))
    return Solved(steps=tuple(steps), relations=tuple(relations), relation=relation, values=values)


def _speaks_of_peak(relations: Sequence[tuple[str, sp.Basic | None]], b: sp.Expr) -> bool:
    """True if the weights of weighted means stand in relations, as at a tangent from zero."""
    powers = [power for _, each in relations if each is not None for power in each.atoms(sp.Pow)]
    return any(power.base == 1 - b and power.exp.has(b) for power in powers)


def _reached(
    symbol: sp.Symbol, arguments: Sequence[sp.Expr], relations: Sequence[tuple[str, sp.Basic]]
) -> tuple[str, sp.Basic] | None:
    """The condition for a root with an exponent below 1, which a root shows to hold."""
    k, c, l, b = arguments
    told = [each for _, each in relations if each.atoms(sp.Pow) <= each.atoms(sp.Integer)]
    for side in (k, c, l, b, 1 - b):
        numerator = sp.numer(sp.together(side))
        if not side.is_positive and not contradictory([*told, sp.Le(numerator, 0, evaluate=False)]):
            return None
    texts = [as_term(part) for part in (k, c, l, b)]
    name = symbol.name
    step = (
        f"try pose proof (reached_sublinear {' '.join(texts)} {name} ltac:(positive) "
        f"ltac:(positive) ltac:(positive) ltac:(positive) ltac:(lra) D_{name} "
        f"(Req_le _ _ (eq_sym E_{name}))) as N_{name}"
    )
    peak = k * b**b * (1 - b) ** (1 - b) * c**b
    return step, sp.Le(c * l**b, peak, evaluate=False)


def _equation(relation: sp.Basic) -> tuple[sp.Symbol, sp.Expr] | None:
    if isinstance(relation, sp.Eq):
        for symbol, value in (relation.args, relation.args[::-1]):
            if symbol.is_Symbol and symbol not in value.free_symbols:
                return symbol, value
    return None


def _replaced(relation: sp.Basic, symbol: sp.Symbol, value: sp.Expr) -> sp.Basic:
    if isinstance(relation, Relational):
        try:
            sides = [part.xreplace({symbol: value}) for part in relation.args]
        except TypeError:
            return sp.true
        return relation.func(*sides, evaluate=False)
    return relation


def simple(goal: Goal) -> list[str]:
    """Tactics that need no search: by arithmetic, equal by algebra, or a sign that is seen."""
    known = solved(goal)
    start = "".join(f"{step}; " for step in known.steps)
    found = [f"{start}lra"]
    relation = known.relation
    told = [each for _, each in known.relations]
    told += [relation] if relation is not None else []
    if any(each.has(sp.Max, sp.Min, sp.Abs, sp.Piecewise) for each in told):
        found.append(f"{start}by_cases")
    if relation is None:
        return found
    if not relation.free_symbols and not isinstance(relation, sp.Eq):
        return [*found, f"{start}numbers"]
    if (between := _between(known)) is not None:
        found.append(start + between)
    if isinstance(relation, sp.Eq):
        return [*found, f"{start}same"]
    if isinstance(relation, sp.Ne):
        found.append(f"{start}nonzero")
    if isinstance(relation, sp.Lt | sp.Gt | sp.Le | sp.Ge):
        found.append(f"{start}first [positive | nonnegative]")
    return found


def _between(known: Solved) -> str | None:
    """A tactic for a comparison of functions of one number that lies between two others."""
    assert known.relation is not None
    if len(known.relation.free_symbols) != 1 or isinstance(known.relation, sp.Eq | sp.Ne):
        return None
    [symbol] = known.relation.free_symbols
    told = [each for _, each in known.relations if isinstance(each, sp.Lt | sp.Le | sp.Gt | sp.Ge)]
    low = [each.lts for each in told if each.gts == symbol and each.lts.is_positive]
    high = [each.gts for each in told if each.lts == symbol and each.gts.is_positive]
    if not low or not high or any(each.free_symbols for each in (low[0], high[0])):
        return None
    return f"between {identifier(symbol.name)} {as_term(low[0])} {as_term(high[0])}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cleared:
    """A comparison as a polynomial of known sign over a denominator."""

    kind: str  # as of an atom
    polynomial: sp.Expr
    denominator: sp.Expr
    lemma: str  # of the library
    swapped: bool  # whether the polynomial belongs to right minus left
    proof: str  # of what the lemma asks for, from the name of the hypothesis


def _cleared(work: Abstraction, relation: Relational) -> _Cleared:
    kind, swapped, lemma, proof = {
        sp.Lt: ("gt", True, "clear_lt", "{}"),
        sp.Le: ("ge", True, "clear_le", "{}"),
        sp.Gt: ("gt", False, "clear_lt", "{}"),
        sp.Ge: ("ge", False, "clear_le", "(Rge_le _ _ {})"),
        sp.Eq: ("eq", False, "clear_eq", "{}"),
        sp.Ne: ("ne", False, "clear_ne", "{}"),
    }[type(relation)]
    left, right = work.term(relation.lhs), work.term(relation.rhs)
    numerator, denominator = as_fraction(right - left if swapped else left - right)
    if numerator.has(sp.zoo, sp.nan):
        raise Unsupported("no value")
    sign = work.signs.of(denominator)
    if sign < 0:
        numerator, denominator = -numerator, -denominator
    elif sign == 0 and kind in ("gt", "ge"):
        numerator, denominator = numerator * denominator, denominator**2
    return _Cleared(
        kind=kind,
        polynomial=expand(numerator),
        denominator=denominator,
        lemma=lemma,
        swapped=swapped,
        proof=proof,
    )


_SAYS = {"gt": "0 < {}", "ge": "0 <= {}", "eq": "{} = 0", "ne": "{} <> 0"}
_STATEMENTS: Mapping[str, type[Relational]] = {"gt": sp.Gt, "ge": sp.Ge, "eq": sp.Eq, "ne": sp.Ne}


def _statement(atom: Atom) -> sp.Basic:
    return _STATEMENTS[atom.kind](atom.polynomial, 0, evaluate=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cases:
    """A fact that is a disjunction: one of the cases holds, all of its atoms."""

    name: str
    cases: tuple[tuple[Atom, ...], ...]

    def statement(self) -> sp.Basic:
        """The fact over the variables [1]."""
        return sp.Or(
            *[sp.And(*map(_statement, case), evaluate=False) for case in self.cases], evaluate=False
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Instance:
    """A lemma on two powers, or on two logarithms: monotone (1), slope (2) or tangent (3)."""

    first: Power | Logarithm
    second: Power | Logarithm
    step: int


_Fact = Atom | _Cases


def by_lemmas(goal: Goal, *, touch: bool = False, patient: bool = True) -> str | None:
    """A tactic that contradicts the negated goal by hypotheses and lemmas; None if none is found.

    Without patience only the simplest lemmas are tried.
    """
    known = solved(goal)
    start = list(known.steps)
    relation = known.relation
    if relation is None:
        found = _refuted(known, goal, None, touch, patient)
        return None if found is None else "; ".join([*start, found])
    if isinstance(relation, sp.Eq):
        branches = [
            _refuted(known, goal, kind(*relation.args, evaluate=False), touch, patient)
            for kind in (sp.Lt, sp.Gt)
        ]
        if None in branches:
            return None
        return "; ".join([*start, f"apply contra_eq; intro G; [ {branches[0]} | {branches[1]} ]"])
    opening = {
        sp.Lt: "apply contra_lt",
        sp.Gt: "apply Rlt_gt; apply contra_lt",
        sp.Le: "apply contra_le",
        sp.Ge: "apply Rle_ge; apply contra_le",
        sp.Ne: "idtac",
    }[type(relation)]
    against = {
        sp.Lt: lambda a, b: sp.Le(b, a, evaluate=False),
        sp.Gt: lambda a, b: sp.Le(a, b, evaluate=False),
        sp.Le: lambda a, b: sp.Lt(b, a, evaluate=False),
        sp.Ge: lambda a, b: sp.Lt(a, b, evaluate=False),
        sp.Ne: lambda a, b: sp.Eq(a, b, evaluate=False),
    }[type(relation)](*relation.args)
    found = _refuted(known, goal, against, touch, patient)
    return None if found is None else "; ".join([*start, opening, "intro G", found])


def by_signs(goal: Goal) -> str | None:
    """A tactic by the cases of the sign of a denominator; None if there is none of unknown sign."""
    known = solved(goal)
    divisor = _of_unknown_sign(known)
    if divisor is None:
        return None
    branches = []
    for kind in (sp.Lt, sp.Eq, sp.Gt):
        sign = (_SIGN, kind(divisor, 0, evaluate=False))
        case = replace(goal.known, relations=(*goal.known.relations, sign))
        shown = by_lemmas(replace(goal, known=case))
        if shown is None:
            return None
        branches.append(shown)
    split = f"destruct (Rtotal_order {as_term(divisor)} 0) as [{_SIGN} | [{_SIGN} | {_SIGN}]]"
    return "; ".join([*known.steps, split, f"[ {' | '.join(branches)} ]"])


def _of_unknown_sign(known: Solved) -> sp.Expr | None:
    """A factor of a denominator whose sign is not known."""
    relations = [each for _, each in known.relations]
    if any(name == _SIGN for name, _ in known.relations):
        return None
    signs = Abstraction().signs
    signs.remember(relations)
    for relation in (*relations, known.relation):
        if not isinstance(relation, Relational):
            continue
        for divisor in sp.Mul.make_args(sp.factor(as_fraction(relation.lhs - relation.rhs)[1])):
            base = divisor.as_base_exp()[0]
            if base.free_symbols and base.is_polynomial() and signs.of(base) == 0:
                return base
    return None


def _refuted(
    known: Solved, goal: Goal, against: sp.Basic | None, touch: bool, patient: bool
) -> str | None:
    """A tactic that shows False from the hypotheses and one called G."""
    relations = [*known.relations, *([("G", against)] if against is not None else [])]
    writer = _Writer()
    work = writer.work
    work.signs.remember([each for _, each in known.relations])
    try:
        if touch and goal.known.touch:
            work.touch([point.xreplace(known.values) for point in goal.known.touch], beta)
        premises: dict[str, tuple[str, _Cleared]] = {}
        for name, each in relations:
            if not isinstance(each, Relational):
                continue
            try:
                premises[f"C_{name}"] = (name, _cleared(work, each))
            except (Unsupported, TypeError, ValueError):
                if name == "G":
                    return None
        atoms: list[_Fact] = [
            Atom(name=name, kind=cleared.kind, polynomial=cleared.polynomial)
            for name, (_, cleared) in premises.items()
        ]
        atoms += writer.facts()
        found = _search(writer, atoms, _LEVELS if patient else _LEVELS[:2])
        if found is None:
            return None
        needed, instances = found
        names = {fact.name for fact in needed}
        divisors = [cleared.denominator for name, (_, cleared) in premises.items() if name in names]
        writer.need(needed, instances, divisors)
        body = writer.cases(needed, instances)
    except (Unsupported, NotExported, TypeError, ValueError):
        return None
    steps = writer.introduced()
    steps += [
        writer.asserted(name, origin, cleared)
        for name, (origin, cleared) in premises.items()
        if name in names
    ]
    steps += [
        f"assert ({fact.name} : {_text(fact)}) by ({writer.unfold()} fact)"
        for fact in needed
        if fact.name not in premises
    ]
    return "; ".join([*steps, body])


def _text(fact: _Fact) -> str:
    if isinstance(fact, Atom):
        return _SAYS[fact.kind].format(as_term(fact.polynomial))
    return " \\/ ".join("(" + " /\\ ".join(map(_text, case)) + ")" for case in fact.cases)


def contradictory(statements: Sequence[sp.Basic], units: int = _UNITS) -> bool:
    """True if z3 finds with some work that polynomial statements contradict each other."""
    if any(statement is sp.false for statement in statements):
        return True
    try:
        return satisfiable(statements, Effort(until=inf), units).status == "unsat"
    except (ValueError, TypeError):
        return False


def _said(facts: Sequence[_Fact]) -> list[sp.Basic]:
    return [fact.statement() if isinstance(fact, _Cases) else _statement(fact) for fact in facts]


def _search(
    writer: "_Writer", facts: list[_Fact], levels: Sequence[tuple[int, bool]]
) -> tuple[list[_Fact], list[_Instance]] | None:
    """Facts and lemmas that contradict each other, none of which can be left out."""
    supply = Supply(work=writer.work)
    seen = -1
    for level, alike in levels:
        supply.lemmas(level, alike=alike)
        if len(supply.made) == seen:
            continue
        seen = len(supply.made)
        base = [*facts, *writer.facts()]
        by_key = {
            _Instance(first=first, second=second, step=step): clauses
            for (first, second, step), clauses in supply.made.items()
        }
        usable = [clause for clauses in by_key.values() for clause in clauses]
        if not contradictory([*_said(base), *usable], units=2 * _UNITS):
            continue
        return _needed(base, by_key)
    return None


def _needed(
    base: list[_Fact], by_key: Mapping[_Instance, Sequence[sp.Basic]]
) -> tuple[list[_Fact], list[_Instance]]:
    """Of what contradicts each other, a part of which nothing can be left out."""

    def with_lemmas(kept: list[_Instance]) -> bool:
        return contradictory([*_said(base), *(c for key in kept for c in by_key[key])])

    keys = fewest(list(by_key), with_lemmas)
    clauses = [clause for key in keys for clause in by_key[key]]

    def with_facts(kept: list[_Fact]) -> bool:
        return contradictory([*_said(kept), *clauses])

    return fewest(base, with_facts), keys


@dataclass(slots=True, kw_only=True)
class _Writer:
    """Writes the cases of facts and lemmas, with what contradicts in each."""

    work: Abstraction = field(default_factory=Abstraction)
    count: int = 0
    facts_read: int = 0
    # the variables that the proof speaks of; what the others stand for need not exist [any unit]
    spoken: set[sp.Symbol] = field(default_factory=set)

    def need(
        self, facts: Sequence[_Fact], instances: Sequence[_Instance], divisors: Sequence[sp.Expr]
    ) -> None:
        """Let the proof speak of what is in these, and no more."""
        reached = set().union(
            *(statement.free_symbols for statement in _said(facts)),
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

    def facts(self) -> list[_Fact]:
        """The facts that define variables, since the last call."""
        found: list[_Fact] = []
        for fact in self.work.facts[self.facts_read :]:
            name = f"F{self.facts_read}"
            self.facts_read += 1
            cases = self._cases_of(fact, name)
            if cases is not None:
                found.append(cases)
        return found

    def _cases_of(self, fact: sp.Basic, name: str) -> _Fact | None:
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
        return _Cases(name=name, cases=tuple(cases))

    def _atom(self, relation: Relational, name: str) -> Atom:
        cleared = _cleared(self.work, relation)
        return Atom(name=name, kind=cleared.kind, polynomial=cleared.polynomial)

    def _fresh(self) -> str:
        self.count += 1
        return f"J{self.count}"

    def asserted(self, name: str, origin: str, cleared: _Cleared) -> str:
        """The step from a comparison to its polynomial."""
        atom = Atom(name=name, kind=cleared.kind, polynomial=cleared.polynomial)
        sign = "nonzero" if cleared.kind in ("eq", "ne") else "positive"
        return (
            f"assert ({name} : {_text(atom)}); [ refine ({cleared.lemma} _ _ "
            f"{as_term(cleared.polynomial)} {as_term(cleared.denominator)} _ _ "
            f"{cleared.proof.format(origin)}); "
            f"[ {self.unfold()} same | {self.unfold()} {sign} ] | ]"
        )

    def _compared(self, name: str, relation: Relational) -> tuple[str, Atom]:
        """The step from a hypothesis to its polynomial, and the atom."""
        cleared = _cleared(self.work, relation)
        atom = Atom(name=f"C_{name}", kind=cleared.kind, polynomial=cleared.polynomial)
        return self.asserted(f"C_{name}", name, cleared), atom

    def cases(self, facts: list[_Fact], instances: list[_Instance]) -> str:
        """The rest of the proof: by cases of facts and lemmas, or by arithmetic at the end."""
        atoms = [fact for fact in facts if isinstance(fact, Atom)]
        if (len(atoms) < len(facts) or instances) and contradictory(_said(atoms)):
            return self._end(atoms)
        split = next((fact for fact in facts if isinstance(fact, _Cases)), None)
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
        needed = fewest(atoms, lambda kept: contradictory(_said(kept)))
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
            steps.append(f"pose proof ({_product_proof(product, signs, proofs)})")
        return "; ".join([clearing, *steps, "lra"])

    def _instance(self, instance: _Instance, facts: list[_Fact], rest: list[_Instance]) -> str:
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
            if contradictory(_said([*known, atom])):
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

    def _is_positive(self, u: sp.Expr, facts: list[_Fact]) -> bool:
        """True if a base is positive by its signs, or by the case that it is in."""
        return bool(u.is_positive or self.work.signs.of(u) > 0) or any(
            isinstance(fact, Atom) and fact.kind == "gt" and fact.polynomial == u for fact in facts
        )

    def _guarded(
        self, u: sp.Expr, instance: _Instance, facts: list[_Fact], rest: list[_Instance]
    ) -> str:
        """A lemma on a base that may not be positive: it says something where the base is."""
        name, told = self._fresh(), self._fresh()
        below = Atom(name=told, kind="ge", polynomial=expand(-u))
        above = Atom(name=name, kind="gt", polynomial=u)
        without = f"assert ({told} : {_text(below)}) by lra"
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
        facts: list[_Fact],
        rest: list[_Instance],
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
        instance: _Instance,
        up: bool,
        names: list[str],
        facts: list[_Fact],
        rest: list[_Instance],
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
        self, a: Logarithm, b: Logarithm, level: int, facts: list[_Fact], rest: list[_Instance]
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


def _product_proof(
    product: Product, signs: Mapping[sp.Symbol, str], proofs: Mapping[sp.Symbol, str]
) -> str:
    """A proof that a product is positive, not negative, or zero."""
    if product.factors and product.factors[0].kind == "eq":
        monomial = sp.Mul(*[symbol**exponent for symbol, exponent in product.variables])
        return f"Rmult_eq_compat_l {as_term(monomial)} _ _ {product.factors[0].name}"
    parts = [(atom.name, atom.kind) for atom in product.factors]
    for symbol, exponent in product.variables:
        lemma = "pow_lt" if signs[symbol] == "gt" else "pow_le"
        text = proofs[symbol] if exponent == 1 else f"({lemma} _ {exponent} {proofs[symbol]})"
        parts.append((text, signs[symbol]))
    if not parts:
        return "Rlt_0_1"
    text, kind = parts[0]
    for other, other_kind in parts[1:]:
        if kind == other_kind == "gt":
            text = f"(Rmult_lt_0_compat _ _ {text} {other})"
            continue
        left = text if kind == "ge" else f"(Rlt_le _ _ {text})"
        right = other if other_kind == "ge" else f"(Rlt_le _ _ {other})"
        text, kind = f"(Rmult_le_pos _ _ {left} {right})", "ge"
    return text
