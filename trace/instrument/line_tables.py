"""Metadata of a module reduced to what the line table of its code is made of.

Types and variables of the source say nothing about where an instruction comes from, and neither do
columns and blocks. Without them most places are the same, and LLVM reads and writes a third less.
The columns are free for marks of the tracer's own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from logca.trace.ir.module_text import lines_with

__all__ = ["LineTables", "line_tables", "no_line_tables"]

LOCATION = re.compile(
    r"(distinct )?!DILocation\(line: (\d+)(?:, column: \d+)?, scope: !(\d+)"
    r"(?:, inlinedAt: !(\d+))?"
)
BLOCK = re.compile(r"(?:distinct )?!DILexicalBlock\(scope: !(\d+)(?:, file: !(\d+))?")
SCOPE = re.compile(r"\bscope: !(\d+)")
FILE = re.compile(r"\bfile: !(\d+)")
LINE = re.compile(r"\bline: (\d+)")
REFERENCE = re.compile(r"!(\d+)")
LIST = re.compile(r"(?:distinct )?!\{")
UNIT = re.compile(r", (?:enums|retainedTypes|globals|imports|macros): !\d+")
KIND = re.compile(r"emissionKind: \w+")
FUNCTION = re.compile(
    r", (?:declaration|retainedNodes|templateParams|thrownTypes|containingType|annotations)"
    r": !\d+|, keyInstructions: true"
)
TYPE = re.compile(r", type: !\d+")
OPERAND = re.compile(r"metadata !(\d+)")
ENTRY = re.compile(r"!(\d+) = (?:distinct )?!\{")
KEPT = ("!DICompileUnit(", "!DIFile(", "!DILexicalBlockFile(", "!DIAssignID(")
"""Entries on the source that are kept, beside functions and places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTables:
    """Metadata for line tables, and what there was before."""

    lines: list[str]  # all entries that are left
    same: dict[str, str]  # the number of the place that stands for a place
    places: dict[str, str]  # what the places say that have a line, by their numbers
    functions: dict[str, str]  # the lines of functions, by the numbers of their entries
    next: int  # a number that is free, as are those from there on [1]


@dataclass(slots=True)
class Reducer:
    """Entries of a module's metadata, by their numbers, and what was found of them."""

    entries: dict[str, str]
    scopes: dict[str, str] = field(default_factory=dict)

    def scope(self, number: str) -> str:
        """The function of a scope, or the scope where it is in another file than the function."""
        if number not in self.scopes:
            found = BLOCK.match(self.entries.get(number, ""))
            outer = self.scope(found[1]) if found else number
            other = found is not None and found[2] and found[2] != self.file(outer)
            self.scopes[number] = number if other else outer
        return self.scopes[number]

    def file(self, number: str) -> str:
        """The number of the file that a scope says it is in."""
        found = FILE.search(self.entries.get(number, ""))
        return found[1] if found else ""


def line_tables(metadata: str) -> LineTables:
    r"""The metadata of a module, given the part of its text from the first of them on.

    Examples
    --------
    >>> found = line_tables(
    ...     "!0 = !DILocation(line: 3, column: 5, scope: !2)\n"
    ...     "!1 = !DILocation(line: 3, column: 9, scope: !3)\n"
    ...     '!2 = distinct !DISubprogram(name: "f", file: !4, line: 1, type: !5)\n'
    ...     "!3 = distinct !DILexicalBlock(scope: !2, file: !4, line: 2, column: 1)\n"
    ...     '!4 = !DIFile(filename: "f.c", directory: "")\n'
    ...     "!5 = !DISubroutineType(types: !6)\n"
    ... )
    >>> found.same, found.places, found.functions, found.next
    ({'1': '0'}, {'0': 'line: 3, scope: !2'}, {'2': '1'}, 7)
    >>> print("\n".join(found.lines))
    !2 = distinct !DISubprogram(name: "f", file: !4, line: 1, type: !6)
    !4 = !DIFile(filename: "f.c", directory: "")
    !6 = !DISubroutineType(types: !{null})
    !0 = !DILocation(line: 3, scope: !2)
    """
    entries: dict[str, str] = {}
    others: list[str] = []
    for line in metadata.split("\n"):
        if line[1:2].isdigit() and line[0] == "!":
            number, _, content = line[1:].partition(" = ")
            entries[number] = content
        elif line:
            others.append(line)
    reducer = Reducer(entries)
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    located: dict[str, tuple[str, str, str, str]] = {}
    functions: dict[str, str] = {}
    # at first as the places say it: what the calls say that they refer to may change
    for number, content in entries.items():
        found = LOCATION.match(content)
        if found is None:
            continue
        distinct, row, scope, call = found.groups("")
        scope = reducer.scope(scope)
        key = "" if distinct else f"{row} {scope} {call}"
        if key and first.setdefault(key, number) != number:
            same[number] = first[key]
        else:
            located[number] = distinct, row, scope, call
    # LLVM ends its process over inlined functions without a type
    type_ = 1 + max(map(int, entries), default=-1)
    lines = list(kept(entries, same, functions, reducer, type_))
    lines.append(f"!{type_} = !DISubroutineType(types: !{{null}})")
    places = {}
    for number, (distinct, row, scope, call) in located.items():
        at = f", inlinedAt: !{same.get(call, call)}" if call else ""
        says = f"line: {row}, scope: !{scope}{at}"
        lines.append(f"!{number} = {distinct}!DILocation({says})")
        if row != "0":
            places[number] = says
    return LineTables(
        lines=[*others, *lines],
        same=same,
        places=places,
        functions=functions,
        next=type_ + 1,
    )


