"""Pragmas that ask for the loop after them to be offloaded.

``#pragma logca offload`` and OpenMP's ``#pragma omp target`` in the forms that spread a loop over
the threads of a device, on one line or on two, each with ``collapse(n)`` if need be. Other clauses
do not matter here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from logca.trace.errors import RegionError
from logca.trace.pragma_lines import pragma_lines
from logca.trace.program import Loop, Pragma, Program

__all__ = ["marked", "offloaded", "pragmas_in"]

LOOP = r"(?:teams\s+(?:distribute|loop)|parallel\s+(?:for|loop)|loop)\b"
OFFLOAD = re.compile(r"\s*logca\s+offload\b")
ONLY_COLLAPSE = re.compile(r"\s*(?:collapse\s*\([^()]*\)\s*)?")
WHOLE = re.compile(rf"\s*omp\s+target\s+{LOOP}")
TARGET = re.compile(r"\s*omp\s+target\b(?!\s+(?:data|enter|exit|update)\b)")
SECOND = re.compile(rf"\s*omp\s+{LOOP}")
COLLAPSE = re.compile(r"\bcollapse\s*\(\s*([^)]*?)\s*\)")


def pragmas_in(file: Path) -> list[Pragma]:
    """The pragmas of a file that ask for offloading.

    Parameters
    ----------
    file : Path
        A C source; one that cannot be read has no pragmas.

    Raises
    ------
    RegionError
        If ``collapse`` is not given a positive whole number, or ``logca offload`` anything else.
    """
    found = []
    target, place = False, (0, 0)
    for each in pragma_lines(file):
        if (each.target, each.column) != place:
            target, place = False, (each.target, each.column)
        ours = OFFLOAD.match(each.says)
        if ours is not None or WHOLE.match(each.says) or (target and SECOND.match(each.says)):
            collapse = collapsed(file, each.line, each.says)
            if ours is not None and not ONLY_COLLAPSE.fullmatch(each.says, ours.end()):
                raise RegionError(
                    f"{file}:{each.line}: after `logca offload` only collapse(n) may stand, "
                    f"not {each.says[ours.end() :].strip()!r}"
                )
            found.append(
                Pragma(
                    file=str(file),
                    line=each.line,
                    target=each.target,
                    column=each.column,
                    collapse=collapse,
                )
            )
        target = TARGET.match(each.says) is not None or target
    return found


def collapsed(file: Path, line: int, says: str) -> int:
    """How many loops a pragma collapses."""
    clause = COLLAPSE.search(says)
    if clause is None:
        return 1
    if not clause.group(1).isdigit() or int(clause.group(1)) < 1:
        raise RegionError(
            f"{file}:{line}: collapse({clause.group(1)}): "
            "write a positive whole number, such as collapse(2)"
        )
    return int(clause.group(1))


def marked(
    loops: Sequence[Loop], columns: Sequence[int], pragmas: Iterable[Pragma]
) -> tuple[tuple[Loop, ...], tuple[Pragma, ...]]:
    """Loops that know what pragma stands before them, and pragmas that know their loops.

    Parameters
    ----------
    loops : sequence of Loop
        All loops.
    columns : sequence of int
        Where in its line each starts; 0 if unknown [1].
    pragmas : iterable of Pragma
        What the sources ask for.
    """
    result = list(loops)
    known = []
    for pragma in pragmas:
        place = (pragma.file, pragma.target)
        hit = [
            loop.id
            for loop, column in zip(loops, columns, strict=True)
            if (loop.file, loop.line) == place and column in {0, pragma.column}
        ]
        for number in hit:
            result[number] = replace(result[number], offload=pragma.collapse)
        known.append(replace(pragma, loops=tuple(hit)))
    return tuple(result), tuple(known)


def offloaded(program: Program) -> tuple[Loop, ...]:
    """The loops that pragmas ask to offload, in program order.

    Parameters
    ----------
    program : Program
        The program.

    Raises
    ------
    RegionError
        If no pragma asks for any, if one stands before no loop, or collapses more loops than are
        nested there, one in the other. A loop that the optimiser dropped is no error.
    """
    if not program.pragmas:
        raise RegionError("no loop is marked: write `#pragma logca offload` on the line before one")
    chosen = tuple(loop for loop in program.loops if loop.offload)
    stray = next((pragma for pragma in program.pragmas if not pragma.loops), None)
    # the optimiser may drop a loop of one iteration, but not all that are marked
    if stray is not None and (program.level == "as-written" or not chosen):
        raise RegionError(f"{stray.file}:{stray.line}: the pragma stands before no loop")
    for loop in chosen:
        inner = loop
        for depth in range(1, loop.offload):
            inside = [other for other in program.loops if other.parent == inner.id]
            if len(inside) != 1:
                raise RegionError(
                    f"{loop.file}:{loop.line}: collapse({loop.offload}) needs {loop.offload} loops"
                    f" one in the other, but the loop at line {inner.line} (number {depth}) has"
                    f" {len(inside) or 'none'} in it"
                )
            inner = inside[0]
    return chosen
