"""Places in the source from places in the code of an ELF executable."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from logca.trace.dwarf import rows_of

__all__ = ["Image", "image"]

FAR = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An executable that can say where an address in its code comes from.

    Parameters
    ----------
    starts : list of int
        Addresses in ascending order [B].
    rows : list of tuple
        File, line and column from each of them on; line 0 where the code comes from no line.
    code : bytes
        The section of code.
    base : int
        Its address [B].
    """

    starts: list[int]
    rows: list[tuple[str, int, int]]
    code: bytes
    base: int

    def place(self, address: int) -> tuple[str, int] | None:
        """File and line of an instruction, or None if it has none."""
        at = bisect_right(self.starts, address) - 1
        while at >= 0 and address - self.starts[at] < FAR and self.rows[at][0]:
            if self.rows[at][1]:
                return self.rows[at][:2]
            at -= 1
        return None

    def columns_before(self, address: int) -> Iterator[int]:
        """Columns of an instruction and those before it, backwards up to the end of a table [1]."""
        at = bisect_right(self.starts, address) - 1
        while at >= 0 and self.rows[at][0]:
            yield self.rows[at][2]
            at -= 1

    def after_call(self, address: int) -> bool:
        """Whether the instruction before an address is a call, so that it may be returned to."""
        at = address - self.base
        if not 8 <= at <= len(self.code):
            return False
        if self.code[at - 5] == 0xE8:
            return True
        return any(
            self.code[at - length] == 0xFF and self.code[at - length + 1] >> 3 & 7 == 2
            for length in (2, 3, 4, 6, 7)
        )


def image(path: Path) -> Image:
    """Read an executable; one without line tables has no places."""
    data = path.read_bytes()
    sections = dict(sections_of(data))
    none = (0, b"")
    base, code = sections.get(".text", none)
    lines, line_strings, strings = (
        sections.get(name, none)[1] for name in (".debug_line", ".debug_line_str", ".debug_str")
    )
    rows = list(rows_of(lines, line_strings=line_strings, strings=strings))
    rows.sort(key=lambda row: (row[0], row[1] != ""))  # a sequence ends before the next starts
    return Image(
        starts=[row[0] for row in rows], rows=[row[1:] for row in rows], code=code, base=base
    )


def sections_of(data: bytes) -> Iterator[tuple[str, tuple[int, bytes]]]:
    """Name, address [B] and content of the sections of a 64-bit ELF file."""
    if data[:5] != b"\x7fELF\x02":
        return
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + size * i) for i in range(count)]
    table = headers[names][4]
    for name, kind, _, address, start, length in headers:
        end = data.index(b"\0", table + name)
        content = b"" if kind == 8 else data[start : start + length]
        yield data[table + name : end].decode(), (address, content)
