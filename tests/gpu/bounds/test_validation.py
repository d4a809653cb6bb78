"""The validation of model bounds: its statistics, its rows, and the page that it writes."""

import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numba")

from logca.gpu.bounds.kernel_times import times_of_counted

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "gpu-validation.md"


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])


def test_errors_are_those_of_a_hand_calculation() -> None:
    from benchmarks.gpu.errors import errors

    # ratios 2, 1/2, 1, 4: |ln| = ln 2, ln 2, 0, 2 ln 2; their mean is ln 2, ln ratio's is ln 4 / 4
    found = errors([1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 16.0])
    assert found.geometric_mean == pytest.approx(1.0)
    assert found.median == pytest.approx(1.0)
    assert found.p90 == pytest.approx(math.exp(1.7 * math.log(2)) - 1)
    assert found.bias == pytest.approx(2**0.5 - 1)
    assert found.tau == pytest.approx(4 / 6)  # of 6 pairs one is the other way round


def test_no_time_at_all_is_an_error_and_not_an_exception() -> None:
    from benchmarks.gpu.errors import errors

    assert errors([1e-3, 1e-3], [0.0, 1e-3]).geometric_mean == pytest.approx(999, rel=0.01)


def test_every_row_has_a_kernel_a_device_and_a_family() -> None:
    from benchmarks.gpu.measured import conditions, rows

    found = rows()
    assert len(found) == 212
    assert sum(row.above_floor for row in found) == 171
    for row in found:
        assert row.file.is_file()
        assert row.family in conditions()["families"]
        assert row.device.rates is not None
    used = {row.file for row in found}
    assert used == {*(ROOT / "benchmarks" / "gpu" / "kernels").glob("*.c")}


def test_conditions_hold_of_gpus_and_name_their_source() -> None:
    from benchmarks.gpu.measured import rows

    row = next(row for row in rows() if row.gpu == "rtx-2060")
    assert row.device.frequency == 1.68e9
    assert row.device.bandwidth == 201e9
    assert row.device.provenance("bandwidth") == "measured"
    assert not row.warm
    assert all(row.warm == (row.data_set == "kpp") for row in rows())
    late = next(row for row in rows() if row.kernel == "convolution-3d")
    assert late.device.launch_overhead < 3e-6  # only the last of its launches is waited for


@pytest.mark.parametrize(
    ("gpu", "kernel", "size"),
    [("rtx-2080-ti", "saxpy", 4194304), ("rtx-3080", "matmul_int", 512)],
)
def test_rows_predict_what_the_page_says(gpu: str, kernel: str, size: int) -> None:
    """Regression, golden: the page is made by the code that is checked."""
    from benchmarks.gpu.counting import counts_alike
    from benchmarks.gpu.measured import rows
    from benchmarks.gpu.refit import predicted

    (row,) = (row for row in rows() if (row.gpu, row.kernel, row.size) == (gpu, kernel, size))
    (counts,) = counts_alike([row], others=False)
    line = rf"^\| {gpu} \| {kernel} \| {size} \| (\S+) \| (\S+) \|"
    match = re.search(line, PAGE.read_text(), re.MULTILINE)
    assert match is not None
    assert float(match[1]) == pytest.approx(row.measured * 1e3, rel=1e-3)
    assert predicted(row, counts) * 1e3 == pytest.approx(float(match[2]), rel=1e-3)


def test_the_page_has_all_rows_and_keeps_to_its_targets() -> None:
    text = PAGE.read_text()
    assert (
        len(re.findall(r"^\| \(?[a-z0-9-]+\)? \| [\w-]+ \| \d+ \| \d", text, re.MULTILINE)) == 212
    )
    whole = re.search(
        r"^\| \*\*all\*\* \| 171 \| ([\d.]+) % \| [\d.]+ % \| ([\d.]+) % \| \S+ % \| ([\d.]+) \|",
        text,
        re.MULTILINE,
    )
    assert whole is not None
    assert float(whole[1]) <= 14
    assert float(whole[2]) <= 35
    assert float(whole[3]) >= 0.95
    left = dict(re.findall(r"^\| one (GPU|family of kernels) \| ([\d.]+) % \|", text, re.MULTILINE))
    assert float(left["GPU"]) <= 16
    assert float(left["family of kernels"]) <= 18
    inside = re.findall(r"^\| one .* \| ([\d.]+) % \|$", text, re.MULTILINE)
    assert all(90 <= float(share) <= 98 for share in inside)
    assert len(inside) == 3


def test_refits_predict_what_the_model_does_where_nothing_is_moved() -> None:
    """Bounds are lines in the constants, so arrays and the model agree, at half the cycles too."""
    from benchmarks.gpu.counting import counts_alike, with_rates
    from benchmarks.gpu.measured import rows
    from benchmarks.gpu.refit import FITTED, as_arrays, predicted

    (row,) = (r for r in rows() if (r.gpu, r.kernel, r.size) == ("rtx-2060", "array_add_nc", 512))
    (counts,) = counts_alike([row], others=False)
    arrays = as_arrays({row: counts})
    assert arrays.predicted(FITTED)[0] == pytest.approx(predicted(row, counts), rel=1e-12)
    moved = replace(FITTED, partial=0.5)
    rates = row.device.rates
    assert rates is not None
    halved = with_rates(row.device, partial_store=1 + (rates.partial_store - 1) / 2)
    (time,) = times_of_counted(counts.kernels, halved, warm=row.warm)
    assert arrays.predicted(moved)[0] == pytest.approx(time.time_s, rel=1e-12)
