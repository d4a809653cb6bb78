"""Copies of structures as a thread makes them: member by member, arrays element by element.

A structure is copied as a whole wherever one is assigned, passed or returned. What nobody reads of
the copy would seem to be read, and gaps between its members too.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from logca.trace.compile.structures import LOCAL, NAME, PLACE, REGISTER, by_function, structures_of
from logca.trace.ir import types

__all__ = ["copied_by_elements"]

SMALL = 64
"""More elements are copied by no thread, but by a function of the library [1]."""
ARRAY = re.compile(r"\[(\d+) x (.*)\]")
ADDRESS = (
    rf'{NAME}|@(?:"[^"]*"|[-\w.$]+)'
    r"|getelementptr [^,]*\((?:[^()]|\([^()]*\))*\)"
)
COPIED = re.compile(
    rf"^  call void @llvm\.memcpy[^(]*\(ptr (?:align (\d+) )?({ADDRESS}), "
    rf"ptr (?:align (\d+) )?({ADDRESS}), i64 (\d+), i1 false\)"
)
NOWHERE = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: 0\b", re.MULTILINE)
COPY_LOOP = """
define internal void @{name}(ptr %to, ptr %from, i64 %n) alwaysinline nounwind {{
entry:
  br label %test
test:
  %element = phi i64 [ 0, %entry ], [ %next, %copy ]
  %more = icmp ult i64 %element, %n
  br i1 %more, label %copy, label %end
copy:
  %source = getelementptr inbounds {type}, ptr %from, i64 %element
  %value = load {type}, ptr %source, align {align}
  %target = getelementptr inbounds {type}, ptr %to, i64 %element
  store {type} %value, ptr %target, align {align}
  %next = add i64 %element, 1
  br label %test
end:
  ret void
}}
"""
STEPPED = re.compile(
    rf"  {NAME} = getelementptr (?:inbounds |nuw |nusw )*(.*), ptr ({NAME}), "
    r"i\d+ 0(?:, i\d+ (\d+|%[^ ,]+))?(?:, .*)?$"
)
LOADED = re.compile(rf"  {NAME} = load ([^,]*|[<{{].*[}}>]), ptr ({NAME}), ")
STORED = re.compile(rf"  store .* (?:{NAME}|[^ ]+), ptr ({NAME}), align")
CLEARED = re.compile(
    rf"^  call void @llvm\.memset[^(]*\(ptr (?:align (\d+) )?({NAME}), i8 0, i64 (\d+), i1 false\)"
)
GAP = re.compile(rf"  ({NAME}) = getelementptr i8, ptr ({NAME}), i64 (\d+)(?:, .*)?$")
"""Step to bytes between members, which clang clears in what an initialiser lists in part."""
LIFETIME = "@llvm.lifetime."
DEBUG = re.compile(r" *#dbg_| *call void @llvm\.dbg\.")

Pieces = tuple[tuple[int, str], ...]
"""Scalars and arrays that a structure consists of, by their offsets [B], with their types."""


@dataclass(slots=True)
class Variable:
    """A local structure of several members."""

    pieces: Pieces
    size: int  # of all of it, gaps included [B]
    whole: bool = False  # whether all of it may be read, by its address
    read: list[tuple[int, int]] = field(default_factory=list)  # first and last byte that is [B]
    copies: set[str] = field(default_factory=set)  # variables that it is copied to

    def is_read(self, start: int, size: int, variables: Mapping[str, "Variable"]) -> bool:
        """True if something reads a piece, or of one that it is copied to."""
        seen, waiting = {id(self)}, [self]
        while waiting:
            one = waiting.pop()
            if one.whole or any(first < start + size and start <= last for first, last in one.read):
                return True
            for name in one.copies:
                if id(variables[name]) not in seen:
                    seen.add(id(variables[name]))
                    waiting.append(variables[name])
        return False


def copied_by_elements(text: str) -> str:
    """The module in which local structures are copied by those members that something reads.

    Arrays are copied in loops over them: a thread cannot load more than 16 bytes at once.
    """
    structures = structures_of(text)
    used: dict[str, str] = {}
    nowhere = {f", !dbg {number}" for number in NOWHERE.findall(text)}
    text = by_function(text, lambda each: _by_pieces(each, structures, used, nowhere))
    text = by_function(text, lambda each: _copied(each, structures, used, nowhere))
    return text + "".join(used.values())


def _copied(
    text: str, structures: Mapping[str, str], used: dict[str, str], nowhere: Collection[str]
) -> str:
    elements = {
        name: element
        for name, content in LOCAL.findall(text)
        if (element := _only_element(content.split(", align", 1)[0], structures))
    }
    if not elements:
        return text
    lines, place = [], ""
    for line in text.split("\n"):
        found = COPIED.match(line)
        # a copy that inlining made is of no place: of that of the argument before it
        own = PLACE.search(line)
        place = own[0] if own and own[0] not in nowhere else place
        element = (elements.get(found[2]) or elements.get(found[4]) or "") if found else ""
        size = types.size_of(element, structures) if element else 0
        if found and size and int(found[5]) % size == 0 and int(found[5]) <= SMALL * size:
            align = min(int(found[1] or 1), int(found[3] or 1), size)
            loop = _loop(element, align, used)
            count = int(found[5]) // size
            line = f"  call void @{loop}(ptr {found[2]}, ptr {found[4]}, i64 {count}){place}"
        lines.append(line)
    return "\n".join(lines)


def _loop(element: str, align: int, used: dict[str, str]) -> str:
    """The name of a function that copies elements one by one, which is used then."""
    name = f'"logca.copy.{element}.{align}"'
    used[name] = COPY_LOOP.format(name=name, type=element, align=align)
    return name


def _only_element(type_: str, structures: Mapping[str, str]) -> str:
    """The scalar that a structure is one array of; no text if it is none.

    Examples
    --------
    >>> _only_element("{ [4 x [4 x float]] }", {}), _only_element("{ [3 x i8], i8 }", {})
    ('float', '')
    """
    inside = types.parts(type_, structures)
    if inside is not None:
        return _only_element(inside[0], structures) if len(inside) == 1 else ""
    array = ARRAY.fullmatch(type_)
    if array is None:
        return ""
    below = _only_element(array[2], structures)
    return below or ("" if array[2][:1] in "[{%<" else array[2])


def _pieces(type_: str, structures: Mapping[str, str], start: int = 0) -> Iterator[tuple[int, str]]:
    """The scalars, arrays and unions of a type, with their offsets [B].

    Examples
    --------
    >>> list(_pieces("{ i8, { [3 x float], double } }", {}))
    [(0, 'i8'), (8, '[3 x float]'), (24, 'double')]
    """
    inside = None if type_.startswith("%union.") else types.parts(type_, structures)
    if inside is None:
        yield start, type_
        return
    for number, part in enumerate(inside):
        yield from _pieces(part, structures, start + types.offset_of(type_, number, structures))


def _variables(text: str, structures: Mapping[str, str]) -> dict[str, Variable]:
    """The local structures of a function that have arrays or gaps beside other members."""
    found = {}
    for name, content in LOCAL.findall(text):
        type_ = content.split(", align", 1)[0]
        if type_[:1] != "%" or type_.startswith("%union."):
            continue
        pieces = tuple(_pieces(type_, structures))
        size = types.size_of(type_, structures)
        tight = sum(types.size_of(own, structures) for _, own in pieces) == size
        if len(pieces) > 1 and not (tight and all(own[:1] != "[" for _, own in pieces)):
            found[name] = Variable(pieces=pieces, size=size)
    return found


def _look(lines: Sequence[str], known: dict[str, Variable], structures: Mapping[str, str]) -> None:
    """Find out what is read of local structures."""
    for line in lines:
        names = [name for name in REGISTER.findall(line) if name in known]
        if not names or LIFETIME in line or DEBUG.match(line) or " = alloca " in line:
            continue
        if (step := STEPPED.match(line)) and [step[2]] == names:
            inside, offset, type_ = types.parts(step[1], structures), 0, step[1]
            if inside is not None and step[3] is not None and step[3].isdigit():
                offset = types.offset_of(step[1], int(step[3]), structures)
                type_ = inside[int(step[3])]
            size = types.size_of(type_, structures)
            known[step[2]].read.append((offset, offset + size - 1))
        elif (load := LOADED.match(line)) and load[2] in known:
            known[load[2]].read.append((0, types.size_of(load[1], structures) - 1))
        elif (copy := COPIED.match(line)) and int(copy[5]) == known[names[-1]].size:
            if copy[4] in known:
                one = known[copy[4]]
                if copy[2] in known and known[copy[2]].pieces == one.pieces:
                    one.copies.add(copy[2])
                else:
                    one.whole = True
        elif CLEARED.match(line) or _gap(line, known, structures):
            continue
        elif (store := STORED.match(line)) is None or [store[1]] != names:
            for name in names:
                known[name].whole = True


def _gap(line: str, known: Mapping[str, Variable], structures: Mapping[str, str]) -> str:
    """The register that steps to bytes between the members of a structure; none of others."""
    step = GAP.match(line)
    if step is None or step[2] not in known:
        return ""
    inside = any(
        offset <= int(step[3]) < offset + types.size_of(type_, structures)
        for offset, type_ in known[step[2]].pieces
    )
    return "" if inside else step[1]


def _by_pieces(
    text: str, structures: Mapping[str, str], used: dict[str, str], nowhere: Collection[str]
) -> str:
    """A function in which structures with arrays or gaps are copied by their members."""
    known = _variables(text, structures) if "@llvm.memcpy" in text else {}
    if not known:
        return text
    lines = text.split("\n")
    _look(lines, known, structures)
    gaps = {_gap(line, known, structures) for line in lines if " = getelementptr i8, " in line}
    made, place = [], ""
    for number, line in enumerate(lines):
        own = PLACE.search(line)
        place = own[0] if own and own[0] not in nowhere else place
        copy, clear = COPIED.match(line), CLEARED.match(line)
        if clear and clear[2] in gaps:
            continue
        both, size, aligns = ("", ""), 0, (1, 1)
        if copy:
            both, size = (copy[2], copy[4]), int(copy[5])
            aligns = int(copy[1] or 1), int(copy[3] or 1)
        elif clear:
            both, size, aligns = (clear[2], ""), int(clear[3]), (int(clear[1] or 1), 1)
        variable = known.get(both[0]) or known.get(both[1])
        if variable is None or size != variable.size:
            made.append(line)
            continue
        target = known.get(both[0])
        for offset, type_ in variable.pieces:
            if target is None or target.is_read(offset, types.size_of(type_, structures), known):
                ends = [
                    (end, min(own, offset & -offset) if offset else own)
                    for end, own in zip(both, aligns, strict=True)
                ]
                piece = Member(name=f"c{number}.{offset}", type=type_, offset=offset, place=place)
                made += _moved(piece, ends, structures, used)
    return "\n".join(made)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a structure that is copied or cleared."""

    name: str  # of the registers for it
    type: str
    offset: int  # in the structure [B]
    place: str  # the reference to its place in the source


