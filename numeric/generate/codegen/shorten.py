"""Long statements in several: parts get names of their own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from logca.numeric.generate.codegen.tree import (
    Function,
    Give,
    Let,
    Repeat,
    Set,
    Statement,
    Unless,
    When,
    statements_in,
)

__all__ = ["shortened"]

Fits = Callable[[Statement, int], bool]

_PART = sp.Dummy("part")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A part that gets a name, what it stood in, and what is left of that."""

    part: sp.Expr
    whole: sp.Expr
    rest: sp.Expr
    distance: tuple[float, int, str]


def shortened(function: Function, fits: Fits) -> Function:
    """The function with statements of which each fits into a line.

    Parameters
    ----------
    function : Function
        Any function.
    fits : callable
        Whether a statement, in so many blocks, fits.
    """
    taken = {each.name for each in statements_in(function.body) if isinstance(each, Let)}
    names = (f"part{number}" for number in range(1, 1000))
    free = (name for name in names if name not in taken)
    return replace(function, body=tuple(_fitted(function.body, 0, fits, free)))


def _fitted(
    body: tuple[Statement, ...], depth: int, fits: Fits, names: Iterator[str]
) -> Iterator[Statement]:
    for statement in body:
        inside = statement
        if isinstance(statement, When | Unless | Repeat):
            inner = tuple(_fitted(statement.body, depth + 1, fits, names))
            inside = replace(statement, body=inner)
        yield from _split(inside, depth, fits, names)


def _split(
    statement: Statement, depth: int, fits: Fits, names: Iterator[str]
) -> Iterator[Statement]:
    if fits(statement, depth):
        yield statement
        return
    if isinstance(statement, Unless) and isinstance(statement.condition, sp.And):
        for part in sorted(statement.condition.args, key=str):
            yield from _split(replace(statement, condition=part), depth, fits, names)
        return
    value = _value(statement)
    cut = min(_cuts(value), key=lambda cut: cut.distance, default=None)
    if cut is None:
        yield statement
        return
    name = next(names)
    yield from _split(Let(name=name, value=cut.part), depth, fits, names)
    rest = value.xreplace({cut.whole: cut.rest.xreplace({_PART: sp.Symbol(name)})})
    yield from _split(_with(statement, rest), depth, fits, names)


def _value(statement: Statement) -> sp.Basic:
    if isinstance(statement, When | Unless):
        return statement.condition
    assert isinstance(statement, Let | Set | Give)
    return statement.value


def _with(statement: Statement, value: sp.Basic) -> Statement:
    if isinstance(statement, When | Unless):
        return replace(statement, condition=value)
    assert isinstance(statement, Let | Set | Give)
    return replace(statement, value=value)


def _cuts(value: sp.Basic) -> Iterator[_Cut]:
    """All ways to give a part a name: a subexpression, a divisor, half of a product or sum."""
    size = value.count_ops()

    def cut(part: sp.Expr, whole: sp.Expr, rest: sp.Expr = _PART) -> _Cut:
        distance = (abs(part.count_ops() - size / 2), -part.count_ops(), str(part))
        return _Cut(part=part, whole=whole, rest=rest, distance=distance)

    for each in sp.postorder_traversal(value):
        if not isinstance(each, sp.Expr) or not each.args or not each.free_symbols:
            continue
        if isinstance(each, sp.Pow) and each.exp.as_coeff_Mul()[0].is_negative:
            if (1 / each).args:
                yield cut(1 / each, each, 1 / _PART)
        elif each != value:
            yield cut(each, each)
        if isinstance(each, sp.Mul | sp.Add) and len(each.args) > 2:
            terms = each.as_ordered_factors() if each.is_Mul else each.as_ordered_terms()
            first, rest = terms[: len(terms) // 2], terms[len(terms) // 2 :]
            yield cut(each.func(*first), each, each.func(_PART, *rest))
