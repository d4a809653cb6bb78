"""Programs that tell of stores whether they change what is in memory.

A trace has addresses and no values. Before such a store another one writes one of two bytes, by
whether the value is there already: its address tells.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from logca.trace.ir.assembly import FUNCTION, LABEL
from logca.trace.ir.operands import FLAGS, behind, split, type_at
from logca.trace.ir.program import Access, Program
from logca.trace.ir.reading import program_of

__all__ = ["TellingProgram", "telling"]

BYTES = "logca.changes"
WIDTHS = {"half": 16, "float": 32, "double": 64}


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingProgram:
    """A program in which stores are told of."""

    ir: str  # its text
    program: Program  # the same loops and blocks, with more accesses
    # for each access before a store, at an odd address if the value is there already, that store
    # of the original program; and where that store is now [1]
    tells: dict[int, int]
    stores: dict[int, int]


def telling(ir: str, program: Program, stores: Collection[int]) -> TellingProgram | None:
    """The program, if a comparison can tell of all of these stores; None if not."""
    wanted: dict[tuple[str, str], dict[int, Access]] = {}
    for access in (program.accesses[each] for each in stores):
        block = program.blocks[access.block]
        wanted.setdefault((access.function, block.name), {})[access.index] = access
    lines: list[str] = []
    order: list[int] = []
    here: dict[int, Access] = {}
    function, index = "", -1
    for line in ir.splitlines():
        if found := FUNCTION.match(line):
            function = found[1].strip('"')
        elif found := LABEL.match(line):
            here, index = wanted.get((function, found[1].strip('"')), {}), -1
        elif line[:2] == "  " and line[2:3] not in {" ", "]"}:
            index += 1
            if index in here:
                compared = list(comparison(line, len(order)))
                if not compared:
                    return None
                lines += compared
                order.append(here[index].id)
        lines.append(line)
    text = "\n".join([*lines, f"@{BYTES} = internal global [2 x i8] zeroinitializer, align 2", ""])
    changed, _ = program_of(text, level=program.level, spelling={})
    # every comparison ends in a store, behind which is that of the program
    places = {(each.block, each.index): each.id for each in changed.accesses if each.store}
    before = [each for each in changed.accesses if each.store and each.array == BYTES]
    if len(before) != len(order) or len(changed.loops) != len(program.loops):
        return None
    by_place = sorted(
        order, key=lambda each: (program.accesses[each].block, program.accesses[each].index)
    )
    before.sort(key=lambda each: (each.block, each.index))
    return TellingProgram(
        ir=text,
        program=changed,
        tells=dict(zip((each.id for each in before), by_place, strict=True)),
        stores={
            places[each.block, each.index + 1]: site
            for each, site in zip(before, by_place, strict=True)
        },
    )


def comparison(line: str, number: int) -> Iterator[str]:
    """Statements that compare what a line stores with what is there; none for other types."""
    stored, place, *_ = split(behind(FLAGS, line.strip().removeprefix("store ")))
    type_, end = type_at(stored)
    if type_ not in {*WIDTHS, "ptr", "i8", "i16", "i32", "i64"} or not line.startswith("  store "):
        return
    new, name = stored[end:].strip(), f"logca.{number}"
    whole = type_
    if type_ in WIDTHS:
        whole = f"i{WIDTHS[type_]}"
        yield f"  %{name}.new = bitcast {type_} {new} to {whole}"
        new = f"%{name}.new"
    yield f"  %{name}.old = load {whole}, {place}"
    yield f"  %{name}.same = icmp eq {whole} %{name}.old, {new}"
    yield f"  %{name}.number = zext i1 %{name}.same to i64"
    yield f"  %{name}.at = getelementptr i8, ptr @{BYTES}, i64 %{name}.number"
    yield f"  store i8 0, ptr %{name}.at"
