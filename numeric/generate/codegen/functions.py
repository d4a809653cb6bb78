"""Quantities, granularities with a given speedup, and whether offloading pays, as functions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import sympy as sp

from logca.derive.algebra.trinomial import TrinomialRoot, UpperRoot
from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import FORMS, A, N, beta, g, q, r, s
from logca.derive.logca.granularity import EQUATION
from logca.numeric.generate.array_functions import ARGUMENTS, parameter_meaning, parameter_unit
from logca.numeric.generate.codegen.coefficients import INDEX, at_target, call, plain
from logca.numeric.generate.codegen.tree import (
    Give,
    Let,
    Parameter,
    Statement,
    TargetFunction,
    Unless,
    When,
)
from logca.numeric.generate.quantities import GeneratedQuantity
from logca.numeric.generate.statements import Statements, statements

__all__ = [
    "CUTOFFS",
    "MEANING",
    "TARGETS",
    "bound_function",
    "cutoff_function",
    "decision_function",
    "extension_function",
    "parameters_in",
    "quantity_function",
    "target_function",
    "written",
]


_RENAMED = {N: sp.Symbol("length", positive=True)}
"""Names that clash with those of other parameters in Fortran, where case does not count."""


def quantity_function(quantity: GeneratedQuantity, latency: str, name: str) -> TargetFunction:
    """A quantity of the catalogue under a form of latency."""
    formula = quantity.formula(latency)
    *conditions, expression, printed = (
        each.xreplace(_RENAMED)
        for each in (
            *quantity.conditions(latency),
            quantity.expression(latency),
            quantity.printed(latency),
        )
    )
    straight = _with_longer_names(statements([*conditions, expression], latency))
    *relations, value = straight.results
    note = f"It is {written(printed)}"
    if conditions:
        note += f"; NaN unless {' and '.join(map(_related, conditions))}"
    return TargetFunction(
        name=name,
        meaning=formula.meaning,
        unit=str(formula.unit),
        parameters=parameters_in(_values(straight), latency),
        body=_body(straight, relations, value),
        notes=(f"{note}.", f"Source: {formula.source}."),
    )


def bound_function(quantity: GeneratedQuantity, latency: str, name: str) -> TargetFunction:
    """A quantity as a function of granularity alone; the text has @o@ where o belongs, and so on.

    `numeric.generate.offload.host_share` puts the numbers of a fit or an accelerator there.
    """
    free = quantity_function(quantity, latency, name)
    given = [each.name for each in free.parameters if each.name != "g"]
    return replace(
        free,
        parameters=tuple(each for each in free.parameters if each.name == "g"),
        body=(*(Let(name=each, value=sp.Symbol(f"@{each}@")) for each in given), *free.body),
        notes=(*free.notes, "Times of the parameters are in @unit@."),
    )


def written(expr: sp.Basic) -> str:
    """An expression for a comment."""
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
    called = {name: name for name in ARGUMENTS} | {str(k): str(v) for k, v in _RENAMED.items()}
    return tuple(
        Parameter(name=own, meaning=parameter_meaning(name), unit=parameter_unit(name, latency))
        for name, own in called.items()
        if own in found
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
    """Assignments for the conditions, the conditions, and assignments for the value alone."""
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


TARGETS: dict[str, sp.Expr] = {
    "g1": sp.S.One,
    "gA2": A / 2,
    "g_s": s,
    "g1_upper": sp.S.One,
    "gA2_upper": A / 2,
    "g_s_upper": s,
}
"""Name of each granularity, and its speedup [1]."""


def target_function(name: str, latency: str, called: str) -> TargetFunction:
    """A granularity of `TARGETS` under a form of latency, by the name of `called`."""
    target, stated = TARGETS[name], formula(name)
    index, overhead, per_byte = at_target(target, latency)
    if name.endswith("_upper"):
        root = call("upper_root", INDEX, overhead, per_byte, beta)
    elif latency == "constant":
        root = call("power_root", INDEX, overhead, beta)
    else:
        root = call("lower_root", INDEX, overhead, per_byte, beta)
    equation = EQUATION.relation.subs(s, target).subs(FORMS[latency], simultaneous=True)
    reaches = "falls to" if name.endswith("_upper") else "rises to"
    return TargetFunction(
        name=called,
        meaning=stated.meaning,
        unit=str(stated.unit),
        parameters=parameters_in((index, root), latency),
        body=(Let(name=INDEX.name, value=index), Give(value=plain(root))),
        notes=(
            f"It is the g at which {written(equation.lhs)} {reaches} {written(equation.rhs)};"
            " NaN if it never does.",
            f"Source: {stated.source}.",
        ),
    )


CUTOFFS = (
    "cutoff_o_general",
    "cutoff_L_from",
    "cutoff_L_from_upper",
    "cutoff_C_general",
    "cutoff_C_general_upper",
    "cutoff_A_general",
    "cutoff_A_general_upper",
)
"""Ends of the optimization regions under linear latency, for kernels of any complexity."""


def cutoff_function(name: str, latency: str, called: str) -> TargetFunction:
    """An end of an optimization region, a root of a trinomial, by the name of `called`."""
    stated = formula(name)
    expr = stated.in_form(latency)
    (root,) = expr.atoms(TrinomialRoot)
    *coefficients, exponent = root.args
    straight = _with_longer_names(statements(coefficients, latency))
    index, overhead, per_byte = straight.results
    solver = "upper_root" if isinstance(root, UpperRoot) else "lower_root"
    if per_byte.could_extract_minus_sign():
        solver, per_byte = "sum_root", -per_byte
    value = expr.xreplace({root: call(solver, index, overhead, per_byte, exponent)})
    achievable = tuple(each for each in stated.domain if each.free_symbols <= {q, r})
    return TargetFunction(
        name=called,
        meaning=stated.meaning,
        unit=str(stated.unit),
        parameters=parameters_in(root.args, latency),
        body=(
            Unless(condition=sp.And(*map(plain, achievable)), body=(Give(value=sp.nan),)),
            *(Let(name=name, value=plain(part)) for name, part in straight.assignments),
            Give(value=plain(value)),
        ),
        notes=(
            "NaN if there is no such granularity, or unless "
            f"{' and '.join(map(_related, achievable))}.",
            f"Source: {stated.source}.",
        ),
    )


def extension_function(name: str, latency: str, called: str) -> TargetFunction:
    """A granularity of an extension that is LogCA again, a root, by the name of `called`."""
    stated = formula(name)
    (root,) = stated.expr.atoms(TrinomialRoot)
    form = FORMS[latency]
    index, overhead, per_byte, exponent = (each.subs(form, simultaneous=True) for each in root.args)
    if latency == "constant":
        found = call("power_root", INDEX, overhead, exponent)
    else:
        found = call("lower_root", INDEX, overhead, per_byte, exponent)
    known = tuple(each.subs(form, simultaneous=True) for each in stated.domain)
    index = sp.factor(index)  # one difference of what is given, not of products
    left, right = index * g**exponent, overhead + per_byte * g
    unless = " and ".join(map(_related, known))
    return TargetFunction(
        name=called,
        meaning=stated.meaning,
        unit=str(stated.unit),
        parameters=parameters_in((index, overhead, per_byte, exponent, *known), latency),
        body=(
            Unless(condition=sp.And(*map(plain, known)), body=(Give(value=sp.nan),)),
            Let(name=INDEX.name, value=plain(index)),
            Give(value=plain(found)),
        ),
        notes=(
            f"It is the g at which {written(left)} rises to {written(right)}; NaN if it never does,"
            f" or unless {unless}.",
            f"Source: {stated.source}.",
        ),
    )


MEANING = "whether offloading pays: whether the speedup is greater than 1"


def decision_function(latency: str, called: str) -> TargetFunction:
    """Accelerated against host time, less what both have in common.

    Both sides are divided by the square root of the power of g, which halves its logarithm: the
    comparison stays in range where the times do not, and is exact to a few roundings however
    close the speedup is to 1.
    """
    index, overhead, per_byte = at_target(sp.S.One, latency)
    root, share = sp.symbols("root_of_power g_over_root")
    cost = overhead / root + per_byte * share
    equation = EQUATION.relation.subs(s, 1).subs(FORMS[latency], simultaneous=True)
    lets = [
        Let(name=INDEX.name, value=index),
        Let(name=root.name, value=sp.sqrt(g**beta)),
        *([Let(name=share.name, value=g / root)] if per_byte != 0 else []),
    ]
    body: tuple[Statement, ...] = (
        Unless(condition=plain(g) > 0, body=(Give(value=sp.false),)),
        *lets,
        Give(value=plain(cost) < plain(INDEX) * root),
    )
    return TargetFunction(
        name=called,
        meaning=MEANING,
        unit="",
        parameters=parameters_in((index, cost, g, beta), latency),
        body=body,
        notes=(
            f"It does where {written(equation.lhs)} > {written(equation.rhs)}; both sides are"
            " divided by the square root of g^beta, so that they stay in range. False if any"
            " argument is NaN.",
            f"Source: {formula('speedup').source}, set equal to 1.",
        ),
    )
