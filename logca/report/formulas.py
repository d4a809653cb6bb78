"""The formulas of a fit: as they are, and with the fitted numbers in place of symbols."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from html import escape
from importlib.resources import files
from math import inf, isfinite, isnan
from typing import Any

import sympy as sp

from logca.common.sizes import format_size
from logca.derive.core.catalogue import formula
from logca.derive.notation.boxes import Fence, Name, Node, Number, Row, Script, Sign, Word
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.derive.notation.text_latex_python import equation
from logca.numeric.fit.fit import Fit
from logca.show.fit.tables import sizes_of

__all__ = [
    "formulas_html",
    "inserted",
    "math_style",
    "number_layout",
    "replaced",
]

_FONT = "Logca Math"
_DIGITS = 4
_PLAIN = range(-2, 5)


def math_style() -> str:
    """Rules of style that embed the font of mathematics, without which brackets do not grow.

    The font is of this folder; `tools/math_font.py` makes it of matplotlib's STIX fonts.
    """
    octets = files("logca.report").joinpath("math.woff").read_bytes()
    source = f'url("data:font/woff;base64,{b64encode(octets).decode()}") format("woff")'
    return (
        f'@font-face {{ font-family: "{_FONT}"; src: {source}; }}\n'
        f'math {{ font-family: "{_FONT}", math; }}\n'
    )


def inserted(relation: sp.Basic, values: Mapping[str, float]) -> Node:
    """The layout of a relation in which numbers stand for symbols; what is zero is left out."""
    named = {each: 0 for each in relation.free_symbols if values.get(str(each)) == 0}
    shown = {name: number_layout(value) for name, value in values.items()}
    return replaced(typeset(relation.subs(named)), shown)


def replaced(node: Node, by: Mapping[str, Node]) -> Node:
    """A layout in which other layouts, as numbers, stand for some names."""
    found: Node = _replaced(node, by)
    return found


def number_layout(value: float) -> Node:
    """A number with four digits, with a power of ten if it is very small or large [any unit].

    Examples
    --------
    >>> number_layout(9.794)
    Number(digits='9.794')
    """
    digits, power = f"{value:.{_DIGITS - 1}e}".split("e")
    if int(power) in _PLAIN:
        return Number(f"{value:.{_DIGITS}g}")
    exponent: Node = Number(str(abs(int(power))))
    if int(power) < 0:
        exponent = Row((Sign("neg"), exponent), kind="sum")
    shown = Number(f"{float(digits):g}")
    return Row((shown, Sign("dot"), Script(Number("10"), None, exponent)), kind="product")


def _replaced(node: Any, by: Mapping[str, Node]) -> Any:
    """A layout, or part of one, with what stands for its names."""
    if isinstance(node, Name):
        return by.get(node.name, node)
    if isinstance(node, tuple):
        return tuple(_replaced(each, by) for each in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = replace(
        node, **{each.name: _replaced(getattr(node, each.name), by) for each in fields(node)}
    )
    if isinstance(changed, Script) and isinstance(changed.base, Row):
        return replace(changed, base=Fence(changed.base))
    return _dotted(changed) if isinstance(changed, Row) and changed.kind == "product" else changed


def _dotted(row: Row) -> Row:
    """Numbers in a product need dots, where letters stand beside each other."""
    parts = list(row.parts)
    for place, part in enumerate(parts):
        if part == Sign("times") and any(
            isinstance(beside, Number | Row) for beside in parts[place - 1 : place + 2 : 2]
        ):
            parts[place] = Sign("dot")
    return replace(row, parts=tuple(parts))


_TIMES = ("T0", "T1", "speedup")


def formulas_html(fit: Fit) -> Iterator[str]:
    """Times, speedup and those granularities that exist, each with its numbers, as markup."""
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
