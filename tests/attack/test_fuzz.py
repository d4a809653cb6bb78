"""Files and texts that were damaged: each is read, or refused by an error of ours.

What is read holds no nonsense: numbers are finite and in their ranges.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from attack_inputs import PROGRAM
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logca.common.errors import LogcaError
from logca.common.sizes import parse_size
from logca.gpu.devices.parameters import load_device
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.paper.devices import load_devices
from logca.numeric.partition.problem.files import FORMAT, load_problem
from logca.numeric.sweep.resume import read_journal
from logca.numeric.timings.reading import read, read_timings
from logca.numeric.timings.timings import Timings
from logca.offloading.given_accelerator import given_accelerator
from logca.offloading.given_host import given_host
from logca.offloading.links.copy_link import copy_link
from logca.proofs.language.parser import parse
from logca.trace.profiling.profile import profile
from logca.trace.profiling.trace_files import read_trace
from logca.trace.source.pragmas import directives_in, pragma_lines_in, pragmas_in, size_in, work_in

ROOT = Path(__file__).parents[2]
TOKENS = (
    *("NaN", "nan", "inf", "-inf", "-1", "0", "-0.0", "1e308", "1e-320", "1e400", "9" * 400, "1e5"),
    *(
        "１２",
        "٣",
        "1,000",
        "1 000",
        "1_000",
        "0x10",
        "1.5.2",
        "+",
        "--",
        "",
        " ",
        "\t",
        "\n",
        "\r\n",
    ),
    *("\x00", "\ufeff", "\u2028", "null", "true", "[]", "{}", "[" * 3000, '{"a":' * 2000, '"', "'"),
    *("=", ",", ";", "#", "\\", "B", "KiB", "s", "ms", "GB/s", "é", "\ud7ff", "size", "beta", "A"),
)
EXAMPLES = 25 if settings.default.max_examples == 100 else settings.default.max_examples
"""Of each kind: few in the tests of every day [1]."""
SPLIT = st.integers(0, 10_000)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> bytes:
    """A text in which pieces were cut out, doubled, moved, or put in the place of numbers."""
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["cut", "double", "token", "number", "line", "swap"]))
        start = draw(SPLIT) % (len(text) + 1)
        end = min(len(text), start + draw(st.integers(0, 30)))
        lines = text.splitlines(keepends=True) or [""]
        one, other = draw(SPLIT) % len(lines), draw(SPLIT) % len(lines)
        if kind == "cut":
            text = text[:start] + text[end:]
        elif kind == "double":
            text = text[:end] + text[start:]
        elif kind == "token":
            text = text[:start] + draw(st.sampled_from(TOKENS)) + text[end:]
        elif kind == "number":
            digits = [n for n, each in enumerate(text) if each.isdigit()] or [0]
            place = digits[start % len(digits)]
            text = text[:place] + draw(st.sampled_from(TOKENS)) + text[place + 1 :]
        elif kind == "line":
            lines.insert(one, lines[other])
            text = "".join(lines)
        else:
            lines[one], lines[other] = lines[other], lines[one]
            text = "".join(lines)
    coding = draw(st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "latin-1"]))
    contents = text.encode(coding, errors="replace")
    return contents[: draw(SPLIT)] if draw(st.integers(0, 9)) == 0 else contents


def finite(*values: float | None) -> bool:
    return all(value is None or isfinite(value) for value in values)


def check_timings(path: Path) -> None:
    timings = read_timings(path)
    assert np.all(np.isfinite(timings.granularity))
    assert np.all(np.asarray(timings.granularity) > 0)
    fit(timings)


def check_fit(path: Path) -> None:
    found = Fit.load(path)
    values = found.parameters
    assert finite(*values.values())
    assert values["A"] > 0
    assert 0 < values["beta"] < 100


def check_device(path: Path) -> None:
    device = load_device(path)
    assert finite(device.frequency)
    assert device.frequency > 0
    assert device.multiprocessors >= 1


def check_link(path: Path) -> None:
    link = copy_link(path)
    assert link.bandwidth > 0
    assert finite(link.latency)
    assert link.latency >= 0


def saved_fit() -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "fit.json"
        fit(read_timings(TIMINGS)).save(path)
        return path.read_text(encoding="utf-8")


PROBLEM = json.dumps(
    {
        "format": FORMAT,
        "blocks": [
            {"name": name, "executions": 5 * n, "operations": 3, "area": n}
            for n, name in enumerate(("first", "middle", "last"), start=1)
        ],
        "flows": [
            {"from": "first", "to": "middle", "executions": 5},
            {"from": "middle", "to": "last", "executions": 5},
        ],
    },
    indent=1,
)
TIMINGS = ROOT / "examples/timings/stream.csv"
FILES: dict[str, tuple[Path | None, Callable[[Path], Any]]] = {
    "timings.csv": (TIMINGS, check_timings),
    "google.json": (ROOT / "tests/numeric/timings/files/google_aggregates.json", read_timings),
    "hyperfine.json": (ROOT / "tests/numeric/timings/files/hyperfine.json", read_timings),
    "extra_p.json": (ROOT / "tests/numeric/timings/files/extra_p.json", read_timings),
    "fit.json": (None, check_fit),
    "gpu.toml": (ROOT / "gpu/devices/rtx-4090.toml", check_device),
    "devices.toml": (ROOT / "examples/devices/my-fpga.toml", load_devices),
    "link.toml": (ROOT / "offloading/links/pcie4.toml", check_link),
    "problem.json": (None, load_problem),
}


@cache
def whole(name: str) -> str:
    """The contents of a file before it is damaged."""
    path, _ = FILES[name]
    if path is not None:
        return path.read_text(encoding="utf-8")
    return PROBLEM if name == "problem.json" else saved_fit()


@pytest.mark.parametrize("name", FILES)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=EXAMPLES,
)
@given(data=st.data())
def test_damaged_files_are_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    _, read = FILES[name]
    path = tmp_path / name
    path.write_bytes(data.draw(damaged(whole(name))))
    with suppress(LogcaError):
        read(path)


@st.composite
def damaged_octets(draw: st.DrawFn, octets: bytes) -> bytes:
    """Octets some of which were changed, cut out, doubled, or lost at the end."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(octets)))
        end = start + draw(st.integers(0, 16))
        piece = draw(st.binary(max_size=16))
        kind = draw(st.sampled_from(["change", "cut", "double", "end"]))
        if kind == "change":
            octets = octets[:start] + piece + octets[start + len(piece) :]
        elif kind == "cut":
            octets = octets[:start] + octets[end:]
        elif kind == "double":
            octets = octets[:end] + octets[start:]
        else:
            octets = octets[:start]
    return octets


