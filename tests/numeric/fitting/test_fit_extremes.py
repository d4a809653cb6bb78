"""Timings at the edge: without noise, of a coarse clock, a break-even below all sizes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT, SIZES, Known

from logca.numeric.fitting.clock import coarse_sizes
from logca.numeric.fitting.fit import Fit, fit
from logca.numeric.fitting.reading import read
from logca.numeric.fitting.records import RecordError
from logca.numeric.fitting.timings import Samples, Timings, TimingsError


def _coarse(step: float) -> Timings:
    exact, rng = CONSTANT.timings(0.03, repeats=5), np.random.default_rng(7)

    def ticks(rows: Sequence[Samples]) -> list[Samples]:
        return [np.maximum(np.floor(row / step + rng.random(row.size)), 1) * step for row in rows]

    return Timings(
        granularity=exact.granularity,
        host=ticks(exact.host),
        accelerated=ticks(exact.accelerated),
    )


def test_a_step_without_any_noise_is_fitted_and_next_sizes_are_told() -> None:
    g = np.array(SIZES)
    slower = np.where(g > np.median(g), 1.5, 1.0)
    found = fit(
        Timings(
            granularity=SIZES,
            host=[[time] * 5 for time in CONSTANT.host(g) * slower],
            accelerated=[[time] * 5 for time in CONSTANT.accelerated(g)],
        )
    )
    assert any("misses the sizes" in each for each in found.warnings)
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
    told = [each for each in fit(timings).warnings if "too coarse" in each]
    assert told
    assert told[0].startswith(f"host times of {short} sizes")
    assert f"{step:g} s" in told[0]


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
    with pytest.raises(RecordError, match="interval of g1"):
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
        ("size_KB,host_s,gpu_s", "1,1,1", "size_kB"),
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
