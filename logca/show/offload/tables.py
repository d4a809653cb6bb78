"""Tables of `logca offload`: both paths size by size, what would help, what stays on the host."""

from collections.abc import Callable
from math import isfinite, isnan

from logca.common.readable_numbers import count, duration, number_text, percent
from logca.common.sizes import amount, format_size
from logca.common.tables import Column, Table
from logca.offloading.result import Offload
from logca.show.fit.tables import peak_of, sizes_of
from logca.show.gpu.words import interval_words
from logca.show.offload.words import from_words, ranked_ways, three_digits
from logca.trace.profiling.names import short_names

__all__ = ["loop_names", "offload_tables"]

_PARAMETERS = ("o", "L", "C", "A", "beta")


def offload_tables(found: Offload) -> tuple[Table, ...]:
    """All that the answer rests on."""
    tables = [_facts(found), _sizes(found)]
    if found.alternatives:
        tables.append(_alternatives(found))
    if found.together:
        tables.append(_together(found))
    if found.beside_caches:
        tables.append(_beside_caches(found))
    if found.left_out:
        tables.append(_left_out(found))
    if found.fitted is not None:
        tables.append(_parameters(found))
    if found.notes:
        tables.append(Table.facts(("note", note) for note in found.notes))
    return tuple(tables)


def _facts(found: Offload) -> Table:
    arrays = ", ".join(
        f"{name} ({' and '.join(ways)})"
        for name, ways in found.points[-1].directions(found.resident).items()
    )
    rows = [
        (
            "loops",
            f"{', '.join(loop_names(found))}, {percent(found.share, 1)} % of the executed "
            f"instructions at {found.macro} = {found.sizes[-1]}",
        ),
        ("host", f"{found.host}; data as the program leaves them"),
        ("device", found.device),
        ("link", _link_words(found)),
        ("copied", arrays or "nothing"),
    ]
    if found.resident:
        rows.append(("resident", ", ".join(found.resident)))
    return Table.facts(rows)


def loop_names(found: Offload) -> list[str]:
    """The offloaded loops, by the last part of their file and by their line."""
    names = short_names(file for file, _, _ in found.loops)
    return [f"{names[file]}:{line}" for file, line, _ in found.loops]


def _link_words(found: Offload) -> str:
    link = found.link
    if link.bandwidth == float("inf"):
        return link.title
    return f"{link.title}: {link.bandwidth / 1e9:.4g} GB/s, {duration(link.latency)} a copy"


def _sizes(found: Offload) -> Table:
    rows = []
    for place, (point, time) in enumerate(zip(found.points, found.way.accelerated_s, strict=True)):
        whole = found.program_speedup(place)
        rows.append(
            (
                count(point.size),
                amount(round(point.bytes)),
                f"{'' if point.measured else '~'}{duration(point.host_s, 3)}",
                interval_words(point.gpu.time_s, point.gpu.interval_s),
                duration(point.copies_s(found.link, found.resident), 3),
                duration(time, 3),
                number_text(three_digits(point.host_s / time)),
                "" if whole is None else number_text(three_digits(whole)),
                point.gpu.bound,
            )
        )
    columns = (
        *map(Column.number, (found.macro, "data", "host", "kernels", "copies", "accelerated")),
        Column.number("loops", "speedup"),
        Column.number("program", "speedup"),
        Column("kernels bound by", spare=1),
    )
    return Table.by_rows(columns, rows, title="Both paths")


def _alternatives(found: Offload) -> Table:
    several = any(way.energy_j is not None for way in found.alternatives)
    rows = []
    for way in [found.way, *ranked_ways(found)]:
        its = found.of(way)
        row = [way.name, from_words(found, its), f"{three_digits(its.best):g}"]
        if several:
            row.append("" if way.energy_j is None else f"{way.energy_j:.3g} J")
        rows.append(row)
    columns = [Column("with"), Column("pays"), Column.number("at most")]
    notes: tuple[str, ...] = ()
    if several:
        columns.append(Column.number(f"energy at {found.macro} = {found.sizes[-1]}"))
        notes = ("energy: of the device's board, at most, as if it took its full power all along",)
    return Table.by_rows(columns, rows, title="What would help", notes=notes)


