"""Tables of sweeps, of ranges in which partitions stay optimal, and of links."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite

from logca.columns import Column, Columns
from logca.exploration import NAMES, Swept, means, points_by, series_of
from logca.numeric.partition.exploration.points import Setting
from logca.numeric.partition.exploration.ranges import Range
from logca.numeric.partition.exploration.sweeps import settings_of
from logca.numeric.partition.links import INTERFACE, Link
from logca.numeric.partition.platform import Platform

__all__ = ["factor_text", "links_table", "ranges_table", "share_text", "sweep_table"]

_UNPROVEN = (
    "{} of {} optima are not proven within the time limit; the largest gap is {:.2g} % of the "
    "runtime."
)
_USUAL = Setting(program="").design
_UNTRACED = (
    "{}: not traced, so that memory time, and with it this speedup, is the same in all designs{}."
)


def sweep_table(swept: Swept) -> Columns:
    """The numbers of a sweep: relative speedups in percent, or more of each program at one place.

    Parameters
    ----------
    swept : Swept
        The sweep.
    """
    known = swept.sweep
    title = f"Fig. {known.figure}: {known.title}" if known.figure else known.title
    notes = _notes(swept)
    if known.name == "default":
        return Columns(title=title, columns=_default(swept), notes=notes)
    columns = [
        Column(
            heading=known.axis,
            cells=tuple(step.label for step in swept.steps),
            right=bool(known.values),
        )
    ]
    for method in swept.methods:
        drawn = series_of(swept, method)
        rows = [(each.name, each.values) for each in drawn]
        if len(swept.programs) > 1:
            rows.append(("mean", means(drawn)))
        columns += [
            Column(
                group=f"relative speedup %, {NAMES[method]}",
                heading=name,
                cells=tuple(share_text(value) for value in values),
            )
            for name, values in rows
        ]
    return Columns(title=title, columns=tuple(columns), notes=notes)


def ranges_table(found: Mapping[str, Sequence[Range]], platform: Platform) -> Columns:
    """Where each optimal partition begins and ends to be optimal.

    Parameters
    ----------
    found : mapping of str to sequence of Range
        The ranges of each program.
    platform : Platform
        The machine whose latencies the factor multiplies.
    """
    rows = [(name, each) for name, ranges in found.items() for each in ranges]
    first = {id(ranges[0]) for ranges in found.values()}
    last = {id(ranges[-1]) for ranges in found.values()}

    def begin(each: Range) -> str:
        return f"{'<= ' * (id(each) in first and each.low > 0)}{factor_text(each.low)}"

    def end(each: Range, unit: Fraction) -> str:
        if each.high is None:
            return "any"
        return f"{'>= ' * (id(each) in last)}{factor_text(each.high * unit)}"

    unproven = sum(not each.proven for _, each in rows)
    return Columns(
        title="Over which range of the interface's latency a partition stays optimal",
        columns=(
            Column(heading="program", cells=tuple(name for name, _ in rows), right=False),
            Column(
                group="factor",
                heading="from",
                cells=tuple(begin(each) for _, each in rows),
            ),
            Column(
                group="factor",
                heading="to",
                cells=tuple(end(each, Fraction(1)) for _, each in rows),
            ),
            Column(
                group="control [cycles]",
                heading="to",
                cells=tuple(end(each, platform.control) for _, each in rows),
            ),
            Column(heading="blocks", cells=tuple(str(len(each.line.mapped)) for _, each in rows)),
            Column(heading="area", cells=tuple(str(each.line.area) for _, each in rows)),
            Column(
                group="speedup",
                heading="from",
                cells=tuple(f"{each.speedups[0]:.4f}" for _, each in rows),
            ),
            Column(
                group="speedup",
                heading="to",
                cells=tuple(f"{each.speedups[1]:.4f}" for _, each in rows),
            ),
            Column(
                heading="proven",
                cells=tuple("yes" if each.proven else "no" for _, each in rows),
                right=False,
            ),
        ),
        notes=(
            "The factor multiplies control, push and pull. Ends are exact fractions, printed with "
            "six digits: there, two partitions are equally fast. Where only the search ended, it "
            "says <= or >=.",
            f"{unproven} ranges are the best that was found, without a proof." if unproven else "",
        ),
    )


def links_table(links: Mapping[str, Link]) -> Columns:
    """The links that come with the package.

    Parameters
    ----------
    links : mapping of str to Link
        The links.
    """
    every = list(links.values())
    return Columns(
        title="Links between CPU and accelerator",
        columns=(
            Column(heading="name", cells=tuple(each.name for each in every), right=False),
            *(
                Column(
                    group="cycles",
                    heading=way,
                    cells=tuple(f"{float(getattr(each, way)):g}" for each in every),
                )
                for way in INTERFACE
            ),
            Column(
                heading="GHz",
                cells=tuple(
                    "" if each.clock_GHz is None else f"{float(each.clock_GHz):g}" for each in every
                ),
            ),
            Column(heading="published", cells=tuple(e.published for e in every), right=False),
            Column(heading="what", cells=tuple(e.title for e in every), right=False, spare=True),
            Column(heading="source", cells=tuple(e.source for e in every), right=False),
        ),
        notes=tuple(f"{each.name}: {each.taken}; {each.note}." for each in every),
    )


def factor_text(value: Fraction) -> str:
    """A number with six digits at most [text].

    Parameters
    ----------
    value : Fraction
        The number [1].

    Examples
    --------
    >>> factor_text(Fraction(1, 3)), factor_text(Fraction(1024))
    ('0.333333', '1024')
    """
    return f"{float(value):.6g}"


def share_text(percent: float) -> str:
    """A share with one decimal; a dash if there is none [text].

    Parameters
    ----------
    percent : float
        The share [percent].

    Examples
    --------
    >>> share_text(-0.04), share_text(12.34), share_text(float("nan"))
    ('0.0', '12.3', '-')
    """
    if not isfinite(percent):
        return "-"
    return f"{round(percent, 1) + 0.0:.1f}"


def _default(swept: Swept) -> tuple[Column, ...]:
    found = {each: points_by(swept, each) for each in swept.methods}
    first = found[swept.methods[0]]
    columns = [
        Column(heading="program", cells=swept.programs, right=False),
        Column(heading="theoretical", cells=tuple(f"{each.theoretical:.4f}" for each in first)),
    ]
    for method, own in found.items():
        name = NAMES[method]
        columns += [
            Column(group=name, heading="speedup", cells=tuple(f"{e.speedup:.4f}" for e in own)),
            Column(
                group=name,
                heading="relative %",
                cells=tuple(share_text(100 * e.relative) for e in own),
            ),
            Column(group=name, heading="area", cells=tuple(str(each.area) for each in own)),
            *(
                Column(
                    group=name,
                    heading=part,
                    cells=tuple(f"{100 * float(getattr(e, part) / e.total):.1f}" for e in own),
                    spare=True,
                )
                for part in ("te", "tm", "tc", "tr")
            ),
        ]
    return tuple(columns)


def _notes(swept: Swept) -> tuple[str, ...]:
    notes = []
    if "optimal" in swept.methods:
        found = points_by(swept, "optimal")
        gaps = [each.gap for each in found if not each.proven]
        if gaps:
            notes.append(_UNPROVEN.format(len(gaps), len(found), 100 * max(gaps)))
    untraced = [name for name in swept.programs if not _traced(swept, name)]
    if untraced and any(step.design != _USUAL or step.penalised for step in swept.steps):
        mean = "; means have it all the same" if len(swept.programs) > 1 else ""
        notes.append(_UNTRACED.format(", ".join(untraced), mean))
    return tuple(notes)


def _traced(swept: Swept, program: str) -> bool:
    settings = settings_of(swept.steps, [program], swept.methods)
    return all(swept.points[each].traced for each in settings)
