"""Whole numbers in a program's code: what the compiler made of the macros that hold its size.

A size such as ``MIN(N, 256)`` is a number once the macros are replaced, so that the code at the
work size tells, without a run, where the law of the small sizes ends. What the program computes
itself, from a variable, does not show there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logca.gpu.scaling import ScalingError, SizeGrid, extrapolated

__all__ = ["Code", "code_change", "code_of"]

_DEFINED = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"!dbg !(\d+)")
_NOT_WHOLE = re.compile(
    r";.*|,? !\S+ !\d+|!\d+|#\d+|\balign \d+|-?\b\d+\.\d+e[+-]\d+|\b0x[0-9A-FKLMHR]+"
)
_WHOLE = re.compile(r"(?<![\w.%@$-])-?\d+(?![\w.])")
_LINE = re.compile(r"^!(\d+) = .*?DILocation\(line: (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The code of all functions, its numbers apart from the rest.

    Parameters
    ----------
    rest : str
        Everything else, real numbers and alignments left out [text].
    numbers : tuple of int
        Whole numbers in the order in which they stand [1].
    lines : tuple of int
        Source line of each; 0 if unknown [1].
    """

    rest: str
    numbers: tuple[int, ...]
    lines: tuple[int, ...]


def code_of(ir: str) -> Code:
    r"""The code of a module in LLVM's assembly.

    Parameters
    ----------
    ir : str
        The module [text].

    Examples
    --------
    >>> code = code_of("define void @f() {\n  %x = icmp slt i32 %i.0, 64\n}")
    >>> code.numbers
    (64,)
    """
    places = {number: int(line) for number, line in _LINE.findall(ir)}
    rest: list[str] = []
    numbers: list[int] = []
    lines: list[int] = []
    for function in _DEFINED.findall(ir):
        for line in function.splitlines():
            place = _PLACE.search(line)
            text = _NOT_WHOLE.sub("", line)
            own = _WHOLE.findall(text)
            numbers += map(int, own)
            lines += [places.get(place.group(1), 0) if place else 0] * len(own)
            rest.append(_WHOLE.sub("#", text))
    return Code(rest="\n".join(rest), numbers=tuple(numbers), lines=tuple(lines))


def code_change(codes: Sequence[Code], large: Code, grid: SizeGrid) -> str:
    """What the code at the work size has that the small sizes do not lead to [text].

    Numbers that follow no polynomial in the small sizes are not looked at. The text is empty if
    there is nothing, and if the small sizes differ in more than their numbers.

    Parameters
    ----------
    codes : sequence of Code
        The code at each point of the grid.
    large : Code
        The code at the work size.
    grid : SizeGrid
        The points, and where the work size lies from them.
    """
    if any(code.rest != codes[0].rest for code in codes):
        return ""
    if large.rest != codes[0].rest:
        return "other instructions than at the small sizes"
    for place, (line, number) in enumerate(zip(large.lines, large.numbers, strict=True)):
        own = [np.array([code.numbers[place]], object) for code in codes]
        try:
            (expected,) = extrapolated(own, grid)
        except ScalingError:
            continue
        if expected != number:
            where = f" in line {line}" if line else ""
            return f"the number {number}{where} where the small sizes lead to {expected}"
    return ""
