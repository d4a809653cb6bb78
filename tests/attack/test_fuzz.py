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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logca.common.errors import LogcaError
from logca.common.sizes import parse_size
from logca.gpu.devices.parameters import load_device
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.paper.devices import load_devices
from logca.numeric.partition.problem.files import FORMAT, load_problem
from logca.numeric.timings.reading import read_timings
from logca.offloading.given_accelerator import given_accelerator
from logca.offloading.given_host import given_host
from logca.offloading.links.copy_link import copy_link
from logca.proofs.language.parser import parse
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
