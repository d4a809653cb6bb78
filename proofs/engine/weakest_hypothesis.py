"""The weakest hypothesis under which a claim holds: conjectured from points, then proved both ways.

Candidates are comparisons that the claim itself suggests (signs of its factors, the cases in which
its roots exist, borders of exponents and of the acceleration), alone or two or three together. Of
those that agree with the claim at all sampled points, the simplest is shown to imply it, and its
negation to exclude it. Sampling only chooses what to try.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.fractions import as_fraction
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.derive.core.symbols import TABLE
from logca.proofs.engine.answer import (
    NO_QUESTION,
    OUT_OF_TIME,
    SECONDS_PER_QUESTION,
    WeakestHypothesis,
)
from logca.proofs.engine.ask import contradictory, hypotheses, with_existence
from logca.proofs.engine.problems import forms, problem
from logca.proofs.language.parser import ClaimSyntaxError, parse
from logca.proofs.language.printer import mathematics
from logca.proofs.numbers.counterexamples import find_witness, scores
from logca.proofs.numbers.exact import Undefined, holds
from logca.proofs.numbers.sampled_points import SampledPoints, sample
from logca.proofs.provers.effort import Effort, OutOfTimeError
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import prove
from logca.proofs.terms.definedness import Defined, RootExists
from logca.proofs.terms.elimination import eliminate, substitute
from logca.proofs.terms.limits import PowerLimit

__all__ = ["weakest_hypothesis"]

_BORDERS = {"A": (1, 2), "beta": (1,), "o": (0,), "L": (0,), "s": (1,), "x": (1,), "r": (1,)}
_GRANULARITIES = ("g1", "gA2", "g_peak")
_TRIED = 12  # candidates that are put to the provers [1]
_POINTS = 500
_MOST_COMBINED = 25  # comparisons of which three are combined [1]
_UNITS = 5_000_000
_SEED = 3


def weakest_hypothesis(
    claim: str, given: Sequence[str] = (), timeout: float = SECONDS_PER_QUESTION
) -> tuple[WeakestHypothesis, ...]:
    """The weakest hypothesis for each form of latency left open, within a `timeout` [s]."""
    effort = Effort(until=time.monotonic() + timeout)
    given = hypotheses(given)
    found = []
    for latency in forms((claim,), given):
        stated = with_existence(problem((claim,), given, latency), (claim, *given), latency)
        if any(goal.has(PowerLimit) for _, goal in stated.goals):
            raise ClaimSyntaxError("a condition is sought for statements without limits")
        try:
            found.append(_found(stated, latency, effort))
        except OutOfTimeError:
            found.append(WeakestHypothesis(latency=latency, condition="", reason=OUT_OF_TIME))
    return tuple(found)


def _found(stated: ProofProblem, latency: str, effort: Effort) -> WeakestHypothesis:
    solved, rest = eliminate(stated.given())
    goal = substitute(_plain(sp.And(*(goal for _, goal in stated.goals))), solved)
    stated = replace(stated, goals=(("", goal),))
    if find_witness(stated.given()) is None and contradictory(stated, effort):
        return WeakestHypothesis(latency=latency, condition="", reason=NO_QUESTION)
    if goal is sp.false or _follows(stated, sp.Not(goal), effort):
        return WeakestHypothesis(latency=latency, condition="False", necessary=True)
    if goal is sp.true or _follows(stated, goal, effort):
        return WeakestHypothesis(latency=latency, condition="True", necessary=True)
    sufficient = ""
    names = dict(_at_granularities(goal, latency, solved))
    for candidate in _agreeing([_plain(each) for each in rest], goal, names):
        effort.check()
        text = _text(candidate, names)
        if candidate in (sp.true, sp.false) or not _is_readable(text, latency):
            continue
        if not _follows(_with(stated, candidate), goal, effort):
            continue
        if _follows(_with(stated, sp.Not(candidate)), sp.Not(goal), effort):
            return WeakestHypothesis(latency=latency, condition=text, necessary=True)
        sufficient = sufficient or text
    reason = "" if sufficient else "no simple condition agrees with the claim"
    return WeakestHypothesis(latency=latency, condition=sufficient, reason=reason)


def _plain(goal: sp.Basic) -> sp.Basic:
    """A statement in which roots exist by their cases, and not by a word."""
    while goal.has(RootExists, Defined):
        known = {part: part.condition() for part in goal.atoms(RootExists)}
        known |= {part: part.args[0] for part in goal.atoms(Defined)}
        goal = goal.xreplace(known)
    return goal


def _with(stated: ProofProblem, condition: sp.Basic) -> ProofProblem:
    return replace(stated, hypotheses=(*stated.hypotheses, ("", condition)))


def _follows(stated: ProofProblem, goal: sp.Basic, effort: Effort) -> bool:
    """True if every part of a statement is proved."""
    work = effort.part(_UNITS)
    return all(
        part is sp.true or prove(stated, part, work, thorough=False)
        for part in sp.And.make_args(sp.to_cnf(goal))
    )


def _agreeing(
    given: Sequence[sp.Basic], goal: sp.Basic, names: Mapping[sp.Basic, str]
) -> Iterator[sp.Basic]:
    """Conditions that hold at a sampled point if and only if the claim does, simple ones first."""
    atoms = [*names, *sorted(dict.fromkeys(_atoms(goal)), key=sp.count_ops)]
    symbols = set().union(*(each.free_symbols for each in (goal, *given, *atoms)))
    points = _Points(columns=sample(tuple(sorted(symbols, key=str)), 0, _SEED))
    valid = np.logical_and.reduce([points.truth(each) == 1 for each in (*given, sp.true)])
    truth = points.truth(goal)
    valid &= truth >= 0
    wanted = truth[valid] == 1
    if not wanted.size or wanted.all() or not wanted.any():
        return
    masks: dict[sp.Basic, Any] = {}
    for atom in atoms:
        known = points.truth(atom)[valid]
        # where it is not known, an atom is taken to agree: it is proved in the end
        masks[atom] = np.where(known < 0, wanted, known == 1)

    def length(condition: sp.Basic) -> int:
        parts = condition.args if isinstance(condition, sp.And | sp.Or) else (condition,)
        return sum(1 if part in names else int(sp.count_ops(part)) for part in parts)

    yield from sorted(_combined(atoms, masks, wanted), key=length)[:_TRIED]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Points:
    """Points at which statements are evaluated, exactly where rounding would decide."""

    columns: SampledPoints

    def truth(self, statement: sp.Basic) -> Any:
        """1 where a statement holds, 0 where it does not, -1 where that is not known [1]."""
        # a side that is too large for a float makes both of them fail
        both = (statement, sp.to_nnf(sp.Not(statement)))
        holds_here, fails_here = (scores(each, self.columns)[:_POINTS] == 2 for each in both)
        found = np.where(holds_here, 1, np.where(fails_here, 0, -1))
        if statement.has(TrinomialRoot):
            return found
        for row in np.flatnonzero(found < 0):
            point = {
                symbol: sp.Rational(str(text[row])) for symbol, text in self.columns.text.items()
            }
            with suppress(Undefined, ZeroDivisionError, OverflowError):
                exact = holds(statement, point)
                found[row] = -1 if exact is None else int(exact)
        return found


def _combined(
    atoms: Sequence[sp.Basic], masks: dict[sp.Basic, Any], wanted: Any
) -> Iterator[sp.Basic]:
    yield from (atom for atom in atoms if (masks[atom] == wanted).all())
    implied = [atom for atom in atoms if (masks[atom] | ~wanted).all()]
    implying = [atom for atom in atoms if (wanted | ~masks[atom]).all() and masks[atom].any()]
    for size in (2, 3) if max(len(implied), len(implying)) < _MOST_COMBINED else (2,):
        for some in combinations(implied, size):
            if (np.logical_and.reduce([masks[each] for each in some]) == wanted).all():
                yield sp.And(*some)
        for some in combinations(implying, size):
            if (np.logical_or.reduce([masks[each] for each in some]) == wanted).all():
                yield sp.Or(*some)


def _at_granularities(
    goal: sp.Basic, latency: str, solved: Mapping[sp.Symbol, sp.Expr]
) -> Iterator[tuple[sp.Basic, str]]:
    """Comparisons of g with quantities of the model, which then exist, and how they are written."""
    g = TABLE["g"].symbol
    for name in _GRANULARITIES if g in goal.free_symbols else ():
        for sign in (">=", "<=", ">", "<"):
            with suppress(ClaimSyntaxError):
                read = parse(f"g {sign} {name}", latency)
                whole = sp.And(read.formula, *(condition for _, condition in read.defined))
                stated = substitute(_plain(whole), dict(solved))
                if stated.free_symbols <= goal.free_symbols:
                    yield stated, f"g {sign} {name}"


def _atoms(goal: sp.Basic) -> Iterator[sp.Basic]:
    """Comparisons that a claim suggests, weak ones before strict ones."""
    symbols = sorted(goal.free_symbols, key=str)
    for symbol in symbols:
        for border in _BORDERS.get(str(symbol), ()):
            for kind in (sp.Ge, sp.Le, sp.Gt, sp.Lt, sp.Eq, sp.Ne):
                made = kind(symbol, border)
                if made not in (sp.true, sp.false):
                    yield made
    if {"o", "L"} <= {str(symbol) for symbol in symbols}:
        yield TABLE["o"].symbol + TABLE["L"].symbol > 0
    for relation in sorted(goal.atoms(Relational), key=str):
        yield from _signs(relation)


def _signs(relation: Relational) -> Iterator[sp.Basic]:
    """Signs of the factors of what is compared with zero, as sums of positive terms compared."""
    over, under = as_fraction(relation.lhs - relation.rhs)
    for factor in (*sp.Mul.make_args(sp.factor(over)), *sp.Mul.make_args(sp.factor(under))):
        base = factor.as_base_exp()[0]
        if not base.is_Add:
            continue
        below = [-term for term in base.args if term.could_extract_minus_sign()]
        above = [term for term in base.args if not term.could_extract_minus_sign()]
        left, right = sp.factor_terms(sp.Add(*above)), sp.factor_terms(sp.Add(*below))
        for kind in (sp.Ge, sp.Le, sp.Gt, sp.Lt):
            made = kind(left, right)
            if isinstance(made, Relational):
                yield made


def _text(condition: sp.Basic, names: Mapping[sp.Basic, str]) -> str:
    """A condition in the claim language."""
    if condition in names:
        return names[condition]
    if isinstance(condition, sp.And | sp.Or):
        word = " and " if isinstance(condition, sp.And) else " or "
        parts = sorted(condition.args, key=lambda part: (sp.count_ops(part), str(part)))
        return word.join(_text(part, names) for part in parts)
    return mathematics(condition, {})


def _is_readable(text: str, latency: str) -> bool:
    try:
        parse(text, latency)
    except ClaimSyntaxError:
        return False
    return True
