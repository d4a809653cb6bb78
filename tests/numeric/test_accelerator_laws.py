"""Laws of the model that hold for every accelerator and every size."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from exact_model import EPS, LATENCIES, Exact, parameters, powers, real
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logca import numeric
from logca.numeric.accelerator import Accelerator
from logca.numeric.answers import UnreachableError
from logca.numeric.status import RootStatus

SIZES = powers(-2, 9)
FREE = st.builds(
    lambda found, latency: Accelerator(**found, latency=latency), parameters(free=True), LATENCIES
)
"""Also with nothing to pay for overhead or latency."""
DEAR = st.builds(
    lambda found, latency: Accelerator(**found, latency=latency), parameters(), LATENCIES
)
ROUNDING = 16 * EPS


def exact(accelerator: Accelerator) -> Exact:
    given_ = {name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta")}
    return Exact.of(**given_, latency=accelerator.latency)


def close(found: Any, wanted: Any, tolerance: float = ROUNDING) -> bool:
    return bool(abs(real(found) - real(wanted)) <= tolerance * abs(real(wanted)))


@given(accelerator=FREE, g=SIZES)
def test_times_and_speedup(accelerator: Accelerator, g: float) -> None:
    model = exact(accelerator)
    tolerance = ROUNDING * (1 + accelerator.beta * abs(math.log(g)))
    assert close(accelerator.time_host(g), model.host(g), tolerance)
    assert close(accelerator.time_accelerated(g), sum(model.parts(g)), tolerance)
    assert close(accelerator.speedup(g), model.speedup(g), tolerance)
    assert 0 < accelerator.speedup(g) <= accelerator.A * (1 + EPS)


@given(accelerator=FREE, g=SIZES, factor=powers(0.01, 4))
def test_the_speedup_grows_with_every_improvement(
    accelerator: Accelerator, g: float, factor: float
) -> None:
    before = float(accelerator.speedup(g))
    for name in ("o", "L", "C", "A"):
        better = accelerator.improve(**{name: factor})
        after = float(better.speedup(g))
        assert after >= before * (1 - ROUNDING)
        assert after <= before * factor * (1 + ROUNDING)
        assert close(after / before, exact(accelerator).gain(name, factor, g), 1e-12)
    if g > 1:
        assert replace(accelerator, beta=accelerator.beta * 1.1).speedup(g) >= before * (1 - 1e-12)


@given(accelerator=FREE, g=SIZES)
def test_shares_add_up_to_one_and_elasticities_to_their_sums(
    accelerator: Accelerator, g: float
) -> None:
    shares, slopes = accelerator.shares(g), accelerator.elasticity(g)
    assert sum(shares) == pytest.approx(1, rel=ROUNDING)
    assert all(0 <= share <= 1 + EPS for share in shares)
    assert slopes.o + slopes.L + slopes.C == pytest.approx(0, abs=ROUNDING)
    assert pytest.approx(1, rel=ROUNDING) == slopes.A + slopes.C
    assert sum(map(abs, slopes[:4])) == pytest.approx(2 - accelerator.speedup(g) / accelerator.A)
    assert (slopes.o, slopes.L, slopes.A) == pytest.approx(
        (-shares.overhead, -shares.latency, shares.computation), rel=ROUNDING
    )
    per_byte = slopes.L if accelerator.latency == "linear" else 0.0
    assert slopes.g == pytest.approx(accelerator.beta * slopes.C + per_byte, abs=1e-12)
    assert slopes.beta == pytest.approx(math.log(g) * slopes.C, rel=1e-12, abs=1e-300)


@settings(max_examples=60)
@given(accelerator=DEAR, g=SIZES)
def test_elasticities_are_derivatives(accelerator: Accelerator, g: float) -> None:
    model, slopes = exact(accelerator), accelerator.elasticity(g)
    for name in ("o", "L", "C", "A", "g"):
        wanted = float(model.elasticity(name, g))
        assert getattr(slopes, name) == pytest.approx(wanted, rel=1e-11, abs=1e-14)
    # of the exponent the absolute change counts
    wanted = float(model.elasticity("beta", g) / model.beta)
    assert slopes.beta == pytest.approx(wanted, rel=1e-11, abs=1e-14)


@given(accelerator=DEAR, g=SIZES, power=st.integers(-60, 60))
def test_the_unit_of_time_does_not_matter(accelerator: Accelerator, g: float, power: int) -> None:
    factor = 2.0**power
    changes = {name: getattr(accelerator, name) * factor for name in ("o", "L", "C")}
    other = replace(accelerator, **changes)
    assert other.speedup(g) == accelerator.speedup(g)
    assert other.shares(g) == accelerator.shares(g)
    assert other.limit() == accelerator.limit()
    assert other.time_host(g) == accelerator.time_host(g) * factor


@given(accelerator=DEAR, g=SIZES, power=st.integers(-10, 10))
def test_the_unit_of_granularity_does_not_matter(
    accelerator: Accelerator, g: float, power: int
) -> None:
    scale = 2.0**power
    changes = {"C": accelerator.C * scale**accelerator.beta}
    if accelerator.latency == "linear":
        changes["L"] = accelerator.L * scale
    other = replace(accelerator, **changes)
    assert other.speedup(g / scale) == pytest.approx(accelerator.speedup(g), rel=1e-13)
    assert other.peak().speedup == pytest.approx(accelerator.peak().speedup, rel=1e-12)


@settings(max_examples=200)
@given(
    accelerator=FREE,
    g=SIZES,
    share=st.floats(0.01, 1.2),
    name=st.sampled_from(["o", "L", "C", "A", "beta"]),
)
def test_what_is_solved_for_gives_the_speedup(
    accelerator: Accelerator, g: float, share: float, name: str
) -> None:
    assume(abs(share - 1) > 1e-6)
    s = share * accelerator.A
    if reachable(accelerator, name, s, g) is False:
        with pytest.raises(UnreachableError):
            accelerator.solve_for(name, speedup=s, g=g)
    elif reachable(accelerator, name, s, g):
        found = accelerator.solve_for(name, speedup=s, g=g)
        reached = exact(replace(accelerator, **{name: found})).speedup(g)
        noise = 2 + 2 / abs(1 - share) + accelerator.beta * abs(math.log(g))
        assert abs(reached / real(s) - 1) <= 16 * EPS * noise


def reachable(accelerator: Accelerator, name: str, s: float, g: float) -> bool | None:
    """Whether a value of the parameter gives the speedup; None if that is a matter of rounding."""
    if name != "A" and s >= accelerator.A:
        return False
    ends = {"o": (0.0, 1e200), "L": (0.0, 1e200), "C": (1e-200, 1e200), "A": (1 + 1e-9, 1e200)}
    ends["beta"] = (1e-9, 200 / max(abs(math.log10(g)), 1e-9))
    reached = [exact(replace(accelerator, **{name: end})).speedup(g) for end in ends[name]]
    if min(reached) * (1 + 1e-6) < s < max(reached) * (1 - 1e-6):
        return True
    return None if min(reached) * (1 - 1e-6) < s < max(reached) * (1 + 1e-6) else False


@given(accelerator=FREE, share=st.floats(0.001, 1.2))
def test_granularities_for_a_speedup_have_it(accelerator: Accelerator, share: float) -> None:
    s = share * accelerator.A
    found = accelerator.granularity_for(s)
    assert list(found) == sorted(set(found))
    wanted = {"ONE": 1, "TWO": 2, "DOUBLE": 1, "UPPER_ONLY": 1, "UPPER_OUT_OF_RANGE": 1}
    assert len(found) == wanted.get(found.status.name, 0)
    model = exact(accelerator)
    for each in found:
        condition = float(model.condition(s, each)) if share < 1 else 0
        if condition < 1e6:
            slope = max(accelerator.beta, 1)
            assert close(model.speedup(each), s, 16 * EPS * (1 + condition) * slope)
    if found.status is RootStatus.NEVER:
        assert accelerator.peak().speedup <= s * (1 + 1e-9)
    if share >= 1:
        assert found.status is RootStatus.BEYOND_ACCELERATION
    assert accelerator.break_even() == accelerator.granularity_for(1)
    assert accelerator.half_peak() == accelerator.granularity_for(accelerator.A / 2)


@given(accelerator=FREE)
def test_the_peak_is_the_greatest_speedup(accelerator: Accelerator) -> None:
    peak, sizes = accelerator.peak(), np.geomspace(1e-12, 1e15, 400)
    curve = accelerator.speedup(sizes)
    assert curve.max() <= peak.speedup * (1 + ROUNDING)
    assert peak.speedup <= accelerator.A * (1 + EPS)
    if peak.attained and math.isfinite(peak.granularity):
        assert close(accelerator.speedup(peak.granularity), peak.speedup, 1e-12)
        assert close(peak.granularity, exact(accelerator).peak())
        for side in (0.999, 1.001):
            assert accelerator.speedup(peak.granularity * side) <= peak.speedup * (1 + ROUNDING)
    if not peak.attained:
        assert peak.granularity in (0, math.inf)
        assert close(peak.speedup, limit_by_hand(accelerator, peak.granularity), 1e-12)


def limit_by_hand(accelerator: Accelerator, end: float) -> float:
    """Limit of the speedup where the size tends to zero, or grows without bound."""
    o, L, C, A = accelerator.o, accelerator.L, accelerator.C, accelerator.A
    if (
        accelerator.latency == "constant"
        or L == 0
        or (end == 0 and o == 0 and accelerator.beta < 1)
    ):
        return A
    if accelerator.beta == 1:
        return 1 / (1 / A + L / C)
    return A if accelerator.beta > 1 else 0.0


@given(accelerator=FREE)
def test_the_limit_and_what_bounds(accelerator: Accelerator) -> None:
    limit, bound = accelerator.limit(), accelerator.bound()
    assert limit == pytest.approx(limit_by_hand(accelerator, math.inf), rel=1e-14)
    assert bound.limit == limit
    assert bound.kind == ("compute" if limit == accelerator.A else "latency")
    assert str(bound) == f"{bound.kind}-bound: {bound.reason}"
    if accelerator.latency == "linear" and accelerator.beta < 1 and accelerator.L:
        assert "falls in the end" in bound.reason
    elif limit == accelerator.A:
        assert "tends to" in bound.reason


@given(accelerator=FREE, low=powers(-1, 6), width=powers(0, 6))
def test_what_a_window_reaches(accelerator: Accelerator, low: float, width: float) -> None:
    high = low * width
    window = accelerator.window(low, high)
    sizes = np.clip(np.geomspace(low, high, 101), low, high)
    curve = accelerator.speedup(sizes)
    assert window.greatest >= curve.max() * (1 - ROUNDING)
    assert window.least == pytest.approx(curve.min(), rel=1e-12)
    assert window.reaches(window.greatest)
    assert not window.reaches(window.greatest * (1 + 1e-9))
    assert close(accelerator.speedup(window.best), window.greatest, 1e-12)
    assert all(low <= each <= high for each in window.break_even)
    assert set(window.break_even) <= set(accelerator.break_even())
    crosses = (curve > 1 + 1e-9).any() and (curve < 1 - 1e-9).any()
    assert bool(window.break_even) or not crosses


@pytest.mark.parametrize("high", [49.0, 98.0, 103.0, 107.0, 1e6 / 3])
def test_the_best_size_of_a_window_is_in_it(high: float) -> None:
    """1/(1/49) is above 49."""
    accelerator = Accelerator(o=1e9, L=1e-3, C=800, A=12, beta=0.5, latency="linear")
    assert accelerator.window(1, high).best == high
    falling = Accelerator(o=1e-9, L=1e3, C=800, A=12, beta=0.5, latency="linear")
    assert falling.window(high, 1e9).best == high


@given(accelerator=FREE, factor=powers(-2, 2))
def test_improvements_compose(accelerator: Accelerator, factor: float) -> None:
    assume(accelerator.A * min(factor, 1) > 1.01)
    better = accelerator.improve(o=factor, L=factor, C=factor, A=factor)
    assert (better.o, better.L) == (accelerator.o / factor, accelerator.L / factor)
    assert (accelerator.C * factor, accelerator.A * factor) == (better.C, better.A)
    assert accelerator.improve() == accelerator
    assert better.beta == accelerator.beta
    assert better.latency == accelerator.latency


@given(accelerator=DEAR, g=SIZES)
def test_the_functions_say_the_same(accelerator: Accelerator, g: float) -> None:
    given_: dict[str, Any] = {
        name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta", "latency")
    }
    assert accelerator.speedup(g) == numeric.speedup(g, **given_)
    assert numeric.e_C(g, **given_) == accelerator.elasticity(g).C
    assert accelerator.shares(g).latency == numeric.share_L(g, **given_)
    assert accelerator.time_accelerated(g) == numeric.T1(g, **given_)
