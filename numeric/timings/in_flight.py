"""Tables and samples in which some times are of several requests in flight."""

import re
from collections.abc import Iterator, Sequence

from logca.common.readable_numbers import whole_number_from
from logca.common.toml import shown
from logca.numeric.timings.sample_file import is_samples, parsed
from logca.numeric.timings.text_tables import Row, rows_of
from logca.numeric.timings.timings import TimingsError

__all__ = ["numbers_in", "rows_in_flight"]

_MOST = 10**9  # requests in flight that a system may have
_TITLE = re.compile(r"(requests?[ _-]*)?in[ _-]?flight", re.IGNORECASE)


def numbers_in(text: str, file: str) -> tuple[int, ...]:
    r"""Numbers of requests in flight that the text of a file has times of, ascending [1].

    Examples
    --------
    >>> numbers_in("granularity_B,in_flight,host_s,accelerated_s\n64,1,1,2\n64,8,1,2", "t.csv")
    (1, 8)
    """
    if is_samples(text):
        return tuple(sorted({each.in_flight for each in parsed(text, file).samples}))
    lines = (line for line in text.splitlines() if line.strip())
    header = next((line for line in lines if not line.lstrip().startswith("#")), "")
    if header.lstrip()[:1] in ("{", "[", "") or not _TITLE.search(header):
        return (1,)
    rows = rows_of(text, file)
    place = _place(rows[0][1])
    if place is None:
        return (1,)
    return tuple(sorted({number for number, _, _ in _numbered(rows, place, file)}))


def rows_in_flight(rows: Sequence[Row], number: int, file: str) -> list[Row]:
    """Rows of a table with so many requests in flight, without that column; all if it has none."""
    line, titles = rows[0]
    place = _place(titles)
    if place is None:
        return list(rows)
    kept = [
        (at, [*cells[:place], *cells[place + 1 :]])
        for found, at, cells in _numbered(rows, place, file)
        if found == number
    ]
    return [(line, [*titles[:place], *titles[place + 1 :]]), *kept]


def _place(titles: Sequence[str]) -> int | None:
    return next((at for at, title in enumerate(titles) if _TITLE.fullmatch(title)), None)


def _numbered(
    rows: Sequence[Row], place: int, file: str
) -> Iterator[tuple[int, int, Sequence[str]]]:
    """For each row the number of requests in flight, its line and its cells."""
    _, titles = rows[0]
    for line, cells in rows[1:]:
        if len(cells) != len(titles):
            raise TimingsError(
                f"{file}: line {line}: {len(cells)} values, and the header has {len(titles)}"
            )
        yield _number(cells[place], line, file), line, cells


def _number(text: str, line: int, file: str) -> int:
    number = whole_number_from(text)
    if not number or number > _MOST:
        raise TimingsError(
            f"{file}: line {line}: in_flight {shown(text)} is no number of requests, such as 1 or 8"
        )
    return number
