"""Basic blocks split at calls into pieces that run on one core, and how often each piece ran.

A call of a function of the program ends a piece: control goes to the function, and comes back to
the next piece. A call of anything else, through a pointer, or inline assembly is a piece of its
own, which only the CPU can run, so that what stands around it is free.

Blocks and edges are counted, pieces of a block are not. All of them run as often as the block is
entered, unless a call among them does not come back (`exit`, or `longjmp` over its frame) or comes
back once more (`setjmp`). How often a block was left says so of blocks that lead on. Of one that
ends its function it follows from the calls of that function and how often it came back: what is
missing is taken from the calls in the order of the program.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.trace.ir.program import BasicBlock, Instruction, Program

__all__ = [
    "Piece",
    "Pieces",
    "executions_of",
    "is_nothing",
    "pieces_of",
]

_NOTHING = (
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.experimental.noalias",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a basic block."""

    block: int  # the block [1]
    # begin, end: its instructions there [1]
    begin: int
    end: int
    calls: str  # the function of the program that its last instruction calls; empty if none
    pinned: str  # why only the CPU can run it; empty if the accelerator can


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """All pieces of a program."""

    pieces: tuple[Piece, ...]  # by block, and in the order of their instructions
    # for each block its first piece, and the number of all pieces at the end [1]
    first: tuple[int, ...]

    def at(self, block: int, index: int) -> int:
        """The piece that has an instruction [1]."""
        own = range(self.first[block], self.first[block + 1])
        return next(number for number in own if index < self.pieces[number].end)

    def last(self, block: int) -> int:
        """The last piece of a block [1]."""
        return self.first[block + 1] - 1


def pieces_of(program: Program) -> Pieces:
    """Split the blocks of a program at calls."""
    own = {each.name for each in program.functions}
    found: list[Piece] = []
    first = []
    for block in program.blocks:
        first.append(len(found))
        found += _split(block, own)
    return Pieces(pieces=tuple(found), first=(*first, len(found)))


def is_nothing(instruction: Instruction) -> bool:
    """True if no machine executes the instruction."""
    return instruction.callee.startswith(_NOTHING)


def _split(block: BasicBlock, own: set[str]) -> list[Piece]:
    cuts: dict[int, tuple[str, str]] = {}  # where a piece ends: what it calls, why it is pinned
    for place, instruction in enumerate(block.instructions):
        calls, pinned = _called(instruction, own)
        if pinned:
            cuts.setdefault(place, ("", ""))
        if calls or pinned:
            cuts[place + 1] = (calls, pinned)
    end = len(block.instructions)
    cuts.setdefault(end, ("", ""))
    found, begin = [], 0
    for place in sorted(cuts):
        if place > begin or place == end == 0:
            calls, pinned = cuts[place]
            pinned = pinned or _frame(block.instructions[begin:place])
            found.append(Piece(block=block.id, begin=begin, end=place, calls=calls, pinned=pinned))
            begin = place
    return found


def _called(instruction: Instruction, own: set[str]) -> tuple[str, str]:
    """The function of the program that an instruction calls, or why only the CPU can run it."""
    if instruction.opcode not in ("call", "invoke", "callbr"):
        return "", ""
    if instruction.assembly:
        return "", "inline assembly"
    if instruction.callee in own:
        return instruction.callee, ""
    if instruction.callee.startswith("llvm."):
        return "", ""
    return "", f"calls {instruction.callee}" if instruction.callee else "calls through a pointer"


def _frame(instructions: Sequence[Instruction]) -> str:
    """Why a piece that makes room on the stack is the CPU's."""
    return "alloca" if any(each.opcode == "alloca" for each in instructions) else ""


def executions_of(
    program: Program,
    pieces: Pieces,
    entered: Sequence[int],
    left: Mapping[int, int],
) -> tuple[int, ...]:
    """Executions of each piece."""
    times = [0] * len(pieces.pieces)
    lost: dict[int, int] = {}
    sites: dict[str, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces.pieces):
        if piece.calls:
            sites[piece.calls].append(number)
    for _ in range(len(program.functions) + 1):
        for block in range(len(program.blocks)):
            _pass_on(pieces, block, entered[block], left.get(block), lost, times)
        found = _missing(program, pieces, sites, left, times)
        if found == lost:
            break
        lost = found
    return tuple(times)


def _pass_on(
    pieces: Pieces,
    block: int,
    entered: int,
    left: int | None,
    lost: Mapping[int, int],
    times: list[int],
) -> None:
    """Executions of the pieces of a block, given which calls are lost."""
    own = range(pieces.first[block], pieces.first[block + 1])
    now = entered
    for number in own:
        times[number] = now
        now -= min(now, lost.get(number, 0))
    if left is None or len(own) < 2 or times[own[-1]] == left:
        return
    # it was left more or less often than is known: since the first call that may be why
    more = left > times[own[-1]]
    for number in own[:-1]:
        piece = pieces.pieces[number]
        if bool(piece.pinned) if more else bool(piece.calls or piece.pinned):
            for after in range(number + 1, own.stop):
                times[after] = left
            return


def _missing(
    program: Program,
    pieces: Pieces,
    sites: Mapping[str, Sequence[int]],
    left: Mapping[int, int],
    times: Sequence[int],
) -> dict[int, int]:
    """Of each call of a function how many did not come back."""
    found: dict[int, int] = {}
    for function in program.functions:
        ends = [
            pieces.last(block)
            for block in function.blocks
            if program.blocks[block].instructions
            and program.blocks[block].instructions[-1].opcode == "ret"
        ]
        missing = times[pieces.first[function.blocks[0]]] - sum(times[end] for end in ends)
        # blocks that lead on say themselves what they lost
        for known in (True, False):
            for site in sites.get(function.name, ()):
                leads_on = pieces.pieces[site].block in left
                if leads_on is known:
                    seen = times[site] - times[site + 1] if known else times[site]
                    found[site] = max(0, min(missing, seen))
                    missing -= found[site]
    return {site: number for site, number in found.items() if number}
