"""LLVM's types: how large they are, where their members lie.

Sizes are those of the 64-bit targets that the tool chain compiles for (x86-64, AArch64), where
every scalar is aligned to its own size, and an ``x86_fp80`` takes 16 bytes.
"""

from collections.abc import Mapping

from logca.trace.ir.assembly import element, split

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


def parts(type_: str, structures: Mapping[str, str]) -> list[str] | None:
    """Types of the members of a structure; None if it is no structure."""
    type_ = structures.get(type_, type_)
    body = type_[1:-1] if type_.startswith("<{") else type_
    return split(body[1:-1].strip()) if body.startswith("{") else None


def align_of(type_: str, structures: Mapping[str, str]) -> int:
    """Alignment of a type in memory [B]."""
    if type_.startswith("<{"):
        return 1
    members = parts(type_, structures)
    if members is not None:
        packed = structures.get(type_, type_).startswith("<{")
        return 1 if packed else max((align_of(part, structures) for part in members), default=1)
    length, inner = element(type_)
    if length and type_[0] == "[":
        return align_of(inner, structures)
    size = (bits_of(type_, structures) + 7) // 8
    return min(1 << (size - 1).bit_length(), 16 if not length else 64) if size else 1


def bits_of(type_: str, structures: Mapping[str, str]) -> int:
    """Width of a value of the type [bit]; 0 of ``void`` and of what has no size."""
    if type_.startswith("ptr"):
        return 64
    if type_[:1] == "i" and type_[1:].isdigit():
        return int(type_[1:])
    if type_ in SCALARS:
        return SCALARS[type_]
    length, inner = element(type_)
    if length and type_[0] == "<":
        return length * bits_of(inner, structures)
    if length:
        return length * 8 * size_of(inner, structures)
    members = parts(type_, structures)
    if members is None:
        return 0
    whole = align_of(type_, structures)
    end = offset_of(type_, len(members), structures)
    return 8 * (-(-end // whole) * whole)


def offset_of(type_: str, index: int, structures: Mapping[str, str]) -> int:
    """Start of a member of a structure; behind the last one, the structure's end [B].

    Examples
    --------
    >>> offset_of("{ i8, i32, i8 }", 1, {})
    4
    """
    members = parts(type_, structures) or []
    packed = structures.get(type_, type_).startswith("<{")
    end = 0
    for number, part in enumerate(members):
        step = 1 if packed else align_of(part, structures)
        end = -(-end // step) * step
        if number == index:
            break
        end += size_of(part, structures)
    return end


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
