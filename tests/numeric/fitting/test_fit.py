"""What a fit finds, against devices that are known, and laws that hold for all timings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_devices import CONSTANT, LINEAR, SIZES, SLOWER, STEEP, TOO_FAR, Known

from logca.numeric.fitting.derived import interval_of, parameters
from logca.numeric.fitting.estimate import estimate, simpler
from logca.numeric.fitting.fit import Fit, FitError, fit
from logca.numeric.fitting.timings import Timings

NOISE = 0.05


@pytest.fixture(scope="module")
def noisy() -> Fit:
    return fit(LINEAR.timings(NOISE, seed=1))


@pytest.mark.parametrize("known", [CONSTANT, LINEAR, STEEP], ids=["constant", "linear", "steep"])
def test_exact_times_give_the_parameters_and_the_break_even(known: Known) -> None:
    general = estimate(known.timings(repeats=1, sizes=SIZES[::2]), "linear")
    found = min(general, simpler(general), key=lambda each: each.aicc)
    assert found.latency == ("constant" if known.L == 0 else "linear")
    for name, value in parameters(found).items():
        assert value == pytest.approx(getattr(known, name), rel=1e-4, abs=1e-16), name
    g1 = interval_of(general, "g1", 0.95)
    assert g1[:2] == pytest.approx([known.where(1.0)] * 2, rel=1e-6)
    assert g1.none < 1e-6


def test_the_true_values_are_in_the_intervals(noisy: Fit) -> None:
    known = {"o": LINEAR.o, "L": LINEAR.L, "C": LINEAR.C, "A": LINEAR.A, "beta": LINEAR.beta}
    known |= {"g1": LINEAR.where(1.0), "gA2": LINEAR.where(LINEAR.A / 2)}
    sizes = np.exp(np.linspace(np.log(2.0**-20), np.log(2.0**60), 20_000))
    known["peak"] = float((LINEAR.host(sizes) / LINEAR.accelerated(sizes)).max())
    for name, value in known.items():
        lower, upper, none = noisy.interval(name, 0.999)
        assert lower <= value <= upper, name
        assert none < 0.1, name


def test_intervals_of_more_confidence_are_wider(noisy: Fit) -> None:
    narrow, wide = noisy.interval("g1", 0.5), noisy.interval("g1", 0.99)
    own = noisy.interval("g1")
    assert wide.lower < own.lower < narrow.lower < narrow.upper < own.upper < wide.upper


@pytest.mark.parametrize("known", [SLOWER, TOO_FAR], ids=["slower", "latency"])
@pytest.mark.parametrize("noise", [0.01, 0.2])
def test_no_break_even_is_claimed_where_there_is_none(known: Known, noise: float) -> None:
    g1 = interval_of(estimate(known.timings(noise, seed=4), "linear"), "g1", 0.95)
    assert g1.none > 0.975
    assert np.isnan(g1.lower)


def test_a_device_that_is_slower_is_no_accelerator() -> None:
    found = fit(SLOWER.timings(0.01), latency="constant")
    assert found.parameters["A"] == pytest.approx(SLOWER.A, rel=0.05)
    with pytest.raises(FitError, match=r"A = 0\.\d+: the accelerated path does not compute faster"):
        _ = found.accelerator


def test_spikes_hardly_matter() -> None:
    plain, spiky = (
        estimate(CONSTANT.timings(0.02, seed=2, repeats=5, spikes=spikes), "constant")
        for spikes in (0.0, 0.05)
    )
    for name, value in parameters(plain).items():
        assert parameters(spiky)[name] == pytest.approx(value, rel=0.02), name
    assert spiky.data.host.spread == pytest.approx(plain.data.host.spread, rel=0.1)
    assert sum(arm.spiky.sum() for arm in spiky.data[:2]) > 0.02 * spiky.data.host.y.size


LAWS = {"max_examples": 3, "deadline": None}


@settings(**LAWS)
@given(
    faster=st.floats(1e-6, 1e6),
    larger=st.floats(1e-3, 1e3),
    seed=st.integers(0, 2**32 - 1),
)
def test_units_and_the_order_of_runs_do_not_matter(
    noisy: Fit, faster: float, larger: float, seed: int
) -> None:
    order = np.random.default_rng(seed).permutation

    def in_other_units(rows: Any) -> list[Any]:
        return [order(row) * faster for row in rows]

    timings = noisy.timings
    other = fit(
        Timings(
            granularity=[float(size) * larger for size in timings.granularity],
            host=in_other_units(timings.host),
            accelerated=in_other_units(timings.accelerated),
        )
    )
    beta = noisy.parameters["beta"]
    factors = {
        **{"o": faster, "L": faster / larger, "C": faster / larger**beta},
        **{"A": 1.0, "beta": 1.0},
    }
    for name, factor in factors.items():
        assert other.parameters[name] == pytest.approx(noisy.parameters[name] * factor, rel=1e-3)
    for name, factor in {"o": faster, "A": 1.0, "beta": 1.0, "g1": larger}.items():
        found, known = other.interval(name), noisy.interval(name)
        assert found[:2] == pytest.approx([end * factor for end in known[:2]], rel=1e-2), name
    assert other.models == pytest.approx(noisy.models, abs=1e-3)


def test_a_range_of_sizes_is_a_fit_of_those_sizes() -> None:
    sizes = [16, 64, 256, 1024, 4096, 16384, 65536]
    whole = CONSTANT.timings(0.01, sizes=sizes)
    some = fit(whole, least="64 B", most=16384, latency="constant")
    alone = Timings(
        granularity=sizes[1:-1], host=whole.host[1:-1], accelerated=whole.accelerated[1:-1]
    )
    assert some.timings.granularity == (64, 256, 1024, 4096, 16384)
    assert some.parameters == fit(alone, latency="constant").parameters
    assert some.provenance["least"] == "64 B"
    assert some.provenance["most"] == "16384"


def test_nothing_of_a_fit_can_be_changed(noisy: Fit) -> None:
    found: Any = noisy
    with pytest.raises(AttributeError):
        found.level = 0.5
    for mapping in (found.intervals, found.estimates, found.provenance):
        with pytest.raises(TypeError):
            mapping["g1"] = None
    with pytest.raises(ValueError, match="read-only"):
        noisy.timings.host[0][0] = 1.0


def test_the_summary_has_all_quantities_and_warnings(noisy: Fit) -> None:
    text = noisy.summary()
    for name in noisy.intervals:
        assert f"{name:>8} " in text
    assert all(f"note: {each}" in text for each in noisy.warnings)
