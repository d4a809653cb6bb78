"""One symbol: meaning, unit, domain."""

from dataclasses import dataclass

import sympy as sp

from logca.derive.dimension import Dimension

__all__ = ["SymbolEntry", "described", "nonnegative", "positive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolEntry:
    """One symbol of the models.

    Parameters
    ----------
    symbol : sympy.Symbol
        The SymPy symbol; its assumptions state the sign [unit as below].
    meaning : str
        What it stands for [text].
    unit : Dimension
        Its unit [cycles, B, W, s].
    domain : str
        The values it may take, as a relation [text].
    latex : str
        How it is typeset [text].
    """

    symbol: sp.Symbol
    meaning: str
    unit: Dimension
    domain: str
    latex: str


def positive(name: str) -> sp.Symbol:
    """A symbol for a positive real number [any]."""
    return sp.Symbol(name, positive=True)


def nonnegative(name: str) -> sp.Symbol:
    """A symbol for a real number, zero or positive [any]."""
    return sp.Symbol(name, nonnegative=True)


def described(
    symbol: sp.Symbol, unit: Dimension, meaning: str, latex: str = "", domain: str = ""
) -> SymbolEntry:
    """The entry of a symbol; what is not given follows from its name and sign.

    Parameters
    ----------
    symbol : sympy.Symbol
        The symbol, positive or nonnegative [unit].
    unit : Dimension
        Its unit [cycles, B, W, s].
    meaning : str
        What it stands for [text].
    latex : str
        How it is typeset, or "" for its name [text].
    domain : str
        The values it may take, or "" for what its sign says [text].
    """
    sign = ">" if symbol.is_positive else ">="
    return SymbolEntry(
        symbol=symbol,
        meaning=meaning,
        unit=unit,
        domain=domain or f"{symbol.name} {sign} 0",
        latex=latex or symbol.name,
    )
