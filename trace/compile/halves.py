"""Two modules of the functions of one, so that two processes optimise them, or make machine code.

Of halves that are optimised, and joined again, each has the other's functions without their bodies.
Of halves that are linked, each declares what the other has. What no other file was to know bears a
name that no library has, and variables are with the first one, in their order, so that those of a
section are as far from each other as in the whole. Where a section starts depends on how long the
code before it is, and where locals lie on the level of code generation: see docs/trace.md.
"""

import json
import re
from collections.abc import Collection
from typing import Any

from logca.trace.compile.structures import structures_of
from logca.trace.ir.functions import unquoted
from logca.trace.ir.module_text import functions_in, lines_with, replaced
from logca.trace.ir.operands import type_at

__all__ = [
    "declared",
    "divisible",
    "first_half",
    "halved",
    "joined",
    "list_of_shared",
    "share",
    "shared_names",
]

NAME = r'@("[^"]*"|[-\w.$]+)'
WHOLE = re.compile(r"^(?:module asm |\$|@.*? (?:alias|ifunc) )", re.MULTILINE)
"""Text that ties functions to others, or to code that says their names."""
DEFINED = re.compile(rf"define (.*?){NAME}\(")
VARIABLE = re.compile(rf"{NAME} = (.*?)(global|constant) ")
JUMPED_TO = re.compile(rf"\bblockaddress\({NAME},")
OWN = frozenset({"internal", "private"})
"""Linkages of names that no other file knows."""
ELSEWHERE = frozenset({"external", "extern_weak"})
# what looks like a number of metadata, or of a group of attributes, is one outside of texts
TEXT = re.compile(r'"[^"\n]*"')
NUMBERED = re.compile(r"(?:!| #)\d")
OF_VARIABLE = re.compile(r"(, !\w+ !)(\d+)(?=(?:, !\w+ !\d+)*$)")
PLACE = re.compile(r" !dbg !\d+")
UNITS = re.compile(r"^!llvm\.dbg\.cu = !\{(.*)\}$", re.MULTILINE)
DECLARED = re.compile(rf"^declare .*?{NAME}\(", re.MULTILINE)
NUMBERED_TYPE = re.compile(r"^%\d+ = type ", re.MULTILINE)
OF_UNIT = re.compile(r", (?:globals|retainedTypes|enums|imports): !\d+")
LIST = "; shared: "
PREFIX = "__logca_trace_half."


def name_at(ir: str, start: int) -> str:
    """The name of the function that starts there."""
    found = DEFINED.match(ir, start)
    assert found is not None, f"no function: {ir[start : ir.find(chr(10), start)]}"
    return found[2].strip('"')


def first_half(ir: str) -> frozenset[str]:
    r"""The functions that make up half of a module's text; none where it cannot be divided.

    Examples
    --------
    >>> sorted(first_half("define i8 @f() {\n}\ndefine i8 @g() {\n}\ndefine i8 @h() {\n}\n"))
    ['f', 'g']
    >>> first_half("@a = alias void (), ptr @f\ndefine void @f() {\n}\n")
    frozenset()
    """
    functions = list(functions_in(ir))
    if not functions or WHOLE.search(ir, 0, functions[0][0]):
        return frozenset()
    sizes = {}
    for start, end in functions:
        sizes[name_at(ir, start)] = end - start
    # tables of the places in a function that it jumps to are variables
    first = {
        name.strip('"')
        for _, line in lines_with(ir, "blockaddress(")
        for name in JUMPED_TO.findall(line)
    }
    taken, half = sum(sizes[name] for name in first), sum(sizes.values()) / 2
    for name, size in sizes.items():
        if taken < half and name not in first:
            first.add(name)
            taken += size
    return frozenset(first)


def divisible(ir: str) -> bool:
    r"""True if what looks like a number of metadata or attributes is one, and types have names.

    Examples
    --------
    >>> divisible("define i8 @f() #0 {\n}\n"), divisible('define i8 @"f #0"() {\n}\n')
    (True, False)
    """
    functions = max(0, ir.find("\ndefine "))
    texts = "\n".join(TEXT.findall(ir, functions))
    return NUMBERED.search(texts) is None and NUMBERED_TYPE.search(ir, 0, functions) is None


def halved(ir: str, first: Collection[str], *, whole: Collection[str]) -> tuple[str, str]:
    r"""A module with the bodies of some functions, and one with those of the others.

    Both have the functions that are to be `whole`.

    Examples
    --------
    >>> halved("define i8 @f() {\n  ret i8 1\n}\n", {"f"}, whole=())[1]
    'define i8 @f() {\n  unreachable\n}\n'
    """
    pieces: tuple[list[str], list[str]] = ([], [])
    last = 0
    for start, end in functions_in(ir):
        name = name_at(ir, start)
        head = ir[start : ir.index("\n", start)]
        bare = f"{PLACE.sub('', head)}\n  unreachable\n}}"
        for half, has in zip(pieces, (name in first, name not in first), strict=True):
            half += ir[last:start], ir[start:end] if has or name in whole else bare
        last = end
    one, two = ("".join([*half, ir[last:]]) for half in pieces)
    # where a function is that has no body any more there is nothing to jump to
    variables = two.find("\ndefine ")
    head = replaced(two[:variables], "blockaddress(", lambda line: declared(line, set()))
    # what variables are called and look like is said by the first half
    head = replaced(head, ", !dbg !", lambda line: OF_VARIABLE.sub("", line))
    return one, head + replaced(two[variables:], "!DICompileUnit(", without_variables)


