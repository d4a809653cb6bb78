"""Machine code of a large module by two processes, each of half of its functions.

Both have read the same module, and each takes the functions of the other for code that is
elsewhere. Variables are with the first one, in their order, so that data lie where they lay.
"""

import ctypes
import os
import re
import signal
from pathlib import Path
from typing import Any

from logca.common.errors import CompileError
from logca.trace.ir.functions import unquoted
from logca.trace.ir.module_text import functions_in, lines_with

__all__ = ["first_half", "write_halves"]

WHOLE = re.compile(r"^(?:module asm |\$|@.*? (?:alias|ifunc) )", re.MULTILINE)
"""What ties functions to others, or to code that says their names."""
DEFINED = re.compile(r'define .*?@("[^"]*"|[-\w.$]+)\(')
JUMPED_TO = re.compile(r'\bblockaddress\(@("[^"]*"|[-\w.$]+),')
SHARED = "__logca_trace_half."
"""What names begin with of what one file had for itself: libraries may have others of theirs."""
PR_SET_PDEATHSIG = 1


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
        sizes[unquoted(found[1])] = end - start
    # tables of the places in a function that it jumps to are variables
    first = {
        unquoted(name)
        for _, line in lines_with(ir, "blockaddress(")
        for name in JUMPED_TO.findall(line)
    }
    taken, half = sum(sizes[name] for name in first), sum(sizes.values()) / 2
    for name, size in sizes.items():
        if taken < half and name not in first:
            first.add(name)
            taken += size
    return frozenset(first)


def write_halves(
    module: Any, machine: Any, first: frozenset[str], paths: tuple[Path, Path]
) -> None:
    """Write the object files of both halves of a module, given the functions of the first."""
    functions = [each for each in module.functions if not each.is_declaration]
    variables = [
        each
        for each in module.global_variables
        if not each.is_declaration and each.linkage.name != "appending"
    ]
    for each in (*functions, *variables):
        if each.linkage.name in {"internal", "private"}:
            each.linkage = "external"
            each.visibility = "hidden"
            each.name = f"{SHARED}{each.name}"
    halves = (
        [each for each in functions if each.name.removeprefix(SHARED) in first],
        [each for each in functions if each.name.removeprefix(SHARED) not in first],
    )
    # nothing but this thread runs in a process that has only read a module
    child = os.fork()
    if child == 0:
        # whoever ends the one that waits ends both
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        write_without([*halves[0], *variables], module, machine, paths[1])
        os._exit(0)
    write_without(halves[1], module, machine, paths[0])
    if os.waitpid(child, 0)[1]:
        raise CompileError("error: half of the program became no machine code")


def write_without(others: list[Any], module: Any, machine: Any, path: Path) -> None:
    """Write the object file of a module but for what is in another one."""
    for each in others:
        each.linkage = "available_externally"
    path.write_bytes(machine.emit_object(module))
