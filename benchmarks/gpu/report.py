"""The page on the validation of model bounds: tables by GPU, family and data set, and all rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from benchmarks.gpu.errors import Errors, errors
from benchmarks.gpu.measured import HERE, Row, conditions
from benchmarks.gpu.refit import FITTED, Constants
from logca.gpu.stages.unit_bounds import BOUNDS

if TYPE_CHECKING:
    from benchmarks.gpu.validation import Left, Validation

__all__ = ["page"]

_MODELS = ("bounds", "logca", "paper", "roofline")
_TARGETS = {"geometric mean": 0.14, "90th percentile": 0.35, "Kendall's tau": 0.95}


def page(found: "Validation") -> str:
    """The page."""
    every = _errors(found, found.clear)
    measured = {
        "geometric mean": every["bounds"].geometric_mean,
        "90th percentile": every["bounds"].p90,
        "Kendall's tau": every["bounds"].tau,
    }
    reached = [
        f"{name} {_said(name, value)} ({_words(name, value)} {_said(name, _TARGETS[name])})"
        for name, value in measured.items()
    ]
    return (
        (HERE / "page.md")
        .read_text()
        .format(
            gm=_percent(every["bounds"].geometric_mean),
            median=_percent(every["bounds"].median),
            p90=_percent(every["bounds"].p90),
            tau=f"{every['bounds'].tau:.3f}",
            roof=_percent(every["roofline"].geometric_mean),
            logca=_percent(every["logca"].geometric_mean),
            paper=_percent(every["paper"].geometric_mean),
            clear=len(found.clear),
            gpus=len({row.gpu for row in found.clear}),
            targets="; ".join(reached),
            data_sets=_data_sets(found),
            devices=_devices(found),
            errors=_summary(found),
            count=len(fields(Constants)),
            left=_left(found),
            constants=_constants(found),
            strided=_ratio(found, "strided_copy_8", "rtx-2080-ti"),
            columns=_ratio(found, "array_add_nc", "rtx-2060", 8192),
            transposed=_ratio(found, "naive_transpose", "rtx-2080-ti"),
            narrow=_ratio(found, "conv2d_basic_3"),
            tiles=_ratio(found, "matmul_tiled", "rtx-4070"),
            overlapped=_percent(every["overlapped"].geometric_mean),
            rows=_rows(found),
        )
    )


def _ratio(found: "Validation", file: str, gpu: str = "", size: int = 0) -> str:
    """Geometric mean of predicted over measured time of rows above the floor."""
    which = [
        row
        for row in found.clear
        if row.kernel.startswith(file) and gpu in row.gpu and size in (0, row.size)
    ]
    if not which:
        return "-"
    off = errors([row.measured for row in which], [found.times["bounds"][row] for row in which])
    return f"{1 + off.bias:.2f}"


def _errors(found: "Validation", which: Sequence[Row]) -> dict[str, Errors]:
    """Errors by model."""
    measured = [row.measured for row in which]
    return {
        model: errors(measured, [times[row] for row in which])
        for model, times in found.times.items()
    }


def _table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A table whose first column is text, and whose others are numbers."""
    marks = [":--", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in (head, marks, *lines))


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %") if share < 1 else f"{share:.0%}".replace("%", " %")


def _said(name: str, value: float) -> str:
    return f"{value:.3f}" if "tau" in name else _percent(value)


def _words(name: str, value: float) -> str:
    """Whether a target is reached."""
    if "tau" in name:
        return "at least" if value >= _TARGETS[name] else "below"
    return "within" if value <= _TARGETS[name] else "beyond"


def _data_sets(found: "Validation") -> str:
    """The data sets, with what their times are."""
    names = dict.fromkeys(row.data_set for row in found.counts)
    lines = []
    for name in names:
        said = conditions()[name]
        own = [row for row in found.counts if row.data_set == name]
        clear = sum(row.above_floor for row in own)
        lines.append(
            f"- **{said['title']}**: {len(own)} rows, {clear} above the floor of {said['floor']}. "
            f"{said['how'][0].upper()}{said['how'][1:]}; L2 {said['l2']}. From {said['source']}."
        )
    return "\n".join(lines)


