"""Formulas with numbers put in for their symbols."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import sympy as sp

from logca.derive.layout import Fence, Name, Node, Number, Row, Script, Sign
from logca.derive.typeset import typeset

__all__ = ["inserted", "number_layout"]

_DIGITS = 4
_PLAIN = range(-2, 5)


def inserted(relation: sp.Basic, values: Mapping[str, float]) -> Node:
    """The layout of a relation in which numbers stand for symbols; what is zero is left out.

    Parameters
    ----------
    relation : sympy.Basic
        An equation [any unit].
    values : mapping of str to float
        Numbers by the symbols' names [unit of each].
    """
    named = {each: 0 for each in relation.free_symbols if values.get(str(each)) == 0}
    found: Node = _inserted(typeset(relation.subs(named)), values)
    return found


def number_layout(value: float) -> Node:
    """A number with four digits, with a power of ten if it is very small or large [any unit].

    Parameters
    ----------
    value : float
        A positive number [any unit].

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


def _inserted(node: Any, values: Mapping[str, float]) -> Any:
    """The same layout, or part of one, with numbers for names."""
    if isinstance(node, Name):
        return number_layout(values[node.name]) if node.name in values else node
    if isinstance(node, tuple):
        return tuple(_inserted(each, values) for each in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = replace(
        node, **{each.name: _inserted(getattr(node, each.name), values) for each in fields(node)}
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
