"""Timings and options that cannot be: each refused in a line that names it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT

from logca.numeric.fitting.fit import Fit, FitError, fit
from logca.numeric.fitting.timings import Timings, TimingsError

SIZES = [1024, 4096, 16384, 65536, 262144]
TIMES = [1e-6, 4e-6, 16e-6, 64e-6, 256e-6]


def test_what_is_accepted() -> None:
    timings = Timings(granularity=SIZES, host=TIMES, accelerated=[[each, each] for each in TIMES])
    assert len(timings) == 5
    assert [row.size for row in timings.accelerated] == [2] * 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"host": [0.0, *TIMES[1:]]},
            r"host time of row 1 \(1 KiB\) = 0 s is below what the clock",
        ),
        ({"host": [*TIMES[:4], -1e-6]}, r"row 5 \(256 KiB\) = -1e-06 s is negative"),
        ({"accelerated": [1e-6, [4e-6, np.nan], *TIMES[2:]]}, r"accelerated time of row 2 .* nan"),
        ({"accelerated": [np.inf, *TIMES[1:]]}, r"accelerated time of row 1 .* inf"),
        ({"host": ["fast", *TIMES[1:]]}, "'fast' is no number of seconds"),
        ({"host": TIMES[:4]}, "host has 4 rows, granularity has 5"),
        ({"host": [[], [], *TIMES[2:]]}, "host has times at 3 sizes; measure at 4 or more"),
        ({"granularity": [1024, 16384, 4096, 65536, 262144]}, r"row 3 = 4 KiB is not larger than"),
        ({"granularity": [1024, 1024, 16384, 65536, 262144]}, r"row 2 = 1 KiB is not larger than"),
        ({"granularity": [0, *SIZES[1:]]}, "granularity of row 1: 0 is no size"),
        ({"granularity": ["1 KB", *SIZES[1:]]}, "ambiguous; write KiB .* or kB"),
        ({"granularity": ["8 Kibit", *SIZES[1:]]}, "is in bits, sizes are in bytes"),
        ({"resolution": 2e-6}, r"row 1 \(1 KiB\) = 1e-06 s is below what the clock can tell"),
    ],
)
def test_timings_that_cannot_be_are_named(change: dict[str, Any], message: str) -> None:
    given = {"granularity": SIZES, "host": TIMES, "accelerated": TIMES, **change}
    with pytest.raises(TimingsError, match=message):
        Timings(**given)


def test_three_points_are_too_few() -> None:
    with pytest.raises(TimingsError, match="3 sizes are too few; measure at 4 or more"):
        Timings(granularity=SIZES[:3], host=TIMES[:3], accelerated=TIMES[:3])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"level": 95}, FitError, "level = 95 must be a confidence between 0 and 1"),
        ({"level": float("nan")}, FitError, "level = nan must be a confidence"),
        ({"latency": "quadratic"}, FitError, "latency = 'quadratic' must be one of auto, constant"),
        ({"least": "1 MiB", "most": 4096}, TimingsError, "least = '1 MiB' is larger than most"),
        ({"least": "4 KB"}, TimingsError, "least: '4 KB' is ambiguous"),
        ({"most": -1}, TimingsError, "most: -1 is no size"),
        ({"least": "16 KiB"}, TimingsError, "least = '16 KiB' leave.* 3 of 5 sizes"),
        ({"most": "1 KiB"}, TimingsError, "most = '1 KiB' leave.* 1 of 5 sizes"),
        ({"provenance": {"machine": 3}}, FitError, "provenance 'machine': 3 must be a text"),
    ],
)
def test_options_that_cannot_be_are_named(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fit(CONSTANT.timings(0.01, sizes=SIZES), **options)


def test_files_that_cannot_be_fitted(tmp_path: Path) -> None:
    with pytest.raises(TimingsError, match="there is no file"):
        fit(tmp_path / "missing.csv")
    with pytest.raises(TimingsError, match="cannot read"):
        fit(tmp_path)


@pytest.fixture(scope="module")
def found() -> Fit:
    return fit(CONSTANT.timings(0.01, sizes=SIZES), latency="constant")


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
