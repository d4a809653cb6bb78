"""One problem decided by several independent methods; two of them that disagree are an error."""

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp

from logca.common.errors import ContradictionError
from logca.derive.algebra.asymptotics import UnorderedExponents
from logca.derive.core.symbols import TABLE, beta
from logca.proofs.numbers.counterexamples import find_counterexample
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofMethod, ProofProblem, ProverDecision
from logca.proofs.provers.proof_attempts import SAMPLE_EXPONENTS, fixes_exponent, prove
from logca.proofs.provers.refutation_attempts import DOMINANT, refute, searched
from logca.proofs.terms.elimination import substitute
from logca.proofs.terms.limits import PowerLimit, gruntz_agrees_at, resolve_limits

__all__ = ["decide", "with_beta_inserted"]


def decide(
    problem: ProofProblem, effort: Effort, *, thorough: bool = False, doubtful: bool = False
) -> ProverDecision:
    """A proof or a refutation of a problem, with the work that is left for all methods together.

    A thorough decision asks the supporting methods as well and cross-checks, as the ledger does;
    of a doubtful problem a counterexample is looked for before any proof. Where one method proves
    what another refutes, that is a ContradictionError.
    """
    stated = problem
    limits = [_limit_methods(goal, problem.given(), thorough) for _, goal in problem.goals]
    try:
        problem, origins = _without_limits(problem)
    except UnorderedExponents as error:
        return ProverDecision(status="undecided", failing=str(error))
    problem = with_beta_inserted(problem)
    if doubtful:
        refuted = searched(problem, problem.goals)
        if refuted is not None:
            return _with_all_symbols(refuted, stated)
    proofs: list[tuple[ProofMethod, ...]] = []
    doubted: list[sp.Basic] = []
    for (label, goal), origin in zip(problem.goals, origins, strict=True):
        methods = prove(problem, goal, effort, thorough)
        if not methods:
            return _with_all_symbols(refute(problem, (label, goal), effort), stated)
        proofs.append(limits[origin] or methods)
        if not _independent(methods):
            doubted.append(goal)
    methods = _common(proofs)
    if thorough and doubted:
        _cross_check(problem, doubted)
    fewest = min(map(len, proofs), default=0)
    return ProverDecision(status="proved", methods=methods, confirmations=fewest)


def _with_all_symbols(decision: ProverDecision, stated: ProofProblem) -> ProverDecision:
    """The decision, its counterexample with symbols that vanished as limits were evaluated.

    The goal is false whatever their values, and no hypothesis has them: they are put at one.
    """
    if decision.counterexample is None:
        return decision
    failing = [goal for label, goal in stated.goals if label == decision.failing]
    names = {symbol.name for goal in failing for symbol in goal.free_symbols}
    full = dict.fromkeys(sorted(names), sp.S.One) | decision.counterexample
    return replace(decision, counterexample={name: full[name] for name in TABLE if name in full})


def _limit_methods(
    goal: sp.Basic, given: list[sp.Basic], thorough: bool
) -> tuple[ProofMethod, ...]:
    if not goal.has(PowerLimit):
        return ()
    methods = [ProofMethod(name="dominant terms")]
    if thorough:
        exponents = gruntz_agrees_at(goal, given, SAMPLE_EXPONENTS)
        if exponents:
            listed = ", ".join(str(value) for value in exponents)
            methods.append(ProofMethod(name="Gruntz", scope=f"beta in {{{listed}}}"))
    return tuple(methods)


def _without_limits(problem: ProofProblem) -> tuple[ProofProblem, list[int]]:
    """The problem with limits evaluated; for each of its goals, the goal it comes from."""
    goals: list[tuple[str, sp.Basic]] = []
    origins: list[int] = []
    for index, (label, goal) in enumerate(problem.goals):
        if goal.has(PowerLimit):
            goal, conditions = resolve_limits(goal, problem.given())
            goals += [(label + DOMINANT, c) for c in conditions]
        goals.append((label, goal))
        origins += [index] * (len(goals) - len(origins))
    return replace(problem, goals=tuple(goals)), origins


def with_beta_inserted(problem: ProofProblem) -> ProofProblem:
    """The problem with beta inserted where a hypothesis fixes it: roots become closed forms."""
    known = next((h.rhs for h in problem.given() if fixes_exponent(h)), None)
    if known is None:
        return problem

    def fixed(statements: tuple[tuple[str, sp.Basic], ...]) -> tuple[tuple[str, sp.Basic], ...]:
        return tuple(
            (label, s if fixes_exponent(s) else substitute(s, {beta: known}))
            for label, s in statements
        )

    return replace(
        problem,
        hypotheses=fixed(problem.hypotheses),
        goals=fixed(problem.goals),
        touch=tuple(point.subs(beta, known) for point in problem.touch),
    )


def _common(proofs: Sequence[tuple[ProofMethod, ...]]) -> tuple[ProofMethod, ...]:
    """Methods that confirm every goal, whole-domain ones first; then those that confirm some."""
    shared: list[ProofMethod] = []
    for method in proofs[0]:
        if all(any(other.name == method.name for other in methods) for methods in proofs):
            shared.append(method)
    if not any(method.scope == "whole domain" for method in shared):
        first = dict.fromkeys(methods[0].name for methods in proofs)
        shared.insert(0, ProofMethod(name=" and ".join(first)))
    known = {method.name for method in shared}
    names = [method.name for methods in proofs for method in methods if method.name not in known]
    partial = []
    for name in dict.fromkeys(names):
        whole = sum(ProofMethod(name=name) in methods for methods in proofs)
        part = f"{whole or 'parts'} of {len(proofs)} assertions"
        partial.append(ProofMethod(name=name, scope=part))
    return (*shared, *partial)


def _independent(methods: Sequence[ProofMethod]) -> bool:
    """True if two methods prove it everywhere that share nothing; z3 and cvc5 share lemmas."""
    everywhere = {method.name for method in methods if method.scope == "whole domain"}
    return len(everywhere - {"cvc5"}) > 1


def _cross_check(problem: ProofProblem, goals: Sequence[sp.Basic]) -> None:
    """Search for a counterexample to what is proved."""
    point = find_counterexample(problem.given(), goals, rounds=1)
    if point is not None:
        raise ContradictionError(f"proved, but {point} violates {goals}")
