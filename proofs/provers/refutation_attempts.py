"""Where a goal that no method proved may fail: exact search, then models that Z3 finds."""

from collections.abc import Sequence

import sympy as sp

from logca.derive.core.symbols import TABLE, beta
from logca.proofs.numbers.counterexamples import find_counterexample
from logca.proofs.numbers.exact import Undefined, holds
from logca.proofs.provers.abstraction import Unsupported
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofMethod, ProofProblem, ProverDecision
from logca.proofs.provers.proof_attempts import SAMPLE_EXPONENTS, abstract, at_exponent
from logca.proofs.provers.smt import satisfiable

__all__ = ["DOMINANT", "refute", "searched"]

_UNITS_OF_A_MODEL = 5_000_000

DOMINANT = " (the dominant term does not vanish)"


def refute(problem: ProofProblem, failed: tuple[str, sp.Basic], effort: Effort) -> ProverDecision:
    """Look for a counterexample to the goal that failed, then to the others."""
    refuted = searched(problem, [failed])
    if refuted is not None:
        return refuted
    label, goal = failed
    if not label.endswith(DOMINANT):
        point = _from_models(problem, goal, effort)
        if point is not None:
            return _refuted(label, point)
    others = [entry for entry in problem.goals if entry != failed]
    return searched(problem, others) or ProverDecision(status="undecided", failing=label)


def searched(problem: ProofProblem, goals: Sequence[tuple[str, sp.Basic]]) -> ProverDecision | None:
    """A refutation by search; that a limit could not be justified is none."""
    justified = [goal for label, goal in problem.goals if label.endswith(DOMINANT)]
    for label, goal in goals:
        if label.endswith(DOMINANT):
            continue
        point = find_counterexample([*problem.given(), *justified], [goal])
        if point is not None:
            return _refuted(label, point)
    return None


def _refuted(label: str, point: dict[sp.Symbol, sp.Rational]) -> ProverDecision:
    values = {str(symbol): value for symbol, value in point.items()}
    return ProverDecision(
        status="refuted",
        methods=(ProofMethod(name="search", scope="one exact point"),),
        counterexample={name: values[name] for name in TABLE if name in values},
        failing=label,
    )


def _from_models(
    problem: ProofProblem, goal: sp.Basic, effort: Effort
) -> dict[sp.Symbol, sp.Rational] | None:
    """Models that z3 finds at sample exponents, confirmed exactly."""
    for value in SAMPLE_EXPONENTS:
        given = [at_exponent(statement, value) for statement in problem.given()]
        if any(statement is sp.false for statement in given):
            continue
        fixed = ProofProblem(hypotheses=tuple(("", s) for s in given), goals=())
        try:
            answer = satisfiable(
                abstract(fixed, at_exponent(goal, value)), effort, _UNITS_OF_A_MODEL
            )
        except Unsupported:
            return None
        if answer.model is None:
            continue
        symbols = set().union(*(s.free_symbols for s in (goal, *problem.given())))
        point = {s: answer.model.get(s, sp.S.One) for s in symbols} | {beta: value}
        try:
            if holds(goal, point) is False and all(holds(h, point) for h in problem.given()):
                return point
        except (Undefined, ZeroDivisionError, OverflowError):
            continue
    return None
