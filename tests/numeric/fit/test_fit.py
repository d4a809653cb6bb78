"""What a fit finds, against devices that are known; timings at the edge; and what is refused."""

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_devices import CONSTANT, LINEAR, SIZES, SLOWER, STEEP, TOO_FAR, Known

from logca.common.errors import FileError
from logca.numeric.fit.clock_steps import coarse_sizes
from logca.numeric.fit.estimate import estimate
from logca.numeric.fit.fit import Fit, FitError, fit
from logca.numeric.fit.intervals import interval_of, parameters
from logca.numeric.timings.reading import read
from logca.numeric.timings.timings import LEAST_SIZES, Samples, Timings, TimingsError

NOISE = 0.05


@pytest.fixture(scope="module")
def noisy() -> Fit:
    return fit(LINEAR.timings(NOISE, seed=1))


@pytest.mark.parametrize("known", [CONSTANT, LINEAR, STEEP], ids=["constant", "linear", "steep"])
def test_exact_times_give_the_parameters_and_the_break_even(known: Known) -> None:
    timings = known.timings(repeats=1, sizes=SIZES[::2])
    found, general = fit(timings), estimate(timings, "linear")
    assert found.latency == ("constant" if known.L == 0 else "linear")
    for name, value in found.parameters.items():
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


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_fit_can_be_copied_and_sent(noisy: Fit, copied: Callable[[Fit], Fit]) -> None:
    other = copied(noisy)
    assert other.intervals["gA2"] == noisy.intervals["gA2"]
    assert str(other) == str(noisy)
    assert other.estimates.keys() == noisy.estimates.keys()
    with pytest.raises(TypeError):
        other.provenance["file"] = "mine"


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


def test_intervals_are_found_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def found_now(estimate: Any, name: str, level: float) -> Any:
        asked.append(name)
        return interval_of(estimate, name, level)

    monkeypatch.setattr("logca.numeric.fit.fit.interval_of", found_now)
    found = fit(CONSTANT.timings(0.01), latency="constant")
    assert asked == []
    assert "gA2" in found.intervals
    low, high, _ = found.intervals["g1"]
    assert low <= CONSTANT.where(1.0) <= high
    assert found.interval("g1") == found.intervals["g1"]
    assert asked == ["g1"] * len(found.in_either_mode[0])
    again = replace(found, provenance={"why": "another"})
    assert dict(again.intervals) == dict(found.intervals)
    once = [*dict.fromkeys(["g1", *found.intervals])]
    assert asked == [name for name in once for _ in found.in_either_mode[0]]
    with pytest.raises(KeyError, match="speed"):
        found.intervals["speed"]


def test_the_summary_has_all_quantities_and_warnings(noisy: Fit) -> None:
    text = noisy.summary()
    for name in noisy.intervals:
        assert f"{name:>8} " in text
    assert all(f"note: {each}" in text for each in noisy.warnings)


SIZES_fit_refusals = [1024, 4096, 16384, 65536, 262144]
TIMES = [1e-6, 4e-6, 16e-6, 64e-6, 256e-6]


