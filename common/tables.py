"""Tables as plain data, and as plain text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Part", "Sheet", "amount", "count", "heads", "percent", "widths", "written"]

_EXACT_BELOW = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Rows of a table that belong together."""

    heading: str = ""  # what stands above them, over the whole width; nothing if empty
    rows: tuple[tuple[str, ...], ...]  # the cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table."""

    title: str = ""  # what it is about; nothing if that is clear
    # one for each column, of several lines if need be; all empty for a table without a head
    headings: tuple[str, ...]
    parts: tuple[Part, ...]  # the rows
    notes: tuple[str, ...] = ()  # what stands below it
    right: frozenset[int] = frozenset()  # columns that are aligned on the right [1]
    # columns that can be left out where there is no room for all, the first one first [1]
    spare: tuple[int, ...] = ()
    heat: frozenset[int] = frozenset()  # columns of percentages in which large ones stand out [1]

    def rows(self) -> Iterator[tuple[str, ...]]:
        """All rows."""
        return (row for part in self.parts for row in part.rows)


def widths(sheet: Sheet) -> dict[int, int]:
    """How wide the columns are that are not empty [1].

    Examples
    --------
    >>> widths(Sheet(headings=("a", "b"), parts=(Part(rows=(("long", ""), ("x", ""))),)))
    {0: 4}
    """
    found = {}
    for column, heading in enumerate(sheet.headings):
        longest = max((len(row[column]) for row in sheet.rows()), default=0)
        if longest:
            found[column] = max(longest, *map(len, heading.split("\n")))
    return found


def heads(sheet: Sheet) -> list[tuple[str, ...]]:
    r"""The headings line by line; shorter ones stand at the bottom.

    Examples
    --------
    >>> heads(Sheet(headings=("name", "misses\n1 MiB"), parts=()))
    [('', 'misses'), ('name', '1 MiB')]
    """
    if not any(sheet.headings):
        return []
    split = [heading.split("\n") for heading in sheet.headings]
    tall = max(map(len, split))
    return list(zip(*([""] * (tall - len(lines)) + lines for lines in split), strict=True))


def written(sheets: Sequence[Sheet]) -> str:
    """Tables as a text.

    Examples
    --------
    >>> part = Part(heading="one file", rows=(("a", "1"), ("b", "22")))
    >>> print(written([Sheet(headings=("name", "n"), parts=(part,), right=frozenset({1}))]))
    name   n
    one file
    a      1
    b     22
    """
    return "\n\n".join("\n".join(_lines(sheet)) for sheet in sheets)


def _lines(sheet: Sheet) -> Iterator[str]:
    columns = widths(sheet)

    def aligned(row: Sequence[str]) -> str:
        cells = (
            row[column].rjust(width) if column in sheet.right else row[column].ljust(width)
            for column, width in columns.items()
        )
        return "  ".join(cells).rstrip()

    if sheet.title:
        yield sheet.title
    yield from map(aligned, heads(sheet))
    for part in sheet.parts:
        if part.heading:
            yield part.heading
        yield from map(aligned, part.rows)
    yield from sheet.notes


def count(number: int) -> str:
    """A whole number to read: exact below ten millions, then with three digits.

    Examples
    --------
    >>> count(2_097_152), count(12_345_678), count(4_000_000_000)
    ('2,097,152', '12.3 M', '4.00 G')
    """
    if abs(number) < _EXACT_BELOW:
        return f"{number:,}"
    unit, power = ("G", 9) if abs(number) >= 999_500_000 else ("M", 6)
    value = number / 10**power
    return f"{value:,.0f} {unit}" if abs(value) >= 99.95 else f"{value:#.3g} {unit}"


def amount(number: int) -> str:
    """A number of bytes to read.

    Examples
    --------
    >>> amount(1000), amount(131072), amount(17664), amount(-4096)
    ('1,000 B', '128 KiB', '17.2 KiB', '-4 KiB')
    """
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if abs(number) >= 1 << power:
            value = number / (1 << power)
            return f"{value:.0f} {unit}" if abs(value) >= 100 else f"{value:.3g} {unit}"
    return f"{number:,} B"


def percent(part: float, whole: float) -> str:
    """A share in percent to read; 0 and 100 are exact.

    Examples
    --------
    >>> percent(1, 8), percent(0, 8), percent(1, 100_000), percent(99_999, 100_000), percent(8, 8)
    ('12.5', '0', '<0.1', '>99.9', '100')
    """
    if not part or not whole:
        return "0"
    if part == whole:
        return "100"
    share = 100 * part / whole
    if share < 0.1:
        return "<0.1"
    return ">99.9" if share >= 99.95 else f"{share:.1f}"
