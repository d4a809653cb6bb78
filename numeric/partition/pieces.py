"""Basic blocks split at calls: the pieces that run on one core or the other.

A call of a function of the program ends a piece: control goes to the function, and comes back to
the next piece. A call of anything else, through a pointer, or inline assembly is a piece of its
own, which only the CPU can run, so that what stands around it is free.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from logca.trace.program import Block, Instruction, Program

__all__ = ["Piece", "Pieces", "is_nothing", "pieces_of"]

_NOTHING = (
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.experimental.noalias",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a basic block.

    Parameters
    ----------
    block : int
        The block [1].
    begin, end : int
        Its instructions there [1].
    calls : str
        The function of the program that its last instruction calls; empty if none [text].
    pinned : str
        Why only the CPU can run it; empty if the accelerator can [text].
    """

    block: int
    begin: int
    end: int
    calls: str
    pinned: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """All pieces of a program.

    Parameters
    ----------
    pieces : tuple of Piece
        By block, and in the order of their instructions.
    first : tuple of int
        For each block its first piece, and the number of all pieces at the end [1].
    """

    pieces: tuple[Piece, ...]
    first: tuple[int, ...]

    def at(self, block: int, index: int) -> int:
        """The piece that has an instruction [1].

        Parameters
        ----------
        block, index : int
            The block, and the instruction's place there [1].
        """
        own = range(self.first[block], self.first[block + 1])
        return next(number for number in own if index < self.pieces[number].end)

    def last(self, block: int) -> int:
        """The last piece of a block [1]."""
        return self.first[block + 1] - 1


def pieces_of(program: Program) -> Pieces:
    """Split the blocks of a program at calls.

    Parameters
    ----------
    program : Program
        The program, calls not inlined.
    """
    own = {each.name for each in program.functions}
    found: list[Piece] = []
    first = []
    for block in program.blocks:
        first.append(len(found))
        found += _split(block, own)
    return Pieces(pieces=tuple(found), first=(*first, len(found)))


def is_nothing(instruction: Instruction) -> bool:
    """Whether no machine executes it."""
    return instruction.callee.startswith(_NOTHING)


def _split(block: Block, own: set[str]) -> list[Piece]:
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
