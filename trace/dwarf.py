"""Line tables of executables: versions 2 to 5, by section 6.2 of the DWARF 5 standard.

Only what is needed to say where a program was when it ended.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Reader", "rows_of"]

PATH, DIRECTORY = 1, 2
FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
STRING, UNSIGNED, LINE_STRING, STRING_AT = 0x08, 0x0F, 0x1F, 0x0E


def rows_of(
    lines: bytes, *, line_strings: bytes = b"", strings: bytes = b""
) -> Iterator[tuple[int, str, int, int]]:
    """Address [B], file, line and column where each piece of code starts; no file at the end.

    Parameters
    ----------
    lines, line_strings, strings : bytes
        The sections ``.debug_line``, ``.debug_line_str`` and ``.debug_str``.

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
