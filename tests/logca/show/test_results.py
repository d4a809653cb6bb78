"""Results as Python and notebooks show them: a row here for each type that has hooks."""

import inspect
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from offloads import checked, made
from synthetic_timings import HOSTILE, PAYS, write_table

import logca
from logca.common.extras import MissingLibraryError
from logca.common.tables import Column, Section, Table, html
from logca.numeric.shapes.boundary import boundary_rows
from logca.proofs.engine.answer import Answer
from logca.show import results

ROOT = Path(__file__).parents[3]
PUBLIC = json.loads((ROOT / "tests/repo/public_interface.json").read_text(encoding="utf-8"))
TIMINGS = ROOT / "examples/timings"
AES = logca.device("ultrasparc-t2", "aes")
RADIX = logca.Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear", name="radix")
KERNEL = """\
static float A[64][64];
int main(void) {
#pragma logca offload
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) A[i][j] += 1;
  return 0;
}
"""
BLOCKS = {
    "format": "logca-partition-1",
    "blocks": [
        {"name": name, "executions": 900, "operations": 4, "accesses": {"L1": 300}}
        for name in ("left", "right")
    ],
    "flows": [{"from": "left", "to": "right", "executions": 900}],
    "values": [{"producer": "left", "consumers": ["right"]}],
}


@dataclass(frozen=True)
class Shown:
    """A result, and what must be seen of it."""

    make: Callable[[Path], Any]
    answer: str  # a pattern in the first line of what Python prints
    # kinds of rows: a column, and its values as the result itself has them
    rows: dict[str, tuple[str, Callable[[Any], Sequence[Any]]]] = field(default_factory=dict)
    axes: tuple[str, str] | None = None  # what the picture says across and up


@cache
def kernel(folder: Path) -> Path:
    for library in ("numba", "llvmlite", "ziglang"):
        pytest.importorskip(library)
    path = folder / "kernel.c"
    path.write_text(KERNEL, encoding="utf-8")
    return path


@cache
def predicted(folder: Path) -> Any:
    return logca.gpu.predict(kernel(folder), device="jetson-tk1")


@cache
def advised(folder: Path) -> Any:
    return logca.gpu.advise(kernel(folder), device="jetson-tk1")


@cache
def partitioned(folder: Path, method: str) -> Any:
    for library in ("numba", "ortools"):
        pytest.importorskip(library)
    path = folder / "two.json"
    path.write_text(json.dumps(BLOCKS), encoding="utf-8")
    return logca.partition(path, area=16, method=method)


@cache
def fitted(folder: Path) -> Any:
    return logca.fit(write_table(folder / "timings.csv", PAYS))


@cache
def fitted_shapes(_: Path) -> Any:
    return logca.fit_shapes(TIMINGS / "gemm-loops-blas.csv", kernel="gemm")


def answered(_: Path) -> Answer:
    return Answer(claim="g1 < gA2", given=("A > 2",), verdict="proved", used=("A > 2",))


