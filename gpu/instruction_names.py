"""What one of LLVM's instructions is called in PTX, after Table 2 of wang2017."""

from collections.abc import Iterator

from logca.gpu.calls import MATH_FUNCTIONS
from logca.trace.program import Instruction

__all__ = ["in_ptx"]

_FREE = {
    *("phi", "icmp", "sext", "zext", "trunc", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"),
    *("freeze", "alloca", "extractvalue", "insertvalue", "ret", "unreachable", "fence"),
}
_FREE_CALLS = (
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.invariant.",
    "llvm.experimental.noalias",
    "llvm.stacksave",
    "llvm.stackrestore",
)
_COPIES = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
_FUSED = ("llvm.fmuladd.", "llvm.fma.")
_OTHER_NAMES = {
    "fmul": "mul",
    "fadd": "add",
    "fsub": "sub",
    "fdiv": "div",
    "sdiv": "div",
    "udiv": "div",
    "srem": "rem",
    "urem": "rem",
    "frem": "rem",
    "ashr": "shr",
    "lshr": "shr",
    "fneg": "neg",
    "fcmp": "setp",
    "select": "selp",
    "switch": "br",
    "fmod": "rem",
}
_CONVERSIONS = frozenset(["fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui"])


def in_ptx(instruction: Instruction, jump: bool) -> Iterator[tuple[str, int]]:
    """PTX instructions of one of LLVM's that accesses no memory on the device, and how many [1].

    Parameters
    ----------
    instruction : Instruction
        Of LLVM.
    jump : bool
        Whether a jump is an instruction of the thread.
    """
    opcode = instruction.opcode
    if opcode == "getelementptr":
        if instruction.multiplies:
            yield "mul", instruction.multiplies
        if instruction.adds:
            yield "add", instruction.adds
    elif opcode in ("call", "invoke"):
        if instruction.callee.startswith(_FUSED):
            yield "fma", 1
        elif not instruction.callee.startswith((*_FREE_CALLS, *_COPIES)):
            yield _function(instruction.callee), 1
    elif opcode in ("br", "switch", "indirectbr"):
        if jump:
            yield "br", 1
    elif opcode in _CONVERSIONS:
        yield "cvt", 1
    elif opcode not in _FREE:
        yield _OTHER_NAMES.get(opcode, opcode), 1


def _function(callee: str) -> str:
    """What a called function is counted as: one name for all types, and for LLVM's own of it."""
    name = callee.removeprefix("llvm.").partition(".")[0]
    if name in MATH_FUNCTIONS and name[-1] in "fl" and name[:-1] in MATH_FUNCTIONS:
        name = name[:-1]
    return _OTHER_NAMES.get(name, name) or "call"
