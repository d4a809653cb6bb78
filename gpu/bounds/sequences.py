"""Instructions of a GPU that one operation of the source becomes, by the pipes they go to.

Division, roots and functions of the mathematical library are sequences. Their counts are those of
the code that NVIDIA's compiler (nvcc 13.5 for sm_86) makes of one of them, read from the
disassembly, without its rare branches for very large or denormal numbers.
"""

from collections.abc import Mapping
from types import MappingProxyType

from logca.trace.ir.functions import FunctionIndex
from logca.trace.ir.statements import Statement

__all__ = ["PIPES", "sequence_of"]

PIPES = MappingProxyType(
    {"fp32": 4.0, "integer": 4.0, "fp64": 8.0, "conversions": 10.0, "special": 18.0}
)
"""Pipes of arithmetic, and how long a result of each is waited for [cycles].

4 and 8 are those of Volta in Jia et al. (arXiv 1804.06826, table 4.1); conversions and special
functions of later GPUs are not in it, so that theirs are estimates.
"""

Counts = Mapping[str, float]

_NOTHING: Counts = MappingProxyType({})


def _counts(
    fp32: float = 0,
    integer: float = 0,
    fp64: float = 0,
    conversions: float = 0,
    special: float = 0,
    control: float = 0,
) -> Counts:
    found = {
        "fp32": fp32,
        "integer": integer,
        "fp64": fp64,
        "conversions": conversions,
        "special": special,
        "control": control,
    }
    return MappingProxyType({pipe: number for pipe, number in found.items() if number})


_SINGLE = {
    "div": _counts(fp32=5, integer=3, special=2, control=3),
    "sqrt": _counts(fp32=4, integer=4, special=1, control=3),
    "exp": _counts(fp32=6, integer=3, special=1),
    "exp2": _counts(fp32=2, integer=1, special=1),
    "log": _counts(fp32=15, integer=13),
    "sin": _counts(fp32=11, integer=12, conversions=2, control=2),
    "pow": _counts(fp32=40, integer=25, conversions=2, special=1, control=4),
    "tanh": _counts(fp32=9, integer=6, special=2),
    "erf": _counts(fp32=9, integer=19, special=1),
    "floor": _counts(conversions=1),
    "max": _counts(integer=1),
}
_DOUBLE = {
    "div": _counts(fp64=8, fp32=1, integer=5, special=1, control=3),
    "sqrt": _counts(fp64=8, integer=10, special=1, control=3),
    "exp": _counts(fp64=15, integer=12, control=2),
    "exp2": _counts(fp64=14, integer=12, control=2),
    "log": _counts(fp64=30, integer=29, special=1, control=2),
    "sin": _counts(fp64=17, integer=14, conversions=2, control=3),
    "pow": _counts(fp64=60, integer=50, conversions=1, special=1, control=8),
    "tanh": _counts(fp64=20, integer=12, conversions=2, special=1, control=3),
    "erf": _counts(fp64=40, integer=20, special=1, control=2),
    "floor": _counts(conversions=1),
    "max": _counts(fp64=1, integer=6),
}
_LIKE = {
    **dict.fromkeys(("cos", "tan", "sincos"), "sin"),
    **dict.fromkeys(("log2", "log10", "log1p", "asin", "acos", "atan", "atan2", "cbrt"), "log"),
    **dict.fromkeys(("expm1", "sinh", "cosh"), "exp"),
    **dict.fromkeys(("asinh", "acosh", "atanh", "hypot"), "log"),
    **dict.fromkeys(("erfc", "tgamma", "lgamma"), "erf"),
    **dict.fromkeys(("ceil", "trunc", "rint", "nearbyint", "round", "lrint", "lround"), "floor"),
    **dict.fromkeys(("fmin", "fmax", "fdim", "minnum", "maxnum", "minimum", "maximum"), "max"),
    **dict.fromkeys(("fmod", "remainder", "frem"), "div"),
}
_FREE = frozenset(["fabs", "copysign"])
_DIVISIONS = frozenset(["sdiv", "udiv", "srem", "urem"])


def sequence_of(statement: Statement, index: FunctionIndex) -> Counts:
    """Instructions that one statement becomes, by pipe; none of what costs nothing."""
    opcode, double = statement.opcode, statement.type in ("double", "x86_fp80", "fp128")
    real = "fp64" if double else "fp32"
    if opcode in ("fadd", "fsub", "fmul"):
        return {real: 1}
    if opcode in ("fdiv", "frem"):
        return (_DOUBLE if double else _SINGLE)["div"]
    if opcode == "fcmp":
        wide = any(_type_of(each, index) == "double" for each in statement.operands)
        return {"fp64" if wide else "integer": 1}
    if opcode in ("fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui"):
        kinds = {statement.type, *(_type_of(each, index) for each in statement.operands)}
        return {"fp64" if kinds & {"double", "i64"} else "conversions": 1}
    if opcode == "call":
        return _of_function(statement, _DOUBLE if double else _SINGLE, real)
    if opcode in _DIVISIONS:
        return _of_division(statement)
    if opcode in ("icmp", "add", "sub", "and", "or", "xor", "shl", "lshr", "ashr", "select", "mul"):
        kind = statement.type
        if opcode == "icmp":
            kind = next((_type_of(each, index) for each in statement.operands), "")
        wide = kind in ("i64", "double")
        return {"integer": 1 if not wide else 4 if opcode == "mul" else 2}
    return _NOTHING


def _type_of(value: str, index: FunctionIndex) -> str:
    statement = index.statements.get(value)
    return index.body.arguments.get(value, "") if statement is None else statement.type


def _of_function(statement: Statement, table: Mapping[str, Counts], real: str) -> Counts:
    name = statement.callee.removeprefix("llvm.").partition(".")[0]
    if name in ("fmuladd", "fma", "fmaf"):
        return {real: 1}
    if name.startswith(("smax", "smin", "umax", "umin", "abs", "labs", "llabs")):
        return {"integer": 1}
    for each in (name, name[:-1] if name[-1:] in ("f", "l") else name):
        if each in _FREE:
            return _NOTHING
        if (like := _LIKE.get(each, each)) in table:
            return table[like]
    return _NOTHING


def _of_division(statement: Statement) -> Counts:
    """Division of whole numbers: by a number it is a product and shifts."""
    signed, rest = statement.opcode[0] == "s", statement.opcode.endswith("rem")
    wide = statement.type == "i64"
    by = statement.operands[-1]
    if by.lstrip("-").isdigit():
        power = int(by) > 0 and int(by) & (int(by) - 1) == 0
        number = (4 if rest else 3) if power and signed else 1 if power else 3 if rest else 2
        return {"integer": number * (5 if wide and not power else 2 if wide else 1)}
    if wide:
        return {"integer": 70, "conversions": 2, "special": 1, "control": 3}
    return {"integer": 21 if signed else 15, "conversions": 2, "special": 1}
