"""LLVM's types: how large they are, where their members lie.

Sizes are those of the 64-bit targets that the tool chain compiles for (x86-64, AArch64), where
every scalar is aligned to its own size, and an ``x86_fp80`` takes 16 bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from logca.trace.ir.assembly import Structures
from logca.trace.ir.operands import element, split

__all__ = [
    "align_of",
    "bits_of",
    "is_scalar_at",
    "offset_of",
    "parts",
    "scalars_of",
    "size_of",
]

SCALARS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "fp128": 128, "x86_fp80": 80}


@dataclass(frozen=True, slots=True)
class TypeLayout:
    """A type in memory: width [bit], alignment [B], members and where they start [B].

    Behind the start of the last member comes the end of the structure.
    """

    bits: int
    align: int
    members: tuple[str, ...] | None = None  # None if it is no structure
    offsets: tuple[int, ...] = ()


def layout_of(type_: str, structures: Mapping[str, str]) -> TypeLayout:
    """Layout of a type, found once for each module."""
    known = structures.layouts if isinstance(structures, Structures) else {}
    found: TypeLayout | None = known.get(type_)
    if found is None:
        found = known[type_] = new_layout(type_, structures)
    return found


def new_layout(type_: str, structures: Mapping[str, str]) -> TypeLayout:
    """Layout of a type that is not known yet."""
    if type_.startswith("ptr"):
        return TypeLayout(64, 8)
    body = structures.get(type_, type_)
    packed = body.startswith("<{")
    body = body[1:-1] if packed else body
    if body.startswith("{"):
        members = tuple(split(body[1:-1].strip()))
        inner = [layout_of(member, structures) for member in members]
        align = 1 if packed else max((each.align for each in inner), default=1)
        offsets, end = [], 0
        for member, each in zip(members, inner, strict=True):
            step = 1 if packed else each.align
            offsets.append(-(-end // step) * step)
            end = offsets[-1] + size_of(member, structures)
        return TypeLayout(8 * (-(-end // align) * align), align, members, (*offsets, end))
    length, each_type = element(type_)
    if type_[:1] == "[":
        align = layout_of(each_type, structures).align
        return TypeLayout(length * 8 * size_of(each_type, structures), align)
    if length:
        bits = length * layout_of(each_type, structures).bits
    else:
        bits = int(type_[1:]) if type_[:1] == "i" and type_[1:].isdigit() else SCALARS.get(type_, 0)
    size = (bits + 7) // 8
    return TypeLayout(bits, min(1 << (size - 1).bit_length(), 64 if length else 16) if size else 1)


def parts(type_: str, structures: Mapping[str, str]) -> tuple[str, ...] | None:
    """Types of the members of a structure; None if it is no structure."""
    return layout_of(type_, structures).members


def align_of(type_: str, structures: Mapping[str, str]) -> int:
    """Alignment of a type in memory [B]."""
    return layout_of(type_, structures).align


def bits_of(type_: str, structures: Mapping[str, str]) -> int:
    """Width of a value of the type [bit]; 0 of ``void`` and of what has no size."""
    return layout_of(type_, structures).bits


def offset_of(type_: str, index: int, structures: Mapping[str, str]) -> int:
    """Start of a member of a structure; behind the last one, the structure's end [B].

    Examples
    --------
    >>> offset_of("{ i8, i32, i8 }", 1, {})
    4
    """
    return layout_of(type_, structures).offsets[index]


def is_scalar_at(type_: str, offset: int, structures: Mapping[str, str]) -> bool:
    """True if a scalar starts at an offset of a type, in no array.

    Examples
    --------
    >>> [is_scalar_at("{ i32, [2 x ptr], { i8, double } }", offset, {}) for offset in (0, 8, 32)]
    [True, False, True]
    """
    members = parts(type_, structures)
    if members is None:
        return offset == 0 and type_[:1] != "[" and bits_of(type_, structures) > 0
    for number, part in enumerate(members):
        start = offset_of(type_, number, structures)
        if start <= offset < start + size_of(part, structures):
            return is_scalar_at(part, offset - start, structures)
    return False


def scalars_of(type_: str, structures: Mapping[str, str]) -> list[tuple[int, int]]:
    """Offsets and sizes of the scalars of a type that lie in no array [B].

    Examples
    --------
    >>> scalars_of("{ i32, [2 x ptr], { i8, double } }", {})
    [(0, 4), (24, 1), (32, 8)]
    """
    members = parts(type_, structures)
    if members is None:
        size = size_of(type_, structures) if type_[:1] != "[" else 0
        return [(0, size)] if size else []
    return [
        (offset_of(type_, number, structures) + start, size)
        for number, part in enumerate(members)
        for start, size in scalars_of(part, structures)
    ]


def size_of(type_: str, structures: Mapping[str, str]) -> int:
    """Size of a value of the type in an array [B].

    Examples
    --------
    >>> size_of("{ i32, [3 x double] }", {})
    32
    """
    if type_ == "x86_fp80":
        return 16
    size = (bits_of(type_, structures) + 7) // 8
    step = align_of(type_, structures)
    return -(-size // step) * step
