"""The arithmetic of wang2017's tables, done again from the numbers that they print."""

from collections.abc import Iterator
from dataclasses import dataclass

from logca.gpu.paper.comparisons import choices
from logca.gpu.paper.table_rows import Entry, entries, printed_mean_error

__all__ = ["Check", "checks"]

_HALF = 0.005
"""Half of the last digit of times and errors, which are printed with two decimals [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something that the paper prints, and what follows from other things that it prints."""

    what: str  # what is checked
    # printed, found: as printed, and as it follows
    printed: str
    found: str
    agrees: bool  # whether they agree to the digits that are printed
    where: str  # table or section


def checks() -> tuple[Check, ...]:
    """All of them: first what is computed, then what the text contradicts.

    Examples
    --------
    >>> [check.where for check in checks() if not check.agrees]
    ['section 4.5', 'section 4.4.1', 'section 4.1']
    """
    return (*_errors(), *_means(), *_gains(), *_choices(), *_texts())


def _errors() -> Iterator[Check]:
    for table in ("table4", "table5", "table6"):
        rows = entries(table)
        wrong = [row for row in rows if not _error_agrees(row)]
        yield Check(
            what=f"errors of {len(rows)} rows, from their two times",
            printed="",
            found=", ".join(f"{row.name} {_error(row):.2f} %" for row in wrong) or "the same",
            agrees=not wrong,
            where=_table(table),
        )


def _means() -> Iterator[Check]:
    rows = entries("table4")
    mean = sum(row.others["error"] for row in rows) / len(rows)
    printed = printed_mean_error()
    yield Check(
        what=f"mean error of {len(rows)} rows",
        printed=f"{printed:.2f} %",
        found=f"{mean:.2f} %",
        agrees=abs(mean - printed) <= _HALF,
        where="Table 4",
    )
    rows = tuple(row for row in rows if not row.undefined)
    mean = sum(row.others["error"] for row in rows) / len(rows)
    yield Check(
        what=f"the same over the {len(rows)} rows whose workload is defined",
        printed="not printed",
        found=f"{mean:.2f} %",
        agrees=True,
        where="Table 4",
    )


def _gains() -> Iterator[Check]:
    for row in entries("table6"):
        gain, printed = row.others["before"] / (1e3 * row.actual_s), row.others["improvement"]
        yield Check(
            what=f"improvement of {row.name} by {row.words['optimization']}",
            printed=f"about {printed:g} times",
            found=f"{gain:.2f} times",
            agrees=round(gain) == printed,
            where="Table 6",
        )
    plain = {row.name: row for row in entries("table4")}
    gains = [plain[row.name].actual_s / row.actual_s for row in entries("table5")]
    yield Check(
        what="improvement by shared memory",
        printed="2 to 4 times",
        found=f"{min(gains):.2f} to {max(gains):.2f} times",
        agrees=round(min(gains)) == 2 and round(max(gains)) == 4,
        where="section 4.3",
    )


def _choices() -> Iterator[Check]:
    rows = choices({}, ())
    for column in ("measured", "estimated"):
        wrong = [row.name for row in rows if getattr(row, column) != row.printed]
        yield Check(
            what=f"choice of platform by {column} times",
            printed=", ".join(row.printed for row in rows),
            found=", ".join(wrong) or "the same",
            agrees=not wrong,
            where="Table 7",
        )
    low = {row.name: _error(row) for row in entries("table7")}
    called = [name for name in ("MM", "MVT", "DCT1D") if low[name] > 10]
    yield Check(
        what="errors of MM, MVT and DCT1D",
        printed="quite low",
        found=", ".join(f"{name} {low[name]:.1f} %" for name in ("MM", "MVT", "DCT1D")),
        agrees=not called,
        where="section 4.5",
    )


def _texts() -> Iterator[Check]:
    """Checks of one place of the text against another."""
    yield Check(
        what="SYRK's uncoalesced memory instructions of a thread",
        printed="2014 of 2048",
        found="1024 of 2048, half of them, as section 4.1 says",
        agrees=False,
        where="section 4.4.1",
    )
    yield Check(
        what="blocks of grids of one and two dimensions",
        printed="32 x 32 and 256 x 1",
        found="256 x 1 and 32 x 32, as a block has no more dimensions than its grid",
        agrees=False,
        where="section 4.1",
    )


def _error(row: Entry) -> float:
    """In percent [1]."""
    return abs(row.estimate_s / row.actual_s - 1) * 100


def _error_agrees(row: Entry) -> bool:
    """True if some times that round to the printed ones have the printed error, rounded."""
    actual, estimate = 1e3 * row.actual_s, 1e3 * row.estimate_s
    ends = [
        100 * abs((estimate + one) / (actual + other) - 1)
        for one in (-_HALF, _HALF)
        for other in (-_HALF, _HALF)
    ]
    return min(ends) - _HALF <= row.others["error"] <= max(ends) + _HALF


def _table(name: str) -> str:
    return f"Table {name.removeprefix('table')}"