def test_what_is_accepted() -> None:
    timings = Timings(
        granularity=SIZES_fit_refusals, host=TIMES, accelerated=[[each, each] for each in TIMES]
    )
    assert len(timings) == 5
    assert [row.size for row in timings.accelerated] == [2] * 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"host": [0.0, *TIMES[1:]]},
            r"host time of row 1 \(1 KiB\) = 0 s is below the clock's resolution",
        ),
        ({"host": [*TIMES[:4], -1e-6]}, r"row 5 \(256 KiB\) = -1e-06 s is negative"),
        ({"accelerated": [1e-6, [4e-6, np.nan], *TIMES[2:]]}, r"accelerated time of row 2 .* nan"),
        ({"accelerated": [np.inf, *TIMES[1:]]}, r"accelerated time of row 1 .* inf"),
        ({"host": ["fast", *TIMES[1:]]}, "'fast' is no number of seconds"),
        ({"host": TIMES[:4]}, "host has 4 rows, granularity has 5"),
        ({"host": [[], [], *TIMES[2:]]}, "host has times at 3 sizes; measure at 4 or more"),
        ({"granularity": [1024, 16384, 4096, 65536, 262144]}, r"row 3 = 4 KiB is not larger than"),
        ({"granularity": [1024, 1024, 16384, 65536, 262144]}, r"row 2 = 1 KiB is not larger than"),
        ({"granularity": [0, *SIZES_fit_refusals[1:]]}, "granularity of row 1: 0 is no size"),
        ({"granularity": ["1 KB", *SIZES_fit_refusals[1:]]}, "ambiguous; write 1kB .* or 1KiB"),
        ({"granularity": ["8 Kibit", *SIZES_fit_refusals[1:]]}, "is in bits, sizes are in bytes"),
        ({"granularity": None}, "granularity = None is no sequence: give one value for each size"),
        ({"host": 3.0}, r"host = 3\.0 is no sequence"),
        ({"accelerated_spread": 0.1}, r"accelerated_spread = 0\.1 is no sequence"),
        ({"resolution": "1us"}, "resolution = '1us' must be a step of a clock"),
        ({"resolution": 2e-6}, r"row 1 \(1 KiB\) = 1e-06 s is below the clock's resolution"),
    ],
)
def test_timings_that_cannot_be_are_named(change: dict[str, Any], message: str) -> None:
    given = {"granularity": SIZES_fit_refusals, "host": TIMES, "accelerated": TIMES, **change}
    with pytest.raises(TimingsError, match=message):
        Timings(**given)


@pytest.mark.parametrize(
    ("sizes", "host", "accelerated", "message"),
    [
        ([1, 4, 16], [1, 4, 16], [8, 8, 8], "3 sizes are too few; measure at 4 or more; as measured"
         r", without a fit: accelerated wins from 8 B on \(between 4 B and 16 B\)$"),
        ([1, 4], [1, 4], [8, 8], "2 sizes are .* host wins at every size from 1 B to 4 B$"),
        ([4], [4], [4], "1 size is too few; .* neither path is surely faster at 4 B$"),
        ([1, 2, 3, 4], [1, [], 3, 4], [8, 8, 8, 8], "host has times at 3 sizes; .* host wins at"),
        ([], [], [], "^0 sizes are too few; measure at 4 or more$"),
    ],
)  # fmt: skip
def test_too_few_sizes_tell_what_they_can(
    sizes: list[float], host: list[Any], accelerated: list[Any], message: str
) -> None:
    with pytest.raises(TimingsError, match=message):
        Timings(granularity=sizes, host=host, accelerated=accelerated)


