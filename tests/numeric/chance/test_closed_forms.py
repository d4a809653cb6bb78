"""Probabilities and quantiles that are closed forms: against SciPy, mpmath and the formulas."""

from collections.abc import Callable
from math import inf, log, sqrt
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_sampling import Law, frozen
from scipy import stats

from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import TABLE
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.distributions import Distribution, LogNormal, Uniform
from logca.numeric.chance.quasi_monte_carlo import CLOSED_FORM

AES = {"o": 29_000.0, "L": 1500.0, "C": 90.0, "A": 19.0, "beta": 1.0}
RADIX = {"o": 4e5, "L": 15.0, "C": 290.0, "A": 7.0, "beta": 0.94}
STEEP = {"o": 4e5, "L": 15.0, "C": 2.0, "A": 7.0, "beta": 1.3}
MODELS = [(AES, "constant"), (AES | {"L": 1.5}, "linear"), (RADIX, "linear"), (STEEP, "linear")]
IDS = ["constant", "linear", "sublinear", "superlinear"]


def wide(name: str, value: float) -> dict[str, Distribution]:
    spread: dict[str, Distribution] = {
        "log-normal": LogNormal(median=value, factor=1.4),
        "uniform": Uniform(least=0.6 * value, most=1.5 * value),
    }
    if name == "beta":
        spread["log-normal"] = LogNormal(median=value, factor=1.02)
        spread["uniform"] = Uniform(least=0.97 * value, most=1.02 * value)
    return spread


def known(own: Distribution) -> Any:
    law: Law = (
        ("lognormal", own.median, own.factor)
        if isinstance(own, LogNormal)
        else ("uniform", own.least, own.most)
    )
    return frozen(law)


def speedup(model: dict[str, Any], latency: str, g: Any) -> Any:
    """The model with the digits that mpmath has."""
    host = model["C"] * mpmath.mpf(g) ** model["beta"]
    return host / (model["o"] + model["L"] * (g if latency == "linear" else 1) + host / model["A"])


def threshold(gains: Callable[[Any], bool], low: float, high: float) -> Any:
    """Where a condition on a positive number changes, to 30 digits."""
    first, a, b = gains(mpmath.mpf(low)), mpmath.mpf(low), mpmath.mpf(high)
    if gains(b) == first:
        return mpmath.inf if not first else mpmath.mpf(0)
    for _ in range(120):
        middle = mpmath.sqrt(a * b)
        a, b = (middle, b) if gains(middle) == first else (a, middle)
    return a


@pytest.mark.parametrize("kind", ["log-normal", "uniform"])
@pytest.mark.parametrize("name", list(AES))
@pytest.mark.parametrize(("model", "latency"), MODELS, ids=IDS)
def test_one_uncertain_parameter(
    model: dict[str, float], latency: str, name: str, kind: str
) -> None:
    own = wide(name, model[name])[kind]
    found = UncertainAccelerator(**{**model, name: own}, latency=latency)
    with mpmath.workdps(50):
        for g, s in ((700.0, 1.0), (20_000.0, 2.5), (3e6, 4.0), (0.3, 1e-3)):

            def gains(value: Any, g: float = g, s: float = s) -> bool:
                return bool(speedup({**model, name: value}, latency, g) > s)

            low, high = model[name] / 1e4, model[name] * 1e4
            if name == "beta":
                low, high = model[name] / 1.5, model[name] * 1.5
            at, up = threshold(gains, low, high), gains(mpmath.mpf(high))
            if at in (0, mpmath.inf):
                share = float(gains(mpmath.mpf(model[name])))
            else:
                share = float(known(own).sf(float(at)) if up else known(own).cdf(float(at)))
            answer = found.probability(s, g)
            assert answer.method == CLOSED_FORM
            assert answer.value == pytest.approx(share, rel=1e-9, abs=1e-14), (g, s)
        for g in (700.0, 3e6, 0.3):
            for p in (0.1, 0.5, 0.95):
                ends = [
                    float(speedup({**model, name: known(own).ppf(q)}, latency, g))
                    for q in (p, 1 - p)
                ]
                low_end, high_end = sorted(ends)
                wanted = low_end if p < 0.5 else high_end
                assert found.speedup_quantile(p, g).value == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1.0, 1.7])