def _moved(
    piece: Member,
    ends: Sequence[tuple[str, int]],
    structures: Mapping[str, str],
    used: dict[str, str],
) -> list[str]:
    """The statements that copy a piece to the first address from the second; clear it, if none."""
    lines, addresses = [], []
    for (end, _), way in zip(ends, ("to", "from"), strict=True):
        address = end
        if piece.offset and end:
            address = f"%logca.{way}.{piece.name}"
            step = f"getelementptr inbounds i8, ptr {end}, i64 {piece.offset}"
            lines.append(f"  {address} = {step}{piece.place}")
        addresses.append(address)
    (to, source), (first, second) = addresses, [align for _, align in ends]
    size, element = types.size_of(piece.type, structures), _only_element(piece.type, structures)
    one = types.size_of(element, structures) if element else 0
    if not source:
        value = "zeroinitializer"
        return [*lines, f"  store {piece.type} {value}, ptr {to}, align {first}{piece.place}"]
    if piece.type[:1] not in "[%":
        value = f"%logca.copy.{piece.name}"
        return [
            *lines,
            f"  {value} = load {piece.type}, ptr {source}, align {second}{piece.place}",
            f"  store {piece.type} {value}, ptr {to}, align {first}{piece.place}",
        ]
    if one and size <= SMALL * one:
        loop = _loop(element, min(first, second, one), used)
        way = f"@{loop}(ptr {to}, ptr {source}, i64 {size // one})"
    else:
        way = (
            f"@llvm.memcpy.p0.p0.i64(ptr align {first} {to}, ptr align {second} {source}, "
            f"i64 {size}, i1 false)"
        )
    return [*lines, f"  call void {way}{piece.place}"]
