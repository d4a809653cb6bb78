"""Whether an offload pays, from C source: the answer, tables, and data for JSON."""

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import count, duration, number_text, percent
from logca.common.sizes import amount
from logca.common.tables import Column, Table
from logca.offloading.break_even import last_range
from logca.offloading.result import Alternative, BreakEven, Offload
from logca.show.gpu.words import interval_words
from logca.show.results import View

__all__ = ["VIEWS", "offload_answer", "offload_data", "offload_tables"]

_PARAMETERS = ("o", "L", "C", "A", "beta")


def offload_answer(found: Offload) -> str:
    """Whether and from where on it pays, at most how much, the bottleneck, and what helps."""
    return " ".join(_sentences(found))


def _sentences(found: Offload) -> Iterator[str]:
    where = found.break_even
    yield _worth(found, where)
    place = _place(found, where)
    parts = found.parts_at(place)
    largest = max(parts, key=parts.__getitem__)
    share = percent(parts[largest], sum(parts.values()))
    at = f"{found.macro} = {found.sizes[place]}"
    yield f"Bottleneck at {at}: {largest}, {share} % of the accelerated time."
    better = _best(found)
    if better is not None:
        way, its = better
        yield f"With {way.name}: {_from(found, its)}."
    if found.against:
        yield f"All of this only if {found.against[0]} could be removed."


def _worth(found: Offload, where: BreakEven) -> str:
    """The first sentence: from which size on it pays."""
    name, first, last = found.macro, found.sizes[0], found.sizes[-1]
    most = f"at most {number_text(_rounded(where.best))} times as fast, at {name} = "
    most += str(where.best_size)
    lasting = where.lasting
    if not where.certain:
        early, late = last_range(where.early), last_range(where.late)
        least = early or late or lasting
        since = first if least is None or least.least is None else ceil(least.least)
        said = "it is predicted to" if lasting is not None else "it is not predicted to"
        return (
            f"Whether it pays cannot be told from {name} = {since} on: {said}, and the interval of "
            f"the prediction allows both; {most}."
        )
    if lasting is None:
        if where.ranges:
            inside = " and ".join(_range_words(found, each) for each in where.ranges)
            return f"Worth it only {inside}; {most}."
        return f"Not worth it up to {name} = {last}: {most}."
    if lasting.least is None:
        return f"Worth it at every size from {name} = {first} to {last}; {most}."
    data = amount(round(found.bytes_at(lasting.least)))
    interval = _interval(found, where)
    return f"Worth it from {name} = {ceil(lasting.least)} on ({data}{interval}); {most}."


def _interval(found: Offload, where: BreakEven) -> str:
    """The interval of the break-even, as it follows another part in brackets."""
    early, late = last_range(where.early), last_range(where.late)
    if early is None or late is None or late.least is None:
        return ""
    low = "less" if early.least is None else str(floor(early.least))
    return f"; {low} to {ceil(late.least)} with 95 %"


def _range_words(found: Offload, each: Any) -> str:
    low = found.sizes[0] if each.least is None else ceil(each.least)
    high = found.sizes[-1] if each.most is None else floor(each.most)
    return f"from {found.macro} = {low} to {high}"


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _from(found: Offload, where: BreakEven) -> str:
    """From where on it pays, in a few words."""
    lasting = where.lasting
    if lasting is None:
        return f"not up to {found.macro} = {found.sizes[-1]}"
    if lasting.least is None:
        return "at every size"
    return f"from {found.macro} = {ceil(lasting.least)} on"


def _place(found: Offload, where: BreakEven) -> int:
    """The size at which the bottleneck is told: the first that pays, else the best one."""
    least = where.least
    if least is None:
        return found.sizes.index(where.best_size)
    return next(n for n, size in enumerate(found.sizes) if size >= least)


def _order(found: Offload, way: Alternative) -> tuple[float, float]:
    """First what pays from smaller sizes on, then what is faster at its best."""
    its = found.of(way)
    lasting = its.lasting
    least = float("inf") if lasting is None else lasting.least or 0.0
    return least, -its.best


def _ranked(found: Offload) -> list[Alternative]:
    return sorted(found.alternatives, key=lambda way: _order(found, way))


def _best(found: Offload) -> tuple[Alternative, BreakEven] | None:
    """The alternative that lets it pay soonest, if one does sooner than what was asked for."""
    asked = _order(found, found.way)
    ways = [way for way in _ranked(found) if not way.name.startswith("link ")]
    if not ways or _order(found, ways[0])[0] >= asked[0]:
        return None
    return ways[0], found.of(ways[0])


def offload_tables(found: Offload) -> tuple[Table, ...]:
    """What the answer rests on."""
    tables = [_facts(found), _sizes(found)]
    if found.alternatives:
        tables.append(_alternatives(found))
    if found.left_out:
        tables.append(_left_out(found))
    if found.fitted is not None:
        tables.append(_parameters(found))
    if found.notes:
        tables.append(Table.facts(("note", note) for note in found.notes))
    return tuple(tables)


def _facts(found: Offload) -> Table:
    arrays = ", ".join(
        f"{each.name} ({_directions(each.to_gpu, each.to_host)})"
        for each in found.points[-1].gpu.arrays
        if each.name not in found.resident and (each.to_gpu or each.to_host)
    )
    rows = [
        (
            "loops",
            f"{', '.join(found.loops)}, {percent(found.share, 1)} % of the executed instructions "
            f"at {found.macro} = {found.sizes[-1]}",
        ),
        ("host", f"{found.host}, one core, optimised for it; data as the program leaves them"),
        ("device", found.device),
        ("link", _link_words(found)),
        ("copied", arrays or "nothing"),
    ]
    if found.resident:
        rows.append(("resident", ", ".join(found.resident)))
    return Table.facts(rows)


