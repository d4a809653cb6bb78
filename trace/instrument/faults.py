"""Where a fault met a program: the line of the source, and how far a stretch of records had come.

A stretch becomes valid at its end, by one move of the cursor. What lies behind the cursor when a
statement in between faults is told by the line table of the executable, at no cost to the program:
its columns are 0 but for the stores of records, which have the place in their stretch, from 1 on,
and `OUTSIDE` where a stretch starts and where the cursor moves, as
`logca.trace.instrument.record_code` writes them. All that stands between there and the instruction
that faults has been executed.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.extras import require
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.records import (
    OUTSIDE,
    PAGE_BITS,
    RETURNS,
    RecordKind,
    RecordSlot,
    StateWord,
)
from logca.trace.ir.program import Program

__all__ = ["Image", "image", "last_place", "unfinished_records"]

WIDEST = 128
"""More than an instruction moves, and what code without loops copies [B]."""
ADDRESS_FAULTS = {Signals.SIGSEGV, Signals.SIGBUS}
FAULTS = {*ADDRESS_FAULTS, Signals.SIGFPE, Signals.SIGILL, Signals.SIGTRAP}
FAR = 4096
"""Code that no row of the table is near to has no line: rows do not say where code ends [B]."""


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
        """True if the instruction before an address is a call, so that it may be returned to."""
        # x86's encodings: E8 and four bytes, or FF /2 with an operand of up to six; elsewhere a
        # word of the stack that passes by chance has no line in the sources, and is left out
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
    """An executable, read; one without line tables has no places."""
    elffile = require("elftools.elf.elffile", "trace")
    exceptions = require("elftools.common.exceptions", "trace")
    with path.open("rb") as stream:
        try:
            file = elffile.ELFFile(stream)
        except exceptions.ELFError:
            return Image(starts=[], rows=[], code=b"", base=0)
        text = file.get_section_by_name(".text")
        rows = list(rows_of(file)) if file.has_dwarf_info() else []
        code, base = (text.data(), text["sh_addr"]) if text is not None else (b"", 0)
    rows.sort(key=lambda row: (row[0], row[1] != ""))  # a sequence ends before the next starts
    return Image(
        starts=[row[0] for row in rows], rows=[row[1:] for row in rows], code=code, base=base
    )


def rows_of(file: Any) -> Iterator[tuple[int, str, int, int]]:
    """Address [B], file, line and column where each piece of code starts; no file at the end."""
    debug = file.get_dwarf_info(relocate_dwarf_sections=False)
    for unit in debug.iter_CUs():
        program = debug.line_program_for_CU(unit)
        if program is None:
            continue
        # before DWARF 5 files count from 1, and folder 0, the compiler's, is not listed
        first = 0 if program.header.version >= 5 else 1
        folders = [*[""] * first, *map(text_of, program.header.include_directory)]
        files = {
            number: str(Path(folders[entry.dir_index], text_of(entry.name)))
            for number, entry in enumerate(program.header.file_entry, first)
        }
        for state in (entry.state for entry in program.get_entries()):
            if state is not None and state.end_sequence:
                yield state.address, "", 0, 0
            elif state is not None:
                yield state.address, files.get(state.file, ""), state.line, state.column


def text_of(data: bytes) -> str:
    """A text of the tables."""
    return data.decode(errors="replace")


def last_place(program: Program, state: NDArray[np.uint64], code: Image) -> str:
    """File and line where a signal met the program, or where it called what was met."""
    known = {str(Path(file).resolve()): file for file in program.files}
    returns = [int(word) for word in state[RETURNS : 2 * RETURNS] if code.after_call(int(word))]
    threads = int(state[StateWord.THREADS])
    for address in [int(state[StateWord.PC]) - threads, *(word - 1 for word in returns)]:
        place = code.place(address)
        if place and (file := known.get(str(Path(place[0]).resolve()))):
            return f"{file}:{place[1]}"
    return ""


def unfinished_records(
    state: NDArray[np.uint64], behind: NDArray[np.uint64], plan: RecordingPlan, code: Image
) -> int:
    """Number of records that a program wrote behind the cursor before a fault ended it [1].

    That of an access which faults is none of them.
    """
    if int(state[StateWord.SIGNAL]) not in FAULTS or state[StateWord.ASIDE]:
        return 0
    written = set()
    for column in code.columns_before(int(state[StateWord.PC])):
        if column == OUTSIDE:
            break
        written.add(column)
    count = next(n for n in range(len(written) + 1) if n + 1 not in written)
    records = [int(record) for record in behind[:count]]
    sites = [record >> (64 - PAGE_BITS) for record in records]
    chosen: dict[int | None, tuple[int, int]] = {
        each.loop: (each.entering, each.again) for each in plan.selectors.values()
    }
    # as many as a stretch of the program can begin with: others are left from before
    stretches = (each.slots for some in plan.stretches.values() for each in some)
    count, slots = max(
        ((common_start(sites, slots, chosen), slots) for slots in stretches),
        key=lambda found: found[0],
        default=(0, ()),
    )
    if count and int(state[StateWord.SIGNAL]) in ADDRESS_FAULTS:
        fault, low = int(state[StateWord.ADDRESS]), (1 << (64 - PAGE_BITS)) - 1
        last = [n for n in range(count) if slots[n].index == slots[count - 1].index]
        reached = [records[n] & low for n in last if slots[n].what is RecordKind.ADDRESS]
        if any(address <= fault < address + WIDEST for address in reached):
            return last[0]
    return count


def common_start(
    sites: list[int], slots: tuple[RecordSlot, ...], chosen: Mapping[int | None, tuple[int, int]]
) -> int:
    """Number of records, given by their sites, that are those a stretch begins with [1]."""
    for place, (site, slot) in enumerate(zip(sites, slots, strict=False)):
        if slot.what is not RecordKind.LENGTH and site not in chosen.get(slot.loop, (slot.site,)):
            return place
    return min(len(sites), len(slots))
