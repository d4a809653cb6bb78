"""Powers of numbers with too many digits to write out."""

from collections.abc import Mapping

import sympy as sp

__all__ = ["explodes", "is_huge", "objection_to_power"]

_BITS = 200_000
_DEGREE = 1000
_TYPED_BITS = 40_000
_TYPED_EXPONENT = 100


def objection_to_power(base: sp.Expr, exponent: sp.Expr) -> str:
    """Why a power that somebody typed is not taken, such as too many digits; else "" [text].

    Examples
    --------
    >>> objection_to_power(sp.Integer(9), sp.Integer(99)), objection_to_power(sp.E, sp.exp(50))
    ('', 'this number has too many digits')
    """
    if base is sp.E:
        long = bool(exponent.is_number and exponent > _TYPED_BITS)
        return "this number has too many digits" if long else ""
    if not exponent.is_Rational:
        return ""
    if abs(exponent) > _TYPED_EXPONENT:
        return f"numeric exponents are at most {_TYPED_EXPONENT} in size"
    if exponent.q > _TYPED_EXPONENT:
        return f"numeric exponents have denominators of at most {_TYPED_EXPONENT}"
    if base.is_Rational:
        bits = max(int(base.p).bit_length(), int(base.q).bit_length())
        if bits * abs(exponent) > _TYPED_BITS:
            return "this number has too many digits"
    return ""


def is_huge(base: sp.Expr, exponent: sp.Expr) -> bool:
    """Whether a power of a number has too many digits, or one of a symbol too high a degree [1].

    Examples
    --------
    >>> is_huge(sp.Integer(7), sp.Integer(10) ** 9), is_huge(sp.Integer(7), sp.Integer(10))
    (True, False)
    """
    if not exponent.is_Rational or base in (0, 1, -1):
        return False
    if not base.is_Rational:
        return max(abs(int(exponent.p)), int(exponent.q)) > _DEGREE
    return bool(int(max(abs(base.p), base.q)).bit_length() * abs(exponent) > _BITS)


def explodes(expr: sp.Basic, values: Mapping[sp.Symbol, sp.Expr]) -> set[sp.Symbol]:
    """Symbols with values that, inserted, make a huge power: of its exponent, else base [any].

    Examples
    --------
    >>> from logca.derive.symbols import beta, g
    >>> explodes(g**beta, {g: sp.Integer(7), beta: sp.Integer(10) ** 9})
    {beta}
    """
    found: set[sp.Symbol] = set()
    touched = [p for p in expr.atoms(sp.Pow) if p.free_symbols & values.keys()]
    for power in sorted(touched, key=sp.count_ops):
        kept = {symbol: value for symbol, value in values.items() if symbol not in found}
        base, exponent = (part.xreplace(kept) for part in power.args)
        if is_huge(base, exponent):
            found |= (power.exp.free_symbols or power.base.free_symbols) & values.keys()
    return found