@settings(max_examples=12)
@given(
    st.lists(st.tuples(st.floats(1e-9, 1e3), st.floats(1e-9, 1e3)), min_size=2, max_size=7),
    st.floats(1.2, 40),
)
def test_any_positive_table_ends_in_a_fit_or_a_sentence(
    times: list[tuple[float, float]], apart: float
) -> None:
    """And every estimate of a fit is in its interval."""
    host, accelerated = (list(each) for each in zip(*times, strict=True))
    sizes = [16 * apart**number for number in range(len(times))]
    if len(times) < LEAST_SIZES:
        with pytest.raises(
            TimingsError, match=r"sizes are too few; .* as measured, without a fit: "
        ):
            Timings(granularity=sizes, host=host, accelerated=accelerated)
        return
    found = fit(Timings(granularity=sizes, host=host, accelerated=accelerated))
    for name, value in found.parameters.items():
        lower, upper, _ = found.intervals[name]
        assert lower * (1 - 1e-9) <= value <= upper * (1 + 1e-9), name


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"level": 95}, FitError, "level = 95 must be a confidence between 0 and 1"),
        ({"level": float("nan")}, FitError, "level = nan must be a confidence"),
        ({"latency": "quadratic"}, FitError, "latency = 'quadratic' must be one of auto, constant"),
        ({"least": "1 MiB", "most": 4096}, TimingsError, "least = '1 MiB' is larger than most"),
        ({"least": "4 KB"}, TimingsError, "least: '4 KB' is ambiguous"),
        ({"most": -1}, TimingsError, "most: -1 is a negative size"),
        ({"least": "16 KiB"}, TimingsError, "least = '16 KiB' leave.* 3 of 5 sizes"),
        ({"most": "1 KiB"}, TimingsError, "most = '1 KiB' leave.* 1 of 5 sizes"),
        ({"provenance": {"machine": 3}}, FitError, "provenance 'machine': 3 must be a text"),
    ],
)
def test_options_that_cannot_be_are_named(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fit(CONSTANT.timings(0.01, sizes=SIZES_fit_refusals), **options)


def test_files_that_cannot_be_fitted(tmp_path: Path) -> None:
    with pytest.raises(TimingsError, match="there is no file"):
        fit(tmp_path / "missing.csv")
    with pytest.raises(TimingsError, match="cannot read"):
        fit(tmp_path)


@pytest.fixture(scope="module")
def found() -> Fit:
    return fit(CONSTANT.timings(0.01, sizes=SIZES_fit_refusals), latency="constant")


def test_quantities_and_levels_that_are_none(found: Fit) -> None:
    with pytest.raises(FitError, match=r"'g2' has no interval; o, L, C, A, beta, g1, .* have"):
        found.interval("g2")
    with pytest.raises(FitError, match="level = 1 must be"):
        found.interval("g1", 1)


def test_under_constant_latency_speedups_never_fall(found: Fit) -> None:
    lower, upper, none = found.interval("g1_upper")
    assert np.isnan([lower, upper]).all()
    assert none == 1
    assert found.interval("L")[:2] == (0, 0)


def _coarse(step: float) -> Timings:
    exact, rng = CONSTANT.timings(0.03, repeats=5), np.random.default_rng(7)

    def ticks(rows: Sequence[Samples]) -> list[Samples]:
        return [np.maximum(np.floor(row / step + rng.random(row.size)), 1) * step for row in rows]

    return Timings(
        granularity=exact.granularity,
        host=ticks(exact.host),
        accelerated=ticks(exact.accelerated),
    )


def test_a_step_without_any_noise_is_found_and_next_sizes_are_told() -> None:
    g = np.array(SIZES)
    slower = np.where(g > np.median(g), 1.5, 1.0)
    found = fit(
        Timings(
            granularity=SIZES,
            host=[[time] * 5 for time in CONSTANT.host(g) * slower],
            accelerated=[[time] * 5 for time in CONSTANT.accelerated(g)],
        )
    )
    (step,) = found.breaks
    assert (step.path, step.kind) == ("host", "step")
    assert step.lower <= np.median(g) < step.upper
    assert step.change == pytest.approx(1.5, rel=1e-3)
    assert any("1.5 times as long" in each for each in found.warnings)
    assert len(found.next_sizes) == 3
    assert all(SIZES[0] / 4.1 < size < SIZES[-1] * 4.1 for size in found.next_sizes)


def test_without_overhead_the_break_even_is_below_all_sizes_not_unknown() -> None:
    found = fit(Known(o=0.0, C=2e-9, A=12.0).timings())
    lower, upper, none = found.interval("g1")
    assert lower == 0
    assert 0 < upper < 1
    assert none < 0.025
    assert not any("no upper end" in each for each in found.warnings)


def test_the_interval_of_A_has_the_estimate_where_many_runs_make_it_sharp() -> None:
    device = Known(o=2e-5, C=2e-9, A=12.0)
    found = fit(device.timings(0.05, repeats=2000, sizes=2.0 ** np.arange(4, 27, 1.6)))
    lower, upper, _ = found.interval("A")
    assert lower / (1 + 1e-3) <= found.parameters["A"] <= upper
    assert lower < 12 * (1 + 1e-3)


@pytest.mark.parametrize("step", [1e-6, 1e-5])
def test_a_coarse_clock_is_named_with_its_step(step: float) -> None:
    timings = _coarse(step)
    short = sum(np.median(row) < 10 * step for row in timings.host)
    assert coarse_sizes(timings.host) == (pytest.approx(step), short)
    told = [each for each in fit(timings).warnings if "ticks of the clock" in each]
    assert told
    assert told[0].startswith(f"host times of {short} sizes")
    assert f"{1e6 * step:g} µs each" in told[0]


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("repeats", [1, 5])
def test_a_fine_clock_is_not_called_coarse(noise: float, repeats: int) -> None:
    for device in (CONSTANT, Known(o=1e-6, C=2e-9, A=1e9)):
        timings = device.timings(noise, repeats=repeats)
        for rows in (timings.host, timings.accelerated):
            assert coarse_sizes(rows)[1] == 0


def test_a_saved_interval_below_zero_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fit.json"
    fit(CONSTANT.timings(0.05)).save(path)
    record = json.loads(path.read_text())
    record["intervals"]["g1"] = [-5, -1, 0]
    path.write_text(json.dumps(record))
    with pytest.raises(FileError, match="interval of g1"):
        Fit.load(path)


ROWS = [(2**k, 1e-9 * 2**k, 5e-6 + 1e-10 * 2**k) for k in range(8, 16, 2)]


def test_benchmarks_without_the_size_are_left_out_and_told(tmp_path: Path) -> None:
    def entry(name: str, parameters: dict[str, Any], seconds: float) -> dict[str, Any]:
        return {"name": name, "params": parameters, "stats": {"data": [seconds]}}

    listed = [entry("test_startup[gcc]", {"compiler": "gcc"}, 1.0)]
    for size, host, accelerated in ROWS:
        listed.append(entry(f"test_host[{size}]", {"nbytes": size}, host))
        listed.append(entry(f"test_gpu[{size}]", {"nbytes": size}, accelerated))
    path = tmp_path / "bench.json"
    path.write_text(json.dumps({"machine_info": {}, "benchmarks": listed}))
    found = read(path)
    assert found.timings.granularity == tuple(float(size) for size, *_ in ROWS)
    assert any("test_startup" in note and "left out" in note for note in found.notes)


@pytest.mark.parametrize(
    ("header", "scale"), [("size_B,host_usec,gpu_usec", 1e-6), ("size_B,host_msec,gpu_nsec", 1e-3)]
)
def test_units_as_old_tools_write_them_and_indented_comments(
    tmp_path: Path, header: str, scale: float
) -> None:
    path = tmp_path / "timings.csv"
    rows = "\n".join(f"{size},{host},{other}" for size, host, other in ROWS)
    path.write_text(f"  # by hand, in 2024\n{header}\n{rows}\n")
    assert read(path).timings.host[0][0] == pytest.approx(ROWS[0][1] * scale)


@pytest.mark.parametrize(
    ("header", "row", "words"),
    [
        ("size_KB,host_s,gpu_s", "1,1,1", "size_KB=kB.*KiB: 1024"),
        ("size_B,host_cycles,gpu_cycles", "1,1,1", "divide them by the clock"),
        ("size_B;host_s;gpu_s", "1;1,5e-06;1", "decimals with a point"),
    ],
)
def test_units_and_decimals_that_are_not_known_are_explained(
    tmp_path: Path, header: str, row: str, words: str
) -> None:
    path = tmp_path / "timings.csv"
    path.write_text(f"{header}\n{row}\n")
    with pytest.raises(TimingsError, match=words):
        read(path)
