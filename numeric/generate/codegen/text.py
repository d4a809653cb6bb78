"""The text of functions in a language; long statements become several."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from logca.numeric.generate.codegen.language import Language, parameter_names
from logca.numeric.generate.codegen.tree import (
    Give,
    Leave,
    Let,
    Repeat,
    Set,
    Statement,
    TargetFunction,
    Unless,
    When,
    called,
    statements_in,
)

__all__ = ["shortened", "written"]

Fits = Callable[[Statement, int], bool]

_PART = sp.Dummy("part")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A part that gets a name, what it stood in, and what is left of that."""

    part: sp.Expr
    whole: sp.Expr
    rest: sp.Expr
    distance: tuple[float, int, str]


def shortened(function: TargetFunction, fits: Fits) -> TargetFunction:
    """The function with statements of which each fits into a line."""
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


def written(functions: Iterable[TargetFunction], language: Language) -> dict[str, Any]:
    """Functions in a language, by name, as `SourceFunction` reads them."""
    return {
        function.name: {
            "parameters": parameter_names(function),
            "calls": sorted(called(function) - language.provided),
            "answers": function.answers,
            "public": function.public,
            "lines": list(_text(function, language)),
        }
        for function in functions
        if function.name not in language.provided
    }


def _text(function: TargetFunction, language: Language) -> Iterator[str]:
    fitted = shortened(function, lambda statement, depth: _fits(statement, depth, language))
    body = list(_block(fitted.body, language, language.indent, last=True))
    return language.function(fitted, body)


def _fits(statement: Statement, depth: int, language: Language) -> bool:
    column = language.indent + depth * language.step
    return language.fits(next(_lines(statement, language, column, last=False)))


def _block(
    body: Sequence[Statement], language: Language, column: int, *, last: bool
) -> Iterator[str]:
    for number, statement in enumerate(body, start=1):
        yield from _lines(statement, language, column, last=last and number == len(body))


def _lines(statement: Statement, language: Language, column: int, *, last: bool) -> Iterator[str]:
    """The lines of a statement; `last` if the function ends with it."""
    margin, end = " " * column, language.end
    match statement:
        case Let(name=name, value=value, changes=changes):
            template = language.let_changing if changes else language.let
            yield margin + template.format(name=name, value=language.expression(value))
        case Set(name=name, value=value):
            yield margin + language.set.format(name=name, value=language.expression(value))
        case Give(value=value):
            template = language.last if last else language.give
            text = template.format(value=language.expression(value))
            yield from (margin + line for line in text.splitlines())
        case Leave():
            yield margin + language.leave
        case Unless(condition=sp.Eq() | sp.Ne() as relation):
            # Unlike an inequality, this has a converse that holds where it does not, with NaN too.
            opposite = sp.Not(relation)
            yield margin + language.when.format(condition=language.expression(opposite))
        case When(condition=condition) | Unless(condition=condition):
            template = language.when if isinstance(statement, When) else language.unless
            yield margin + template.format(condition=language.expression(condition))
        case Repeat(times=times):
            yield margin + language.repeat.format(times=times)
            end = language.end_repeat
    if isinstance(statement, When | Unless | Repeat):
        yield from _block(statement.body, language, column + language.step, last=False)
        if end:
            yield margin + end
