"""Lines of the source from addresses, by the DWARF line table (versions 2 to 5; DWARF 5, 6.2)."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Image",
    "Reader",
    "image",
    "rows_of",
]

PATH, DIRECTORY = 1, 2
FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
STRING, UNSIGNED, LINE_STRING, STRING_AT = 0x08, 0x0F, 0x1F, 0x0E


def rows_of(
    lines: bytes, *, line_strings: bytes = b"", strings: bytes = b""
) -> Iterator[tuple[int, str, int, int]]:
    """Address [B], file, line and column where each piece of code starts; no file at the end.

    Examples
    --------
    >>> list(rows_of(b""))
    []
    """
    reader = Reader(lines)
    while reader.at + 4 < len(lines):
        length, size = reader.length()
        end = reader.at + length
        yield from unit(reader, end, size, {LINE_STRING: line_strings, STRING_AT: strings})
        reader.at = end


@dataclass(slots=True)
class Reader:
    """Numbers and texts from bytes, one after the other."""

    data: bytes
    at: int = 0

    def number(self, size: int, *, signed: bool = False) -> int:
        """A number of fixed size [1]."""
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little", signed=signed)

    def leb(self, *, signed: bool = False) -> int:
        """A number of variable size [1]."""
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def text(self) -> str:
        """A text that a zero ends."""
        end = self.data.index(b"\0", self.at)
        found = self.data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return found

    def length(self) -> tuple[int, int]:
        """The length of a unit [B], and the size of offsets in it [B]."""
        first = self.number(4)
        return (self.number(8), 8) if first == 0xFFFFFFFF else (first, 4)

    def form(self, form: int, size: int, texts: dict[int, bytes]) -> str | int:
        """A value in one of the standard's forms, of those that occur in line tables."""
        if form == STRING:
            return self.text()
        if form in texts:
            return Reader(texts[form], self.number(size)).text()
        if form == UNSIGNED:
            return self.leb()
        return self.number(FIXED[form])


def unit(
    reader: Reader, end: int, size: int, texts: dict[int, bytes]
) -> Iterator[tuple[int, str, int, int]]:
    """Address [B], file, line and column of the rows of one unit; a sequence ends with no file."""
    version = reader.number(2)
    if version >= 5:
        reader.number(2)
    start = reader.number(size)
    start += reader.at
    step = reader.number(1)
    if version >= 4:
        reader.number(1)
    reader.number(1)
    line_base, line_range = reader.number(1, signed=True), reader.number(1)
    opcodes = reader.number(1)
    arguments = [reader.number(1) for _ in range(opcodes - 1)]
    files = named(reader, size, texts) if version >= 5 else listed(reader)
    reader.at = start
    address, file, line, column = 0, 1, 1, 0
    while reader.at < end:
        opcode = reader.number(1)
        if opcode >= opcodes:
            address += step * ((opcode - opcodes) // line_range)
            line += line_base + (opcode - opcodes) % line_range
            yield address, files.get(file, ""), line, column
        elif opcode == 0:
            length = reader.leb()
            after = reader.at + length
            kind = reader.number(1)
            if kind == 1:
                yield address, "", 0, 0
                address, file, line, column = 0, 1, 1, 0
            elif kind == 2:
                address = reader.number(length - 1)
            reader.at = after
        elif opcode == 1:
            yield address, files.get(file, ""), line, column
        elif opcode == 2:
            address += step * reader.leb()
        elif opcode == 3:
            line += reader.leb(signed=True)
        elif opcode == 4:
            file = reader.leb()
        elif opcode == 5:
            column = reader.leb()
        elif opcode == 8:
            address += step * ((255 - opcodes) // line_range)
        elif opcode == 9:
            address += reader.number(2)
        else:
            for _ in range(arguments[opcode - 1]):
                reader.leb()


def listed(reader: Reader) -> dict[int, str]:
    """File names as DWARF 4 and its predecessors list them, by number."""
    folders = [""]
    while folder := reader.text():
        folders.append(folder)
    files: dict[int, str] = {}
    while name := reader.text():
        folder = folders[reader.leb()]
        reader.leb()
        reader.leb()
        files[len(files) + 1] = str(Path(folder, name))
    return files


def named(reader: Reader, size: int, texts: dict[int, bytes]) -> dict[int, str]:
    """File names as DWARF 5 lists them, by number."""
    tables: list[list[dict[int, str | int]]] = []
    for _ in range(2):
        forms = [(reader.leb(), reader.leb()) for _ in range(reader.number(1))]
        tables.append(
            [
                {content: reader.form(form, size, texts) for content, form in forms}
                for _ in range(reader.leb())
            ]
        )
    folders, files = tables
    return {
        number: str(Path(str(folders[int(entry.get(DIRECTORY, 0))][PATH]), str(entry[PATH])))
        for number, entry in enumerate(files)
    }


FAR = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An executable that can say where an address in its code comes from."""

    starts: list[int]  # addresses in ascending order [B]
    # file, line and column from each of them on; line 0 where the code comes from no line
    rows: list[tuple[str, int, int]]
    code: bytes  # the section of code
    base: int  # its address [B]

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