def _directions(to_gpu: float, to_host: float) -> str:
    return " and ".join((["in"] if to_gpu else []) + (["out"] if to_host else []))


def _link_words(found: Offload) -> str:
    link = found.link
    if link.bandwidth == float("inf"):
        return link.title
    return f"{link.title}: {link.bandwidth / 1e9:.4g} GB/s, {duration(link.latency)} a copy"


def _sizes(found: Offload) -> Table:
    rows = []
    for point, time in zip(found.points, found.way.accelerated_s, strict=True):
        rows.append(
            (
                count(point.size),
                amount(round(point.bytes)),
                f"{'' if point.measured else '~'}{duration(point.host_s, 3)}",
                interval_words(point.gpu.time_s, point.gpu.interval_s),
                duration(point.copies_s(found.link, found.resident), 3),
                duration(time, 3),
                number_text(_rounded(point.host_s / time)),
                point.gpu.bound,
            )
        )
    columns = (
        *map(Column.number, (found.macro, "data", "host", "kernels", "copies", "accelerated")),
        Column.number("speedup"),
        Column("kernels bound by", spare=1),
    )
    return Table.by_rows(columns, rows, title="Both paths")


def _alternatives(found: Offload) -> Table:
    rows = []
    for way in [found.way, *_ranked(found)]:
        its = found.of(way)
        rows.append((way.name, _from(found, its), f"{_rounded(its.best):g}"))
    columns = (Column("with", fold=True), Column("pays"), Column.number("at most"))
    return Table.by_rows(columns, rows, title="What would help")


def _left_out(found: Offload) -> Table:
    rows = (
        (
            f"{part.file}:{part.line}" if part.line else "outside of loops",
            percent(part.share, 1),
            part.reason,
            part.fix,
        )
        for part in found.left_out
    )
    columns = (
        "not offloaded",
        Column.number("%"),
        Column("why not", fold=True),
        Column("what can be done", fold=True),
    )
    return Table.by_rows(columns, rows, title="Why not")


def _parameters(found: Offload) -> Table:
    fitted = found.fitted
    assert fitted is not None
    units = {"o": "s", "C": "s/B^beta", "A": "", "beta": ""}
    units["L"] = "s/B" if fitted.latency == "linear" else "s"
    rows = []
    for name in _PARAMETERS:
        low, high = found.interval(name)
        value = fitted.parameters[name]
        rows.append((name, f"{value:.4g}", f"{low:.4g} to {high:.4g}", units[name]))
    columns = (Column("", symbol=True), Column.number("value"), Column.number("95 %"), "unit")
    return Table.by_rows(
        columns,
        rows,
        title="Parameters of LogCA over the data in bytes",
        notes=("intervals hold both the fit's error and that of the prediction",),
    )


def offload_data(found: Offload) -> dict[str, Any]:
    """All that is known, for JSON."""
    where = found.break_even
    return {
        "answer": offload_answer(found),
        **attributes(found, "device host macro loops share resident"),
        "link": attributes(found.link, "name title bandwidth latency"),
        "break_even": _break_even_data(found, where),
        "sizes": [
            {
                "size": point.size,
                "bytes": point.bytes,
                "host_s": point.host_s,
                "host_runs_s": point.host_runs_s,
                "host_measured": point.measured,
                "kernels_s": point.gpu.time_s,
                "kernels_interval_s": point.gpu.interval_s,
                "copies_s": point.copies_s(found.link, found.resident),
                "accelerated_s": time,
                "speedup": point.host_s / time,
                "bound": point.gpu.bound,
                "launches": point.gpu.launches,
                "parts_s": found.parts_at(place),
                "arrays": point.gpu.arrays,
            }
            for place, (point, time) in enumerate(
                zip(found.points, found.way.accelerated_s, strict=True)
            )
        ],
        "alternatives": [
            {"name": way.name, **_break_even_data(found, found.of(way))} for way in _ranked(found)
        ],
        "parameters": {
            name: {"value": value, "interval": found.interval(name)}
            for name, value in (found.fitted.parameters if found.fitted else {}).items()
        },
        **attributes(found, "left_out against notes"),
    }


def _break_even_data(found: Offload, where: BreakEven) -> dict[str, Any]:
    lasting = where.lasting
    least = None if lasting is None else lasting.least
    early, late = last_range(where.early), last_range(where.late)
    return {
        "pays_at_largest": lasting is not None,
        "certain": where.certain,
        "least": least,
        "least_bytes": None if least is None else found.bytes_at(least),
        "least_interval": [
            None if early is None else early.least,
            None if late is None else late.least,
        ],
        "ranges": [[each.least, each.most] for each in where.ranges],
        "best": where.best,
        "best_size": where.best_size,
    }


def _rows(found: Offload) -> Sequence[dict[str, Any]]:
    sizes: list[dict[str, Any]] = offload_data(found)["sizes"]
    return [
        {name: value for name, value in row.items() if not isinstance(value, dict | tuple)}
        for row in sizes
    ]


VIEWS = {Offload: View(answer=offload_answer, tables=offload_tables, rows={"sizes": _rows})}