@cache
def traced(suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        source, output = Path(folder, "program.c"), Path(folder, f"trace{suffix}")
        source.write_text(PROGRAM)
        profile(source, output=output)
        return output.read_bytes()


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=EXAMPLES,
    deadline=None,
)
@given(data=st.data())
def test_damaged_traces_are_read_or_refused(
    suffix: str, data: st.DataObject, tmp_path: Path
) -> None:
    pytest.importorskip("ziglang")
    path = tmp_path / f"trace{suffix}"
    path.write_bytes(data.draw(damaged_octets(traced(suffix))))
    with suppress(LogcaError):
        metadata, batches = read_trace(path)
        assert metadata["program"] is not None
        for batch in batches:
            assert batch.num_rows >= 0


JOURNAL = '{"version": "0.1.0"}\nboot 3f2a\ncreated\n0\n1\nsynced\n2\n'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=EXAMPLES)
@given(data=st.data())
def test_damaged_journals_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "grid.zarr.journal"
    path.write_bytes(data.draw(damaged(JOURNAL)))
    with suppress(LogcaError):
        found = read_journal(path)
        assert found is None or all(number >= 0 for number in found.done)


NONSENSE = {
    "not a number": "1024,nan,1e-6",
    "infinite": "1024,inf,1e-6",
    "negative": "1024,-1e-6,1e-6",
    "zero": "0,1e-6,1e-6",
    "too large": "1e400,1e-6,1e-6",
    "thousands separator": '"1,024",1e-6,1e-6',
    "decimal comma": '1024,"0,5",1e-6',
    "another unit": "1024 KiB,1e-6,1e-6",
    "a word": "many,1e-6,1e-6",
    "empty": "1024,,1e-6",
    "a cell too many": "1024,1e-6,1e-6,7",
    "nul": "10\x0024,1e-6,1e-6",
    "hexadecimal": "0x400,1e-6,1e-6",
    "a fraction": "1/2,1e-6,1e-6",
}


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_in_timings_is_refused_by_its_line(what: str, tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    rows = [f"{4**n},{1e-9 * 4**n},{1e-5 + 1e-10 * 4**n}" for n in range(5, 13)]
    path.write_text("\n".join(["granularity_B,host_s,accelerated_s", *rows, NONSENSE[what], ""]))
    with pytest.raises(LogcaError, match="line 10"):
        read_timings(path)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    rows = [f"{4**n},{1e-9 * 4**n},5,{1e-5 + 1e-10 * 4**n}" for n in range(5, 13)]
    path.write_text("\n".join(["granularity_B,host_s,host_s,accelerated_s", *rows, ""]))
    with pytest.raises(LogcaError, match="two columns are called 'host_s'"):
        read_timings(path)


def test_a_point_for_thousands_is_told(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    rows = [f"{4**n / 1000:.3f};{1e-9 * 4**n};{1e-5 + 1e-10 * 4**n}" for n in range(5, 10)]
    text = "\n".join(["granularity_B;host_s;accelerated_s", *rows, ""])
    path.write_text(text)
    with pytest.raises(LogcaError, match=r"granularity_B: is 1\.024 1024\? Each point"):
        read(path)
    path.write_text(text.replace(";", ","))
    assert "does the point stand for thousands" in " ".join(read(path).notes)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("beta", 1e5, "more than a factor of 100"),
        ("L", 1e5, "more than a factor of 100"),
        ("C", -50.0, "more than a factor of 100"),
        ("evil", 3.0, "must have C, beta, o, L, D, h, not C.* evil"),
    ],
)
def test_a_fit_that_was_edited_is_refused(
    key: str, value: float, words: str, tmp_path: Path
) -> None:
    data = json.loads(saved_fit())
    for model in data["models"].values():
        model["curve"][key] = value
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(data))
    with pytest.raises(LogcaError, match=words):
        Fit.load(path)


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (np.array([1, 4, 16, 64], "m8[us]"), "no number of seconds"),
        (np.ma.MaskedArray([1e-6, 4e-6, 99.0, 64e-6], mask=[0, 0, 1, 0]), "is masked"),
        ([[True]] * 4, "no number of seconds"),
    ],
)
def test_times_that_are_none_are_refused(host: Any, words: str) -> None:
    with pytest.raises(LogcaError, match=words):
        Timings(granularity=[1, 4, 16, 64], host=host, accelerated=[1.0] * 4)


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_ends_of_lines_and_codings_change_nothing_or_are_refused(
    ends: str, coding: str, tmp_path: Path
) -> None:
    text = TIMINGS.read_text(encoding="utf-8")
    path = tmp_path / "timings.csv"
    path.write_bytes(text.replace("\n", ends).encode(coding))
    try:
        found = read_timings(path)
    except LogcaError:
        assert coding.startswith("utf-16")
    else:
        assert found.granularity == read_timings(TIMINGS).granularity


TEXTS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "size": ("4.5 KiB", lambda text: finite(parse_size(text)) or pytest.fail(text)),
    "claim": (
        "speedup(2*g) <= 2*speedup and A > 1 implies exists(g1) or log(g) < beta**(1/2)",
        lambda text: parse(text, "constant"),
    ),
    "host": ("cores=16,speed=1.5,peak=90", given_host),
    "accelerator": ("A=20,o=5us", given_accelerator),
    "link": ("20GB/s,5us", copy_link),
    "pragmas": (
        "#pragma logca work(N=1024, M=64)\n#pragma logca size(N=64:8192)\n"
        "#pragma omp parallel for collapse(2) reduction(+:s) private(a, b)\n"
        "#pragma acc parallel loop copyin(a[0:n])\n",
        lambda text: [
            read(pragma_lines_in(text, {}))
            for read in (pragmas_in, directives_in, size_in, work_in)
        ],
    ),
}


@pytest.mark.parametrize("kind", TEXTS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_damaged_texts_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    text, read = TEXTS[kind]
    damage = data.draw(damaged(text)).decode("utf-8", errors="replace")
    with suppress(LogcaError):
        read(damage)
