"""Statements and expressions written in the claim language."""

from collections.abc import Mapping

import sympy as sp
from sympy.core.relational import Relational
from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter

__all__ = ["mathematics"]


def mathematics(statement: sp.Basic, meaning: Mapping[sp.Symbol, sp.Expr]) -> str:
    """A statement in the claim language, with variables as what they stand for.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> v = sp.Dummy("v0", positive=True)
    >>> mathematics(sp.Or(A <= 1, sp.Gt(v**2, A, evaluate=False)), {v: A**beta})
    '(A <= 1) or ((A**beta)**2 > A)'
    """
    return str(_Mathematics(meaning).doprint(statement))


class _Mathematics(StrPrinter):
    """Writes the claim language; nothing is evaluated, as nothing is inserted."""

    def __init__(self, meaning: Mapping[sp.Symbol, sp.Expr]) -> None:
        super().__init__()
        self._meaning = meaning

    def _print_Dummy(self, expr: sp.Dummy) -> str:
        if expr not in self._meaning:
            return str(expr.name)
        stands_for = self._meaning[expr]
        said = str(self._print(stands_for))
        return said if precedence(stands_for) >= PRECEDENCE["Func"] else f"({said})"

    def _print_extremum(self, expr: sp.Function) -> str:
        return f"{expr.func.__name__.lower()}({self.stringify(expr.args, ', ')})"

    _print_Min = _print_Max = _print_Abs = _print_extremum

    def _print_Relational(self, expr: Relational) -> str:
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"

    def _print_And(self, expr: sp.And) -> str:
        return " and ".join(f"({self._print(arg)})" for arg in expr.args)

    def _print_Or(self, expr: sp.Or) -> str:
        return " or ".join(f"({self._print(arg)})" for arg in expr.args)

    def _print_Not(self, expr: sp.Not) -> str:
        return f"not ({self._print(expr.args[0])})"
