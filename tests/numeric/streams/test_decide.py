"""Requests in flight: the formulas against a simulation, fits against units that are known."""

import heapq
from math import inf, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from logca import Accelerator, numeric
from logca.common.errors import ArgumentError, FileError
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.size_ranges import DOES_NOT_PAY, PAYS
from logca.numeric.in_flight.units import UNITS, InFlight, read_in_flight
from logca.numeric.streams.decide import decide_in_flight
from logca.numeric.streams.thresholds import thresholds_in_flight
from logca.numeric.timings.timings import Timings, TimingsError

TRUE: dict[str, Any] = {"o": 2e-6, "L": 3e-6, "C": 2e-9, "A": 3.0, "beta": 1.0}
"""It breaks even at 3.75 kB one at a time."""
SERVED = {"u_host": 1.0, "u_link": 4.0, "u_accelerator": 4.0, "u_shared": inf, "growth": 1.0}
WITHOUT_GROWTH = {name: each for name, each in SERVED.items() if name != "growth"}
LINKS = ("u_link", "u_accelerator", "u_shared")
SIZES = np.geomspace(256, 2**20, 9)


def simulated(n: int, preparation: float, computation: float, link: int, there: int) -> float:
    """Period of a closed tandem queue: n requests, two stages with so many servers each [s].

    Each request goes through both, and another one starts at once.
    """
    free = [[0.0] * link, [0.0] * there]
    ready = [(0.0, number, 0) for number in range(n)]
    heapq.heapify(ready)
    done, rounds = [], 400 * n
    while len(done) < rounds:
        now, number, stage = heapq.heappop(ready)
        begins = max(now, heapq.heappop(free[stage]))
        ends = begins + (preparation, computation)[stage]
        heapq.heappush(free[stage], ends)
        if stage:
            done.append(ends)
        heapq.heappush(ready, (ends, number, 1 - stage))
    half = len(done) // 2
    return (done[-1] - done[half]) / (len(done) - 1 - half)


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize(("link", "there"), [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_the_period_is_that_of_a_simulated_queue(n: int, link: int, there: int) -> None:
    for g in (500.0, 20_000.0, 1e6):
        computation = TRUE["C"] * g / TRUE["A"]
        found = numeric.period_in_flight(
            g, **TRUE, n=n, u_link=link, u_accelerator=there, u_shared=inf
        )
        wanted = simulated(n, TRUE["o"] + TRUE["L"], computation, link, there)
        assert found == pytest.approx(wanted, rel=0.01)


def times_of(n: int, served: dict[str, float], noise: Any = None) -> Timings:
    """Times of requests with so many in flight, as the model has them."""
    host = TRUE["C"] * SIZES / min(n, served["u_host"])
    # of o and L under constant latency a fit sees the sum alone, and calls it o
    o = (TRUE["o"] + TRUE["L"]) * served["growth"] ** log2(n) - TRUE["L"]
    links = {name: served[name] for name in LINKS}
    offloaded = numeric.period_in_flight(SIZES, **TRUE | {"o": o}, n=n, **links)
    scatter = np.ones((2, SIZES.size)) if noise is None else np.exp(noise)
    return Timings(granularity=SIZES, host=host * scatter[0], accelerated=offloaded * scatter[1])


def noise(seed: int, scatter: float = 0.03) -> Any:
    return scatter * np.random.default_rng(seed).standard_normal((2, SIZES.size))


@pytest.fixture(scope="module")
def one() -> Fit:
    return fit(times_of(1, SERVED, noise(0)), latency="constant")


@pytest.fixture(scope="module")
def flown(one: Fit) -> Fit:
    return one.with_flights({n: times_of(n, SERVED, noise(n)) for n in (2, 4, 8)})


def units_of(one: Fit, others: dict[int, Timings]) -> InFlight:
    found = one.with_flights(others).in_flight
    assert found is not None
    return found


@pytest.mark.parametrize(
    "served",
    [
        {"u_host": 2.0, "u_link": 1.5, "u_accelerator": 3.0, "u_shared": inf, "growth": 1.0},
        {"u_host": 2.0, "u_link": inf, "u_accelerator": inf, "u_shared": 1.7, "growth": 1.3},
    ],
)
def test_units_that_are_known_lie_in_their_intervals(one: Fit, served: dict[str, float]) -> None:
    """Nineteen times in twenty, and a bit more rarely, as times of one request have noise too."""
    inside = dict.fromkeys(UNITS, 0)
    for seed in range(20):
        others = {n: times_of(n, served, noise(100 * seed + n)) for n in (2, 4, 8)}
        found = units_of(one, others)
        for name in UNITS:
            low, high = found.intervals[name]
            assert low <= found.units[name] <= high
            inside[name] += low <= served[name] <= high
    assert min(inside.values()) >= 16, inside


def test_a_stream_of_a_host_that_shares_its_cores_pays_where_one_request_does(one: Fit) -> None:
    shared = {"u_host": 2.0, "u_link": inf, "u_accelerator": inf, "u_shared": 2.0, "growth": 1.0}
    made = one.with_flights({n: times_of(n, shared, noise(n)) for n in (2, 4, 8)})
    ranges = [thresholds_in_flight(made, n).likely[0] for n in (1, 8)]
    assert ranges[1].above == pytest.approx(ranges[0].above, rel=0.15)


def test_breaks_of_one_request_are_those_of_a_stream() -> None:
    """Behind a step of four in the accelerated times, a stream's speedup is a fourth of it."""
    sizes = np.geomspace(1024, 2**24, 15)
    made = {}
    for n in (1, 2, 4):
        host = TRUE["C"] * sizes
        links = {name: SERVED[name] for name in LINKS}
        other = numeric.period_in_flight(sizes, **TRUE | {"A": 20.0}, n=n, **links)
        scatter = np.exp(0.02 * np.random.default_rng(n).standard_normal((2, sizes.size)))
        step = np.where(sizes > 2**19, 4.0, 1.0)
        made[n] = Timings(
            granularity=sizes, host=host * scatter[0], accelerated=other * step * scatter[1]
        )
    found = fit(made.pop(1), latency="constant").with_flights(made)
    assert [each.kind for each in found.breaks] == ["step"]
    sides = [decide_in_flight(found, size, 4) for size in (2**18, 2**21)]
    true = [
        float(numeric.speedup_in_flight(each.size, **TRUE | {"A": 20.0}, n=4, **WITHOUT_GROWTH))
        for each in sides
    ]
    assert sides[0].speedup == pytest.approx(true[0], rel=0.1)
    assert sides[1].speedup == pytest.approx(true[1] / 4, rel=0.1)


def test_what_a_call_costs_is_not_taken_for_a_host_that_is_not_parallel(one: Fit) -> None:
    """Calls of a third of the least host time, one after the other, on both paths."""
    served = {**SERVED, "u_host": 4.0}
    cost = TRUE["C"] * SIZES[0] / 3

    def with_cost(made: Timings) -> Timings:
        paths = ("host", "accelerated")
        host, other = ([row + cost for row in getattr(made, path)] for path in paths)
        return Timings(granularity=SIZES, host=host, accelerated=other)

    plain = fit(with_cost(times_of(1, served)), latency="constant")
    assert plain.call_cost == pytest.approx(cost, rel=0.2)
    found = units_of(plain, {n: with_cost(times_of(n, served)) for n in (2, 4)})
    assert found.units["u_host"] == pytest.approx(4, rel=0.1)


def test_a_saturation_that_was_not_seen_has_no_upper_end(one: Fit) -> None:
    half = {
        path: [row / 2 for row in getattr(one.timings, path)] for path in ("host", "accelerated")
    }
    found = units_of(one, {2: Timings(granularity=one.timings.granularity, **half)})
    assert [found.intervals[name][1] for name in UNITS[:-1]] == [inf] * 4
    assert found.numbers == (2,)


def test_one_at_a_time_it_loses_and_eight_in_flight_it_wins(flown: Fit) -> None:
    alone, many = (decide_in_flight(flown, "2 KiB", n) for n in (1, 8))
    assert (alone.certainty, many.certainty) == (DOES_NOT_PAY, PAYS)
    assert many.alone < 1 < many.speedup_interval[0]
    low, high = many.speedup_interval
    true = numeric.speedup_in_flight(2048, **TRUE, n=8, **WITHOUT_GROWTH)
    assert low <= true <= high
    assert "With 8 requests in flight, offloading 2 KiB pays: " in many.answer()
    assert "; one at a time does not (0." in many.answer()
    first = many.thresholds.likely[0].above
    parameters = flown.parameters
    parameters["o"] = numeric.overhead_in_flight(
        o=parameters["o"], n=8, growth=many.units.units["growth"]
    )
    units = {name: many.units.units[name] for name in UNITS[:-1]}
    assert numeric.speedup_in_flight(first, **parameters, n=8, **units) == pytest.approx(
        1, rel=1e-3
    )
    low, high = many.saturation_interval
    assert low <= many.saturation <= high
    assert (
        low
        <= numeric.saturation_in_flight(2048, **TRUE, **{name: SERVED[name] for name in LINKS})
        <= high
    )


def test_what_was_measured_otherwise_cannot_be_told(flown: Fit) -> None:
    assert flown.in_flight is not None
    slow = [each._replace(accelerated=100 * each.accelerated) for each in flown.in_flight.times]
    measured = Fit(
        timings=flown.timings,
        estimates=flown.estimates,
        level=flown.level,
        intervals=flown.intervals,
        in_flight=type(flown.in_flight)(
            times=tuple(slow), units=flown.in_flight.units, intervals=flown.in_flight.intervals
        ),
    )
    found = decide_in_flight(measured, "2 KiB", 8)
    assert found.certainty == "cannot be told"
    assert "as measured with 8 in flight the speedup is 0.0" in found.notes[0]
    beyond = decide_in_flight(flown, "2 KiB", 16)
    assert beyond.notes == ("times have at most 8 requests in flight: this is extrapolated",)


def test_an_accelerator_is_a_host_and_a_pipeline() -> None:
    aes = Accelerator(o=29_000, L=1500, C=90, A=19)
    found = decide_in_flight(aes, "4 KiB", 1000)
    wanted = numeric.speedup_pipelined(4096, o=29_000, L=1500, C=90, A=19)
    assert found.speedup == pytest.approx(wanted)
    assert found.speedup_interval == (found.speedup, found.speedup)
    assert "`logca measure --in-flight`" in found.notes[0]


def test_a_fit_keeps_them(flown: Fit, tmp_path: Path) -> None:
    flown.save(tmp_path / "fit.json")
    assert Fit.load(tmp_path / "fit.json").in_flight == flown.in_flight
    text = (tmp_path / "fit.json").read_text().replace('"u_link": ', '"u_link": 0.5e-9, "_": ')
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(FileError):
        Fit.load(tmp_path / "bad.json")


def table(tmp_path: Path) -> Path:
    rows = []
    for n in (1, 4):
        made = times_of(n, SERVED, noise(n))
        rows += [
            f"{size:.0f},{n},{float(host[0])!r},{float(other[0])!r}"
            for size, host, other in zip(SIZES, made.host, made.accelerated, strict=True)
        ]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["granularity_B,in_flight,host_s,accelerated_s", *rows]))
    return file


