"""Expressions as Python code."""

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

__all__ = ["code"]


class _Printer(PythonCodePrinter):
    """Trinomial roots keep their names; what `math` lacks is mpmath's."""

    def _print_LowerRoot(self, expr: sp.Expr) -> str:
        return self._call("LowerRoot", expr)

    def _print_UpperRoot(self, expr: sp.Expr) -> str:
        return self._call("UpperRoot", expr)

    def _print_LambertW(self, expr: sp.Expr) -> str:
        return self._call("mpmath.lambertw", expr)

    def _print_binomial(self, expr: sp.Expr) -> str:
        return self._call("mpmath.binomial", expr)

    def _call(self, name: str, expr: sp.Expr) -> str:
        return f"{name}({', '.join(self._print(argument) for argument in expr.args)})"


def code(expr: sp.Basic) -> str:
    """A Python expression; `math` and `mpmath` stand before what is theirs [text].

    Examples
    --------
    >>> from logca.derive.symbols import beta
    >>> code(sp.log(1 - beta))
    'math.log(1 - beta)'
    """
    settings = {"fully_qualified_modules": True, "allow_unknown_functions": True}
    return str(_Printer(settings).doprint(expr))
