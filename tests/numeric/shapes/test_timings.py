"""Tables of shapes: what is read, and what contradicts itself."""

from pathlib import Path

import numpy as np
import pytest

from logca.numeric.shapes.fit import fit_shapes
from logca.numeric.shapes.formulas import ShapeError
from logca.numeric.shapes.timings import read_shapes, shape_timings
from logca.numeric.timings.timings import TimingsError

M = [1.0, 2.0, 4.0, 8.0]
TIMES = {"host": [1e-6, 2e-6, 4e-6, 8e-6], "accelerated": [3e-6] * 4}


def read(tmp_path: Path, text: str, columns: list[str], **given):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    return read_shapes(path, columns, **given)[0]


def test_runs_of_one_shape_are_repetitions_in_any_order(tmp_path: Path) -> None:
    text = "k,host_ms,gpu_us,m\n2,1,500,7\n3,1.5,400,7\n2,1.2,520,7\n5,2,400,7\n5,2,400,8\n"
    found = read(tmp_path, text, ["m", "k"])
    assert list(found.columns) == ["k", "m"]
    assert [found.shape(place) for place in (0, 3)] == [{"k": 2, "m": 7}, {"k": 5, "m": 8}]
    assert np.allclose(found.host[0], [1e-3, 1.2e-3])
    assert np.allclose(found.accelerated[0], [500e-6, 520e-6])
    assert np.allclose(found.speedups[:2], [1.1e-3 / 510e-6, 1.5e-3 / 400e-6])


def test_titles_and_units_may_be_given(tmp_path: Path) -> None:
    text = "n,cpu,fpga\n1,4,9\n2,5,9\n3,6,9\n4,7,9\n"
    roles = {"host": "cpu", "accelerated": "fpga"}
    units = {"host": "ms", "accelerated": "us"}
    found = read(tmp_path, text, ["n"], roles=roles, units=units)
    assert len(found) == 4
    assert found.speedups[0] == pytest.approx(4e-3 / 9e-6)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"m": M}, "it needs times of both paths, host and accelerated, or their ratio"),
        ({"m": M, "host": TIMES["host"]}, "it needs times of both paths"),
        ({"n": M, **TIMES}, "there is no column 'm' for the formulas; there are n, host"),
        ({"m": M[:3], **TIMES}, "columns must be equally long, not m 3, host 4"),
        (
            {"m": M, **TIMES, "name": ["a"]},
            "columns must be equally long, not m 4, host 4, acceler",
        ),
        ({"m": [*M[:3], "x"], **TIMES}, "m must be a column of numbers: could not convert"),
        ({"m": [*M[:3], float("nan")], **TIMES}, "row 4: m = nan must be a finite number"),
        (
            {"m": M, **TIMES, "host": [1, 2, 0, 4]},
            "row 3: host = 0 must be between 1e-30 and",
        ),
        ({"m": [1.0, 2.0, 4.0, 4.0], **TIMES}, "3 shapes; measure 4 at least"),
        ({"m": M, **TIMES, "ratio": [0.33, 0.67, 1.33, 4.0]}, "row 4: ratio = 4 contradicts the"),
        (
            {"m": [*M, 8.0], "batch": [1, 1, 1, 1, 64], "ratio": [0.5, 0.8, 2.0, 3.0, 30.0]},
            "m = 8 has ratio from 3 to 30, and its rows differ in 'batch', which no formula uses",
        ),
    ],
)
def test_contradictions_are_named(table, says: str) -> None:
    with pytest.raises(ShapeError) as told:
        shape_timings(table, ["m"])
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("unit", "asked", "says"),
    [
        ("GFLOP/s", None, "'host_GFLOP/s' is in GFLOP/s: give the time of a call for each shape"),
        ("MB/s", None, "'host_MB/s' is in MB/s: give the time"),
        ("ns/byte", None, "'host_ns/byte' is in ns/byte: give the time"),
        ("MB/s", {"host": "s"}, "'host_MB/s' is in MB/s: give the time"),
        ("ms", {"host": "us"}, "mixed units: column 'host_ms' says ms, the option units says us"),
        ("10us", None, "is 'host_10us' in us, or in pieces of 10 us?"),
    ],
)
def test_a_column_of_times_has_times(
    tmp_path: Path, unit: str, asked: dict[str, str] | None, says: str
) -> None:
    """Rates were read as times, which reverses the answer."""
    rows = "".join(f"{m},{m},3\n" for m in M)
    path = tmp_path / "rates.csv"
    path.write_text(f"m,host_{unit},gpu_ms\n{rows}", encoding="utf-8")
    with pytest.raises(ShapeError) as told:
        read_shapes(path, ["m"], units=asked)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("title", "asked"),
    [("host/ms", None), ("t_host / ms", None), ("host calls/ms", {"host calls/ms": "ms"})],
)
def test_columns_of_times(tmp_path: Path, title: str, asked: dict[str, str] | None) -> None:
    rows = "".join(f"{m},{m},3\n" for m in M)
    path = tmp_path / "times.csv"
    path.write_text(f"m,{title},gpu_ms\n{rows}", encoding="utf-8")
    if asked:
        with pytest.raises(ShapeError, match="'host calls/ms' is in calls/ms"):
            read_shapes(path, ["m"], units=asked)
    else:
        found, _ = read_shapes(path, ["m"])
        assert [found.medians(place)[0] for place in range(len(M))] == [m * 1e-3 for m in M]