def test_a_table_with_a_column_in_flight_is_fitted_as_one(tmp_path: Path) -> None:
    readings = read_in_flight(table(tmp_path))
    assert {n: len(each.timings) for n, each in readings.items()} == {1: 9, 4: 9}
    assert not any("in_flight" in note for each in readings.values() for note in each.notes)
    found = fit(table(tmp_path), latency="constant")
    assert found.in_flight is not None
    assert found.in_flight.numbers == (4,)
    assert found.timings.granularity == readings[1].timings.granularity


def test_mistakes_are_named(one: Fit, tmp_path: Path) -> None:
    with pytest.raises(TimingsError, match="no times with two requests in flight"):
        one.with_flights({1: one.timings})
    with pytest.raises(ArgumentError, match="this fit has no times with several requests"):
        decide_in_flight(one, "4 KiB", 2)
    numbers: list[Any] = [0, 1.5, inf, "3", None, [1, 2], np.array([1, 2]), True]
    for number in numbers:
        with pytest.raises(ArgumentError, match="must be a whole number of requests, 1 or more"):
            decide_in_flight(one, "4 KiB", number)
    wrong = tmp_path / "wrong.csv"
    for text in ("some", "²", "٣", "0", "9" * 300, "9" * 5000):
        wrong.write_text(
            f"size_B,in_flight,host_s,accelerated_s\n64,{text},1e-6,2e-6\n", encoding="utf-8"
        )
        with pytest.raises(TimingsError, match=r"line 2: in_flight '.* is no number of requests"):
            read_in_flight(wrong)
