"""Methods that may prove a goal, tried in turn.

Enclosure, algebra, Z3 with more and more lemmas, cvc5 on the same; then parts of the domain.
"""

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from logca.common.errors import ContradictionError
from logca.derive.core.symbols import beta
from logca.proofs.numbers.branch_and_prune import ARITHMETICS, box_proof, covers
from logca.proofs.numbers.sampled_points import confirmed_points
from logca.proofs.provers import symbolic
from logca.proofs.provers.abstraction import Abstraction, Unsupported
from logca.proofs.provers.cvc5_worker import agrees
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.instantiation import Supply
from logca.proofs.provers.problem import ProofMethod, ProofProblem
from logca.proofs.provers.smt import SolverAnswer, satisfiable
from logca.proofs.terms.definedness import assumed, too_many_digits
from logca.proofs.terms.elimination import conjuncts

__all__ = [
    "SAMPLE_EXPONENTS",
    "LemmaContradiction",
    "abstract",
    "at_exponent",
    "by_lemmas",
    "fixes_exponent",
    "prove",
    "translated",
]

# How many lemmas, and whether on quantities of one unit only: such pairs are few and nearly always
# enough; with all pairs Z3 gets lost in facts that do not matter.
_LEVELS = ((0, True), (1, True), (2, True), (3, True), (1, False), (2, False), (3, False))

# no level gets all the work: more lemmas help more often than more patience
_UNITS_OF_A_LEVEL = 12_000_000
_UNITS_AT_AN_EXPONENT = 2_000_000

SAMPLE_EXPONENTS = tuple(sp.Rational(*pair) for pair in ((1, 2), (1, 1), (2, 1), (2, 3), (3, 2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class LemmaContradiction:
    """Hypotheses, a negated goal, lemmas and facts that z3 found to contradict each other."""

    hypotheses: tuple[sp.Basic, ...]  # over the reals, in the order of `assumed` [1]
    negated: sp.Basic  # the negated goal over the reals [1]
    lemmas: tuple[sp.Basic, ...]  # instances, each of which is in `supply.made` [1]
    supply: Supply  # what made them, with the facts on what the variables stand for
    answer: SolverAnswer  # what z3 says


def fixes_exponent(statement: sp.Basic) -> bool:
    """True for beta = a rational number."""
    if not (isinstance(statement, sp.Eq) and statement.lhs == beta):
        return False
    return bool(statement.rhs.is_Rational) and not too_many_digits(beta, statement.rhs)


def prove(
    problem: ProofProblem, goal: sp.Basic, effort: Effort, thorough: bool
) -> tuple[ProofMethod, ...]:
    """Methods that prove a goal; none if no method does with the work that is left."""
    effort.check()
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
    found = by_lemmas(problem, goal, effort)
    if found is not None:
        methods.append(ProofMethod(name="z3"))
    elif not methods and symbolic.proves(problem.given(), goal, symbolic.PATIENT):
        methods.append(ProofMethod(name="symbolic"))
    if methods and thorough:
        if found is not None and len(methods) < 2:
            methods += _second_solver(found.answer, goal, effort)
        if len(methods) < 2:
            methods += _supporting(problem, goal, effort)
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


def _second_solver(answer: SolverAnswer, goal: sp.Basic, effort: Effort) -> list[ProofMethod]:
    verdict = agrees(answer.problem, effort)
    if verdict == "sat":
        raise ContradictionError(f"z3 proves and cvc5 refutes {goal}")
    return [ProofMethod(name="cvc5")] if verdict == "unsat" else []


def by_lemmas(problem: ProofProblem, goal: sp.Basic, effort: Effort) -> LemmaContradiction | None:
    """Refute the negation with z3, with more and more lemmas on real powers; None if it stands."""
    try:
        supply, statements = translated(problem, goal)
    except Unsupported:
        return None
    seen = -1
    for level, alike in _LEVELS:
        known = supply.lemmas(level, alike=alike)
        if len(known) == seen:
            continue
        seen = len(known)
        asked = [*statements, *known, *supply.work.facts]
        answer = satisfiable(asked, effort, most=_UNITS_OF_A_LEVEL)
        if answer.status == "unsat":
            *hypotheses, negated = statements
            return LemmaContradiction(
                hypotheses=tuple(hypotheses),
                negated=negated,
                lemmas=tuple(known),
                supply=supply,
                answer=answer,
            )
    return None


def translated(problem: ProofProblem, goal: sp.Basic) -> tuple[Supply, list[sp.Basic]]:
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
    supply, statements = translated(problem, goal)
    return [*statements, *supply.work.facts]


def _supporting(problem: ProofProblem, goal: sp.Basic, effort: Effort) -> list[ProofMethod]:
    """A confirmation on part of the domain: at a sample exponent, on a box, at certified points."""
    for value in SAMPLE_EXPONENTS:
        if _proved_at_exponent(problem, goal, value, effort):
            return [ProofMethod(name="z3 at an exponent", scope=f"beta = {value}")]
    box = box_proof(problem.given(), goal)
    if box:
        return [ProofMethod(name="interval", scope=box)]
    points = confirmed_points(problem.given(), goal)
    return [ProofMethod(name="interval points", scope=f"{points} points, Arb")] if points else []


def _proved_at_exponent(
    problem: ProofProblem, goal: sp.Basic, value: sp.Rational, effort: Effort
) -> bool:
    statements = (goal, *problem.given())
    if not any(statement.has(beta) and not fixes_exponent(statement) for statement in statements):
        return False
    given = [at_exponent(statement, value) for statement in problem.given()]
    if any(statement is sp.false for statement in given):
        return False
    fixed = ProofProblem(
        hypotheses=tuple(("", statement) for statement in given),
        goals=(("", at_exponent(goal, value)),),
        touch=(),
    )
    try:
        asked = abstract(fixed, fixed.goals[0][1])
        answer = satisfiable(asked, effort, most=_UNITS_AT_AN_EXPONENT)
    except Unsupported:
        return False
    return answer.status == "unsat"


def at_exponent(statement: sp.Basic, value: sp.Rational) -> sp.Basic:
    """The statement at a numeric exponent; false where a part of it has no value there."""
    try:
        return statement.subs(beta, value)
    except (TypeError, ValueError):
        return sp.false
