"""Local structures before promotion: moved by their members, and new wherever they come to life.

Calling conventions pack small structures into registers: of two floats one vector is made, of two
ints one number. What is inlined then moves a structure as a whole, so that promotion would keep it
in one register, and each member that is set would seem to carry the others along.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from logca.trace.ir import types
from logca.trace.ir.assembly import Structures
from logca.trace.ir.module_text import functions_in, replaced

__all__ = [
    "LOCAL",
    "NAME",
    "PLACE",
    "REGISTER",
    "Members",
    "as_members",
    "by_function",
    "members_of",
    "structures_of",
    "without_undefined",
]

NAME = r'%(?:[-\w.$]+|"[^"]*")'
LOCAL = re.compile(rf"^  ({NAME}) = alloca ([^\n]*)$", re.MULTILINE)
STRUCTURE = re.compile(rf"^({NAME}) = type ([^\n]*)$", re.MULTILINE)
REGISTER = re.compile(NAME)
STEP = re.compile(
    rf"  ({NAME}) = getelementptr (?:inbounds |nuw |nusw )*(.*), ptr ({NAME})((?:, i\d+ \d+)+)"
)
LOAD = re.compile(rf"  ({NAME}) = load ([^,]*|[<{{].*[}}>]), ptr ({NAME}), align (\d+)(.*)")
PART = re.compile(rf"  ({NAME}) = extractvalue (\{{.*\}}) ({NAME}), (\d+)\b")
STORE = re.compile(rf"  store (.*) ({NAME}), ptr ({NAME}), align (\d+)(.*)")
PLACE = re.compile(r", !dbg !\d+")
BIRTH = re.compile(
    rf"^  call void @llvm\.lifetime\.start[^\n]*ptr (?:[a-z]+ )*({NAME})\)[^\n]*\n", re.MULTILINE
)
COPY = re.compile(
    rf"@llvm\.mem(?:cpy|move)[^(]*\(ptr (?:align \d+ )?({NAME}), ptr (?:align \d+ )?({NAME}), "
    r"i64 (\d+),"
)
INDEX = re.compile(r" (\d+)")

Members = dict[int, str]
"""Types of the scalars of a structure without arrays, by their offsets [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A load or store by an address."""

    register: str  # the value that is moved
    type: str
    address: str
    align: int  # of the address [B]
    place: str  # the reference to its place in the source


def as_members(text: str) -> str:
    """The module in which local structures are moved by their members and begin undefined."""
    structures = structures_of(text)
    return by_function(text, lambda function: _function(function, structures))


def structures_of(text: str) -> Structures:
    """The structures of a module, which are listed before its variables and functions."""
    functions = text.find("\ndefine ")
    return Structures(STRUCTURE.findall(text if functions < 0 else text[:functions]))


def by_function(text: str, change: Callable[[str], str]) -> str:
    """The module with functions that were changed: those with local variables in memory."""
    pieces, last = [], 0
    for start, end in functions_in(text):
        if text.find(" = alloca ", start, end) >= 0:
            pieces += [text[last:start], change(text[start:end])]
            last = end
    return "".join([*pieces, text[last:]])


def without_undefined(text: str) -> str:
    """The module without the undefined values that promotion left in memory."""
    return replaced(
        text, " undef, ptr ", lambda line: None if line.startswith("  store ") else line
    )


def _function(text: str, structures: Mapping[str, str]) -> str:
    locals_ = {name: content.split(", align", 1)[0] for name, content in LOCAL.findall(text)}
    members = {name: members_of(type_, structures) for name, type_ in locals_.items()}
    if any(type_[:1] == "%" and members[name] for name, type_ in locals_.items()):
        text, members = _moved(text, locals_, members, structures)

    def born(found: re.Match[str]) -> str:
        lines = [found[0]]
        for offset, type_ in members.get(found[1], {}).items():
            address = found[1]
            if offset:
                address = _named(found[1], f".born{found.start()}.{offset}")
                lines.append(f"  {address} = getelementptr i8, ptr {found[1]}, i64 {offset}\n")
            lines.append(f"  store {type_} undef, ptr {address}, align 1\n")
        return "".join(lines)

    return BIRTH.sub(born, text)


def members_of(type_: str, structures: Mapping[str, str], start: int = 0) -> Members:
    """The scalars of a type by their offsets [B]; none if there are arrays or unions in it.

    Examples
    --------
    >>> members_of("{ float, { i8, double } }", {})
    {0: 'float', 8: 'i8', 16: 'double'}
    """
    if type_.startswith("%union."):
        return {}
    inside = types.parts(type_, structures)
    if inside is None:
        scalar = type_[:1] != "[" and types.bits_of(type_, structures)
        return {start: type_} if scalar else {}
    found: Members = {}
    for number, part in enumerate(inside):
        own = members_of(part, structures, start + types.offset_of(type_, number, structures))
        if not own:
            return {}
        found |= own
    return found


def _moved(
    text: str,
    locals_: Mapping[str, str],
    members: Mapping[str, Members],
    structures: Mapping[str, str],
) -> tuple[str, dict[str, Members]]:
    """A function in which what is loaded as a whole only to be stored is so by its members.

    With the pieces in which its local variables live: what the calling convention packs has the
    members of the structures that it comes from and goes to.
    """
    places = {name: (name, 0) for name, own in members.items() if own}
    lines = _parted(text, structures).split("\n")
    loads: dict[int, Move] = {}
    stores: dict[int, Move] = {}
    copies: list[tuple[str, str, int]] = []
    for number, line in enumerate(lines):
        if " = getelementptr " in line and (step := STEP.match(line)) and step[3] in places:
            name, start = places[step[3]]
            offset = _offset(step[2], [int(to) for to in INDEX.findall(step[4])], structures)
            if offset is not None:
                places[step[1]] = name, start + offset
        elif " = load " in line and (load := LOAD.match(line)):
            loads[number] = _move(load[1], load[2], load[3], load[4], load[5])
        elif line.startswith("  store ") and (store := STORE.match(line)):
            stores[number] = _move(store[2], store[1], store[3], store[4], store[5])
        elif "@llvm.mem" in line and (copy := COPY.search(line)):
            copies.append((copy[1], copy[2], int(copy[3])))
    accesses = (*loads.values(), *stores.values())
    sources = {move.register: move for move in loads.values()}
    moves = [
        (move.address, sources[move.register].address, _bytes(move, structures))
        for move in stores.values()
        if move.register in sources
    ]
    copies = [each for each in copies if each[0] in places and each[1] in places]
    moves = [each for each in moves if each[0] in places and each[1] in places]
    layouts = {name: own if locals_[name][:1] == "%" else {} for name, own in members.items()}
    unknown = {name for name, own in layouts.items() if not own}
    _spread(unknown, [*copies, *moves], places, layouts)
    for name, own in members.items():
        layouts[name] = layouts[name] or own

    def inside(move: Move) -> tuple[tuple[int, str], ...]:
        """The members of a local structure that a load or store reaches, from its address on."""
        name, start = places.get(move.address, ("", 0))
        end = start + _bytes(move, structures)
        return tuple(
            (offset - start, type_)
            for offset, type_ in sorted(layouts.get(name, {}).items())
            if start <= offset < end
        )

    found: dict[str, set[tuple[tuple[int, str], ...]]] = {}
    for move in accesses:
        reached = inside(move)
        if len(reached) > 1:
            found.setdefault(move.register, set()).add(reached)
    stored = Counter(move.register for move in stores.values())
    uses: Counter[str] = Counter()
    for line in lines if found else ():
        uses.update(each for each in REGISTER.findall(line) if each in found)
    # once where it is defined, and else only where it is stored
    whole = {
        register: each.pop()
        for register, each in found.items()
        if len(each) == 1 and register in sources and uses[register] == stored[register] + 1
    }
    text = "\n".join(
        "\n".join(_by_members(here, whole[here.register], number in loads))
        if (here := loads.get(number) or stores.get(number)) and here.register in whole
        else line
        for number, line in enumerate(lines)
    )
    # what a call takes or gives as a vector stays one, and begins as one
    vectors: dict[str, Members] = {name: {} for name in members}
    for move in accesses:
        if move.register not in whole and len(inside(move)) > 1:
            name, start = places[move.address]
            for offset, type_ in members_of(move.type, structures).items():
                if type_[:1] == "<":
                    vectors[name][start + offset] = type_
    _spread(vectors, copies, places, vectors)
    # one that is only copied as a whole stays in memory, as it is written
    touched = {places[each.address][0] for each in accesses if each.address in places}
    return text, {name: _overlaid(layouts[name], vectors[name], structures) for name in touched}


def _parted(text: str, structures: Mapping[str, str]) -> str:
    """A function in which what is loaded whole only to be taken apart is loaded in parts."""
    if " = extractvalue {" not in text:
        return text
    lines = text.split("\n")
    parts: dict[str, list[re.Match[str]]] = {}
    for line in lines:
        if " = extractvalue {" in line and (part := PART.match(line)):
            parts.setdefault(part[3], []).append(part)
    uses: Counter[str] = Counter()
    for line in lines:
        uses.update(each for each in REGISTER.findall(line) if each in parts)
    loads = {
        load[1]: _move(load[1], load[2], load[3], load[4], load[5])
        for line in lines
        if " = load {" in line and (load := LOAD.match(line))
    }
    whole = {name for name in parts.keys() & loads if uses[name] == len(parts[name]) + 1}
    found: list[str] = []
    for line in lines:
        load = LOAD.match(line) if " = load {" in line else None
        if load is not None and load[1] in whole:
            move = loads[load[1]]
            fields = types.parts(move.type, structures) or ()
            for part in parts[move.register]:
                offset = types.offset_of(move.type, int(part[4]), structures)
                own = replace(move, register=part[1])
                found += _by_members(own, ((offset, fields[int(part[4])]),), True, ending="")
        elif not (" = extractvalue {" in line and (part := PART.match(line)) and part[3] in whole):
            found.append(line)
    return "\n".join(found)


def _overlaid(members: Members, vectors: Members, structures: Mapping[str, str]) -> Members:
    """Members with vectors in the place of those that they hold."""
    held = {
        offset
        for start, vector in vectors.items()
        for offset in range(start, start + types.size_of(vector, structures))
    }
    return {offset: type_ for offset, type_ in members.items() if offset not in held} | vectors


def _spread(
    unknown: Collection[str],
    copies: Sequence[tuple[str, str, int]],
    places: Mapping[str, tuple[str, int]],
    layouts: Mapping[str, Members],
) -> None:
    """Give variables without members those of what is copied to them and from them."""
    both = [*copies, *((source, target, size) for target, source, size in copies)]
    changed = True
    while changed:
        changed = False
        for target, source, size in both:
            (name, start), (other, begin) = places[target], places[source]
            if name not in unknown:
                continue
            for offset, type_ in tuple(layouts[other].items()):
                to = offset - begin + start
                if begin <= offset < begin + size and to not in layouts[name]:
                    layouts[name][to] = type_
                    changed = True


def _bytes(move: Move, structures: Mapping[str, str]) -> int:
    return -(-types.bits_of(move.type, structures) // 8)


def _move(register: str, type_: str, address: str, align: str, rest: str) -> Move:
    place = PLACE.search(rest)
    return Move(
        register=register,
        type=type_,
        address=address,
        align=int(align),
        place=place[0] if place else "",
    )


def _offset(type_: str, indices: list[int], structures: Mapping[str, str]) -> int | None:
    """Offset of a member that an address steps to [B]; None if it is none."""
    offset = indices[0] * types.size_of(type_, structures)
    for index in indices[1:]:
        inner = types.parts(type_, structures)
        if inner is None:
            return None
        offset += types.offset_of(type_, index, structures)
        type_ = inner[index]
    return offset


def _by_members(
    move: Move, members: Sequence[tuple[int, str]], load: bool, ending: str = ".m"
) -> list[str]:
    """The statements that move the members one by one, in registers of such names."""
    lines = []
    for offset, type_ in members:
        value = _named(move.register, f"{ending}{offset}") if ending else move.register
        address = move.address
        if offset:
            way = f".{'from' if load else 'to'}{move.register[1:].strip(chr(34))}.m{offset}"
            address = _named(move.address, way)
            lines.append(
                f"  {address} = getelementptr inbounds i8, ptr {move.address}, i64 {offset}"
                f"{move.place}"
            )
        align = min(move.align, offset & -offset) if offset else move.align
        way = f"{value} = load {type_}, " if load else f"store {type_} {value}, "
        lines.append(f"  {way}ptr {address}, align {align}{move.place}")
    return lines


def _named(register: str, ending: str) -> str:
    """The name of a register with an ending."""
    if register.endswith('"'):
        return f'{register[:-1]}{ending}"'
    if register[1].isdigit():  # a number, which no name may begin with
        return f"%n{register[1:]}{ending}"
    return f"{register}{ending}"