SHOWN = {
    "Accelerator": Shown(
        lambda _: AES, r"o=29000.*A=19", axes=("granularity $g$ [bytes]", "speedup [1]")
    ),
    "Granularities": Shown(lambda _: AES.break_even(), r"357\.7"),
    "Peak": Shown(lambda _: RADIX.peak(), r"speedup=3\.08"),
    "Bound": Shown(lambda _: AES.bound(), r"compute.*limit=19"),
    "Window": Shown(lambda _: AES.window("16 B", "4 KiB"), r"speedup 0\.0471 to 7\.387"),
    "Shares": Shown(
        lambda _: AES.shares([512, 4096]),
        r"^Shares\(overhead=\[0\.88",
        {"values": ("overhead", lambda found: found.overhead)},
    ),
    "Elasticities": Shown(
        lambda _: AES.elasticity(4096),
        r"^Elasticities\(o=-0\.58",
        {"values": ("C", lambda found: [found.C])},
    ),
    "Regions": Shown(
        lambda _: AES.regions(low="16 B", high="32 MiB"),
        r"gains 20 % or more: o up to 26 KiB, C up to .*, A from 1.429 KiB on, L nowhere\.",
        {
            "regions": ("end", lambda found: [each.interval.end for each in found.regions]),
            "cutoffs": (
                "start",
                lambda found: [r.start for c in found.cutoffs.values() for r in c],
            ),
        },
        ("granularity $g$ [bytes]", "speedup [1]"),
    ),
    "Change": Shown(lambda _: logca.cheapest_change(AES, speedup=10, g=4096), r"speedup 10, cost"),
    "Decision": Shown(
        lambda _: logca.decide(AES, "300 B"), r"Offloading 300 B does not pay: it takes"
    ),
    "UncertainDecision": Shown(
        make=lambda _: logca.decide_uncertain(
            logca.UncertainAccelerator(
                o=logca.LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=19
            ),
            "4 KiB",
        ),
        answer=r"Offloading 4 KiB pays with > 99\.9 % probability: 7\.387 times as fast",
        rows={
            "quantiles": ("speedup", lambda found: [e.value for e in found.speedups.values()]),
        },
        axes=("granularity $g$ [bytes]", "probability [%]"),
    ),
    "StreamDecision": Shown(
        lambda _: logca.decide_in_flight(AES, "345 B", 8),
        r"With 8 requests in flight, offloading 345 B pays: 1\.018 times",
    ),
    "Fit": Shown(
        fitted,
        r"Offloading pays from .* on \(95 % interval",
        {
            "quantities": ("lower", lambda found: [e.lower for e in found.intervals.values()]),
            "models": ("aic", lambda found: list(found.models.values())),
        },
        ("granularity $g$ [bytes]", "speedup [1]"),
    ),
    "Audit": Shown(
        lambda folder: logca.audit(fitted(folder), "64 KiB"),
        r"threshold of 64 KiB",
        {"sizes": ("calls", lambda found: [each.calls for each in found.rows])},
        ("granularity $g$ [bytes]", "speedup [1]"),
    ),
    "ShapeFit": Shown(
        fitted_shapes,
        r"Offloading pays at 30 of the 40 shapes measured: with 596 B from work of 6,230 on",
        {
            "shapes": ("speedup", lambda found: found.timings.speedups.tolist()),
            "boundary": ("from", lambda found: [each.above for each in boundary_rows(found)]),
        },
        ("bytes [B]", "work [1]"),
    ),
    "ShapeDecision": Shown(
        lambda folder: logca.decide_shape(fitted_shapes(folder), m=100, n=100, k=100),
        r"Offloading m=100 n=100 k=100 pays: 9\.555 times as fast",
    ),
    "Timings": Shown(
        lambda folder: fitted(folder).timings,
        r"25 sizes: accelerated wins from .* on",
        {
            "times": (
                "seconds",
                lambda found: np.concatenate([*found.host, *found.accelerated]).tolist(),
            )
        },
    ),
    "Device": Shown(lambda _: logca.devices()[10], r"ultrasparc-t2.*aes.*o=29000"),
    "Devices": Shown(
        lambda _: logca.devices(),
        r"19 kernels on 7 devices",
        {"devices": ("C", lambda found: [each.C for each in found])},
    ),
    "Answer": Shown(answered, r"proved: g1 < gA2"),
    "SmtCertificate": Shown(
        lambda _: logca.certificate(answered(_)),
        r"proved: g1 < gA2",
        {"parts": ("latency", lambda found: [part.latency for part in found.parts])},
    ),
    "WeakestHypothesis": Shown(
        lambda _: logca.weakest_hypothesis("exists(gA2)", given=["beta == 1"])[0],
        r"constant latency: exactly if",
    ),
    "LedgerClaim": Shown(lambda _: logca.claims()[0], r"cal2015-"),
    "Claims": Shown(
        lambda _: logca.claims()[:3],
        r"3 claims",
        {"claims": ("verdict", lambda found: [each.verdict for each in found])},
    ),
    "Formulas": Shown(
        lambda _: logca.formulas(),
        r"\d+ formulas",
        {"formulas": ("name", lambda found: [each.name for each in found])},
    ),
    "GpuDevice": Shown(
        lambda _: logca.gpu.device("jetson-tk1"),
        r"Jetson TK1",
        {"parameters": ("value", lambda found: [each["value"] for each in found.rows()])},
    ),
    "Prediction": Shown(
        predicted,
        r"The loops at line .* take .*s on Jetson TK1.*model paper",
        {
            "kernels": ("time_s", lambda found: [each.time_s for each in found.kernels]),
            "accesses": ("pattern", lambda found: [each.pattern for each in found.accesses]),
        },
        ("kernel", "time of all launches [ms]"),
    ),
    "Offload": Shown(
        lambda _: made(float, lambda n: 5.0),
        r"Worth it from N = 26 on",
        {"sizes": ("size", lambda found: found.sizes)},
        ("N [1]", "time of the loops [s]"),
    ),
    "OffloadCheck": Shown(
        lambda _: checked([8.0] * 5, [4.0] * 5),
        r"On 2 threads of this machine it is predicted to pay from N = 4 on",
        {"sizes": ("size", lambda found: [point.size for point in found.points])},
    ),
    "KernelPrediction": Shown(
        lambda folder: predicted(folder).kernels[0],
        r"The loops at line 4 of main take .*s, bound by",
        {"accesses": ("transactions", lambda found: [e.transactions for e in found.accesses])},
    ),
    "Advice": Shown(
        advised,
        r"times as fast with|No remedy",
        {
            "remedies": (
                "gain",
                lambda found: [r.gain for k in found.kernels for r in (*k.remedies, *k.others)],
            )
        },
        ("time now over time with the remedy [1]", ""),
    ),
    "KernelAdvice": Shown(
        lambda folder: advised(folder).kernels[0],
        r"times as fast with|No remedy",
        {"remedies": ("name", lambda found: [r.name for r in (*found.remedies, *found.others)])},
    ),
    "Profile": Shown(
        lambda folder: logca.trace.profile(kernel(folder)),
        r"instructions and makes 8,192 accesses to memory, with a footprint of 16 KiB; ",
        {
            "loops": ("iterations", lambda found: [each.iterations for each in found.loops]),
            "lines": ("stores", lambda found: [each.stores for each in found.lines]),
        },
        ("capacity of a fully associative LRU cache with lines of 64 B [KiB]", "misses [%]"),
    ),
    "Partition": Shown(
        lambda folder: partitioned(folder, "optimal"),
        r"two with 2 of 2 blocks on the accelerator is .* as on the CPU alone; proven optimal",
        {
            "blocks": ("area", lambda found: [each.area for each in found.case.problem.blocks]),
            "frontier": ("area", lambda found: [each.area for each in found.frontier]),
        },
        ("part of the runtime", "time [% of all on the CPU]"),
    ),
}
"""A result of each type."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


class Markup(HTMLParser):
    """Tags that are closed in order, and the cells of each row."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[int] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += int(dict(attrs).get("colspan") or 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def read(markup: str) -> Markup:
    found = Markup()
    found.feed(markup)
    found.close()
    assert found.open == []
    return found


