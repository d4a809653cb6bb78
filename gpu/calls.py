"""Calls in loops: those that threads of a GPU can make, and those that they cannot."""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.trace.program import Instruction, Program

__all__ = ["MATH_FUNCTIONS", "Obstacle", "obstacle"]

_REAL_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod hypot ldexp lgamma log log10 log1p log2 "
    "llrint llround lrint lround nearbyint pow remainder rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc "
)
MATH_FUNCTIONS = frozenset(
    {"abs", "labs", "llabs"}
    | {name + suffix for name in _REAL_FUNCTIONS.split() for suffix in ("", "f", "l")}
)
"""Functions of the C library that threads of a GPU can call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """What no thread of a GPU can do, or of which no time is known.

    Parameters
    ----------
    what : str
        Where it stands, and what it is [text].
    fix : str
        What can be done about it [text].
    """

    what: str
    fix: str


def obstacle(program: Program, loop: int) -> Obstacle | None:
    """Why a GPU cannot run a loop: the first call in it that no thread can make; None if none.

    Parameters
    ----------
    program : Program
        With calls inlined, so that functions of its own that are still called are recursive.
    loop : int
        The loop [1].
    """
    for block in sorted(program.loops[loop].blocks):
        for instruction in program.blocks[block].instructions:
            if instruction.opcode not in ("call", "invoke", "callbr"):
                continue
            name = instruction.callee
            if name in MATH_FUNCTIONS or name.startswith("llvm."):
                continue
            what, fix = _told(program, instruction)
            where = f"{program.blocks[block].file}:{instruction.line}"
            return Obstacle(what=f"{where} {what}", fix=fix)
    return None


def _told(program: Program, call: Instruction) -> tuple[str, str]:
    """What a call is, and what to do about it."""
    names = {each.name: each.source_name for each in program.functions}
    if call.assembly:
        return "has inline assembly", "write it in C"
    if not call.callee:
        return "calls through a pointer", "call the function by its name"
    if call.callee in _recursive(program, names):
        return (
            f"calls {names[call.callee]}, which is recursive",
            "write it with loops, or take the call out of the loop",
        )
    if call.callee in names:
        return f"calls {names[call.callee]}", "take the call out of the loop"
    return f"calls {call.callee}", "take the call out of the loop, or give its source too"


def _recursive(program: Program, names: Mapping[str, str]) -> frozenset[str]:
    """Functions that call themselves, be it through others [text]."""
    calls: dict[str, set[str]] = {name: set() for name in names}
    for block in program.blocks:
        calls[block.function] |= {each.callee for each in block.instructions} & names.keys()
    found = set()
    for name in calls:
        seen: set[str] = set()
        waiting = [*calls[name]]
        while waiting:
            callee = waiting.pop()
            if callee not in seen:
                seen.add(callee)
                waiting += calls[callee]
        if name in seen:
            found.add(name)
    return frozenset(found)
