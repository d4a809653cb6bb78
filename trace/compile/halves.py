"""Two modules of the functions of one, so that two processes make machine code of them.

Each declares what the other has. What no other file was to know bears a name that no library has,
and variables are with the first one, in their order, so that data lie where they lay.
"""

import json
import re
from collections.abc import Collection
from typing import Any

from logca.trace.ir.assembly import type_at
from logca.trace.ir.functions import unquoted
from logca.trace.ir.module_text import functions_in, lines_with

__all__ = ["declared", "first_half", "list_of_shared", "share", "shared_names"]

NAME = r'@("[^"]*"|[-\w.$]+)'
WHOLE = re.compile(r"^(?:module asm |\$|@.*? (?:alias|ifunc) )", re.MULTILINE)
"""Text that ties functions to others, or to code that says their names."""
DEFINED = re.compile(rf"define (.*?){NAME}\(")
VARIABLE = re.compile(rf"{NAME} = (.*?)(global|constant) ")
JUMPED_TO = re.compile(rf"\bblockaddress\({NAME},")
OWN = frozenset({"internal", "private"})
"""Linkages of names that no other file knows."""
ELSEWHERE = frozenset({"external", "extern_weak"})
LIST = "; shared: "
PREFIX = "__logca_trace_half."


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
        found = DEFINED.match(ir, start)
        assert found is not None, f"no function: {ir[start : ir.find(chr(10), start)]}"
        sizes[found[2].strip('"')] = end - start
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
