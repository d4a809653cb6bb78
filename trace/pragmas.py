"""Pragmas that ask for the loop after them to be offloaded.

``#pragma logca offload`` and OpenMP's ``#pragma omp target`` in the forms that spread a loop over
the threads of a device, on one line or on two, each with ``collapse(n)`` if need be. Other clauses
do not matter here.
"""

import re
from collections.abc import Iterable

from logca.trace.errors import RegionError
from logca.trace.pragma_lines import PragmaLine
from logca.trace.program import Loop, Pragma, Program

__all__ = ["offloaded", "pragmas_in", "scops_in"]

LOOP = r"(?:teams\s+(?:distribute|loop)|parallel\s+(?:for|loop)|loop)\b"
OFFLOAD = re.compile(r"\s*logca\s+offload\b")
ONLY_COLLAPSE = re.compile(r"\s*(?:collapse\s*\([^()]*\)\s*)?")
WHOLE = re.compile(rf"\s*omp\s+target\s+{LOOP}")
TARGET = re.compile(r"\s*omp\s+target\b(?!\s+(?:data|enter|exit|update)\b)")
SECOND = re.compile(rf"\s*omp\s+{LOOP}")
COLLAPSE = re.compile(r"\bcollapse\s*\(\s*([^)]*?)\s*\)")


def pragmas_in(lines: Iterable[PragmaLine]) -> list[Pragma]:
    """The pragmas that ask for offloading.

    Parameters
    ----------
    lines : iterable of PragmaLine
        The pragmas of the sources, in order.

    Raises
    ------
    RegionError
        If ``collapse`` is not given a positive whole number, or ``logca offload`` anything else.
    """
    found = []
    target, place = False, ("", 0, 0, 0)
    for each in lines:
        if (each.file, each.target, each.column, each.order) != place:
            target, place = False, (each.file, each.target, each.column, each.order)
        ours = OFFLOAD.match(each.says)
        if ours is not None or WHOLE.match(each.says) or (target and SECOND.match(each.says)):
            collapse = collapsed(each)
            if ours is not None and not ONLY_COLLAPSE.fullmatch(each.says, ours.end()):
                raise RegionError(
                    f"{each.file}:{each.line}: after `logca offload` only collapse(n) may stand, "
                    f"not {each.says[ours.end() :].strip()!r}"
                )
            found.append(
                Pragma(
                    file=each.file,
                    line=each.line,
                    target=each.target,
                    column=each.column,
                    collapse=collapse,
                    before_loop=each.before_loop,
                    order=each.order,
                )
            )
        target = TARGET.match(each.says) is not None or target
    return found


def collapsed(pragma: PragmaLine) -> int:
    """How many loops a pragma collapses."""
    clause = COLLAPSE.search(pragma.says)
    if clause is None:
        return 1
    if not clause.group(1).isdigit() or int(clause.group(1)) < 1:
        raise RegionError(
            f"{pragma.file}:{pragma.line}: collapse({clause.group(1)}): "
            "write a positive whole number, such as collapse(2)"
        )
    return int(clause.group(1))


def scops_in(lines: Iterable[PragmaLine]) -> list[tuple[str, int, int]]:
    """File, first and last line of the parts between ``scop`` and ``endscop``.

    Parameters
    ----------
    lines : iterable of PragmaLine
        The pragmas of the sources, in order.
    """
    found, begin = [], {}
    for each in lines:
        if each.says == "scop":
            begin[each.file] = each.line
        elif each.says == "endscop" and each.file in begin:
            found.append((each.file, begin.pop(each.file), each.line))
    return found


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
        nested there, one in the other; if all of these loops are in functions that nothing calls,
        or the optimiser dropped them.
    """
    if not program.pragmas:
        raise RegionError("no loop is marked: write `#pragma logca offload` on the line before one")
    chosen = tuple(loop for loop in program.loops if loop.offload)
    lost = [pragma for pragma in program.pragmas if not pragma.loops]
    stray = next((pragma for pragma in lost if not pragma.before_loop), None)
    if stray is not None:
        raise RegionError(f"{stray.file}:{stray.line}: the pragma stands before no loop")
    if not chosen:
        places = ", ".join(f"{pragma.file}:{pragma.target}" for pragma in lost)
        raise RegionError(f"no marked loop is in code that runs: {places}")
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
