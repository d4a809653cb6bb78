"""Operators as SymPy's printers write them here: infix, with spaces, a product as one fraction."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from logca.numeric.generate.statements import signed_terms

if TYPE_CHECKING:
    from sympy.printing.codeprinter import CodePrinter as _Base
else:
    _Base = object

__all__ = ["Operators"]


class Operators(_Base):
    """To be put before a code printer of SymPy, which writes functions and numbers.

    Whole numbers are written as `whole` says: in most languages an integer beside a
    floating-point number is a type error, or a division that cuts off the remainder.
    """

    whole = "{}"
    equal, unequal = "==", "!="
    conjunction, disjunction = "&&", "||"
    true, false = "true", "false"
    prefix = ""
    isnan, square_root = "isnan({})", "sqrt({})"
    pi = repr(float(sp.pi))
    extrema: Mapping[str, str] = {}  # functions of any number of arguments, if there are such

    def _print_Integer(self, expr: sp.Integer, **_: Any) -> str:
        return self.whole.format(expr.p)

    def _print_Zero(self, expr: sp.Integer, **_: Any) -> str:
        return self.whole.format(0)

    _print_One = _print_NegativeOne = _print_Integer

    def _print_Rational(self, expr: sp.Rational) -> str:
        return f"{self.whole.format(expr.p)} / {self.whole.format(expr.q)}"

    _print_Half = _print_Rational

    def _print_Float(self, expr: sp.Float, **_: Any) -> str:
        return repr(float(expr))

    def _print_Mul(self, expr: sp.Mul) -> str:
        if _negative(expr):
            return f"-{self.parenthesize(-expr, PRECEDENCE['Mul'], True)}"
        above, below = _fraction(expr)
        if not below:
            return self._product(above)
        divisor = self.parenthesize(sp.Mul(*below), PRECEDENCE["Mul"])
        return f"{self._product(above)} / {divisor}"

    def _product(self, factors: list[sp.Expr]) -> str:
        texts = [self.parenthesize(factor, PRECEDENCE["Mul"]) for factor in factors]
        return " * ".join(texts) or self.whole.format(1)

    def _print_Add(self, expr: sp.Add, order: str | None = None) -> str:
        terms = self._as_ordered_terms(expr, order=order)
        positive = [term for term in terms if not _negative(term)]
        negative = [-term for term in filter(_negative, terms)]
        text = ""
        for sign, term in signed_terms(positive, negative):
            text += f" {sign} " if text else sign.strip("+")
            text += self.parenthesize(term, PRECEDENCE["Add"], sign == "+")
        return text

    def _print_Pow(self, expr: sp.Pow, **_: Any) -> str:
        base, exponent = expr.as_base_exp()
        if _negative(exponent):
            return f"{self.whole.format(1)} / {self.parenthesize(1 / expr, PRECEDENCE['Mul'])}"
        if exponent == sp.S.Half:
            return self._root(base)
        return self._power(base, exponent)

    def _root(self, base: sp.Expr) -> str:
        return self.square_root.format(self._print(base))

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> str:
        return f"pow({self._print(base)}, {self._print(exponent)})"

    def _print_Pi(self, expr: sp.Expr, **_: Any) -> str:
        return self.pi

    def _print_BooleanTrue(self, expr: sp.Basic) -> str:
        return self.true

    def _print_BooleanFalse(self, expr: sp.Basic) -> str:
        return self.false

    def _print_Max(self, expr: sp.Max) -> str:
        return self._nested("larger", expr)

    def _print_Min(self, expr: sp.Min) -> str:
        return self._nested("smaller", expr)

    def _nested(self, name: str, expr: sp.Expr) -> str:
        text, *rest = (str(self._print(each)) for each in sorted(expr.args, key=str))
        if name in self.extrema:
            return f"{self.extrema[name]}({', '.join((text, *rest))})"
        for each in rest:
            text = f"{self.prefix}{name}({text}, {each})"
        return text

    def _print_AppliedUndef(self, expr: sp.Expr) -> str:
        arguments = ", ".join(map(self._print, expr.args))
        if expr.func.__name__ == "isnan":
            return self.isnan.format(arguments)
        return f"{self.prefix}{expr.func.__name__}({arguments})"

    def _print_Relational(self, expr: Any) -> str:
        operator = {"==": self.equal, "!=": self.unequal}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {operator} {self._print(expr.rhs)}"

    def _print_And(self, expr: sp.And) -> str:
        return self._joined(expr, self.conjunction)

    def _print_Or(self, expr: sp.Or) -> str:
        return self._joined(expr, self.disjunction)

    def _joined(self, expr: Any, operator: str) -> str:
        texts = []
        for each in sorted(
            expr.args, key=lambda part: (isinstance(part, sp.And | sp.Or), str(part))
        ):
            inner = isinstance(each, sp.And | sp.Or)
            texts.append(f"({self._print(each)})" if inner else self._print(each))
        return f" {operator} ".join(texts)


def _negative(expr: sp.Expr) -> bool:
    """True if the expression is written with a minus sign in front; a sum has its sign inside."""
    return bool(expr.as_coeff_Mul()[0].is_negative)


def _fraction(expr: sp.Mul) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """Factors above and below the line; exp(-x) stays above, where exp(x) could overflow."""
    above: list[sp.Expr] = []
    below: list[sp.Expr] = []
    for factor in expr.as_ordered_factors():
        if isinstance(factor, sp.Rational):
            above += [sp.Integer(factor.p)] if factor.p != 1 else []
            below += [sp.Integer(factor.q)] if factor.q != 1 else []
        elif isinstance(factor, sp.Pow) and _negative(factor.exp):
            below.append(1 / factor)
        else:
            above.append(factor)
    return above, below
