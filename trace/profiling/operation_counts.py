"""Operations that a run executed: by opcode and type, by class, and those that no trace records."""

import re
from collections.abc import Iterable, Sequence

from logca.trace.ir.program import NOT_EXECUTED, Program
from logca.trace.profiling.findings import InstructionCount

__all__ = ["CLASSES", "instruction_counts", "mix", "real_operations", "unrecorded_counts"]

CLASSES = {
    "memory": ("load", "store", "atomicrmw", "cmpxchg"),
    "address": ("getelementptr",),
    "real": ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp"),
    "integer": (
        *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "icmp"),
        *("shl", "lshr", "ashr", "and", "or", "xor"),
    ),
    "conversion": (
        *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
        *("ptrtoint", "inttoptr", "bitcast", "addrspacecast"),
    ),
    "control": ("br", "switch", "ret", "indirectbr", "unreachable", "select"),
    "call": ("call", "invoke", "callbr"),
}
"""Opcodes of LLVM by what they do; those of no class are called other."""

ARITHMETIC = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"})

VECTOR = re.compile(r"<(\d+) x ")


def mix(instructions: Iterable[InstructionCount]) -> dict[str, int]:
    """Executed instructions by class, the most frequent first [1].

    Examples
    --------
    >>> kinds = (("fmul", 3), ("load", 5), ("fadd", 4), ("phi", 9))
    >>> mix(InstructionCount(opcode=o, type="double", static=1, executed=n) for o, n in kinds)
    {'real': 7, 'memory': 5}
    """
    classes = {opcode: kind for kind, opcodes in CLASSES.items() for opcode in opcodes}
    sums: dict[str, int] = {}
    for each in instructions:
        if each.opcode not in NOT_EXECUTED and each.executed:
            kind = classes.get(each.opcode, "other")
            sums[kind] = sums.get(kind, 0) + each.executed
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def real_operations(instructions: Iterable[InstructionCount]) -> int:
    """Executed operations on floating-point numbers, each lane of a vector one [1].

    Comparisons, conversions and functions of the C library are not among them.

    Examples
    --------
    >>> real_operations([InstructionCount(opcode="fadd", type="<4 x float>", static=1, executed=5)])
    20
    """
    return sum(
        each.executed * (int(lanes.group(1)) if (lanes := VECTOR.match(each.type)) else 1)
        for each in instructions
        if each.opcode in ARITHMETIC
    )


def instruction_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> tuple[InstructionCount, ...]:
    """Instructions by opcode and type, the most frequent first."""
    static: dict[tuple[str, str], int] = {}
    executed: dict[tuple[str, str], int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            kind = each.opcode, each.type
            static[kind] = static.get(kind, 0) + 1
            executed[kind] = executed.get(kind, 0) + int(counts[block])
    return tuple(
        InstructionCount(opcode=kind[0], type=kind[1], static=static[kind], executed=executed[kind])
        for kind in sorted(static, key=lambda kind: (-executed[kind], kind))
    )


def unrecorded_counts(
    program: Program, blocks: Sequence[int], counts: Sequence[int]
) -> dict[str, int]:
    """Executions of what reaches memory outside of the trace, by its name [1]."""
    found: dict[str, int] = {}
    for block in blocks:
        for each in program.blocks[block].instructions:
            if each.unrecorded and counts[block]:
                found[each.unrecorded] = found.get(each.unrecorded, 0) + int(counts[block])
    return found