def test_every_type_that_has_a_view_has_a_row_here() -> None:
    homes = results._HOMES
    assert sorted(SHOWN) == sorted(name for names in homes.values() for name in names)
    for home, names in homes.items():
        assert sorted(import_module(f"logca.show.{home}").VIEWS) == sorted(names)


INPUTS = {"Limits", "Chunk", "Compiled", "Program", "Run", "RootStatus", "Roots", "Remedy"}
INPUTS |= {"BoundedValue", "LogNormal", "UncertainAccelerator", "Uniform"}
"""Public classes that are settings, arrays, or stages on the way; they stay as short as a line."""


def public_classes() -> dict[str, type]:
    every = {
        name: getattr(import_module(package), name)
        for package, names in PUBLIC["names"].items()
        for name in names
    }
    return {
        name: each
        for name, each in every.items()
        if inspect.isclass(each) and not issubclass(each, Exception)
    }


@pytest.mark.parametrize("name", sorted({*public_classes()} - INPUTS))
def test_every_public_result_shows_itself_in_notebooks(name: str) -> None:
    found = public_classes()[name]
    assert any(hasattr(found, f"_repr_{markup}_") for markup in ("html", "markdown")) or (
        name in {"AccessReport", "ReductionReport"}  # rows of their kernel
    )