def without_variables(unit: str) -> str:
    """A unit's entry that lists none of the types and variables of its source."""
    return OF_UNIT.sub("", unit)


def joined(one: str, two: str, first: Collection[str]) -> str:
    """The module whose halves these are, after passes that look at one function at a time.

    LLVM has numbered the metadata of each half, and its groups of attributes, from 0 on: here those
    of the first half start with a 1, and those of the second one with a 2.
    """
    (variables, one), (types, two) = _apart(one), _apart(two)
    one, two = numbered(one, "1"), numbered(two, "2")
    others = {name_at(two, start): two[start:end] for start, end in functions_in(two)}
    pieces = [replaced(variables, ", !", lambda line: OF_VARIABLE.sub(r"\g<1>1\2", line))]
    # LLVM prints the types that a module uses
    known = structures_of(variables)
    pieces += (
        f"\n{name} = type {content}"
        for name, content in structures_of(types).items()
        if name not in known
    )
    last = 0
    for start, end in functions_in(one):
        name = name_at(one, start)
        other = others.pop(name, "")
        pieces += one[last:start], one[start:end] if name in first else other
        last = end
    # one that calls itself cannot be inlined, and is gone where nothing else calls it
    pieces += (f"\n\n{function}" for function in others.values())
    declarations, groups, metadata = _behind(one, last)
    more, more_groups, more_metadata = _behind(two, two.rfind("\n}"))
    declared_there = set(DECLARED.findall(one))
    pieces.append(declarations)
    pieces += (
        f"\n{line}\n"
        for _, line in lines_with(more, "\ndeclare ")
        if (found := DECLARED.search(line)) and found[1] not in declared_there
    )
    return "".join([*pieces, "\n", groups, more_groups, *_of_both(metadata, more_metadata)])


def _apart(ir: str) -> tuple[str, str]:
    """Types and variables, and what is behind them."""
    at = ir.index("\ndefine ")
    return ir[:at], ir[at:]


def _behind(ir: str, at: int) -> tuple[str, str, str]:
    """Declarations behind the last function, groups of attributes, and metadata."""
    end = ir.find("\n!", at)
    end = len(ir) if end < 0 else end
    groups = ir.find("\nattributes #", at, end)
    groups = end if groups < 0 else groups
    return ir[at:groups], ir[groups:end], ir[end:]


def _of_both(one: str, two: str) -> tuple[str, str]:
    """The metadata of both halves: what has a name is said by the first one, units by each."""
    start = two.find("\n!2")
    units = UNITS.search(two)
    if units is not None:
        one = UNITS.sub(rf"!llvm.dbg.cu = !{{\1, {units[1]}}}", one, count=1)
    return one, two[start:] if start >= 0 else ""


def numbered(text: str, start: str) -> str:
    """The text whose numbers of metadata, and of groups of attributes, start with a digit.

    Examples
    --------
    >>> numbered("call void @f() #10, !dbg !2", "1")
    'call void @f() #110, !dbg !12'
    """
    # two searches for a plain text take a third of the time of one for either
    for sign in ("!", " #"):
        text = re.sub(rf"{sign}(?=\d)", sign + start, text)
    return text


def declared(line: str, shared: set[str]) -> str:
    """A declaration of what a line defines, for the other half; adds names no other file knows.

    Calls say the types of what they call by themselves.

    Examples
    --------
    >>> shared = set()
    >>> declared("define internal i32 @f(i32 %n) #0 {", shared)
    'declare void @f()'
    >>> declared("@a = internal thread_local global [2 x i32] zeroinitializer, align 8", shared)
    '@a = external thread_local global [2 x i32]'
    >>> sorted(shared)
    ['a', 'f']
    """
    if found := DEFINED.match(line):
        words, name = found[1].split(), found[2]
        declaration = f"declare void @{name}()"
    else:
        found = VARIABLE.match(line)
        assert found is not None, f"no variable: {line}"
        name, words = found[1], found[2].split()
        if not ELSEWHERE.isdisjoint(words):
            return line
        if "appending" in words:
            return ""
        thread = "".join(f"{word} " for word in words if word.startswith("thread_local"))
        declaration = f"@{name} = external {thread}{found[3]} {type_at(line, found.end())[0]}"
    if not OWN.isdisjoint(words):
        shared.add(unquoted(name))
    return declaration


def list_of_shared(shared: Collection[str]) -> str:
    """A comment for a module that is a half: what it declares that no other file was to know."""
    return LIST + json.dumps(sorted(shared))


def shared_names(ir: str) -> frozenset[str] | None:
    """Names that the comment at the start of a half lists; None of a whole module."""
    return frozenset(json.loads(ir[len(LIST) : ir.index("\n")])) if ir.startswith(LIST) else None


def share(module: Any, shared: Collection[str]) -> None:
    """Rename in a half what no other file was to know, given such names that it declares."""
    for each in (*module.functions, *module.global_variables):
        own = each.linkage.name in OWN
        if own:
            each.linkage = "external"
            each.visibility = "hidden"
        if own or (each.is_declaration and each.name in shared):
            each.name = f"{PREFIX}{each.name}"
