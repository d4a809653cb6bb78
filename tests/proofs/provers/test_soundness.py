"""Random claims with a counterexample: no method may prove them, whatever does not exist.

The counterexample is exact, found and verified without the provers, and they are not told of it.
"""

import math

import sympy as sp
from effort import examples
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from logca.derive.core.catalogue import names
from logca.proofs.engine.problems import forms, problem
from logca.proofs.language.parser import ClaimSyntaxError
from logca.proofs.numbers.branch_and_prune import ARITHMETICS, covers
from logca.proofs.numbers.counterexamples import find_counterexample
from logca.proofs.provers import symbolic
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import by_lemmas

SYMBOLS = st.sampled_from(["A", "o", "L", "C", "beta", "g", "s", "x"])
NUMBERS = st.sampled_from(["0", "1/2", "1", "2", "3"])
QUANTITIES = st.sampled_from([*names()])
EXPONENTS = st.sampled_from(["beta", "1/beta", "beta-1", "1-beta", "1/2", "-1/3", "2", "o-L"])
ATOMS = SYMBOLS | NUMBERS | QUANTITIES
DIFFERENCES = st.builds("({} - {})".format, SYMBOLS, SYMBOLS | NUMBERS)
INSTANCES = st.builds("{0}({1}={2})".format, QUANTITIES, SYMBOLS, SYMBOLS | NUMBERS | DIFFERENCES)


def compounds(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.builds("({} {} {})".format, part, st.sampled_from("+-*/"), part)
        | st.builds("({})**({})".format, part, EXPONENTS)
        | st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), part, part)
        | st.builds("{}({})".format, st.sampled_from(["abs", "log", "exp", "sqrt"]), part)
        | st.builds("diff({}, {})".format, part, SYMBOLS)
    )


EXPRESSIONS = st.recursive(ATOMS | DIFFERENCES | INSTANCES, compounds, max_leaves=4)
ORDERS = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])
COMPARISONS = st.builds("{} {} {}".format, EXPRESSIONS, ORDERS, EXPRESSIONS)
EXISTENCE = st.builds("exists({})".format, EXPRESSIONS)
SIMPLE = st.builds("{} {} {}".format, SYMBOLS, ORDERS, SYMBOLS | NUMBERS)
PARTS = COMPARISONS | EXISTENCE | SIMPLE
CLAIMS = (
    PARTS
    | st.builds("implies({}, {})".format, PARTS, PARTS)
    | st.builds("iff({}, {})".format, PARTS, SIMPLE)
    | st.builds("({}) or ({})".format, PARTS, PARTS)
    | st.builds("not ({}) or ({})".format, PARTS, SIMPLE)
)
HYPOTHESES = st.lists(SIMPLE | st.sampled_from(["beta == 1", "beta == 1/2", "A > 1"]), max_size=2)


@examples(
    12,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(claim=CLAIMS, hypotheses=HYPOTHESES)
def test_what_has_a_counterexample_is_not_proved(claim: str, hypotheses: list[str]) -> None:
    for stated in asked(claim, hypotheses):
        goals = [goal for _, goal in stated.goals]
        if goals and find_counterexample(stated.given(), goals) is not None:
            assert not all(proved(stated, goal) for goal in goals)


def asked(claim: str, hypotheses: list[str]) -> list[ProofProblem]:
    try:
        return [problem((claim,), hypotheses, form) for form in forms((claim,), hypotheses)]
    except ClaimSyntaxError:
        assume(False)
        raise


def proved(stated: ProofProblem, goal: sp.Basic) -> bool:
    known = stated.given()
    by_cases = symbolic.without_cases(goal, known)
    return bool(
        by_cases is sp.true
        or symbolic.proves(known, goal)
        or symbolic.proves(known, by_cases)
        or any(covers(known, by_cases, sign) for sign in ARITHMETICS.values())
        or by_lemmas(stated, by_cases, Effort(until=math.inf, units=5_000_000))
    )
