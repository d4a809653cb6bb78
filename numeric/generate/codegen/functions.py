"""Quantities of the model as functions of numbers."""

from collections.abc import Iterable, Sequence

import sympy as sp

from logca.numeric.generate.codegen.tree import (
    Function,
    Give,
    Let,
    Parameter,
    Statement,
    Unless,
    When,
)
from logca.numeric.generate.modules import ARGUMENTS, parameter_meaning, parameter_unit
from logca.numeric.generate.quantities import Quantity
from logca.numeric.generate.statements import Statements, statements

__all__ = ["parameters_in", "quantity_function", "written"]


def quantity_function(quantity: Quantity, latency: str, name: str) -> Function:
    """A quantity of the catalogue under a form of latency."""
    formula, conditions = quantity.formula(latency), quantity.conditions(latency)
    expression = quantity.expression(latency)
    straight = _with_longer_names(statements([*conditions, expression], latency))
    *relations, value = straight.results
    note = f"It is {written(quantity.printed(latency))}"
    if conditions:
        note += f"; NaN unless {' and '.join(map(_related, conditions))}"
    return Function(
        name=name,
        meaning=formula.meaning,
        unit=str(formula.unit),
        parameters=parameters_in(_values(straight), latency),
        body=_body(straight, relations, value),
        notes=(f"{note}.", f"Source: {formula.source}."),
    )


def written(expr: sp.Basic) -> str:
    """An expression for a comment [text]."""
    return str(expr).replace("**", "^")


def _related(condition: sp.Basic) -> str:
    if isinstance(condition, sp.Or):
        return " or ".join(f"({_related(each)})" for each in sorted(condition.args, key=str))
    if isinstance(condition, sp.And):
        return " and ".join(map(_related, sorted(condition.args, key=str)))
    operator = {"Eq": "=", "Ne": "!="}.get(type(condition).__name__[:2], condition.rel_op)
    return f"{written(condition.lhs)} {operator} {written(condition.rhs)}"


def parameters_in(values: Iterable[sp.Basic], latency: str) -> tuple[Parameter, ...]:
    """The parameters of the model that occur in values, in the usual order."""
    found = {str(symbol) for value in values for symbol in value.free_symbols}
    return tuple(
        Parameter(name=name, meaning=parameter_meaning(name), unit=parameter_unit(name, latency))
        for name in ARGUMENTS
        if name in found
    )


def _values(straight: Statements) -> list[sp.Basic]:
    return [*(value for _, value in straight.assignments), *straight.results]


def _with_longer_names(straight: Statements) -> Statements:
    """Common parts as part1, part2, ...: single letters clash where case does not count."""
    short = [name for name, _ in straight.assignments if len(name) == 1]
    names = {name: f"part{number}" for number, name in enumerate(short, start=1)}
    symbols = {sp.Symbol(old): sp.Symbol(new) for old, new in names.items()}
    return Statements(
        assignments=tuple(
            (names.get(name, name), value.xreplace(symbols)) for name, value in straight.assignments
        ),
        results=tuple(result.xreplace(symbols) for result in straight.results),
    )


def _body(
    straight: Statements, relations: Sequence[sp.Basic], value: sp.Expr
) -> tuple[Statement, ...]:
    """What the conditions need, the conditions, and what the value needs beyond that."""
    assigned = dict(straight.assignments)
    first = _needed(assigned, relations)
    lets = {name: Let(name=name, value=part) for name, part in assigned.items()}
    guard = [Unless(condition=sp.And(*relations), body=(Give(value=sp.nan),))] if relations else []
    return (
        *(let for name, let in lets.items() if name in first),
        *guard,
        *(let for name, let in lets.items() if name not in first),
        *_result(value),
    )


def _needed(assigned: dict[str, sp.Expr], wanted: Iterable[sp.Basic]) -> set[str]:
    names = {str(symbol) for each in wanted for symbol in each.free_symbols} & assigned.keys()
    return names.union(*(_needed(assigned, [assigned[name]]) for name in names))


def _result(value: sp.Expr) -> tuple[Statement, ...]:
    """The value, case by case where there are several; NaN is in none of them."""
    if not isinstance(value, sp.Piecewise):
        return (Give(value=value),)
    *cases, (otherwise, _) = value.args
    tested = set().union(*(condition.free_symbols for _, condition in cases))
    return (
        *(
            When(condition=sp.Function("isnan")(symbol), body=(Give(value=sp.nan),))
            for symbol in sorted(tested, key=str)
        ),
        *(When(condition=condition, body=(Give(value=each),)) for each, condition in cases),
        Give(value=otherwise),
    )
