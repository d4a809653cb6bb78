"""Design sweeps, ranges in which partitions stay optimal, and links: as tables, JSON and CSV."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Column, FilledColumn, Table
from logca.numeric.partition.exploration.explorer import Setting
from logca.numeric.partition.exploration.latency_ranges import LatencyRange
from logca.numeric.partition.exploration.sweeps import settings_of
from logca.numeric.partition.problem.links import INTERFACE, Link
from logca.numeric.partition.problem.platform import Platform
from logca.plots.explore import METHOD_NAMES, SweepResult, means, points_of_method, series_of

__all__ = [
    "factor_text",
    "links_data",
    "links_table",
    "ranges_data",
    "ranges_table",
    "share_text",
    "sweep_answer",
    "sweep_data",
    "sweep_table",
]

_UNPROVEN = (
    "{} of {} optima are not proven within the time limit; the largest gap is {:.2g} % of the "
    "runtime."
)
_USUAL = Setting(program="").design
_UNTRACED = (
    "{}: not traced, so that memory time, and with it this speedup, is the same in all designs{}."
)


def sweep_answer(swept: SweepResult) -> str:
    """Sentence that says which share of the gain is reached, and where in the sweep most of it."""
    known, method = swept.sweep, swept.methods[-1]
    by = "the optimum" if method == "optimal" else METHOD_NAMES[method]
    many = len(swept.programs) > 1
    who = f"{len(swept.programs)} programs reach" if many else f"{swept.programs[0]} reaches"
    if known.name == "default":
        own: list[tuple[float, ...]] = [
            (100 * each.relative,) for each in points_of_method(swept, method)
        ]
        places = [""]
    else:
        own = [each.values for each in series_of(swept, method)]
        places = [step.label for step in swept.steps]
    values = [sum(column) / len(column) for column in zip(*own, strict=True)]
    least, most = (end(values) for end in (min, max))
    reached = f"{share_text(least)} %"
    if least != most:
        axis = known.axis.partition(" [")[0]
        first, last = (places[values.index(value)] for value in (least, most))
        reached += f" ({axis} {first}) to {share_text(most)} % ({last})"
    mean = " on average" if many else ""
    return f"By {by}, {who} {reached} of the theoretical gain{mean}."


def sweep_table(swept: SweepResult) -> Table:
    """The numbers of a sweep: relative speedups in percent; at one place, more of each program."""
    known = swept.sweep
    title = f"Fig. {known.figure}: {known.title}" if known.figure else known.title
    notes = _notes(swept)
    if known.name == "default":
        return Table.by_columns(_default(swept), title=title, notes=notes)
    columns = [(Column(known.axis, right=bool(known.values)), [step.label for step in swept.steps])]
    for method in swept.methods:
        drawn = series_of(swept, method)
        rows = [(each.name, each.values) for each in drawn]
        if len(swept.programs) > 1:
            rows.append(("mean", means(drawn)))
        columns += [
            (
                Column.number(name, f"relative speedup %, {METHOD_NAMES[method]}"),
                [share_text(value) for value in values],
            )
            for name, values in rows
        ]
    return Table.by_columns(columns, title=title, notes=notes)


def ranges_table(found: Mapping[str, Sequence[LatencyRange]], platform: Platform) -> Table:
    """Where each optimal partition begins and ends to be optimal."""
    rows = [(name, each) for name, ranges in found.items() for each in ranges]
    first = {id(ranges[0]) for ranges in found.values()}
    last = {id(ranges[-1]) for ranges in found.values()}

    def begin(each: LatencyRange) -> str:
        return f"{'<= ' * (id(each) in first and each.low > 0)}{factor_text(each.low)}"

    def end(each: LatencyRange, unit: Fraction) -> str:
        if each.high is None:
            return "any"
        return f"{'>= ' * (id(each) in last)}{factor_text(each.high * unit)}"

    unproven = sum(not each.proven for _, each in rows)
    return Table.by_columns(
        (
            (Column("program"), [name for name, _ in rows]),
            (Column.number("from", "factor"), [begin(each) for _, each in rows]),
            (Column.number("to", "factor"), [end(each, Fraction(1)) for _, each in rows]),
            (
                Column.number("to", "control [cycles]"),
                [end(each, platform.control) for _, each in rows],
            ),
            (Column.number("blocks"), [str(len(each.line.mapped)) for _, each in rows]),
            (Column.number("area"), [str(each.line.area) for _, each in rows]),
            (Column.number("from", "speedup"), [f"{each.speedups[0]:.4f}" for _, each in rows]),
            (Column.number("to", "speedup"), [f"{each.speedups[1]:.4f}" for _, each in rows]),
            (Column("proven"), ["yes" if each.proven else "no" for _, each in rows]),
        ),
        title="Over which range of the interface's latency a partition stays optimal",
        notes=(
            "The factor multiplies control, push and pull. Ends are exact fractions, printed with "
            "six digits: there, two partitions are equally fast. Where only the search ended, it "
            "says <= or >=.",
            f"{unproven} ranges are the best that was found, without a proof." if unproven else "",
        ),
    )


def links_table(links: Mapping[str, Link]) -> Table:
    """The links that come with the package."""
    every = list(links.values())
    return Table.by_columns(
        (
            (Column("name"), [each.name for each in every]),
            *(
                (Column.number(way, "cycles"), [f"{float(getattr(each, way)):g}" for each in every])
                for way in INTERFACE
            ),
            (
                Column.number("GHz"),
                ["" if each.clock_GHz is None else f"{float(each.clock_GHz):g}" for each in every],
            ),
            (Column("published"), [e.published for e in every]),
        ),
        title="Links between CPU and accelerator",
        notes=tuple(
            f"{each.name}: {each.title}; {each.taken}; {each.note}; {each.source}" for each in every
        ),
    )


def factor_text(value: Fraction) -> str:
    """A number with six digits at most.

    Examples
    --------
    >>> factor_text(Fraction(1, 3)), factor_text(Fraction(1024))
    ('0.333333', '1024')
    """
    return f"{float(value):.6g}"


def share_text(percent: float) -> str:
    """A share with one decimal; a dash if there is none.

    Examples
    --------
    >>> share_text(-0.04), share_text(12.34), share_text(float("nan"))
    ('0.0', '12.3', '-')
    """
    if not isfinite(percent):
        return "-"
    return f"{round(percent, 1) + 0.0:.1f}"


def _default(swept: SweepResult) -> tuple[FilledColumn, ...]:
    found = {each: points_of_method(swept, each) for each in swept.methods}
    first = found[swept.methods[0]]
    columns = [
        (Column("program"), swept.programs),
        (Column.number("theoretical"), [f"{each.theoretical:.4f}" for each in first]),
    ]
    for method, own in found.items():
        name = METHOD_NAMES[method]
        columns += [
            (Column.number("speedup", name), [f"{e.speedup:.4f}" for e in own]),
            (Column.number("relative %", name), [share_text(100 * e.relative) for e in own]),
            (Column.number("area", name), [str(each.area) for each in own]),
            *(
                (
                    Column.number(part, name, spare=1),
                    [f"{100 * float(getattr(e, part) / e.total):.1f}" for e in own],
                )
                for part in ("te", "tm", "tc", "tr")
            ),
        ]
    return tuple(columns)


def _notes(swept: SweepResult) -> tuple[str, ...]:
    notes = []
    if "optimal" in swept.methods:
        found = points_of_method(swept, "optimal")
        gaps = [each.gap for each in found if not each.proven]
        if gaps:
            notes.append(_UNPROVEN.format(len(gaps), len(found), 100 * max(gaps)))
    untraced = [name for name in swept.programs if not _traced(swept, name)]
    if untraced and any(step.design != _USUAL or step.penalised for step in swept.steps):
        mean = "; means have it all the same" if len(swept.programs) > 1 else ""
        notes.append(_UNTRACED.format(", ".join(untraced), mean))
    return tuple(notes)


def _traced(swept: SweepResult, program: str) -> bool:
    settings = settings_of(swept.steps, [program], swept.methods)
    return all(swept.points[each].traced for each in settings)


def sweep_data(swept: SweepResult) -> dict[str, Any]:
    """All points of a sweep; times in cycles, shares not in percent."""
    rows = []
    for step in swept.steps:
        for setting in settings_of([step], swept.programs, swept.methods):
            point = swept.points[setting]
            rows.append(
                {
                    **attributes(setting, "program method"),
                    "label": step.label,
                    "value": None if step.value is None else float(step.value),
                    "design": step.design,
                    "penalty": step.penalised,
                    "changes": {key: _plain(value) for key, value in step.changes},
                    "speedup": point.speedup,
                    "theoretical_speedup": point.theoretical,
                    "relative_speedup": point.relative,
                    **attributes(point, "gap proven traced area"),
                    **{part: float(getattr(point, part)) for part in ("te", "tm", "tc", "tr")},
                    "blocks": point.mapped,
                    "elapsed_s": point.elapsed_s,
                }
            )
    known = swept.sweep
    return {
        "answer": sweep_answer(swept),
        "sweep": known.name,
        "figure": known.figure or None,
        "axis": known.axis,
        "points": rows,
    }


def ranges_data(found: Mapping[str, Sequence[LatencyRange]]) -> list[dict[str, Any]]:
    """The ranges of all programs; factors as fractions and as numbers."""
    return [
        {
            "program": name,
            "low": str(each.low),
            "high": None if each.high is None else str(each.high),
            "low_number": float(each.low),
            "high_number": None if each.high is None else float(each.high),
            "proven": each.proven,
            "area": each.line.area,
            "blocks": list(each.line.mapped),
            "fixed_cycles": str(each.line.fixed),
            "communication_cycles": str(each.line.communication),
            "speedup_low": each.speedups[0],
            "speedup_high": each.speedups[1],
        }
        for name, ranges in found.items()
        for each in ranges
    ]


def links_data(links: Mapping[str, Link]) -> list[dict[str, Any]]:
    """The links; times in cycles."""
    return [
        {
            **attributes(each, "name title"),
            **{way: float(getattr(each, way)) for way in INTERFACE},
            "clock_GHz": None if each.clock_GHz is None else float(each.clock_GHz),
            **attributes(each, "published taken source note"),
        }
        for each in links.values()
    ]


def _plain(value: int | Fraction | str) -> int | float | str:
    return float(value) if isinstance(value, Fraction) else value
