"""Optimization regions against gains computed in 90 digits, and against the papers."""

import math
from typing import Any

import numpy as np
import pytest
from effort import examples
from exact_model import LATENCIES, Exact, parameters, powers, real
from hypothesis import assume, given
from hypothesis import strategies as st

from logca import numeric
from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.accelerator.regions import PARAMETERS, Region, SizeInterval, cutoffs, regions

T2_AES: dict[str, float] = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
IMPROVEMENTS = st.one_of(
    st.just((10.0, 1.2)), st.tuples(st.floats(1.5, 1e3), st.floats(0.05, 0.95))
)


def label_at(model: Exact, g: float, r: float, q: float) -> str:
    return "".join(each for each in PARAMETERS if model.gain(each, r, g) >= real(q))


def in_doubt(model: Exact, g: float, r: float, q: float) -> bool:
    return any(abs(model.gain(each, r, g) / real(q) - 1) < 1e-9 * (q - 1) for each in PARAMETERS)


@examples(50)
@given(
    found=parameters(span=6, free=True),
    improvement=IMPROVEMENTS,
    latency=LATENCIES,
    sizes=st.lists(powers(-6, 15), min_size=5, max_size=5),
)
def test_a_parameter_is_in_the_label_where_its_improvement_gains_enough(
    found: dict[str, float], improvement: tuple[float, float], latency: str, sizes: list[float]
) -> None:
    r, share = improvement
    q = share if share > 1 else 1 + share * (r - 1)
    answer = regions(**found, latency=latency, improvement=r, gain=q)
    model = Exact.of(**found, latency=latency)
    ends = {
        end for region in answer.regions for end in (region.interval.start, region.interval.end)
    }
    beside = [end * side for end in ends for side in (1 - 1e-6, 1 + 1e-6)]
    for g in [*sizes, *beside]:
        if 1e-250 < g < 1e250 and not in_doubt(model, g, r, q):
            assert answer.at(g) == label_at(model, g, r, q)
    assert answer.regions[0].interval.start == 0
    assert answer.regions[-1].interval.end == math.inf
    for before, after in zip(answer.regions, answer.regions[1:], strict=False):
        assert before.interval.end == after.interval.start
        assert before.label != after.label


@examples(60)
@given(found=parameters(span=6, free=True), latency=LATENCIES)
def test_only_nine_labels_are_possible(found: dict[str, float], latency: str) -> None:
    """Everywhere the index or the acceleration pays, and one of overhead, latency, acceleration."""
    assume(found["o"] + found["L"] > 0)
    possible = {"A", "C", "CA", "oC", "LC", "oLC", "oCA", "LCA", "oLCA"}
    assert {each.label for each in regions(**found, latency=latency).regions} <= possible


@pytest.mark.parametrize("name", ["o", "L"])
def test_there_is_no_region_as_wide_as_a_rounding_error(name: str) -> None:
    """Where overhead or latency is free, the cut-offs of the other one and of C are the same."""
    answer = regions(**T2_AES | {name: 0.0})
    for region in answer.regions:
        assert region.interval.end > region.interval.start * (1 + 1e-9)
    other = "L" if name == "o" else "o"
    assert [each.label for each in answer.regions] == [f"{other}C", f"{other}CA", "A"]


CLOSED = {"o": "cutoff_o", "L": "cutoff_L", "C": "cutoff_C", "A": "cutoff_A"}


@given(found=parameters(), improvement=IMPROVEMENTS)
def test_closed_forms_for_constant_latency(
    found: dict[str, float], improvement: tuple[float, float]
) -> None:
    r, share = improvement
    q = share if share > 1 else 1 + share * (r - 1)
    answer = cutoffs(**found, improvement=r, gain=q)
    for parameter, name in CLOSED.items():
        closed = float(getattr(numeric, name)(**found, r=r, q=q))
        ranges = answer[parameter]
        if math.isnan(closed):
            assert ranges == ()
            continue
        assert len(ranges) == 1
        start, end = (closed, math.inf) if parameter == "A" else (0.0, closed)
        np.testing.assert_allclose((ranges[0].start, ranges[0].end), (start, end), rtol=1e-11)


@given(found=parameters(least=1.0, greatest=1.0), improvement=IMPROVEMENTS)
def test_closed_forms_for_linear_latency_and_linear_kernels(
    found: dict[str, float], improvement: tuple[float, float]
) -> None:
    r, share = improvement
    q = share if share > 1 else 1 + share * (r - 1)
    answer = cutoffs(**found, latency="linear", improvement=r, gain=q)
    for parameter, name in CLOSED.items():
        closed = float(getattr(numeric, f"{name}_linear")(**found, r=r, q=q))
        ends = [e for part in answer[parameter] for e in (part.start, part.end) if 0 < e < math.inf]
        if math.isnan(closed):
            assert ends == []
        else:
            share_L = found["L"] / (found["C"] / found["A"])
            assume(1e-6 < share_L < 1e6)
            np.testing.assert_allclose(ends, [closed], rtol=1e-7)


