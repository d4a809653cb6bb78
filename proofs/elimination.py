"""Equations among hypotheses, used to eliminate symbols."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import sympy as sp

from logca.derive.symbols import beta
from logca.proofs.magnitude import explodes

__all__ = ["conjuncts", "eliminate", "insert"]


def eliminate(hypotheses: Sequence[sp.Basic]) -> tuple[dict[sp.Symbol, sp.Expr], list[sp.Basic]]:
    """Solve the equations among the hypotheses for symbols in which they are linear.

    Returns the solved symbols, and the other hypotheses with the solutions inserted [any unit].
    """
    solved, rest = _eliminate(tuple(hypotheses))
    return dict(solved), list(rest)


@lru_cache(maxsize=128)
def _eliminate(
    hypotheses: tuple[sp.Basic, ...],
) -> tuple[dict[sp.Symbol, sp.Expr], list[sp.Basic]]:
    solved: dict[sp.Symbol, sp.Expr] = {}
    rest: list[sp.Basic] = []
    for hypothesis in conjuncts(hypotheses):
        if isinstance(hypothesis, sp.Eq):
            residual = insert(hypothesis.lhs - hypothesis.rhs, solved)
            symbol = _linear_symbol(residual)
            if symbol is not None:
                numerator = sp.fraction(sp.together(residual))[0]
                slope = sp.diff(numerator, symbol)
                value = sp.cancel(-numerator.subs(symbol, 0) / slope)
                solved = {key: old.subs(symbol, value) for key, old in solved.items()}
                solved[symbol] = value
                continue
        rest.append(hypothesis)
    return solved, [insert(hypothesis, solved) for hypothesis in rest]


def conjuncts(hypotheses: Sequence[sp.Basic]) -> Iterator[sp.Basic]:
    """The hypotheses with conjunctions taken apart [1]."""
    for hypothesis in hypotheses:
        if isinstance(hypothesis, sp.And):
            yield from conjuncts(hypothesis.args)
        else:
            yield hypothesis


def _linear_symbol(residual: sp.Expr) -> sp.Symbol | None:
    numerator = sp.fraction(sp.together(residual))[0]
    for symbol in sorted(
        numerator.free_symbols,
        key=lambda s: (s == beta and len(numerator.free_symbols) > 1, str(s)),
    ):
        slope = sp.diff(numerator, symbol)
        if slope != 0 and not sp.expand(slope).has(symbol):
            return symbol
    return None


def insert(expr: sp.Basic, solved: Mapping[sp.Symbol, sp.Expr]) -> sp.Basic:
    """The expression with solved symbols replaced, but for huge powers [unit of the expression]."""
    if not solved:
        return expr
    kept = explodes(expr, solved)
    values = {symbol: value for symbol, value in solved.items() if symbol not in kept}
    return expr.subs(values, simultaneous=True)