def _together(found: Offload) -> Table:
    """Each loop by itself at the largest size, and whether it belongs to the best choice."""
    last, names = found.points[-1], short_names(each.file for each in found.points[-1].gpu.kernels)
    rows = []
    for place, kernel in enumerate(last.gpu.kernels):
        alone = kernel.time_s + last.copies_s(found.link, found.resident, [place])
        since = found.together_from(place)
        first = "at every size" if since == found.sizes[0] else f"from {found.macro} = {since} on"
        rows.append(
            (
                f"{names[kernel.file]}:{kernel.line}",
                duration(last.host_loops_s[place], 3),
                duration(kernel.time_s, 3),
                duration(alone, 3),
                f"not at {found.macro} = {last.size}" if since is None else first,
            )
        )
    proved = (
        "proved to be the least time of all choices"
        if all(each.proven for each in found.together)
        else "the best choice that was found"
    )
    columns = (
        Column("loop"),
        *map(Column.number, ("host", "kernel", "alone, with copies")),
        Column("among the best together"),
    )
    return Table.by_rows(
        columns,
        rows,
        title=f"Loops to offload together, with times at {found.macro} = {count(last.size)}",
        notes=(f"best together: with copies where one side reads what the other wrote, {proved}",),
    )


def _beside_caches(found: Offload) -> Table:
    """The speedup of the whole program by either kind of accelerator."""
    first = found.beside_caches[0]
    rows = []
    for each in found.beside_caches:
        gpu = found.program_speedup(found.sizes.index(each.size))
        rows.append(
            (
                count(each.size),
                "" if gpu is None else number_text(three_digits(gpu)),
                number_text(three_digits(each.speedup)),
                f"{each.moved} of {each.blocks}",
                "proven optimal" if each.proven else "best found",
            )
        )
    columns = (
        Column.number(found.macro),
        Column.number("this device", "speedup of the program"),
        Column.number("reconfigurable", "speedup of the program"),
        Column.number("blocks moved"),
        Column("partition"),
    )
    notes = (
        f"reconfigurable: {first.platform}, design {first.design}; over its own CPU, as the model "
        "has no other",
    )
    return Table.by_rows(columns, rows, title="Beside the caches", notes=notes)


def _left_out(found: Offload) -> Table:
    names = short_names(part.file for part in found.left_out)
    rows = (
        (
            f"{names[part.file]}:{part.line}" if part.line else "the rest",
            f"{percent(part.share, 1)} %: "
            + (f"{part.reason}; {part.fix}" if part.fix else part.reason),
        )
        for part in found.left_out
    )
    columns = ("loop", Column("share of the executed instructions, and why", fold=True))
    return Table.by_rows(columns, rows, title="Not offloaded")


_BEYOND = 100
"""Break-evens of the curve are told up to so many times the largest data looked at [1]."""


def _parameters(found: Offload) -> Table:
    fitted = found.fitted
    assert fitted is not None
    units = {"o": "s", "C": "s/B^beta", "A": "", "beta": ""}
    units["L"] = "s/B" if fitted.latency == "linear" else "s"
    rows = [
        (name, *_estimate(fitted.parameters[name], found.interval(name), _digits), units[name])
        for name in _PARAMETERS
    ]
    sizes = {name: size for name, size in sizes_of(fitted).items() if not isnan(size)}
    beyond = [
        name for name, size in sizes.items() if size > _BEYOND * found.bytes_at(found.sizes[-1])
    ]
    rows += [
        (name, *_estimate(size, found.interval(name), format_size), "")
        for name, size in sizes.items()
        if name not in beyond
    ]
    if "gA2" not in beyond:
        rows.append(("peak", *_estimate(peak_of(fitted), found.interval("peak"), _digits), ""))
    else:
        beyond.append("peak")
    columns = (Column("", symbol=True), Column.number("value"), Column.number("95 %"), "unit")
    return Table.by_rows(
        columns,
        rows,
        title="Parameters of LogCA over the data in bytes",
        notes=(
            "intervals hold both the fit's error and that of the prediction; break-evens g1 are of "
            "the curve, and the times decide",
            *(
                ["without a value: the times set no upper end"]
                if any(not r[1] for r in rows)
                else ()
            ),
            *([f"{', '.join(beyond)}: far beyond the sizes looked at"] if beyond else ()),
        ),
    )


def _estimate(
    value: float, interval: tuple[float, float], form: Callable[[float], str]
) -> tuple[str, str]:
    """A value and its interval as text; no value where the times set it no upper end."""
    low, high = interval
    if not isfinite(high):
        return "", f"at least {form(low)}" if low > 0 else "any"
    return form(value), f"{form(low)} to {form(high)}"


def _digits(value: float) -> str:
    return f"{value:.4g}"
