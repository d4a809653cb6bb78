"""Dimensions with symbolic exponents, the symbols that have them, and the check of formulas.

The computational index C has the unit cycles/B**beta: its exponent is a symbol, which units
libraries with rational exponents cannot express.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair

from logca.common.errors import LogcaError

__all__ = [
    "BYTES",
    "CYCLES",
    "CYCLES_PER_BYTE",
    "ONE",
    "SECONDS",
    "WATTS",
    "Dimension",
    "DimensionError",
    "SymbolEntry",
    "at_equalities",
    "described",
    "dimension_of",
    "nonnegative",
    "positive",
    "sequences",
]


class DimensionError(LogcaError, ValueError):
    """A formula adds, compares or exponentiates quantities of different dimension."""

    exit_code = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A product of powers of cycles, bytes, watts and seconds.

    Examples
    --------
    >>> str(Dimension(cycles=sp.Integer(1), bytes=sp.Integer(-1)))
    'cycles/B'
    """

    # cycles, bytes, watts, seconds: exponents of the four base units [1]; they may contain
    # ``beta``. Cycles are those of one clock, so only a frequency [cycles/s] turns them into
    # seconds
    cycles: sp.Expr = sp.S.Zero
    bytes: sp.Expr = sp.S.Zero
    watts: sp.Expr = sp.S.Zero
    seconds: sp.Expr = sp.S.Zero

    def exponents(self) -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]:
        """Exponents of cycles, bytes, watts, seconds [1]."""
        return (self.cycles, self.bytes, self.watts, self.seconds)

    def times(self, other: "Dimension") -> "Dimension":
        """Dimension of a product [1]."""
        return _from(a + b for a, b in zip(self.exponents(), other.exponents(), strict=True))

    def power(self, exponent: sp.Expr) -> "Dimension":
        """Dimension of a power; the exponent is dimensionless [1]."""
        return _from(a * exponent for a in self.exponents())

    def at(self, values: dict[sp.Symbol, sp.Expr]) -> "Dimension":
        """The dimension with numbers for symbols in its exponents, such as beta = 1/2 [1]."""
        return _from(sp.sympify(a).subs(values) for a in self.exponents())

    def in_seconds(self) -> "Dimension":
        """The dimension where times that are cycles are told in seconds [1]."""
        seconds = sp.sympify(self.cycles) + self.seconds
        return Dimension(bytes=self.bytes, watts=self.watts, seconds=seconds)

    def bytes_as_numbers(self) -> "Dimension":
        """The dimension where a number of bytes counts as a pure number [1]."""
        return Dimension(cycles=self.cycles, watts=self.watts, seconds=self.seconds)

    def equals(self, other: "Dimension") -> bool:
        """True if all exponents agree, as algebraic identities [1]."""
        pairs = zip(self.exponents(), other.exponents(), strict=True)
        return all(sp.simplify(a - b) == 0 for a, b in pairs)

    def __str__(self) -> str:
        over: list[str] = []
        under: list[str] = []
        for unit, exponent in zip(("cycles", "B", "W", "s"), self.exponents(), strict=True):
            exponent = sp.simplify(exponent)
            if exponent == 0:
                continue
            negative = exponent.could_extract_minus_sign()
            shown = -exponent if negative else exponent
            power = "" if shown == 1 else f"**{shown}" if shown.is_Atom else f"**({shown})"
            (under if negative else over).append(unit + power)
        numerator = "*".join(over) or "1"
        if not under:
            return numerator
        return f"{numerator}/{under[0]}" if len(under) == 1 else f"{numerator}/({'*'.join(under)})"


ONE = Dimension()
CYCLES = Dimension(cycles=sp.Integer(1))
BYTES = Dimension(bytes=sp.Integer(1))
WATTS = Dimension(watts=sp.Integer(1))
SECONDS = Dimension(seconds=sp.Integer(1))
CYCLES_PER_BYTE = Dimension(cycles=sp.Integer(1), bytes=sp.Integer(-1))


def _from(exponents: Iterable[sp.Expr]) -> Dimension:
    cycles, data, watts, seconds = (sp.sympify(e) for e in exponents)
    return Dimension(cycles=cycles, bytes=data, watts=watts, seconds=seconds)


