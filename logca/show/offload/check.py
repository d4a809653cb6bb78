"""A check of a prediction on this machine: the answer, tables, and data for JSON."""

from collections.abc import Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import count, duration, number_text
from logca.common.tables import Column, Table
from logca.offloading.break_even import PayingRange, last_range, whole_size
from logca.offloading.check import OffloadCheck
from logca.show.offload.words import three_digits
from logca.show.results import View
from logca.trace.profiling.names import short_names

__all__ = ["VIEWS", "check_answer", "check_data", "check_tables"]

_CLOSE = 1.25
"""Times that the measured break-even may be from the predicted one to be called close [1]."""


def check_answer(found: OffloadCheck) -> str:
    """Sentences: from which size on it was predicted to pay, and from which on it does."""
    threads = f"{found.compiler.threads} threads of this machine"
    predicted, measured = _from(found, found.predicted), _from(found, found.measured)
    said = f"On {threads} it is predicted to pay {predicted}; measured, it pays {measured}."
    return f"{said} {_verdict(found)}"


def _verdict(found: OffloadCheck) -> str:
    if not all(point.same for point in found.points):
        return (
            "The program writes something else on several threads: its loops depend on the order, "
            "round in another one, or have variables that threads would need copies of."
        )
    if found.apart is not None:
        times = max(found.apart, 1 / found.apart)
        later = "later" if found.apart > 1 else "sooner"
        close = "The prediction holds" if times <= _CLOSE else "The prediction is off"
        if three_digits(times) == 1:
            return f"{close}, to three digits."
        return f"{close}: measured {number_text(three_digits(times))} times {later}."
    if not found.predicted and not found.measured:
        return "Neither pays here, so that nothing is checked: take larger sizes."
    if _from(found, found.predicted) == _from(found, found.measured):
        return "The prediction holds."
    return "The prediction is off."


def _from(found: OffloadCheck, ranges: Sequence[PayingRange]) -> str:
    first, last = found.points[0].size, found.points[-1].size
    lasting = last_range(ranges)
    if lasting is None:
        if ranges:
            return f"only at some sizes below {found.macro} = {last}"
        return f"at no size up to {found.macro} = {last}"
    if lasting.least is None:
        return f"at every size from {found.macro} = {first} on"
    return f"from {found.macro} = {whole_size(lasting.least)} on"


def check_tables(found: OffloadCheck) -> tuple[Table, ...]:
    """Tables of the loops that run on threads, and of both paths size by size."""
    names = short_names(str(loop.file) for loop in found.loops)
    facts = Table.facts(
        [
            *(
                ("loop", f"{names[str(loop.file)]}:{loop.line}, #pragma {loop.pragma}")
                for loop in found.loops
            ),
            (
                "LogCA",
                f"A = {found.compiler.threads}, the threads; o = "
                f"{duration(found.compiler.first_s, 3)} when a loop is entered for the first time, "
                f"then {duration(found.compiler.again_s, 3)}, as of one that does nothing; L = 0, "
                "one memory",
            ),
            ("surely", f"pays {_from(found, found.bracket)}, whatever run is taken"),
        ]
    )
    rows = (
        (
            count(point.size),
            duration(point.host.value, 3),
            duration(point.predicted_s, 3),
            duration(point.threads.value, 3),
            number_text(three_digits(point.host.value / point.predicted_s)),
            number_text(three_digits(point.host.value / point.threads.value)),
            count(point.entries),
            "" if point.same else "writes something else",
        )
        for point in found.points
    )
    columns = (
        *map(Column.number, (found.macro, "one core")),
        Column.number("predicted", "threads"),
        Column.number("measured", "threads"),
        Column.number("predicted", "speedup"),
        Column.number("measured", "speedup"),
        Column.number("entries"),
        Column(),
    )
    return facts, Table.by_rows(columns, rows)


def check_data(found: OffloadCheck) -> dict[str, Any]:
    """All that is known, for JSON."""
    return {
        "answer": check_answer(found),
        "macro": found.macro,
        **attributes(found.compiler, "threads first_s again_s"),
        **{
            name: [[each.least, each.most] for each in getattr(found, name)]
            for name in ("predicted", "measured", "bracket")
        },
        "apart": found.apart,
        "loops": [attributes(loop, "line pragma") for loop in found.loops],
        "sizes": [
            {
                **attributes(point, "size entries predicted_s same"),
                "host_s": point.host.times,
                "threads_s": point.threads.times,
            }
            for point in found.points
        ],
    }


def _rows(found: OffloadCheck) -> Sequence[dict[str, Any]]:
    return [
        {
            "size": point.size,
            "entries": point.entries,
            "host_s": point.host.value,
            "threads_s": point.threads.value,
            "predicted_s": point.predicted_s,
            "same": point.same,
        }
        for point in found.points
    ]


VIEWS = {"OffloadCheck": View(answer=check_answer, tables=check_tables, rows={"sizes": _rows})}
