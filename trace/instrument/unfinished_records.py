"""How far a stretch of records had come when a fault ended the program.

A stretch becomes valid at its end, by one move of the cursor. What lies behind the cursor when a
statement in between faults is told by the line table of the executable, at no cost to the program:
its columns are 0 but for the stores of records, which have the place in their stretch, from 1 on,
and `OUTSIDE` where a stretch starts and where the cursor moves. All that stands between there and
the instruction that faults has been executed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals

import numpy as np
from numpy.typing import NDArray

from logca.trace.instrument.line_table import image
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.records import PAGE_BITS, RecordKind, RecordSlot
from logca.trace.instrument.ring_buffer import StateWord

__all__ = ["OUTSIDE", "ColumnMarks", "marks_of", "unfinished_records"]

OUTSIDE = (1 << 16) - 1
"""A column, which has 16 bits, that is no place in a stretch [1]."""
WIDEST = 128
"""More than an instruction moves, and what code without loops copies [B]."""
LOCATION = re.compile(r"^!(\d+) = (distinct )?!DILocation\((.*)\)$", re.MULTILINE)
COLUMN = re.compile(r", column: \d+|column: \d+, ")
ATOM = re.compile(r", atom\w+: \d+")
FUNCTION = re.compile(r"^!(\d+) = distinct !DISubprogram\(.*?\bline: (\d+)", re.MULTILINE)
PLACE = re.compile(r"!dbg !(\d+)")
ADDRESS_FAULTS = {Signals.SIGSEGV, Signals.SIGBUS}
FAULTS = {*ADDRESS_FAULTS, Signals.SIGFPE, Signals.SIGILL, Signals.SIGTRAP}


@dataclass(slots=True, kw_only=True)
class ColumnMarks:
    """Places of what the instrumentation adds, as they are made."""

    places: dict[str, str]  # what the module's places say but for columns, by their numbers
    next: int  # the number of the next place [1]
    functions: dict[str, str]  # the lines of functions, by the numbers of their entries
    function: str = ""  # a place in the function that is being rewritten, if it has any
    # numbers of new places, by what they say [1]
    made: dict[str, int] = field(default_factory=dict)

    def enter(self, definition: str) -> None:
        """Begin with a function, given the line that defines it."""
        scope = PLACE.search(definition)
        line = self.functions.get(scope[1], "1") if scope else ""
        self.function = f"line: {line}, scope: !{scope[1]}" if scope else ""

    def at(self, line: str, column: int) -> str:
        """What to append to an instruction that is to have a column, at the place of another."""
        place = PLACE.search(line)
        says = self.places.get(place[1], self.function) if place else self.function
        if not says:
            return ""
        number = self.made.setdefault(f"column: {column}, {says}", self.next)
        self.next += number == self.next
        return f", !dbg !{number}"

    def lines(self) -> Iterator[str]:
        """The new places as lines of the module."""
        for says, number in self.made.items():
            yield f"!{number} = !DILocation({says})"


def marks_of(text: str, first: int) -> tuple[ColumnMarks, str]:
    """The places of a module, and the module without columns."""
    places: dict[str, str] = {}

    def without(found: re.Match[str]) -> str:
        says = COLUMN.sub("", found[3])
        if not says.startswith("line: 0,"):
            places[found[1]] = ATOM.sub("", says)
        return f"!{found[1]} = {found[2] or ''}!DILocation({says})"

    text = LOCATION.sub(without, text)
    return ColumnMarks(places=places, next=first, functions=dict(FUNCTION.findall(text))), text


def unfinished_records(
    state: NDArray[np.uint64], behind: NDArray[np.uint64], plan: RecordingPlan, executable: Path
) -> int:
    """How many records behind the cursor a program has written that a fault ended [1].

    That of an access which faults is none of them.
    """
    if int(state[StateWord.SIGNAL]) not in FAULTS or state[StateWord.ASIDE]:
        return 0
    written = set()
    for column in image(executable).columns_before(int(state[StateWord.PC])):
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
    """How many records, given by their sites, are those that a stretch begins with [1]."""
    for place, (site, slot) in enumerate(zip(sites, slots, strict=False)):
        if slot.what is not RecordKind.LENGTH and site not in chosen.get(slot.loop, (slot.site,)):
            return place
    return min(len(sites), len(slots))
