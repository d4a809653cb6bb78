"""Tactics for a goal that is a comparison: the negated goal leads to a contradiction.

What is hard about that is found here by z3, as everywhere in the ledger: which hypotheses and which
instances of the lemmas on real powers contradict the negated goal. Coq is then told to show just
these, each by its lemma, and which products of them contradict each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.fractions import as_fraction
from logca.derive.core.symbols import beta
from logca.proofs.ledger.kernel.case_analysis import CaseAnalysis
from logca.proofs.ledger.kernel.certificates import Atom
from logca.proofs.ledger.kernel.compared_roots import values_at_roots
from logca.proofs.ledger.kernel.expressions import NotExported, as_term, identifier
from logca.proofs.ledger.kernel.inserted_equations import Solved, solved
from logca.proofs.ledger.kernel.polynomial_facts import (
    UNITS,
    Cleared,
    Fact,
    LemmaInstance,
    cleared_of,
    contradictory,
    said,
    text_of,
)
from logca.proofs.ledger.kernel.skeletons import Goal
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.instantiation import Supply
from logca.proofs.provers.unsat_core import fewest

__all__ = ["by_lemmas", "by_signs", "simple"]

_SIGN = "Z"
_LEVELS = ((0, True), (1, True), (3, True), (3, False))


def simple(goal: Goal) -> list[str]:
    """Tactics that need no search: by arithmetic, equal by algebra, or a sign that is seen."""
    known = solved(goal)
    start = known.opening
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
        symbol = relation.gts
        is_weak = symbol.is_Symbol and not symbol.is_positive and relation.lts == 0
        if is_weak and any(isinstance(each, sp.Ne) for each in told[:-1]):
            found.append(f"{start}else_vanishes {identifier(symbol.name)} D_{symbol.name}")
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
    writer = CaseAnalysis()
    work = writer.work
    work.signs.remember([each for _, each in known.relations])
    at_roots = values_at_roots(goal.known, relations, known.values, work.signs)
    relations += [(name, said_there) for name, said_there, _ in at_roots]
    try:
        if touch and goal.known.touch:
            work.touch([point.xreplace(known.values) for point in goal.known.touch], beta)
        premises: dict[str, tuple[str, Cleared]] = {}
        for name, each in relations:
            if not isinstance(each, Relational):
                continue
            try:
                premises[f"C_{name}"] = (name, cleared_of(work, each))
            except (Unsupported, TypeError, ValueError):
                if name == "G":
                    return None
        atoms: list[Fact] = [
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
    steps = [step for name, _, step in at_roots if f"C_{name}" in names]
    of_equation = against is not None and isinstance(goal.relation, sp.Eq)
    steps += _guards(work, premises, None if of_equation else divisors)
    steps += writer.introduced()
    steps += [
        writer.asserted(name, origin, cleared)
        for name, (origin, cleared) in premises.items()
        if name in names
    ]
    steps += [
        f"assert ({fact.name} : {text_of(fact)}) by ({writer.unfold()} fact)"
        for fact in needed
        if fact.name not in premises
    ]
    return "; ".join([*steps, body])


def _guards(
    work: Abstraction,
    premises: Mapping[str, tuple[str, Cleared]],
    divisors: Sequence[sp.Expr] | None,
) -> list[str]:
    """The steps that show that factors are not zero where a premise says so.

    Of the divisors that are given, or of all premises: what is equal by algebra in SymPy may
    be written in Coq with any of them below.
    """
    steps: list[str] = []
    wanted = [each for part in divisors or () for each in sp.Mul.make_args(part)]
    bases = {each.as_base_exp()[0] for each in wanted}
    for origin, cleared in premises.values():
        if origin == "G" or cleared.kind not in ("gt", "ne"):
            continue
        parts = sp.Mul.make_args(sp.factor(cleared.polynomial))
        for factor in parts:
            if not factor.is_Add or work.signs.of(factor) != 0:
                continue
            if divisors is not None and not bases & {factor, -factor}:
                continue
            multiple = sp.cancel(cleared.polynomial / factor)
            whole, multiple_, factor_, divisor = (
                as_term(work.written_out(part))
                for part in (cleared.polynomial, multiple, factor, cleared.denominator)
            )
            lemma = "factor_nonzero" if cleared.kind == "ne" else "factor_of_positive"
            sign = "nonzero" if cleared.kind == "ne" else "positive"
            steps.append(
                f"assert (N{len(steps)} : {factor_} <> 0) by (apply ({lemma} ({whole}) "
                f"{multiple_}); [refine ({cleared.lemma} _ _ {whole} {divisor} _ _ "
                f"{cleared.proof.format(origin)}); [same | {sign}] | ring])"
            )
    return steps


def _search(
    writer: CaseAnalysis, facts: list[Fact], levels: Sequence[tuple[int, bool]]
) -> tuple[list[Fact], list[LemmaInstance]] | None:
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
            LemmaInstance(first=first, second=second, step=step): clauses
            for (first, second, step), clauses in supply.made.items()
        }
        usable = [clause for clauses in by_key.values() for clause in clauses]
        if not contradictory([*said(base), *usable], units=2 * UNITS):
            continue
        return _needed(base, by_key)
    return None


def _needed(
    base: list[Fact], by_key: Mapping[LemmaInstance, Sequence[sp.Basic]]
) -> tuple[list[Fact], list[LemmaInstance]]:
    """Of what contradicts each other, a part of which nothing can be left out."""

    def with_lemmas(kept: list[LemmaInstance]) -> bool:
        return contradictory([*said(base), *(c for key in kept for c in by_key[key])])

    keys = fewest(list(by_key), with_lemmas)
    clauses = [clause for key in keys for clause in by_key[key]]

    def with_facts(kept: list[Fact]) -> bool:
        return contradictory([*said(kept), *clauses])

    return fewest(base, with_facts), keys