def at_equalities(
    conditions: Iterable[sp.Basic], units: dict[sp.Symbol, Dimension]
) -> dict[sp.Symbol, Dimension]:
    """Units of the symbols where conditions such as ``beta = 1/2`` fix their exponents."""
    fixed = {
        condition.lhs: condition.rhs
        for condition in conditions
        if isinstance(condition, sp.Eq) and condition.rhs.is_number
    }
    return {symbol: unit.at(fixed) for symbol, unit in units.items()} if fixed else units


def dimension_of(expr: sp.Basic, units: dict[sp.Symbol, Dimension]) -> Dimension:
    """Dimension of an expression, or an error where it is not homogeneous."""
    if expr.is_number:
        return ONE
    if isinstance(expr, sp.Symbol):
        return units[expr]
    if isinstance(expr, ExprCondPair):
        _check_condition(expr.cond, units)
        return dimension_of(expr.expr, at_equalities((expr.cond,), units))
    if isinstance(expr, sp.Sum):
        indices = {index: ONE for index, *_ in expr.limits}
        return dimension_of(expr.function, units | indices)
    if isinstance(expr, AppliedUndef):
        return _of_sequence(expr, units)
    parts = [dimension_of(arg, units) for arg in expr.args]
    if isinstance(expr, sp.Mul):
        total = ONE
        for part in parts:
            total = total.times(part)
        return total
    if isinstance(expr, sp.Pow):
        if not parts[1].equals(ONE):
            raise DimensionError(f"the exponent of {expr} has the dimension {parts[1]}, not 1")
        return parts[0].power(expr.exp)
    if hasattr(expr, "dimension"):
        return _from(expr.dimension(parts).exponents())
    if isinstance(expr, sp.Abs | sp.Add | sp.Max | sp.Min | sp.Piecewise):
        # nothing is as much in any unit
        some = [pair for pair in zip(parts, expr.args, strict=True) if pair[1] != 0]
        (first, one), *_ = some
        for part, arg in some:
            _require_same(part, first, f"{expr} joins {one}", arg)
        return first
    for part, arg in zip(parts, expr.args, strict=True):
        if not part.equals(ONE):
            raise DimensionError(f"{type(expr).__name__} of {arg}, which has the dimension {part}")
    return ONE


def sequences(expr: sp.Basic) -> set[str]:
    """Names of the sequences whose values the expression takes, such as hits(i)."""
    return {value.func.__name__ for value in expr.atoms(AppliedUndef)}


def _of_sequence(expr: sp.Basic, units: dict[sp.Symbol, Dimension]) -> Dimension:
    name = expr.func.__name__
    found = next((unit for symbol, unit in units.items() if symbol.name == name), None)
    if found is None:
        raise DimensionError(f"{expr} has no unit: {name} is neither a symbol nor a formula")
    return found


def _require_same(found: Dimension, wanted: Dimension, first: str, arg: sp.Basic) -> None:
    if not found.equals(wanted):
        raise DimensionError(f"{first} [{wanted}] and {arg} [{found}]")


def _check_condition(condition: sp.Basic, units: dict[sp.Symbol, Dimension]) -> None:
    """Zero may be compared with everything, other quantities with their like only."""
    for relation in condition.atoms(Relational):
        if 0 in relation.args:
            continue
        left, right = (dimension_of(side, units) for side in relation.args)
        _require_same(right, left, f"{relation} compares {relation.lhs}", relation.rhs)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolEntry:
    """One symbol of the models."""

    symbol: sp.Symbol  # the SymPy symbol; its assumptions state the sign [unit as below]
    meaning: str  # what it stands for
    unit: Dimension  # its unit [cycles, B, W, s]
    domain: str  # the values it may take, as a relation
    latex: str  # how it is typeset


def positive(name: str) -> sp.Symbol:
    """A symbol for a positive real number [any]."""
    return sp.Symbol(name, positive=True)


def nonnegative(name: str) -> sp.Symbol:
    """A symbol for a real number, zero or positive [any]."""
    return sp.Symbol(name, nonnegative=True)


def described(
    symbol: sp.Symbol, unit: Dimension, meaning: str, latex: str = "", domain: str = ""
) -> SymbolEntry:
    """The entry of a symbol; what is not given follows from its name and sign."""
    sign = ">" if symbol.is_positive else ">="
    return SymbolEntry(
        symbol=symbol,
        meaning=meaning,
        unit=unit,
        domain=domain or f"{symbol.name} {sign} 0",
        latex=latex or symbol.name,
    )
