import mpmath
from hypothesis import assume, given, settings
from oracle import GRANULARITIES, Model, close, exact, fractions, models, upward, value

from logca.derive.logca.sensitivity import (
    CURVATURE,
    E_A,
    E_BETA,
    E_C,
    E_G,
    E_GS_A,
    E_GS_C,
    E_GS_L1,
    E_GS_O,
    E_L,
    E_O,
    GAIN_A,
    GAIN_C,
    GAIN_L,
    GAIN_O,
    SHARE_C,
    SHARE_L,
    SHARE_O,
)

ROUGH = mpmath.mpf(10) ** -12


def relative_change(function, at):
    """d ln f / d ln x, by central differences at 50 digits."""
    step = mpmath.mpf(10) ** -15
    up, down = (mpmath.log(function(at * mpmath.exp(sign * step))) for sign in (1, -1))
    return (up - down) / (2 * step)


def scaled(model: Model, factor, *names: str) -> dict:
    parameters = {n: exact(getattr(model, n)) for n in ("o", "L0", "L1", "C", "A", "beta")}
    return parameters | {name: parameters[name] * factor for name in names}


def speedup(g, o, L0, L1, C, A, beta):
    host = C * g**beta
    return host / (o + L0 + L1 * g + host / A)


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_elasticities_are_the_numerical_ones(model, g) -> None:
    with mpmath.workdps(50):
        g = exact(g)
        for formula, names in (
            (E_O, ("o",)), (E_L, ("L0", "L1")), (E_C, ("C",)), (E_A, ("A",)),
        ):  # fmt: skip
            change = relative_change(lambda x, n=names: speedup(g, **scaled(model, x, *n)), 1)
            assert abs(value(formula, model, g=g) - change) < ROUGH
        assert abs(value(E_G, model, g=g) - relative_change(model.speedup, g)) < ROUGH
        bent = mpmath.diff(lambda t: mpmath.log(model.speedup(mpmath.exp(t))), mpmath.log(g), 2)
        assert abs(value(CURVATURE, model, g=g) - bent) < ROUGH
        by_exponent = mpmath.diff(
            lambda b: mpmath.log(speedup(g, **(scaled(model, 1) | {"beta": b}))),
            exact(model.beta),
        )
        assert abs(value(E_BETA, model, g=g) - by_exponent) < ROUGH


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES)
def test_sum_rules(model, g) -> None:
    with mpmath.workdps(40):
        shares = [value(formula, model, g=g) for formula in (SHARE_O, SHARE_L, SHARE_C)]
        assert close(sum(shares), 1)
        assert close(shares[2], model.speedup(exact(g)) / exact(model.A))
        o, latency, index, acceleration = (
            value(formula, model, g=g) for formula in (E_O, E_L, E_C, E_A)
        )
        assert close(o + latency + index + 1, 1)
        assert close(index + acceleration, 1)
        assert value(CURVATURE, model, g=g) <= 0


@settings(max_examples=40, deadline=None)
@given(model=models(), g=GRANULARITIES, r=fractions(0, 2))
def test_gains_are_ratios_of_speedups_and_obey_amdahl(model, g, r) -> None:
    assume(r > 1)
    with mpmath.workdps(40):
        before = model.speedup(exact(g))
        improved = {
            GAIN_O: model.but(o=model.o / r),
            GAIN_L: model.but(L0=model.L0 / r, L1=model.L1 / r),
            GAIN_C: model.but(C=model.C * r),
            GAIN_A: model.but(A=model.A * r),
        }
        o, latency, computation = (
            value(share, model, g=g) for share in (SHARE_O, SHARE_L, SHARE_C)
        )
        parts = {GAIN_O: o, GAIN_L: latency, GAIN_C: 1 - computation, GAIN_A: computation}
        for gain, better in improved.items():
            found = value(gain, model, g=g, r=r)
            assert close(found, better.speedup(exact(g)) / before)
            assert close(found, 1 / (1 - parts[gain] + parts[gain] / exact(r)))


@settings(max_examples=20, deadline=None)
@given(model=models(), share=fractions(-2, 0))
def test_elasticities_of_the_granularity(model, share) -> None:
    with mpmath.workdps(50):
        s = exact(share) * exact(model.A) / 10

        def g_s(o, L0, L1, C, A, beta):
            return upward(C * (1 / s - 1 / A), o + L0, L1, beta)

        start = g_s(**scaled(model, 1))
        assume(not mpmath.isnan(start))
        slope = model.beta * (model.o + model.L0) + (model.beta - 1) * model.L1 * start
        assume(slope > start * model.L1 / 1000)
        for formula, names in (
            (E_GS_O, ("o", "L0")), (E_GS_L1, ("L1",)), (E_GS_C, ("C",)), (E_GS_A, ("A",)),
        ):  # fmt: skip
            change = relative_change(lambda x, n=names: g_s(**scaled(model, x, *n)), 1)
            assert abs(value(formula, model, s=s) - change) < ROUGH * (1 + abs(change))
        total = sum(value(formula, model, s=s) for formula in (E_GS_O, E_GS_L1, E_GS_C))
        assert abs(total) < ROUGH
