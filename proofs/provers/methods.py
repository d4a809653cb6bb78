"""One problem decided by several independent methods; two of them that disagree are an error."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import sympy as sp

from logca.common.errors import ContradictionError
from logca.derive.algebra.asymptotics import UnorderedExponents
from logca.derive.core.symbols import TABLE, beta
from logca.proofs.numbers.branch_and_prune import ARITHMETICS, box_proof, covers
from logca.proofs.numbers.counterexamples import find_counterexample
from logca.proofs.numbers.exact import Undefined, holds
from logca.proofs.numbers.sampled_points import confirmed_points
from logca.proofs.provers import symbolic
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.cvc5_worker import agrees
from logca.proofs.provers.instantiation import Supply
from logca.proofs.provers.smt import SolverAnswer, satisfiable
from logca.proofs.terms.definedness import assumed, too_many_digits
from logca.proofs.terms.elimination import conjuncts, substitute
from logca.proofs.terms.limits import PowerLimit, gruntz_agrees_at, resolve_limits

__all__ = [
    "ProofMethod",
    "ProofProblem",
    "ProverDecision",
    "decide",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofMethod:
    """One way in which a statement was confirmed."""

    name: str  # "symbolic", "z3", "cvc5", "interval",
    scope: str = "whole domain"  # where it holds: "whole domain" or a part of it


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofProblem:
    """Hypotheses and goals under one form of latency."""

    hypotheses: tuple[tuple[str, sp.Basic], ...]  # label and statement [1]
    goals: tuple[tuple[str, sp.Basic], ...]  # all of them are to follow [1]
    # granularities [B] at which the power lemmas are instantiated as well
    touch: tuple[sp.Expr, ...] = ()

    def given(self) -> list[sp.Basic]:
        """The hypotheses without labels [1]."""
        return [statement for _, statement in self.hypotheses]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProverDecision:
    """The outcome for one problem."""

    status: str  # "proved", "refuted" or "undecided"
    methods: tuple[ProofMethod, ...] = ()  # what confirmed it
    # values of the symbols by name, exact rationals [their units]
    counterexample: dict[str, sp.Rational] | None = None
    failing: str = ""  # the goal that it violates, or that no method could prove
    # how many methods confirm the goal that the fewest methods confirm [1]
    confirmations: int = 0


# How many lemmas, and whether on quantities of one unit only: such pairs are few and nearly always
# enough; with all pairs Z3 gets lost in facts that do not matter.
_LEVELS = ((0, True), (1, True), (2, True), (3, True), (1, False), (2, False), (3, False))
_DOMINANT = " (the dominant term does not vanish)"
# cvc5 has a resource limit of its own; this is for the problems on which it overlooks that
_CVC5_SECONDS = 2.0
_SAMPLES = tuple(sp.Rational(*pair) for pair in ((1, 2), (1, 1), (2, 1), (2, 3), (3, 2)))


def decide(
    problem: ProofProblem, *, timeout: float = 10.0, thorough: bool = False, doubtful: bool = False
) -> ProverDecision:
    """A proof or a refutation of a problem; `timeout` [s] is for all methods together.

    A thorough decision asks the supporting methods as well and cross-checks, as the ledger does;
    of a doubtful problem a counterexample is looked for before any proof. Where one method proves
    what another refutes, that is a ContradictionError.
    """
    deadline = time.monotonic() + timeout
    limits = [_limit_methods(goal, problem.given(), thorough) for _, goal in problem.goals]
    try:
        problem, origins = _without_limits(problem)
    except UnorderedExponents as error:
        return ProverDecision(status="undecided", failing=str(error))
    problem = _with_beta_inserted(problem)
    if doubtful:
        refuted = _searched(problem, problem.goals)
        if refuted is not None:
            return refuted
    proofs: list[tuple[ProofMethod, ...]] = []
    doubted: list[sp.Basic] = []
    for (label, goal), origin in zip(problem.goals, origins, strict=True):
        methods = _prove(problem, goal, deadline, thorough)
        if not methods:
            return _refute(problem, (label, goal), deadline)
        proofs.append(limits[origin] or methods)
        if not _independent(methods):
            doubted.append(goal)
    methods = _common(proofs)
    if thorough and doubted:
        _cross_check(problem, doubted)
    fewest = min(map(len, proofs), default=0)
    return ProverDecision(status="proved", methods=methods, confirmations=fewest)


def _limit_methods(
    goal: sp.Basic, given: list[sp.Basic], thorough: bool
) -> tuple[ProofMethod, ...]:
    if not goal.has(PowerLimit):
        return ()
    methods = [ProofMethod(name="dominant terms")]
    if thorough:
        exponents = gruntz_agrees_at(goal, given, _SAMPLES)
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
            goals += [(label + _DOMINANT, c) for c in conditions]
        goals.append((label, goal))
        origins += [index] * (len(goals) - len(origins))
    return replace(problem, goals=tuple(goals)), origins


def _with_beta_inserted(problem: ProofProblem) -> ProofProblem:
    """The problem with beta inserted where a hypothesis fixes it: roots become closed forms."""
    known = next((h.rhs for h in problem.given() if _fixes_exponent(h)), None)
    if known is None:
        return problem

    def fixed(statements: tuple[tuple[str, sp.Basic], ...]) -> tuple[tuple[str, sp.Basic], ...]:
        return tuple(
            (label, s if _fixes_exponent(s) else substitute(s, {beta: known}))
            for label, s in statements
        )

    return replace(
        problem,
        hypotheses=fixed(problem.hypotheses),
        goals=fixed(problem.goals),
        touch=tuple(point.subs(beta, known) for point in problem.touch),
    )


def _fixes_exponent(statement: sp.Basic) -> bool:
    if not (isinstance(statement, sp.Eq) and statement.lhs == beta):
        return False
    return bool(statement.rhs.is_Rational) and not too_many_digits(beta, statement.rhs)


def _prove(
    problem: ProofProblem, goal: sp.Basic, deadline: float, thorough: bool
) -> tuple[ProofMethod, ...]:
    goal = symbolic.without_cases(goal, problem.given())
    methods = _enclosed(problem, goal, thorough) if goal is not sp.true else []
    if methods is None:
        return ()
    if len(methods) > 1 and all(method.scope == "whole domain" for method in methods):
        return tuple(methods)
    cases = isinstance(goal, sp.Or)
    if not cases and symbolic.proves(problem.given(), goal):
        methods.append(ProofMethod(name="symbolic"))
        if not thorough:
            return tuple(methods)
    answer = by_lemmas(problem, goal, deadline)
    if answer is not None:
        methods.append(ProofMethod(name="z3"))
    elif not methods and symbolic.proves(problem.given(), goal, symbolic.PATIENT):
        methods.append(ProofMethod(name="symbolic"))
    if methods and thorough:
        if answer is not None and len(methods) < 2:
            methods += _second_solver(answer, goal)
        if len(methods) < 2:
            methods += _supporting(problem, goal, deadline)
    return tuple(methods)


def _enclosed(problem: ProofProblem, goal: sp.Basic, thorough: bool) -> list[ProofMethod] | None:
    """Proofs by enclosure where the hypotheses leave a point or a small bounded box.

    None if an enclosure shows that the goal fails there.
    """
    methods: list[ProofMethod] = []
    answers: set[bool | None] = set()
    for name, sign in ARITHMETICS.items():
        if thorough or not methods:
            answer = covers(problem.given(), goal, sign)
            answers.add(answer)
            methods += [ProofMethod(name=name)] * bool(answer)
    if answers >= {True, False}:
        raise ContradictionError(f"one arithmetic proves and the other refutes {goal}")
    return None if False in answers else methods


def _second_solver(answer: SolverAnswer, goal: sp.Basic) -> list[ProofMethod]:
    verdict = agrees(answer.problem, timeout=_CVC5_SECONDS)
    if verdict == "sat":
        raise ContradictionError(f"z3 proves and cvc5 refutes {goal}")
    return [ProofMethod(name="cvc5")] if verdict == "unsat" else []


def by_lemmas(problem: ProofProblem, goal: sp.Basic, deadline: float) -> SolverAnswer | None:
    """Refute the negation with z3, with more and more lemmas on real powers; None if it stands."""
    try:
        supply, statements = _translated(problem, goal)
    except Unsupported:
        return None
    seen = -1
    for level, alike in _LEVELS:
        left = deadline - time.monotonic()
        known = supply.lemmas(level, alike=alike)
        if left <= 0:
            return None
        if len(known) == seen:
            continue
        seen = len(known)
        # no level gets all the time: more lemmas help more often than more patience
        answer = satisfiable([*statements, *known, *supply.work.facts], timeout=min(left, 3.0))
        if answer.status == "unsat":
            return answer
    return None


def _translated(problem: ProofProblem, goal: sp.Basic) -> tuple[Supply, list[sp.Basic]]:
    """The negated problem over the reals, and the lemmas to go with it."""
    supply, statements = _hypotheses(tuple(problem.given()), problem.touch)
    supply = supply.fork()
    return supply, [*statements, supply.work.statement(sp.Not(goal))]


@lru_cache(maxsize=16)
def _hypotheses(
    given: tuple[sp.Basic, ...], touch: tuple[sp.Expr, ...]
) -> tuple[Supply, list[sp.Basic]]:
    work = Abstraction()
    work.signs.remember(given)
    work.touch(touch, beta)
    return Supply(work=work), [work.statement(s) for s in assumed(conjuncts(given))]


def abstract(problem: ProofProblem, goal: sp.Basic) -> list[sp.Basic]:
    """The negated problem over the reals with the facts that define its parts [1]."""
    supply, statements = _translated(problem, goal)
    return [*statements, *supply.work.facts]


def _supporting(problem: ProofProblem, goal: sp.Basic, deadline: float) -> list[ProofMethod]:
    """A confirmation on part of the domain: at a sample exponent, on a box, at certified points."""
    for value in _SAMPLES:
        if _proved_at_exponent(problem, goal, value, deadline):
            return [ProofMethod(name="z3 at an exponent", scope=f"beta = {value}")]
    box = box_proof(problem.given(), goal)
    if box:
        return [ProofMethod(name="interval", scope=box)]
    points = confirmed_points(problem.given(), goal)
    return [ProofMethod(name="interval points", scope=f"{points} points, Arb")] if points else []


def _proved_at_exponent(
    problem: ProofProblem, goal: sp.Basic, value: sp.Rational, deadline: float
) -> bool:
    statements = (goal, *problem.given())
    if not any(statement.has(beta) and not _fixes_exponent(statement) for statement in statements):
        return False
    given = [_at_value(statement, value) for statement in problem.given()]
    if any(statement is sp.false for statement in given) or deadline < time.monotonic():
        return False
    fixed = ProofProblem(
        hypotheses=tuple(("", statement) for statement in given),
        goals=(("", _at_value(goal, value)),),
        touch=(),
    )
    try:
        answer = satisfiable(abstract(fixed, fixed.goals[0][1]), timeout=0.2)
    except Unsupported:
        return False
    return answer.status == "unsat"


def _at_value(statement: sp.Basic, value: sp.Rational) -> sp.Basic:
    """The statement at a numeric exponent; false where a part of it has no value there."""
    try:
        return statement.subs(beta, value)
    except TypeError:
        return sp.false


def _refute(problem: ProofProblem, failed: tuple[str, sp.Basic], deadline: float) -> ProverDecision:
    """Look for a counterexample to the goal that failed, then to the others."""
    refuted = _searched(problem, [failed])
    if refuted is not None:
        return refuted
    label, goal = failed
    if not label.endswith(_DOMINANT):
        point = _from_models(problem, goal, deadline)
        if point is not None:
            return _refuted(label, point)
    others = [entry for entry in problem.goals if entry != failed]
    return _searched(problem, others) or ProverDecision(status="undecided", failing=label)


def _searched(
    problem: ProofProblem, goals: Sequence[tuple[str, sp.Basic]]
) -> ProverDecision | None:
    """A refutation by search; that a limit could not be justified is none."""
    justified = [goal for label, goal in problem.goals if label.endswith(_DOMINANT)]
    for label, goal in goals:
        if label.endswith(_DOMINANT):
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
    problem: ProofProblem, goal: sp.Basic, deadline: float
) -> dict[sp.Symbol, sp.Rational] | None:
    """Models that z3 finds at sample exponents, confirmed exactly."""
    for value in _SAMPLES:
        if time.monotonic() > deadline:
            return None
        given = [_at_value(statement, value) for statement in problem.given()]
        if any(statement is sp.false for statement in given):
            continue
        fixed = ProofProblem(hypotheses=tuple(("", s) for s in given), goals=())
        try:
            answer = satisfiable(abstract(fixed, _at_value(goal, value)), timeout=1.0)
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