def no_line_tables(metadata: str, functions: str) -> LineTables:
    r"""The metadata that code generation needs where it writes no line table.

    Examples
    --------
    >>> found = no_line_tables(
    ...     "!llvm.module.flags = !{!1}\n!0 = !{!\"rsp\"}\n"
    ...     "!1 = !{i32 8, !\"PIC Level\", i32 2}\n!2 = !{!\"int\"}\n",
    ...     "  %x = call i64 @llvm.read_register.i64(metadata !0)\n",
    ... )
    >>> found.lines, found.next
    (['!llvm.module.flags = !{!1}', '!0 = !{!"rsp"}', '!1 = !{i32 8, !"PIC Level", i32 2}'], 2)
    """
    lists = {
        found[1]: line
        for word in (" = !{", " = distinct !{")
        for _, line in lines_with(metadata, word)
        if (found := ENTRY.match(line))
    }
    # flags of the module, and libraries that its sources ask for
    named = [
        line
        for _, line in lines_with(metadata, "!llvm.")
        if line.startswith("!llvm.") and not line.startswith("!llvm.dbg.")
    ]
    wanted = {
        number
        for _, line in lines_with(functions, "metadata !")
        for number in OPERAND.findall(line)
    }.union(*map(REFERENCE.findall, named))
    reached: dict[int, str] = {}
    while wanted:
        number = wanted.pop()
        if number in lists and int(number) not in reached:
            reached[int(number)] = lists[number]
            wanted.update(REFERENCE.findall(lists[number].partition(" = ")[2]))
    return LineTables(
        lines=[*named, *(reached[number] for number in sorted(reached))],
        same={},
        places={},
        functions={},
        next=1 + max(reached, default=-1),
    )


def kept(
    entries: dict[str, str],
    same: dict[str, str],
    functions: dict[str, str],
    reducer: Reducer,
    type_: int,
) -> Iterator[str]:
    """The entries that are left but for places, functions of one type; notes their lines."""
    dropped: set[str] = set()
    lists: dict[str, list[str]] = {}
    for number, content in entries.items():
        start = content.find("!DI")
        if 0 <= start <= len("distinct "):
            if content.startswith("!DILocation(", start):
                continue
            if content.startswith("!DISubprogram(", start):
                if start and (found := LINE.search(content)):
                    functions[number] = found[1]
                    content = TYPE.sub(f", type: !{type_}", FUNCTION.sub("", content))
                    yield f"!{number} = {content}"
                else:
                    dropped.add(number)
            elif content.startswith("!DILexicalBlock(", start):
                if reducer.scope(number) == number:
                    yield f"!{number} = {in_function(content, reducer)}"
            elif content.startswith(KEPT, start):
                if content.startswith("!DICompileUnit(", start):
                    content = KIND.sub("emissionKind: LineTablesOnly", UNIT.sub("", content))
                elif content.startswith("!DILexicalBlockFile(", start):
                    content = in_function(content, reducer)
                yield f"!{number} = {content}"
            else:
                dropped.add(number)
        elif LIST.match(content):
            lists[number] = REFERENCE.findall(content)
        else:
            yield f"!{number} = {content}"
    growing = True
    while growing:
        more = {number for number, inside in lists.items() if not dropped.isdisjoint(inside)}
        growing = bool(more)
        dropped |= more
        for number in more:
            del lists[number]
    for number, inside in lists.items():
        content = entries[number]
        if not same.keys().isdisjoint(inside):
            content = REFERENCE.sub(lambda found: f"!{same.get(found[1], found[1])}", content)
        yield f"!{number} = {content}"


def in_function(content: str, reducer: Reducer) -> str:
    """A block whose scope is one that is left."""
    return SCOPE.sub(lambda found: f"scope: !{reducer.scope(found[1])}", content, count=1)