def test_ultrasparc_t2_aes() -> None:
    """Where altaf2017, Fig. 10 has 2 KB and 32 KB its parameters give 1463, 26 621 and 28 331 B."""
    found = cutoffs(**T2_AES)
    # the share of computation is 5/27 where g*90/19 = (5/22)*30500, of the rest where it is 22/27
    assert found["A"] == (
        SizeInterval(start=pytest.approx(5 / 22 * 30_500 * 19 / 90), end=math.inf),
    )
    assert found["C"] == (SizeInterval(start=0.0, end=pytest.approx(22 / 5 * 30_500 * 19 / 90)),)
    assert found["o"] == (
        SizeInterval(start=0.0, end=pytest.approx((29_000 * 22 / 5 - 1500) * 19 / 90)),
    )
    assert found["L"] == ()
    assert round(found["A"][0].start) == 1463
    assert round(found["C"][0].end) == 28_331
    assert round(found["o"][0].end) == 26_621
    answer = regions(**T2_AES, low=16, high=2**25)
    assert [region.label for region in answer.regions] == ["oC", "oCA", "CA", "A"]


PLAUSIBLE = [
    pytest.param(
        {"o": 2e8, "L": 3000.0, "C": 0.018, "A": 30.0, "beta": 1.02}, id="cut-off above 1e300"
    ),
    pytest.param(
        {"o": 4e8, "L": 0.0075, "C": 290.0, "A": 7.0, "beta": 0.99}, id="power of the cut-off"
    ),
    pytest.param(
        {"o": 4e8, "L": 1e-9, "C": 290.0, "A": 7.0, "beta": 0.97}, id="beyond all numbers"
    ),
    pytest.param({"o": 1e-3, "L": 1e-6, "C": 290.0, "A": 7.0, "beta": 0.01}, id="tiny cut-off"),
]


@pytest.mark.parametrize("found", PLAUSIBLE)
@pytest.mark.parametrize("g", [1.0, 1024.0, 2.0**20, 2.0**30])
def test_cut_offs_far_away_do_not_spoil_the_labels_here(found: dict[str, float], g: float) -> None:
    answer = regions(**found, latency="linear")
    assert answer.at(g) == label_at(Exact.of(**found, latency="linear"), g, 10.0, 1.2)


def test_two_cut_offs_of_one_parameter() -> None:
    """For beta < 1 and latency per byte the acceleration pays between two sizes."""
    found = {"o": 4e5, "L": 1.0, "C": 2900.0, "A": 7.0, "beta": 0.6}
    (inside,) = cutoffs(**found, latency="linear")["A"]
    model = Exact.of(**found, latency="linear")
    assert 0 < inside.start < float(model.peak()) < inside.end < math.inf
    for end in (inside.start, inside.end):
        assert float(model.gain("A", 10, end)) == pytest.approx(1.2, rel=1e-12)
    low, high = cutoffs(**found | {"C": 290_000.0}, latency="linear")["C"]
    assert low.start == 0
    assert low.end < high.start
    assert high.end == math.inf


def test_a_parameter_that_is_zero_is_never_worth_improving() -> None:
    for latency in ("constant", "linear"):
        for name in ("o", "L"):
            assert cutoffs(**T2_AES | {name: 0.0}, latency=latency)[name] == ()
    nothing = cutoffs(**T2_AES | {"o": 0.0, "L": 0.0})
    assert nothing == {"o": (), "L": (), "C": (), "A": (SizeInterval(start=0.0, end=math.inf),)}


def test_the_range_is_cut() -> None:
    whole = regions(**T2_AES)
    part = regions(**T2_AES, low=100, high=10_000)
    assert [str(each) for each in part.regions] == [
        "oC: 100 B to 1.429 KiB",
        "oCA: 1.429 KiB to 9.766 KiB",
    ]
    assert part.cutoffs == whole.cutoffs
    for g in (100.0, 1000.0, 5000.0, 10_000.0):
        assert part.at(g) == whole.at(g)
    for outside in (99.0, 10_001.0):
        with pytest.raises(ValueError, match="outside the regions"):
            part.at(outside)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"improvement": 1.0}, "r = 1 must be .* greater than 1"),
    ({"improvement": 0.1}, "greater than 1"),
    ({"improvement": math.nan}, "r = nan must be a finite number"),
    ({"improvement": "10"}, "r = '10' must be"),
    ({"gain": 1.0}, "q = 1 must be .* greater than 1"),
    ({"gain": 10.0}, "gain = 10 must be less than improvement = 10"),
    ({"gain": math.inf}, "q = inf must be a finite number"),
    ({"low": 5.0, "high": 5.0}, "must be ascending"),
    ({"low": -1.0}, "not negative"),
    ({"low": math.nan}, "must be ascending"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD, ids=str)
def test_bad_ranges_and_factors(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        regions(**T2_AES, **wrong)


def test_intervals_and_regions_in_words() -> None:
    assert str(SizeInterval(start=0, end=math.inf)) == "at every size"
    assert str(SizeInterval(start=2048, end=math.inf)) == "from 2 KiB on"
    assert str(SizeInterval(start=0, end=2048)) == "up to 2 KiB"
    assert str(Region(label="", interval=SizeInterval(start=1, end=3))) == "(none): 1 B to 3 B"
    assert 2 in SizeInterval(start=1, end=3)
    assert 4 not in SizeInterval(start=1, end=3)
    assert str(regions(**T2_AES, low=100, high=200)) == "oC: 100 B to 200 B"
