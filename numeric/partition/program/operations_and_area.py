"""Operations, casts and area of a piece of a program, counted from its instructions."""

from collections.abc import Callable
from dataclasses import dataclass

from logca.numeric.partition.program.pieces import Piece, is_nothing
from logca.trace.ir.program import Program

__all__ = ["InstructionCounts", "instruction_counter"]

_REAL_CASTS = frozenset(["fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui"])
_INTEGER_CASTS = frozenset(
    ["trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionCounts:
    """Instructions of a piece, by what they cost."""

    operations: int  # neither casts nor accesses to memory [1]
    integer_casts: int  # casts that change no value or only cut or extend it [1]
    real_casts: int  # casts from or to real numbers [1]
    area: int  # all that a machine executes, accesses too [1]


def instruction_counter(program: Program) -> Callable[[Piece], InstructionCounts]:
    """A function that counts the instructions of a piece of this program."""
    memory = {(each.block, each.index) for each in program.accesses}

    def counts(piece: Piece) -> InstructionCounts:
        casts, real, operations, area = 0, 0, 0, 0
        own = program.blocks[piece.block].instructions[piece.begin : piece.end]
        for place, each in enumerate(own, piece.begin):
            if is_nothing(each):
                continue
            area += 1
            casts += each.opcode in _INTEGER_CASTS
            real += each.opcode in _REAL_CASTS
            operations += (piece.block, place) not in memory
        return InstructionCounts(
            operations=operations - casts - real,
            integer_casts=casts,
            real_casts=real,
            area=area,
        )

    return counts
