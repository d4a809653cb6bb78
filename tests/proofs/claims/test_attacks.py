"""hypothesis attacks what the ledger calls true: no drawn point may violate a proved claim."""

from fractions import Fraction
from functools import cache

import pytest
import sympy as sp
from effort import tried
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logca.derive.core.symbols import TABLE
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.problems import forms, problem
from logca.proofs.numbers.exact import Imprecise, Undefined, holds
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.terms.elimination import eliminate
from logca.proofs.terms.limits import PowerLimit

POSITIVE = st.builds(
    Fraction, st.integers(min_value=1, max_value=60), st.sampled_from([1, 2, 3, 4, 8, 10, 64])
)
EXPONENT = st.builds(Fraction, st.integers(min_value=1, max_value=12), st.sampled_from([2, 3, 4]))


def strategy(symbol: sp.Symbol) -> st.SearchStrategy[Fraction]:
    if symbol.name == "beta":
        return EXPONENT
    return POSITIVE if symbol.is_positive else st.one_of(st.just(Fraction(0)), POSITIVE)


def admitted(symbol: sp.Symbol, value: sp.Expr) -> bool:
    """Whether a solved symbol stayed in its domain."""
    return bool(value > 0 if symbol.is_positive else value >= 0)


@cache
def attacked(
    asserts: tuple[str, ...], hypotheses: tuple[str, ...]
) -> list[tuple[ProofProblem, dict[sp.Symbol, sp.Expr], list[sp.Symbol]]]:
    """A claim in each form of latency, what follows from its equations, and what is to be drawn."""
    found = []
    for latency in forms(asserts, hypotheses):
        stated = problem(asserts, hypotheses, latency, total=True)
        solved, _ = eliminate(stated.given())
        everything = [*stated.given(), *(goal for _, goal in stated.goals)]
        free = set().union(*(each.free_symbols for each in everything)) - solved.keys()
        drawn = sorted(free & {entry.symbol for entry in TABLE.values()}, key=str)
        found.append((stated, solved, drawn))
    return found


@pytest.mark.parametrize("claim", tried(all_claims(), 16), ids=lambda claim: claim.id)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_point_violates_a_true_statement(claim: Claim, data: st.DataObject) -> None:
    for stated, solved, symbols in attacked(claim.true.asserts, claim.true.given):
        point = {
            symbol: sp.Rational(data.draw(strategy(symbol), label=symbol.name))
            for symbol in symbols
        }
        point |= {symbol: value.xreplace(point) for symbol, value in solved.items()}
        if not all(
            value.is_Rational and admitted(symbol, value) for symbol, value in point.items()
        ):
            return
        try:
            if not all(holds(statement, point) for statement in stated.given()):
                return
            for label, goal in stated.goals:
                if not goal.has(PowerLimit):
                    assert holds(goal, point) is not False, f"{label} at {point}"
        except (Undefined, Imprecise, ZeroDivisionError, OverflowError):
            return
