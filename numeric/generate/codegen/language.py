"""What differs between languages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sympy as sp

from logca.numeric.generate.codegen.program import Program
from logca.numeric.generate.codegen.tree import Function

__all__ = ["Language"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a language writes statements, functions and files.

    Templates have the fields `name`, `value`, `condition` or `times`.

    Parameters
    ----------
    expression : callable
        From an expression or relation to text.
    let, let_changing, set : str
        A new name, one whose value changes later, and its later values [text].
    when, unless, repeat : str
        Beginnings of blocks [text].
    end, end_repeat : str
        Their ends; empty if indentation says it [text].
    leave, give, last : str
        The end of a loop, a result, and a result as last statement [text].
    fits : callable
        Whether a statement, with its indentation, fits into a line.
    indent : int
        Columns of indentation of a function's statements [1].
    step : int
        Columns by which a block is indented further [1].
    function : callable
        From a function and the lines of its statements to lines.
    file : callable
        From a program, its command line and the lines of its functions to lines.
    provided : frozenset of str
        Helpers that the language has itself [text].
    """

    expression: Callable[[sp.Basic], str]
    let: str
    let_changing: str
    set: str
    when: str
    unless: str
    repeat: str
    end: str
    end_repeat: str
    leave: str
    give: str
    last: str
    fits: Callable[[str], bool]
    indent: int
    step: int
    function: Callable[[Function, Sequence[str]], Iterator[str]]
    file: Callable[[Program, str, Sequence[str]], Iterator[str]]
    provided: frozenset[str] = frozenset()
