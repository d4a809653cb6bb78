"""Ceilings, Hill curve and targets: verdicts as the notes have them, and in numbers, 50 digits."""

import math

import mpmath
import pytest
import theorem_model as tm
from theorem_model import close, models, mpf

from logca.proofs.claims.claim import Claim
from logca.proofs.claims.lemmas import CLAIMS
from logca.proofs.engine.problems import problem
from logca.proofs.provers.effort import Effort
from logca.proofs.provers.problem import ProofProblem
from logca.proofs.provers.proof_attempts import abstract
from logca.proofs.provers.smt import satisfiable


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_lemmas_do_not_rest_on_themselves(claim: Claim) -> None:
    stated: ProofProblem = problem(claim.asserts, claim.given, "constant", total=True)
    for _, goal in stated.goals:
        found = satisfiable(abstract(stated, goal), Effort(until=math.inf), most=10**8)
        assert found.status == "unsat"


def test_harmonic_sum_and_two_ceilings() -> None:
    for m in models(40, 1):
        g = mpf(10) ** (m.beta * 3 - 2)
        assert close(1 / m.speedup(g), 1 / m.A + 1 / m.infinite(g))
        ceiling = min(m.A, m.infinite(g))
        assert ceiling / 2 <= m.speedup(g) < ceiling
        three = min(m.A, m.host(g) / m.o, m.host(g) / m.latency(g))
        assert three / 3 <= m.speedup(g) < three


def test_equality_on_every_ridge_and_nowhere_else() -> None:
    for m in [*models(6, 2), *models(6, 3, beta=mpf("0.4"), L1=mpf("0.001"))]:
        ridges = tm.roots(lambda g, m=m: mpmath.log(m.infinite(g) / m.A))
        for g in ridges:
            assert close(m.speedup(g), m.A / 2)
            for factor in (mpf("0.99"), mpf("1.01")):
                there = g * factor
                assert m.speedup(there) > min(m.A, m.infinite(there)) / 2


def test_hill_curve_logistic_and_inflections() -> None:
    for m in models(12, 4, L1=mpf(0)):
        half = (m.A * (m.o + m.L0) / m.C) ** (1 / m.beta)
        for factor in (mpf("0.01"), mpf(1), mpf(70)):
            g = half * factor
            assert close(m.speedup(g), m.A * g**m.beta / (g**m.beta + half**m.beta))
            odds = m.speedup(g) / (m.A - m.speedup(g))
            assert abs(mpmath.log(odds) - m.beta * mpmath.log(factor)) < mpf(10) ** -30
        steep = mpmath.diff(lambda t, m=m: m.speedup(mpmath.exp(t)), mpmath.log(half), 2)
        assert abs(steep) < mpf(10) ** -12 * m.A
        if m.beta > 1:
            bend = half * ((m.beta - 1) / (m.beta + 1)) ** (1 / m.beta)
            second = [mpmath.diff(m.speedup, bend * f, 2) for f in (mpf("0.9"), mpf("1.1"))]
            assert second[0] > 0 > second[1]
        tenth, nine = (
            tm.root(lambda g, m=m, p=p: m.excess(g, p * m.A), half / 10**30, half * 10**30)
            for p in (mpf("0.1"), mpf("0.9"))
        )
        assert close(nine / tenth, mpf(81) ** (1 / m.beta))
        assert close(nine * tenth, half**2)


def test_targets_enter_through_one_number() -> None:
    for m in models(10, 5):
        s, other = m.A / 3, m.A * 2
        target = 1 / (1 / s - 1 / m.A + 1 / other)
        pairs = tm.roots(lambda g, m=m, s=s: m.excess(g, s))
        again = tm.roots(lambda g, m=m, o=other, t=target: m.but(A=o).excess(g, t))
        assert len(pairs) == len(again)
        assert all(close(x, y) for x, y in zip(pairs, again, strict=True))


def test_slopes_far_out() -> None:
    tiny, huge = mpf(10) ** -80, mpf(10) ** 80

    def slope(m: tm.Model, g: tm.Number) -> tm.Number:
        return mpmath.log(m.speedup(2 * g) / m.speedup(g)) / mpmath.log(2)

    for m in models(20, 6):
        sublinear = m.but(beta=mpf("0.6"))
        assert abs(slope(sublinear, tiny) - mpf("0.6")) < mpf(10) ** -20
        assert abs(slope(sublinear, huge) + mpf("0.4")) < mpf(10) ** -20
        assert abs(slope(m.but(beta=mpf("1.6")), huge)) < mpf(10) ** -20
        assert abs(slope(m.but(L1=mpf(0), beta=mpf("0.6")), huge)) < mpf(10) ** -20


def test_what_speedups_can_tell() -> None:
    for m in models(10, 7):
        other = m.but(o=3 * m.o, L0=3 * m.L0, L1=3 * m.L1, C=3 * m.C)
        linear = m.but(beta=mpf(1))
        hidden = linear.but(A=2 * m.A, L1=m.L1 + m.C / (2 * m.A))
        for g in (mpf("0.3"), mpf(17)):
            assert close(m.speedup(g), other.speedup(g))
            assert close(linear.speedup(g), hidden.speedup(g))


def test_designs_half_way_are_at_least_the_geometric_mean() -> None:
    for one, two in zip(models(20, 8), models(20, 9), strict=True):
        two = two.but(beta=one.beta)
        names = ("o", "L0", "L1", "C", "A")
        middle = one.but(**{n: mpmath.sqrt(getattr(one, n) * getattr(two, n)) for n in names})
        product = one.speedup(mpf(5)) * two.speedup(mpf(500))
        assert middle.speedup(mpf(50)) ** 2 >= product