def test_words_tell_rows_apart(tmp_path: Path) -> None:
    rows = "".join(f"{m},{kind},{m * 1e-6 * by},3e-6\n" for m in M for kind, by in TYPES.items())
    with pytest.raises(ShapeError, match="rows differ in 'type', which no formula uses"):
        read(tmp_path, "m,type,host_s,accelerated_s\n" + rows, ["m"])


TYPES = {"float": 1.0, "double": 9.0}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("m,ratio\n", "a header and no rows"),
        ("m,ratio\n1,2\n2\n", "line 3: 1 values, and the header has 2"),
        ("m,ratio\n1,2\n2,x\n", "line 3: ratio: 'x' is no number"),
        ("m,ratio,speedup\n1,2,2\n", "two columns may be ratio: ratio, speedup"),
    ],
)
def test_files_are_read_line_by_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"line|column") as told:
        read(tmp_path, text, ["m"])
    assert says in str(told.value)


def test_a_time_needs_a_unit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="host"):
        read(tmp_path, "m,host,accelerated\n1,2,3\n2,2,3\n3,2,3\n4,2,3\n", ["m"])


def test_formulas_are_needed() -> None:
    with pytest.raises(ShapeError, match="a fit of shapes needs formulas"):
        fit_shapes({"m": M, **TIMES})
    with pytest.raises(ShapeError, match="the formulas use no column"):
        fit_shapes({"m": M, **TIMES}, work="3")


def test_a_column_is_no_word_of_decisions() -> None:
    with pytest.raises(ShapeError, match="call the column 'offloading' otherwise"):
        fit_shapes({"offloading": M, **TIMES}, work="offloading")


def test_columns_may_differ_in_capital_letters(tmp_path: Path) -> None:
    found = read(tmp_path, "M,n,host_s,gpu_s\n1,1,1,2\n2,1,1,2\n3,1,1,2\n4,1,1,2\n", ["m", "n"])
    assert list(found.columns) == ["m", "n"]
    with pytest.raises(ShapeError, match="no column 'm' for the formulas; there are M, N"):
        read(tmp_path, "M,N,host_s,gpu_s\n1,1,1,2\n", ["M", "m", "N"])


# Titles as UoB-HPC/GPU-BLOB writes them.
BLOB = "Device,Kernel,M,N,K,Total Problem Size (KiB),Iterations,Total Seconds,GFLOP/s\n"


def test_tables_of_gpu_blob_have_shapes(tmp_path: Path) -> None:
    rows = [
        f"{device},sgemm,{m},{2 * m},64,{4 * (m * 64 + 128 * m + 2 * m * m) / 1024:.3f},10,{time},1"
        for m in (64, 128, 256, 512)
        for device, time in (("cpu", m / 100), ("gpu_offloadOnce", 2), ("gpu_unified", 3))
    ]
    text = BLOB + "\n".join(rows) + "\ncpu,sgemm,8,8,8,.750,10,0.5,1\n"
    found = read(tmp_path, text, ["m", "n", "k"], roles={"accelerated": "Once"})
    assert found.shape(1) == {"m": 128, "n": 256, "k": 64}
    assert found.speedups == pytest.approx([0.32, 0.64, 1.28, 2.56])
    assert "data move once" in read_shapes(
        tmp_path / "t.csv", ["M"], roles={"accelerated": "Once"}
    )[1].get("notes", "")
    with pytest.raises(TimingsError, match="'gpu_offloadOnce', 'gpu_unified' may be the accel"):
        read(tmp_path, text, ["m"])
