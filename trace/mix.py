"""Instructions by what they do."""

import re
from collections.abc import Iterable

from logca.trace.findings import InstructionCount
from logca.trace.selection import NOT_EXECUTED

__all__ = ["CLASSES", "mix", "real_operations"]

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

    Parameters
    ----------
    instructions : iterable of InstructionCount
        Counts by opcode and type.

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

    Parameters
    ----------
    instructions : iterable of InstructionCount
        Counts by opcode and type.

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
