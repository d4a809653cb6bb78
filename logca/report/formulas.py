"""The formulas of a fit: as they are, and with the fitted numbers."""

from collections.abc import Iterator
from html import escape
from math import inf, isfinite, isnan

from logca.derive.catalogue import formula
from logca.derive.layout import Node, Number, Row, Sign, Word
from logca.derive.mathml import element
from logca.derive.printing import equation
from logca.derive.typeset import typeset
from logca.fit_tables import sizes_of
from logca.numeric.fitting.fit import Fit
from logca.numeric.sizes import format_size
from logca.report.numbers import inserted

__all__ = ["formulas_html"]

_TIMES = ("T0", "T1", "speedup")


def formulas_html(fit: Fit) -> Iterator[str]:
    """Times, speedup and those granularities that exist, each with its numbers, as markup [text].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    sizes = sizes_of(fit)
    for name in (*_TIMES, *sizes):
        size = sizes.get(name, inf)
        if isnan(size):
            continue
        entry = formula(name)
        relation = equation(entry, fit.latency)
        symbol = element(_heading(typeset(entry.symbol), size), "", display=False)
        yield f"<h3>{symbol} {escape(entry.meaning)}</h3>"
        for node in (typeset(relation), inserted(relation, fit.parameters)):
            yield f'<div class="formula" tabindex="0">{element(node, "", display=True)}</div>'


def _heading(symbol: Node, size: float) -> Node:
    """A symbol, and what it is equal to if that is one size."""
    if not isfinite(size):
        return symbol
    number, unit = format_size(size).split()
    return Row((symbol, Sign("="), Number(number), Sign("of"), Word(unit)), kind="relation")
