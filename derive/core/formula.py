"""The one data type of this room: a formula, where it comes from and what it means."""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

import sympy as sp

from logca.common.errors import LogcaError
from logca.derive.algebra.derivation import Derivation
from logca.derive.algebra.dimension import ONE, Dimension
from logca.derive.core.symbols import FORMS, UNITS

__all__ = ["Exactness", "Formula", "FormulaError"]


class FormulaError(LogcaError, ValueError):
    """A formula was asked for something it does not have."""


class Exactness(Enum):
    """The kind of truth that a formula states."""

    EXACT = "exact"
    LIMIT = "limit"
    BOUND = "bound"
    APPROXIMATION = "approximation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A named quantity with its expression, derivation and conditions.

    Examples
    --------
    >>> from logca.derive.logca.speedup import SPEEDUP
    >>> SPEEDUP.at(L0=0, L1=0, o=0)
    A
    """

    name: str  # identifier; also the name in claims and on the command line
    meaning: str  # what the quantity is, in words
    source: str  # BibTeX key and place; `logca2026` is this package
    derivation: Derivation  # the steps that lead to the expression [unit of the formula]
    unit: Dimension = ONE  # unit of the quantity [cycles, B, W, s]
    # when the quantity is defined, beyond the domains of its symbols [any]
    domain: tuple[sp.Basic, ...] = ()
    status: Exactness = Exactness.EXACT  # exact, a limit, a bound or an approximation
    latex: str = ""  # how the quantity itself is typeset
    # name of the formula of which this is a value at a number of bytes, or "bytes-as-number"
    # where a logarithm is taken of one; bytes then count as pure numbers
    instance_of: str = ""
    _expr: sp.Expr | None = field(default=None, repr=False)

    @property
    def expr(self) -> sp.Expr:
        """The expression the derivation reaches [unit of the formula]."""
        return self.derivation.expr if self._expr is None else self._expr

    @property
    def symbol(self) -> sp.Symbol:
        """A symbol that stands for the quantity in print [unit of the formula]."""
        return sp.Symbol(self.name)

    def at(self, **values: object) -> sp.Expr:
        """The expression with values for its symbols, all at once [unit of the formula]."""
        by_name = {str(symbol): symbol for symbol in self.expr.free_symbols}
        for name in values:
            if name not in by_name and name not in {str(symbol) for symbol in UNITS}:
                known = ", ".join(sorted(by_name))
                raise FormulaError(f"{self.name} has no symbol '{name}'; it has {known}")
        mapping = {by_name[k]: sp.sympify(v) for k, v in values.items() if k in by_name}
        return self.expr.subs(mapping, simultaneous=True)

    def in_form(self, latency: str) -> sp.Expr:
        """The expression under constant, linear or affine latency [unit of the formula]."""
        if latency not in FORMS:
            raise FormulaError(f"unknown latency '{latency}'; choose one of {', '.join(FORMS)}")
        return _in_form(self.expr, latency)

    def mutated(self, expr: sp.Expr) -> "Formula":
        """A formula with another expression, to see whether the ledger notices."""
        return replace(self, _expr=expr)


@lru_cache(maxsize=1 << 10)  # the roots are asked for with each equation that names them
def _in_form(expr: sp.Expr, latency: str) -> sp.Expr:
    return expr.subs(FORMS[latency], simultaneous=True)
