"""Fortran 2008: a module of elemental functions, free form."""

from collections.abc import Iterable, Iterator, Sequence

import sympy as sp
from sympy.printing.fortran import FCodePrinter
from sympy.printing.precedence import PRECEDENCE

from logca.numeric.generate.codegen.language import Language, paragraphs
from logca.numeric.generate.codegen.operators import Operators
from logca.numeric.generate.codegen.source_files import WIDTHS
from logca.numeric.generate.codegen.tree import Let, Repeat, TargetFunction, statements_in

__all__ = ["LANGUAGE"]

_WIDTH = WIDTHS["fortran"]
_REAL = "real(kind=real64)"


class _Printer(Operators, FCodePrinter):
    """Functions with the arguments that they have: SymPy would round numbers in them."""

    whole = "{}.0_real64"
    unequal = "/="
    conjunction, disjunction = ".and.", ".or."
    true, false = ".true.", ".false."
    prefix = "logca_"
    isnan = "ieee_is_nan({})"
    pi = f"{float(sp.pi)!r}_real64"

    def _format_code(self, lines: list[str]) -> list[str]:
        return lines

    def _print_Function(self, expr: sp.Expr) -> str:
        return f"{expr.func.__name__.lower()}({', '.join(map(self._print, expr.args))})"

    _print_Abs = _print_Function

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        raised = self.parenthesize(base, PRECEDENCE["Pow"])
        if isinstance(exponent, sp.Integer):
            return f"{raised}**{exponent}"
        return f"{raised}**{self.parenthesize(exponent, PRECEDENCE['Pow'])}"

    def _print_Float(self, expr: sp.Float, **_: object) -> str:
        return f"{float(expr)!r}_real64"

    def _print_NaN(self, expr: sp.Expr) -> str:
        return "ieee_value(1.0_real64, ieee_quiet_nan)"


def _comment(line: str) -> str:
    return f"! {line}".rstrip()


def _function(function: TargetFunction, lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {_comment(line)}" for line in paragraphs(function, _WIDTH - 4))
    name = f"logca_{function.name}"
    parameters = [parameter.name for parameter in function.parameters]
    yield from _wrapped(f"  elemental function {name}(", parameters, ") result(value)")
    yield from _wrapped(f"    {_REAL}, intent(in) :: ", parameters)
    yield f"    {'logical' if function.answers else _REAL} :: value"
    statements = list(statements_in(function.body))
    names = dict.fromkeys(each.name for each in statements if isinstance(each, Let))
    if names:
        yield from _wrapped(f"    {_REAL} :: ", names)
    if any(isinstance(each, Repeat) for each in statements):
        yield "    integer :: i"
    yield ""
    for line in lines:
        yield from _continued(line)
    yield f"  end function {name}"


def _continued(line: str) -> Iterator[str]:
    """A line in several if it is long all the same."""
    margin = " " * (len(line) - len(line.lstrip()) + 4)
    while len(line) > _WIDTH:
        place = line.rindex(" ", 0, _WIDTH - 1)
        yield f"{line[:place]} &"
        line = margin + line[place + 1 :]
    yield line


def _wrapped(begin: str, names: Iterable[str], end: str = "") -> Iterator[str]:
    """A list of names over as many lines as it needs."""
    line, listed = begin, list(names)
    for number, name in enumerate(listed, start=1):
        piece = name + (", " if number < len(listed) else end)
        if len(line + piece) > _WIDTH - 2:
            yield f"{line}&"
            line = " " * 8
        line += piece
    yield line


LANGUAGE = Language(
    expression=_Printer(
        {"source_format": "free", "standard": 2008, "name_mangling": False}
    ).doprint,
    let="{name} = {value}",
    let_changing="{name} = {value}",
    set="{name} = {value}",
    when="if ({condition}) then",
    unless="if (.not. ({condition})) then",
    repeat="do i = 1, {times}",
    end="end if",
    end_repeat="end do",
    leave="exit",
    give="value = {value}\nreturn",
    last="value = {value}",
    fits=lambda line: len(line) <= _WIDTH,
    step=2,
    function=_function,
)
"""Syntax of Fortran."""
