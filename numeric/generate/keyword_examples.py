"""Examples in the documentation of functions of keywords, with values of the formulas."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import sympy as sp
from sympy.core.function import AppliedUndef

from logca.derive.formula import Formula
from logca.derive.symbols import TABLE

__all__ = ["example"]


def example(
    entry: Formula,
    arguments: tuple[str, ...],
    *,
    points: Sequence[Mapping[str, Fraction]],
    sequences: Mapping[str, Sequence[int]],
    whole: bool,
) -> Iterator[str]:
    """Lines of an example: the call, and the value of the formula to six digits.

    Parameters
    ----------
    entry : Formula
        The formula.
    arguments : tuple of str
        Names of the function's arguments [text].
    points : sequence of mapping
        Values for all symbols; the first where the conditions of the formula hold counts [any].
    sequences : mapping
        Terms for the arguments that are sequences [any].
    whole : bool
        Whether whole numbers stay whole, and all digits are shown.

    Raises
    ------
    LookupError
        If the formula is not defined at any of the points.
    """
    values = next(
        (each for each in points if all(_at(c, each) == sp.true for c in entry.domain)), None
    )
    if values is None:
        raise LookupError(f"no example fits {entry.name}: add one")
    taken = {each.func.__name__ for each in entry.expr.atoms(AppliedUndef)}
    alone = len(taken) == 1
    given = [
        f"{'' if alone else f'{name}='}[{', '.join(map(str, sequences[name]))}]"
        if name in taken
        else f"{name}={_number(values[name])}"
        for name in arguments
    ]
    called, value = f"{entry.name}({', '.join(given)})", _value(entry.expr, sequences, values)
    yield f">>> print({called})" if whole else f'>>> print(f"{{{called}:.6g}}")'
    yield str(int(value)) if whole else f"{float(value):.6g}"


def _value(
    expr: sp.Expr, sequences: Mapping[str, Sequence[int]], values: Mapping[str, Fraction]
) -> sp.Expr:
    if not isinstance(expr, sp.Sum):
        return _at(expr, values).evalf(30)
    ((index, first, _),) = expr.limits
    terms = zip(
        *(
            [(each, term) for term in sequences[each.func.__name__]]
            for each in expr.atoms(AppliedUndef)
        ),
        strict=True,
    )
    inserted = (
        expr.function.xreplace(
            {each: sp.Integer(term) for each, term in taken} | {index: first + place}
        )
        for place, taken in enumerate(terms)
    )
    return sp.Add(*(_at(sp.simplify(term), values) for term in inserted))


def _at(expr: sp.Basic, values: Mapping[str, Fraction]) -> sp.Basic:
    exact = {
        TABLE[name].symbol: sp.Rational(v.numerator, v.denominator) for name, v in values.items()
    }
    return expr.subs(exact, simultaneous=True)


def _number(value: Fraction) -> str:
    return str(value).replace("/", " / ")
