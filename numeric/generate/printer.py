"""Expressions as Python on the array API standard."""

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from logca.numeric.generate.statements import ordered_factors, signed_terms

__all__ = ["array_code"]

_FUNCTIONS = ("exp", "sin", "cos", "asin", "acos", "sinh", "cosh", "asinh", "acosh")


class _Printer(PythonCodePrinter):
    """Operators where there are operators, functions of the namespace `xp` elsewhere.

    Rounding must not carry the argument of an inverse function across the end of its domain, so it
    is held there. A product is printed as one fraction, and both sums and products in an order that
    puts together what depends on the same arguments: intermediate results stay small.
    """

    def _print_Mul(self, expr: sp.Mul) -> str:
        sign = ""
        if expr.could_extract_minus_sign():
            sign, expr = "-", -expr
        above, below = sp.fraction(expr)
        if below == 1:
            return sign + self._product(above)
        return f"{sign}{self._product(above)} / {self.parenthesize(below, PRECEDENCE['Pow'], True)}"

    def _product(self, expr: sp.Expr) -> str:
        factors = ordered_factors(sp.Mul.make_args(expr))
        return " * ".join(self.parenthesize(factor, PRECEDENCE["Mul"]) for factor in factors)

    def _print_Add(self, expr: sp.Add, order: str | None = None) -> str:
        terms = ordered_factors(expr.args)
        negative = [-term for term in terms if term.could_extract_minus_sign()]
        positive = [term for term in terms if -term not in negative]
        text = ""
        for sign, term in signed_terms(positive, negative):
            level = PRECEDENCE["Add" if sign == "+" else "Mul"]
            text += f" {sign} " if text else sign.strip("+")
            text += self.parenthesize(term, level, True)
        return text

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        base, exponent = expr.as_base_exp()
        if exponent.could_extract_minus_sign():
            return f"1 / {self.parenthesize(1 / expr, PRECEDENCE['Pow'], True)}"
        if exponent == sp.S.Half and not base.is_number:
            return f"xp.sqrt({self._print(base)})"
        raised = self.parenthesize(base, PRECEDENCE["Pow"])
        return f"{raised}**{self.parenthesize(exponent, PRECEDENCE['Pow'])}"

    def _print_Rational(self, expr: sp.Rational) -> str:
        return f"{expr.p} / {expr.q}"

    def _print_Max(self, expr: sp.Max) -> str:
        return self._call("maximum", ordered_factors(expr.args))

    def _print_Min(self, expr: sp.Min) -> str:
        return self._call("minimum", ordered_factors(expr.args))

    def _print_asin(self, expr: sp.asin) -> str:
        return f"xp.asin({self._print(sp.Min(1, expr.args[0], evaluate=False))})"

    def _print_acos(self, expr: sp.acos) -> str:
        return f"xp.acos({self._print(sp.Min(1, expr.args[0], evaluate=False))})"

    def _print_acosh(self, expr: sp.acosh) -> str:
        return f"xp.acosh({self._print(sp.Max(1, expr.args[0], evaluate=False))})"

    def _print_log(self, expr: sp.log) -> str:
        (value,) = expr.args
        # functions of a namespace take arrays alone
        return repr(float(expr)) if value.is_number else f"xp.log({self._print(value)})"

    def _print_ceiling(self, expr: sp.ceiling) -> str:
        return f"xp.ceil({self._print(expr.args[0])})"

    def _print_Pi(self, expr: sp.Expr) -> str:
        return "xp.pi"

    def _call(self, name: str, arguments: list[sp.Basic]) -> str:
        """A function of two arguments, applied again for each further one."""
        text, *rest = map(self._print, arguments)
        for each in rest:
            text = f"xp.{name}({text}, {each})"
        return str(text)

    def _print_Piecewise(self, expr: sp.Piecewise) -> str:
        text: str = self._print(expr.args[-1].expr)
        if all(branch.expr.is_number for branch in expr.args[-2:]):
            # a choice between two numbers is no array of the standard
            like = min(map(str, expr.args[-2].cond.free_symbols))
            text = f"xp.full_like({like}, {text})"
        for value, condition in reversed(expr.args[:-1]):
            text = f"xp.where({self._print(condition)}, {self._print(value)}, {text})"
        return text

    def _print_And(self, expr: sp.And) -> str:
        return self._joined(expr, "&")

    def _print_Or(self, expr: sp.Or) -> str:
        return self._joined(expr, "|")

    def _joined(self, expr: sp.Basic, operator: str) -> str:
        parts = sorted(expr.args, key=str)
        return f" {operator} ".join(
            f"({self._print(part)})" if isinstance(part, sp.And | sp.Or) else self._print(part)
            for part in parts
        )


def array_code(expr: sp.Basic) -> str:
    """A Python expression with operators, and functions of an array namespace `xp`.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, beta, g, o
    >>> array_code(o / (C * g**beta) + sp.log(A))
    'o / (g**beta * C) + xp.log(A)'
    """
    known = {name: f"xp.{name}" for name in _FUNCTIONS}
    printer = _Printer({"fully_qualified_modules": True, "user_functions": known})
    return str(printer.doprint(expr))