@pytest.mark.parametrize("name", SHOWN)
def test_the_answer_is_the_first_line_and_the_rest_is_short(name: str, folder: Path) -> None:
    result = SHOWN[name].make(folder)
    assert type(result).__name__ == name
    first, *rest = repr(result).splitlines()
    assert re.search(SHOWN[name].answer, first)
    assert len(first) < 200
    assert len(rest) < 60
    assert "dataclass" not in repr(result)
    assert str(result)


@pytest.mark.parametrize("name", SHOWN)
def test_html_is_well_formed_and_has_no_colours_of_its_own(name: str, folder: Path) -> None:
    view, result = results._view(SHOWN[name].make(folder)), SHOWN[name].make(folder)
    markup = result._repr_html_()
    found = read(markup)
    assert view.answer(result) in found.words
    assert len(found.rows) >= sum(len(table.rows) for table in view.tables(result))
    assert set(re.findall(r"color: (\w+)", markup)) <= {"inherit"}
    assert set(re.findall(r"rgba?\(([^)]*)\)", markup)) == {
        "128, 128, 128, .3",
        "128, 128, 128, .8",
    }
    assert "http" not in re.sub(r"https?://\S+ ", "", found.words)


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, shown in SHOWN.items() for kind in shown.rows]
)
def test_the_rows_of_a_frame_are_those_of_the_result(name: str, kind: str, folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    result = SHOWN[name].make(folder)
    kinds = results._view(result).rows
    assert kinds is not None
    assert [*kinds] == [*SHOWN[name].rows]
    column, values = SHOWN[name].rows[kind]
    frame = result.to_frame() if kind == next(iter(kinds)) else result.to_frame(kind)
    assert isinstance(frame, pandas.DataFrame)
    assert frame.attrs["rows"] == kind
    wanted = list(values(result))
    assert len(frame) == len(wanted)
    for got, expected in zip(frame[column] if len(frame) else (), wanted, strict=True):
        both_missing = isinstance(got, float) and math.isnan(got) and expected != expected
        assert got == expected or both_missing


@pytest.mark.parametrize("name", [name for name, shown in SHOWN.items() if shown.axes])
def test_the_picture_has_labels_and_units(name: str, folder: Path) -> None:
    figures = pytest.importorskip("matplotlib.figure")
    figure = SHOWN[name].make(folder).plot()
    assert isinstance(figure, figures.Figure)
    assert figure._repr_png_().startswith(b"\x89PNG")
    axes = SHOWN[name].axes
    assert axes is not None
    across, up = axes
    assert across in {each.get_xlabel() for each in figure.axes}
    assert up in {each.get_ylabel() for each in figure.axes}
    for each in figure.axes:
        assert each.lines or each.patches or each.collections


@pytest.mark.parametrize("name", SHOWN)
def test_what_has_no_picture_and_no_rows_has_no_methods_for_them(name: str) -> None:
    [home] = (home for home, names in results._HOMES.items() if name in names)
    found: Any = import_module(f"logca.show.{home}").VIEWS[name]
    shown = SHOWN[name]
    assert (found.picture is not None) == (shown.axes is not None)
    assert bool(found.rows) == bool(shown.rows)


def test_methods_are_there_where_views_have_something(folder: Path) -> None:
    for name, shown in SHOWN.items():
        if name in ("Prediction", "KernelPrediction", "Advice", "KernelAdvice", "Profile"):
            continue
        result = shown.make(folder)
        assert hasattr(result, "plot") == (shown.axes is not None)
        assert hasattr(result, "to_frame") == bool(shown.rows)


def test_a_frontier_is_drawn_over_the_area(folder: Path) -> None:
    found = partitioned(folder, "frontier")
    figure = found.plot(width="column")
    assert figure.axes[0].get_xlabel() == "area [instructions]"
    assert len(found.to_frame("frontier")) == len(found.frontier) > 1


@pytest.mark.parametrize("what", ["metrics", "sensitivity"])
def test_an_accelerator_is_drawn_in_every_way(what: str) -> None:
    figure = AES.plot(what, low="64 B", high="1 MiB", width="column")
    assert {axes.get_xlim() for axes in figure.axes} == {(64.0, 2.0**20)}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: AES.plot("curve"), r"'curve'.*one of speedup, metrics"),
        (lambda: AES.plot(width="poster"), r"width = 'poster' must be one of column, page"),
        (lambda: AES.plot(low="1 MiB", high="1 KiB"), r"must be ascending"),
        (lambda: AES.plot(gain=0.5), r"must be"),
        (lambda: AES.regions().to_frame("blocks"), r"no rows 'blocks'.*regions, cutoffs"),
    ],
)
def test_a_wrong_wish_is_answered_with_what_there_is(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as raised:
        call()
    assert isinstance(raised.value, logca.LogcaError)


def test_what_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'logca\[frame\]'"):
        AES.regions().to_frame()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'logca\[plot\]'"):
        AES.plot()


def test_text_and_html_need_no_optional_library() -> None:
    code = (
        "import sys; sys.modules |= dict.fromkeys(['pandas', 'matplotlib', 'xarray', 'sympy']);"
        "import logca; aes = logca.device('ultrasparc-t2', 'aes');"
        "print(aes, aes.regions(), logca.decide(aes, 9), logca.devices());"
        "print(aes._repr_html_(), aes.regions()._repr_html_())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_text_in_a_notebook_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = repr(AES.regions())
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert repr(AES.regions()) == wanted


def test_names_are_escaped() -> None:
    found = logca.Accelerator(o=1, L=1, C=1, A=2, name=HOSTILE)._repr_html_()
    assert "<script" not in found
    assert HOSTILE in read(found).words


def test_sections_groups_and_lines_of_source_stand_above_their_rows() -> None:
    table = Table(
        columns=(Column("array"), Column.number("hits", "L2"), Column.number("misses", "L2")),
        sections=(
            Section(rows=(("A", "1", "2"),), heading="kernel.c", line=(7, "s += A[i] < 1;")),
        ),
    )
    found = read(html(table))
    assert found.rows == [3, 3, 3, 3, 3]
    assert "7  s += A[i] < 1;" in found.words


def test_a_long_array_is_cut_and_says_so() -> None:
    shares = AES.shares(np.geomspace(16, 1e6, 100))
    assert "76 more rows" in shares._repr_html_()
    assert len(shares.to_frame()) == 100


def test_the_code_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And shows what its comments say."""
    for library in ("matplotlib", "pandas"):
        pytest.importorskip(library)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "docs/python.md", "exec"), known)
    assert (tmp_path / "aes.svg").read_bytes().startswith(b"<?xml")
    aes, fit = known["aes"], known["fit"]
    for said in (aes, aes.regions(low="16 B", high="32 MiB"), logca.decide(aes, "300 B")):
        first = str(said) if said is aes else repr(said)
        assert first.splitlines()[0] in page
    assert [*known["frame"].columns] == ["label", "start", "end"]
    assert [*fit.to_frame().columns] == ["quantity", "value", "lower", "upper", "none", "unit"]
    told = {kind for name in SHOWN for kind in SHOWN[name].rows} - {"values"}
    assert told <= {*re.findall(r"\w+", page)}