def test_log_normal_margins_under_constant_latency(beta: float) -> None:
    o, C = LogNormal(median=29_000, factor=1.3), LogNormal(median=900, factor=1.2)
    found = UncertainAccelerator(o=o, L=0, C=C, A=19, beta=beta)
    spread = sqrt(log(1.3) ** 2 + log(1.2) ** 2)
    for g, s in ((50.0, 1.0), (4096.0, 3.0), (1e6, 12.0)):
        margin = stats.lognorm(s=spread, scale=900 * g**beta * (1 / s - 1 / 19) / 29_000)
        answer = found.probability(s, g)
        assert answer.method == CLOSED_FORM
        assert answer.value == pytest.approx(margin.sf(1), rel=1e-12)
        assert answer.error == 0
        root = stats.lognorm(
            s=spread / beta, scale=(29_000 / (900 * (1 / s - 1 / 19))) ** (1 / beta)
        )
        for p in (0.01, 0.5, 0.9):
            size = found.granularity_quantile(p, s)
            assert size.method == CLOSED_FORM
            assert size.value == pytest.approx(root.ppf(p), rel=1e-12)
            infinite = stats.lognorm(s=spread, scale=900 * g**beta / 29_000).ppf(p)
            ceiling = 1 / (1 / infinite + 1 / 19)
            assert found.speedup_quantile(p, g).value == pytest.approx(ceiling, rel=1e-12)
    assert found.probability_reached(18.9).value == 1
    assert found.probability_reached(19).value == 0
    assert found.granularity_quantile(0.5, 19).value == inf


def test_log_normal_peak_of_a_sublinear_kernel() -> None:
    o, L = LogNormal(median=4e5, factor=2), LogNormal(median=15, factor=1.6)
    found = UncertainAccelerator(
        o=o, L=L, C=LogNormal(median=290, factor=1.2), A=7, beta=0.9, latency="linear"
    )
    peak = 290 * 0.9**0.9 * 0.1**0.1 * 4e5**-0.1 * 15**-0.9
    spread = sqrt((0.1 * log(2)) ** 2 + (0.9 * log(1.6)) ** 2 + log(1.2) ** 2)
    for s in (1.0, 2.0, 5.0):
        margin = stats.lognorm(s=spread, scale=peak * (1 / s - 1 / 7))
        answer = found.probability_reached(s)
        assert answer.method == CLOSED_FORM
        assert answer.value == pytest.approx(margin.sf(1), rel=1e-10)


@pytest.mark.parametrize("name", ["o", "L", "C", "A"])
def test_reached_with_one_uniform_parameter(name: str) -> None:
    model = RADIX | {"o": 4e8}
    own = Uniform(least=0.2 * model[name], most=3 * model[name])
    found = UncertainAccelerator(**{**model, name: own}, latency="linear")

    def gains(value: Any) -> bool:
        m = {**model, name: value}
        g = 0.94 * m["o"] / (0.06 * m["L"])  # where the derivative vanishes
        return bool(speedup(m, "linear", g) > 3.05)

    with mpmath.workdps(40):
        at = float(threshold(gains, model[name] / 1e3, model[name] * 1e3))
    share = known(own).cdf(at) if name in "oL" else known(own).sf(at)
    answer = found.probability_reached(3.05)
    assert 0 < share < 1
    assert answer.method == CLOSED_FORM
    assert answer.value == pytest.approx(share, rel=1e-9)


