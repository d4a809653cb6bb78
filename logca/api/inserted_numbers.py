"""Formulas with numbers in the place of symbols; facts and conditions, broken into lines."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from logca.common.readable_numbers import digits, exact
from logca.derive.core import catalogue

if TYPE_CHECKING:
    import sympy as sp

    from logca.derive.algebra.dimension import Dimension
    from logca.derive.core.formula import Formula
    from logca.derive.notation.boxes import Node

__all__ = ["WIDE", "Inserted", "ShownFormula", "broken", "in_words", "may_hold"]

WIDE = 100
"""Columns where nobody says how many there are [1]."""

_MARGIN = 13
"""Columns of the headings of facts, and before them [1]."""

_LONGEST = 100
"""Largest numerator or denominator of an exponent that is written as a fraction [1]."""

_WITHOUT_ROOTS = 12
"""Largest denominator of an exponent for which `existence` writes conditions without roots [1]."""

_DIGITS = 50
"""Of numbers that are computed with, where exact ones would take too long [1]."""

_INDENT = "  "
_KEPT = "\N{NO-BREAK SPACE}"


def in_words(conditions: "Iterable[sp.Basic]") -> str:
    """Conditions on one line.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> in_words([A > 1, (beta < 1) | (beta > 2)])
    'A > 1 and (β < 1 or β > 2)'
    """
    from logca.derive.notation.text_latex_python import text

    parts = map(text, conditions)
    return " and ".join(f"({part})" if " or " in part else part for part in parts)


def broken(conditions: "Sequence[sp.Basic]", width: int) -> str:
    """Conditions on lines of a width: broken behind "and", the cases of an "or" each on its own.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, L, beta, o
    >>> print(broken([A > 1, (o > 0) & (C > A * L) & (beta < 2) | (beta > 2) & (o + L > 0)], 40))
    A > 1 and either
      β < 2 and o > 0 and C > A·L
      or β > 2 and o + L > 0
    """
    import sympy as sp

    from logca.derive.notation.layout import in_order

    whole = in_words(conditions)
    if len(whole) <= width:
        return whole
    plain = [each for each in conditions if not isinstance(each, sp.Or)]
    choices = [each for each in conditions if isinstance(each, sp.Or)]
    lines = _lines(plain, width, ending=" and either" * bool(choices)) or ["either"]
    for place, choice in enumerate(choices):
        lines += ["and either"] * bool(place)
        for number, case in enumerate(in_order(choice.args)):
            [first, *more] = _lines(
                in_order(sp.And.make_args(case)), width - len(_INDENT) - len("or ")
            )
            lines.append(f"{_INDENT}{'or ' * bool(number)}{first}")
            lines += [f"{_INDENT}{line}" for line in more]
    return "\n".join(lines)


def _lines(parts: "Sequence[sp.Basic]", width: int, *, ending: str = "") -> list[str]:
    """Conditions joined by "and"; only one that is too long is broken inside."""
    pieces: list[str] = []
    for number, part in enumerate(parts, start=1):
        written = in_words([part]) + (" and" if number < len(parts) else ending)
        pieces += _pieces(written, width - len(_INDENT))
    found = wrap(
        " ".join(pieces),
        max(width, 1),
        subsequent_indent=_INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_KEPT, " ") for line in found]


def _pieces(written: str, width: int) -> Iterator[str]:
    """Parts that stay on one line: all of it, or else each side of its relation."""
    if len(written) <= width:
        yield written.replace(" ", _KEPT)
        return
    sign = next((each for each in (" ≥ ", " ≤ ", " > ", " < ") if each in written), " ")
    left, _, right = written.partition(sign)
    for side in (left + sign.rstrip(), right):
        yield side.replace(" ", _KEPT) if len(side) <= width else side


class ShownFormula(ABC):
    """A formula as Python, terminals and notebooks show it, over facts about it."""

    __slots__ = ()
    name: str
    latency: str

    @property
    def entry(self) -> "Formula":
        """The formula as the other rooms work with it."""
        return catalogue.formula(self.name)

    def sympy(self) -> "sp.Expr":
        """The expression, with no numbers in it [unit of the quantity].

        Its symbols know their domains, so replace these and not their names.

        Examples
        --------
        >>> from logca import formula
        >>> speedup = formula("speedup", latency="constant").sympy()
        >>> symbols = {symbol.name: symbol for symbol in speedup.free_symbols}
        >>> speedup.subs({symbols["o"]: 0, symbols["L"]: 0})
        A
        """
        return self.entry.in_form(self.latency)

    @abstractmethod
    def layout(self) -> "sp.Eq | Node":
        """The equation or layout that is printed in every markup."""

    def text(self) -> str:
        """On one line, in Unicode."""
        return self._printed("text")

    def latex(self) -> str:
        """In LaTeX, without delimiters."""
        return self._printed("latex")

    def mathml(self) -> str:
        """As a ``<math>`` element."""
        return self._printed("mathml")

    def markdown(self) -> str:
        """As displayed mathematics in Markdown."""
        return self._printed("markdown")

    def _printed(self, markup: str) -> str:
        from logca.derive.notation import text_latex_python

        return str(getattr(text_latex_python, markup)(self.layout()))

    def _existence(
        self,
        exponent: "Mapping[sp.Symbol, sp.Expr] | None" = None,
        besides: "tuple[sp.Basic, ...]" = (),
    ) -> "tuple[sp.Basic, ...]":
        """When it exists under its latency and an exponent; besides, what a closed form needs."""
        from logca.derive.core.symbols import FORMS
        from logca.proofs.terms.existence import existence

        form = FORMS[self.latency] | dict(exponent or {})
        return existence(self.entry.expr, self.entry.domain, form, besides)

    @abstractmethod
    def pretty(self, width: int = WIDE) -> str:
        """In two dimensions for a terminal."""

    @abstractmethod
    def facts(self, width: int = WIDE) -> list[tuple[str, str]]:
        """Facts about it, each with its heading."""

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        width = shutil.get_terminal_size((WIDE, 24)).columns
        drawn = [f"  {line}".rstrip() for line in self.pretty(width - 2).splitlines()]
        lines = []
        for heading, fact in self.facts(width - _MARGIN):
            first, *more = fact.splitlines()
            lines += [f"  {heading:8} {first}", *(f"  {'':8} {line}" for line in more)]
        return "\n".join([*drawn, "", *lines])

    def __rich__(self) -> Any:
        from logca.api.display import quantity_panel

        width = shutil.get_terminal_size((WIDE, 24)).columns
        return quantity_panel(self.pretty(width - 2), self.facts(width - _MARGIN))

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"


def may_hold(condition: "sp.Basic", point: "Mapping[sp.Symbol, sp.Expr]") -> bool:
    """False if a condition does not hold where some symbols have these numbers, or all.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> may_hold((A > 1) & ((1 - beta) ** (1 - beta) > A), {beta: 2.5})
    False
    """
    import sympy as sp

    if isinstance(condition, sp.And | sp.Or):
        parts = (may_hold(part, point) for part in condition.args)
        return all(parts) if isinstance(condition, sp.And) else any(parts)
    try:
        return condition.subs(point, simultaneous=True) not in (sp.false, sp.nan)
    except TypeError:  # of sides without a real value, in a case that another exponent belongs to
        return False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Inserted(ShownFormula):
    """A formula with numbers for its symbols, and what it comes to."""

    name: str  # the formula
    latency: str  # form of its latency
    values: Mapping[str, float]  # numbers by symbol; times in `time` [their units]
    time: str = "cycles"  # unit of time, "cycles" or "seconds"
    of: str = ""  # whose numbers they are

    def exponent(self) -> "dict[sp.Symbol, sp.Expr]":
        """The exponent as an exact number, with which the formula is simplified [1].

        Empty if it is a long one, such as that of a fit: nothing becomes simpler with it.
        """
        return {} if self._exponent_is_long() else self._exact_exponent()

    def _exact_exponent(self) -> "dict[sp.Symbol, sp.Expr]":
        from logca.derive.core.symbols import beta

        return {each: value for each, value in self._exact().items() if each == beta}

    def _exponent_is_long(self) -> bool:
        return any(max(each.p, each.q) > _LONGEST for each in self._exact_exponent().values())

    def _exact(self) -> "dict[sp.Symbol, sp.Expr]":
        import sympy as sp

        from logca.derive.core.symbols import TABLE

        return {
            TABLE[name].symbol: sp.Rational(*exact(value).as_integer_ratio())
            for name, value in self.values.items()
        }

    def _rounded(self) -> "dict[sp.Symbol, sp.Expr]":
        """The numbers with many digits; an exponent that is not long stays exact.

        SymPy takes exact numbers to an exact fraction apart into primes, however long they are.
        """
        import sympy as sp

        keeps = self.exponent()
        return {
            symbol: value if symbol in keeps else sp.Float(value, _DIGITS)
            for symbol, value in self._exact().items()
        }

    def equation(self) -> "sp.Eq":
        """The formula for the exponent, in closed form where the numbers allow one [unit of it]."""
        import sympy as sp

        from logca.derive.notation.text_latex_python import abbreviated, equation

        entry, latency, exponent = self.entry, self.latency, self.exponent()
        if self._fail(self._closed_form_needs()):
            whole = self.sympy().subs(exponent, simultaneous=True)
            return abbreviated(sp.Eq(entry.symbol, whole, evaluate=False), latency)
        return equation(entry, latency, exponent)

    def _closed_form_needs(self) -> "tuple[sp.Basic, ...]":
        from logca.derive.logca.closed_forms import with_closed_forms

        exponent = self.exponent()
        return with_closed_forms(self.sympy(), exponent)[1] if exponent else ()

    def numbers(self) -> "sp.Expr":
        """Its right side with numbers for symbols, as they are written [unit of the quantity]."""
        from logca.derive.core.symbols import TABLE
        from logca.derive.notation.layout import Figure

        symbols = {TABLE[name].symbol: value for name, value in self.values.items()}
        written = {each: Figure(each, digits(value)) for each, value in symbols.items()}
        return self.equation().rhs.subs(written, simultaneous=True)

    @property
    def missing(self) -> list[str]:
        """Symbols that have no number."""
        return sorted({str(symbol) for symbol in self.sympy().free_symbols} - {*self.values})

    @property
    def value(self) -> float | None:
        """The number it comes to [unit]; None if a number is missing, or it does not exist."""
        if self.missing or self.failing():
            return None
        found = self.sympy().subs(self._rounded(), simultaneous=True).evalf()
        return float(found) if found.is_real and isfinite(float(found)) else None

    @property
    def dimension(self) -> "Dimension":
        """Dimension of the value."""
        unit = self.entry.unit.at(self._exact_exponent())
        return unit.in_seconds() if self.time == "seconds" else unit

    def conditions(self) -> "tuple[sp.Basic, ...]":
        """When it exists for the exponent, with what its closed form needs [1]."""
        import sympy as sp

        needs = self._closed_form_needs()
        found = self._existence(self.exponent(), () if self._fail(needs) else needs)
        return tuple(each for each in found if each != sp.true)

    def failing(self) -> "list[sp.Basic]":
        """Those conditions of its existence that do not hold for the numbers [1]."""
        return self._fail(self._existence(self.exponent()))

    def _fail(self, conditions: "Iterable[sp.Basic]") -> "list[sp.Basic]":
        roots = any(each.q > _WITHOUT_ROOTS for each in self._exact_exponent().values())
        point = self._rounded() if roots else self._exact()
        return [each for each in conditions if not may_hold(each, point)]

    @property
    def reason(self) -> str:
        """Why there is no value, though every number is there; "" else."""
        failing = [] if self.missing else self.failing()
        return f"none for these numbers: it needs {in_words(failing)}" if failing else ""

    def layout(self) -> "Node":
        """Name, formula, numbers and value with its unit, each equal to the next."""
        from logca.derive.notation.layout import chain

        forms = (self.equation().rhs, self.numbers())
        return chain(self.entry.symbol, forms, self.value, self.dimension)

    def to_json(self) -> dict[str, Any]:
        """Formula, numbers and value; the value is null if there is none."""
        return {
            "name": self.name,
            "latency": self.latency,
            "latex": self.latex(),
            "values": dict(self.values),
            "time": self.time,
            "value": self.value,
            "unit": self.unit,
            "missing": self.missing,
            "reason": self.reason,
        }

    def python(self) -> str:
        """The numbers as a Python expression."""
        from logca.derive.notation.text_latex_python import python

        return python(self.numbers())

    def pretty(self, width: int = 100) -> str:
        """In two dimensions for a terminal; where that is too wide, each part below the other."""
        from logca.derive.notation import text_latex_python
        from logca.derive.notation.layout import chain

        drawn = text_latex_python.pretty(self.layout(), width)
        if max(map(len, drawn.splitlines())) <= width:
            return drawn
        symbol = self.entry.symbol
        parts = [chain(symbol, (form,), None, self.dimension) for form in self._sides()]
        if self.value is not None:
            parts.append(chain(symbol, (), self.value, self.dimension))
        return "\n\n".join(text_latex_python.pretty(part, width) for part in parts)

    def _sides(self) -> "list[sp.Expr]":
        return [*dict.fromkeys((self.equation().rhs, self.numbers()))]

    def facts(self, width: int = WIDE) -> list[tuple[str, str]]:
        """Whose numbers, when it exists, why there is no value, each with its heading."""
        entry = self.entry
        told = ", ".join(map(self._told, self.values))
        asked = bool({*self.values} - {"beta"})  # the exponent alone is a matter of the formula
        found = [
            ("meaning", entry.meaning),
            ("with", f"{told}{f' ({self.of})' * bool(self.of)}"),
            ("latency", self.latency * (self.latency != "affine")),
            ("where", broken(self.conditions(), width)),
            ("value", self.reason),
            ("missing", ", ".join(self.missing) * asked),
            ("status", entry.status.value * (entry.status.value != "exact")),
            ("source", entry.source),
        ]
        return [(heading, fact) for heading, fact in found if fact]

    def _told(self, name: str) -> str:
        """A symbol with its number and its unit."""
        from logca.derive.core.symbols import TABLE
        from logca.derive.notation.signs import text_of

        per_byte = name == "L" and self.latency == "linear"
        unit = self._unit(TABLE["L1" if per_byte else name].unit)
        value = self.values[name]
        fraction = name == "beta" and not self._exponent_is_long() and float(digits(value)) != value
        number = str(exact(value)) if fraction else digits(value)
        return f"{text_of(name)} = {number}{'' if unit == '1' else f' {unit}'}"

    def _unit(self, unit: "Dimension") -> str:
        """A unit as text, with the exponent as a letter unless it is whole."""
        unit = unit.in_seconds() if self.time == "seconds" else unit
        known = unit.at(self.exponent())
        return str(known if all(each.is_Integer for each in known.exponents()) else unit)

    @property
    def unit(self) -> str:
        """Unit of the value."""
        return self._unit(self.entry.unit)