def _devices(found: "Validation") -> str:
    """What holds of a GPU in a data set."""
    lines = []
    for name in dict.fromkeys(row.data_set for row in found.counts):
        for gpu, said in conditions()[name]["devices"].items():
            if not any(row.gpu == gpu and row.data_set == name for row in found.counts):
                continue
            values = ", ".join(
                f"`{key}` {str(value).replace('_', ' ')}"
                for key, value in said.items()
                if key != "source"
            )
            lines.append(f"- {conditions()[name]['title']}, {gpu}: {values} ({said['source']}).")
    return "\n".join(lines)


def _summary(found: "Validation") -> str:
    """Errors of all rows, by data set, GPU and family."""
    groups: list[tuple[str, Callable[[Row], str]]] = [
        ("", lambda row: "all"),
        ("data set", lambda row: str(conditions()[row.data_set]["title"])),
        ("GPU", lambda row: row.gpu),
        ("family", lambda row: row.family),
    ]
    lines: list[Sequence[object]] = []
    for _, group in groups:
        for name in dict.fromkeys(map(group, found.clear)):
            which = [row for row in found.clear if group(row) == name]
            off = _errors(found, which)
            own = off["bounds"]
            lines.append(
                (
                    f"**{name}**" if name == "all" else name,
                    own.rows,
                    _percent(own.geometric_mean),
                    _percent(own.median),
                    _percent(own.p90),
                    f"{own.bias * 100:+.1f} %",
                    f"{own.tau:.3f}",
                    _percent(off["unfitted"].geometric_mean),
                    *(
                        f"{_percent(off[model].geometric_mean)}, {off[model].tau:.2f}"
                        for model in _MODELS[1:]
                    ),
                )
            )
    head = ["rows of", "rows", "bounds", "median", "90th percentile", "bias", "tau", "unfitted"]
    head += ["logca, tau", "paper, tau", "roofline, tau"]
    return _table(head, lines)


def _left(found: "Validation") -> str:
    """Errors of rows that were left out."""
    lines: list[Sequence[object]] = []
    for name, left in found.left.items():
        rows = list(left.times)
        off = errors([row.measured for row in rows], [left.times[row] for row in rows])
        lines.append(
            (
                f"one {name}",
                _percent(off.geometric_mean),
                _percent(off.median),
                _percent(off.p90),
                f"{off.tau:.3f}",
                _percent(left.covered),
            )
        )
    by_group = "\n\n".join(
        _left_groups(name, left) for name, left in found.left.items() if " and " not in name
    )
    head = ["left out", "error", "median", "90th percentile", "tau", "inside"]
    return f"{_table(head, lines)}\n\n{by_group}"


def _left_groups(name: str, left: "Left") -> str:
    """Errors of each group that was left out."""
    lines: list[Sequence[object]] = []
    for group in left.constants:
        rows = [row for row in left.times if left.groups[row] == group]
        off = errors([row.measured for row in rows], [left.times[row] for row in rows])
        lines.append((group, off.rows, _percent(off.geometric_mean), _percent(off.p90)))
    return _table([f"{name} left out", "rows", "error", "90th percentile"], lines)


_WORDS: Mapping[str, str] = {
    "sharpness": "exponent of the soft maximum",
    "partial": "further cycles of a line stored in part, times",
    "turing_load": "cycles of a load on Turing, times",
}


def _constants(found: "Validation") -> str:
    """The fitted constants, and between what they move."""
    lines: list[Sequence[object]] = []
    for name, words in _WORDS.items():
        moved = [
            getattr(constants, name)
            for left in found.left.values()
            for constants in left.constants.values()
        ]
        ends = (getattr(found.refitted, name), min(moved), max(moved))
        lines.append((words, f"{getattr(FITTED, name):g}", *(f"{each:.2f}" for each in ends)))
    head = ["constant", "as it is", "fitted to all rows", "least, some left out", "most"]
    return _table(head, lines)


def _rows(found: "Validation") -> str:
    """All rows."""
    lines: list[Sequence[object]] = []
    for row in found.counts:
        time = found.times["bounds"][row]
        unit = found.units[row]
        cells = (
            row.gpu,
            row.kernel,
            row.size,
            f"{row.measured * 1e3:#.4g}".rstrip("."),
            f"{time * 1e3:#.4g}".rstrip("."),
            f"{time / row.measured:.2f}",
            BOUNDS.get(unit, "launch overhead"),
        )
        lines.append(cells if row.above_floor else (f"({cells[0]})", *cells[1:]))
    head = ["GPU", "kernel", "N", "measured: ms", "predicted: ms", "ratio", "bound by"]
    return _table(head, lines)