def test_reached_of_a_linear_kernel_by_its_limit() -> None:
    L, C = LogNormal(median=15, factor=1.5), LogNormal(median=60, factor=1.3)
    o = Uniform(least=10, most=1e6)
    found = UncertainAccelerator(o=o, L=L, C=C, A=7, latency="linear")
    ratio = stats.lognorm(s=sqrt(log(1.5) ** 2 + log(1.3) ** 2), scale=4)
    answer = found.probability_reached(2)
    assert answer.method == CLOSED_FORM
    assert answer.value == pytest.approx(ratio.sf(1 / (1 / 2 - 1 / 7)), rel=1e-12)


@pytest.mark.parametrize(("model", "latency"), [MODELS[0], MODELS[3]], ids=["constant", "steep"])
def test_reached_whatever_else_is_uncertain_if_the_acceleration_is(
    model: dict[str, float], latency: str
) -> None:
    A = LogNormal(median=1.4, factor=1.5)
    uncertain: dict[str, Any] = {name: wide(name, model[name])["uniform"] for name in "oLC"}
    found = UncertainAccelerator(**{**model, **uncertain, "A": A}, latency=latency)
    answer = found.probability_reached()
    assert answer.method == CLOSED_FORM
    assert answer.value == pytest.approx(known(A).sf(1), rel=1e-12)


MEDIANS = {"g": 512, "s": 1, "o": 29_000, "C": 90, "A": 19, "beta": 1}
SPREADS = {"spread_o": 1.3, "spread_C": 1.1}


def test_the_derived_formulas_say_the_same() -> None:
    values = {TABLE[name].symbol: sp.Integer(value) for name, value in MEDIANS.items()}
    values |= {TABLE[name].symbol: sp.log(sp.Rational(str(v))) for name, v in SPREADS.items()}
    values |= {TABLE[name].symbol: sp.Integer(0) for name in ("L0", "L1", "spread_L")}
    printed = float(formula("chance_speedup").expr.subs(values).evalf(30))
    o, C = LogNormal(median=29_000, factor=1.3), LogNormal(median=90, factor=1.1)
    found = UncertainAccelerator(o=o, L=0, C=C, A=19)
    assert found.probability(1, 512).value == pytest.approx(printed, rel=1e-13)
    values |= {TABLE["L1"].symbol: sp.Integer(1), TABLE["beta"].symbol: sp.Rational(4, 5)}
    printed = float(formula("chance_reached").expr.subs(values).evalf(30))
    linear = UncertainAccelerator(o=o, L=1, C=C, A=19, beta=0.8, latency="linear")
    assert linear.probability_reached(1).value == pytest.approx(printed, rel=1e-13)


@settings(max_examples=60, deadline=None)
@given(
    g=st.floats(1, 1e7),
    s=st.floats(0.1, 18),
    o=st.floats(0, 1e6),
    L=st.floats(0, 1e3),
    C=st.floats(0.1, 1e3),
    beta=st.sampled_from([0.6, 1.0, 1.4]),
    latency=st.sampled_from(["constant", "linear"]),
)
def test_no_spread_is_the_accelerator_itself(
    g: float, s: float, o: float, L: float, C: float, beta: float, latency: str
) -> None:
    exact = Accelerator(o=o, L=L, C=C, A=19, beta=beta, latency=latency)
    found = UncertainAccelerator(
        o=Uniform(least=o, most=o),
        L=L,
        C=LogNormal(median=C, factor=1),
        A=Uniform(least=19, most=19),
        beta=beta,
        latency=latency,
    )
    assert found.uncertain == ()
    assert found.probability(s, g).value == float(exact.speedup(g) > s)
    assert found.speedup_quantile(0.3, g).value == exact.speedup(g)
    sizes = exact.granularity_for(s)
    first = found.granularity_quantile(0.3, s).value
    if sizes and sizes.lower == sizes.lower:
        assert first == sizes.lower
    assert (first < inf) == (found.probability_reached(s).value == 1) or not sizes
