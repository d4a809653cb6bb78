"""Formulas from Python: they show well in a terminal and in Jupyter, and print in every markup.

The list of all of them is cached, because making it loads and derives every one.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from logca.api.inserted_numbers import WIDE, Inserted, ShownFormula, broken, in_words, may_hold
from logca.common import results
from logca.common.errors import ArgumentTypeError
from logca.derive.core import catalogue
from logca.derive.core.catalogue import PAPER_NAMES
from logca.proofs.ledger import cache

if TYPE_CHECKING:
    import sympy as sp

    from logca.derive.algebra.derivation import Step

__all__ = [
    "Formulas",
    "Quantity",
    "Steps",
    "formula",
    "formula_rows",
    "formulas",
    "formulas_json",
    "topic",
]


@dataclass(frozen=True, slots=True, repr=False)
class Quantity(ShownFormula):
    """A named formula under one form of latency.

    Parameters
    ----------
    name : str
        The formula.
    latency : str
        "constant", "linear" or "affine".
    """

    name: str
    latency: str = "affine"

    @property
    def meaning(self) -> str:
        """Meaning of the quantity, in words."""
        return self.entry.meaning

    @property
    def source(self) -> str:
        """BibTeX key and place; `logca2026` is this package."""
        return self.entry.source

    @property
    def unit(self) -> str:
        """Its unit."""
        return str(self.entry.unit)

    @property
    def status(self) -> str:
        """Exactness: exact, a limit, a bound or an approximation."""
        return self.entry.status.value

    @property
    def domain(self) -> "tuple[sp.Basic, ...]":
        """When it is defined, beyond the domains of its symbols and the existence of roots [1]."""
        from logca.derive.notation.text_latex_python import conditions

        return conditions(self.entry, self.latency)

    @property
    def exists(self) -> "sp.Basic":
        """The exact condition under which it is defined, existence of roots included [1]."""
        import sympy as sp

        return sp.And(*self._existence())

    def symbols(self) -> frozenset[str]:
        """Names of its symbols."""
        return frozenset(str(symbol) for symbol in self.sympy().free_symbols)

    def equation(self) -> "sp.Eq":
        """The expression with its name on the left [unit of the quantity]."""
        from logca.derive.notation.text_latex_python import equation

        return equation(self.entry, self.latency)

    def layout(self) -> "sp.Eq":
        """The equation, which is what is printed [unit of the quantity]."""
        return self.equation()

    def pretty(self, width: int = 100) -> str:
        """In two dimensions for a terminal.

        Parameters
        ----------
        width : int
            Columns of the terminal [1].
        """
        from logca.derive.notation.text_latex_python import pretty

        return pretty(self.equation(), width)

    def python(self) -> str:
        """As a Python expression."""
        from logca.derive.notation.text_latex_python import python

        return python(self.sympy())

    def to_json(self) -> dict[str, str]:
        """Name and LaTeX."""
        return {"name": self.name, "latex": self.latex()}

    def derivation(self) -> "Steps":
        """The steps that lead to it; each can be checked again."""
        return Steps(self)

    def at(self, values: Mapping[str, float], *, time: str = "cycles") -> "Inserted":
        """The formula with numbers for its symbols, and what it comes to.

        Parameters
        ----------
        values : mapping of str to float
            Numbers by symbol [their units]; what the formula does not have is left out.
        time : str
            Unit of time of the numbers: "cycles" or "seconds".

        Raises
        ------
        FormulaError
            If it does not exist for that exponent.

        Examples
        --------
        >>> numbers = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
        >>> print(formula("g1", latency="constant").at(numbers))
        g1 = A·(o + L) / (C·(A − 1)) = 19·(29000 + 1500) / (90·(19 − 1)) = 357.716 B
        """
        known = self.symbols()
        found = {name: float(value) for name, value in values.items() if name in known}
        inserted = Inserted(name=self.name, latency=self.latency, values=found, time=time)
        self.refuse_what_never_exists(inserted.exponent())
        return inserted

    def exists_at_all(self, exponent: "Mapping[sp.Symbol, sp.Expr] | None" = None) -> bool:
        """False if it exists for no values under this latency and exponent."""
        import sympy as sp

        return sp.false not in self._existence(exponent)

    def refuse_what_never_exists(
        self, exponent: "Mapping[sp.Symbol, sp.Expr] | None" = None
    ) -> None:
        """Raise FormulaError if it exists for no values under this latency and exponent."""
        from logca.derive.core.formula import FormulaError
        from logca.derive.core.symbols import FORMS
        from logca.derive.notation.text_latex_python import text
        from logca.proofs.terms.existence import existence

        if self.exists_at_all(exponent):
            return
        form = FORMS[self.latency] | dict(exponent or {})
        general = existence(self.entry.expr, self.entry.domain, {})
        needed = [each for each in general if not may_hold(each, form)]
        fixed = (exponent or {}).items()
        where = "".join(f" at {text(symbol)} = {text(value)}" for symbol, value in fixed)
        raise FormulaError(
            f"{self.name} does not exist under {self.latency} latency{where}: "
            f"it needs {in_words(needed or general)}"
        )

    def has_roots(self) -> bool:
        """True if it holds a root, whose existence depends on the form of latency."""
        from logca.derive.algebra.trinomial import TrinomialRoot

        return bool(self.entry.expr.has(TrinomialRoot))

    def conditions(self) -> str:
        """When it exists, in words and signs, or "" if it always does."""
        return in_words(self.shown_conditions())

    def shown_conditions(self) -> "list[sp.Basic]":
        """The conditions of its existence, with what is long in them by name [1]."""
        from logca.derive.notation.text_latex_python import abbreviated

        return [abbreviated(condition, self.latency) for condition in self._existence()]

    def facts(self, width: int = WIDE) -> list[tuple[str, str]]:
        """Meaning, unit, domain, status, source, number, each with its heading.

        Parameters
        ----------
        width : int
            Columns of a fact; conditions are broken between their parts [1].
        """
        found = [("meaning", self.meaning), ("unit", self.unit)]
        if self.latency != "affine":
            found.append(("latency", self.latency))
        found.append(("where", broken(self.shown_conditions(), width)))
        if self.status != "exact":
            found.append(("status", self.status))
        true = self.name.removesuffix("_printed")
        if true != self.name:
            found.append(("corrected", Quantity(true, self.latency).text()))
        numbers = [each for each, name in PAPER_NAMES.items() if name == self.name]
        found += [("source", self.source), *(("also", number) for number in numbers)]
        return [(heading, fact) for heading, fact in found if fact]

    def _repr_markdown_(self) -> str:
        facts = "  \n".join(f"*{heading}* {fact}" for heading, fact in self.facts())
        return f"{self.markdown()}\n\n{facts}"


@dataclass(frozen=True, slots=True, repr=False)
class Steps:
    """The derivation of a quantity, step by step."""

    quantity: Quantity  # what is derived

    def __iter__(self) -> "Iterator[Step]":
        return iter(self.quantity.entry.derivation.steps)

    def __len__(self) -> int:
        return len(self.quantity.entry.derivation.steps)

    def __getitem__(self, index: int) -> "Step":
        return self.quantity.entry.derivation.steps[index]

    def check(self) -> bool:
        """True if every step holds and follows from one before it, verified anew [1]."""
        from logca.derive.algebra.derivation import DerivationError

        try:
            self.quantity.entry.derivation.check()
        except DerivationError:
            return False
        return True

    def __repr__(self) -> str:
        from logca.derive.notation.text_latex_python import abbreviated, pretty

        width = shutil.get_terminal_size((100, 24)).columns - 5
        blocks = []
        for number, step in enumerate(self, start=1):
            drawn = pretty(abbreviated(step.relation), width)
            indented = "\n".join(f"     {line}" for line in drawn.splitlines())
            blocks.append(f"{number:3}. {step.name}\n\n{indented}")
        return "\n\n".join(blocks)

    def _repr_markdown_(self) -> str:
        from logca.derive.notation.text_latex_python import abbreviated, latex

        return "\n\n".join(
            f"{number}. {step.name}\n\n   $$ {latex(abbreviated(step.relation))} $$"
            for number, step in enumerate(self, start=1)
        )


class Formulas(tuple[Quantity, ...]):
    """Formulas in the order of a textbook."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} formulas>"

    _repr_html_ = results.html
    to_frame = results.to_frame


def formula(name: str, latency: str = "affine") -> Quantity:
    """The formula of that name.

    Parameters
    ----------
    name : str
        Such as "g1", the same names as in claims and on the command line; or the number of an
        equation, such as "cgpredict-eq16".
    latency : str
        "constant" or "linear" for the papers' forms; "affine", L0 + L1*g, holds both.

    Raises
    ------
    FormulaError
        If there is no such formula or form, or the formula does not exist under it.
    TypeError
        If the name or the form is no text.

    Examples
    --------
    >>> formula("g1", latency="constant").text()
    'g1 = (A·(o + L) / (C·(A − 1)))^(1/β)'
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(f"a formula's name is text such as 'g1', not {type(name).__name__}")
    if not isinstance(latency, str):
        raise ArgumentTypeError(f"a form of latency is text, not {type(latency).__name__}")
    from logca.derive.core.formula import FormulaError

    quantity = Quantity(catalogue.resolve(name), latency)
    try:
        quantity.equation()
    except FormulaError:
        if quantity.name in catalogue.names() or catalogue.near(name):
            raise
        raise FormulaError(catalogue.unknown(name, _by_meaning(name))) from None
    if quantity.has_roots():
        quantity.refuse_what_never_exists()
    return quantity


def _by_meaning(words: str) -> dict[str, str]:
    """The first formulas in whose meaning all the words are."""
    wanted = words.casefold().split()
    meanings = {row["name"]: row["meaning"] for row in formula_rows()} if wanted else {}
    found = {name: text for name, text in meanings.items() if all(each in text for each in wanted)}
    return dict(islice(found.items(), 2))


def formulas() -> Formulas:
    """All formulas, in the order of a textbook.

    Examples
    --------
    >>> [quantity.name for quantity in formulas()[:3]]
    ['T0', 'T1', 'speedup']
    """
    return Formulas(Quantity(name) for name in catalogue.names())


def formulas_json(latency: str) -> list[dict[str, str]]:
    """Name and LaTeX of all formulas that exist under a form of latency."""
    from logca.derive.notation.text_latex_python import formulas_in_latex

    found = [(Quantity(row["name"], latency), row) for row in formulas_in_latex(latency)]
    return [row for each, row in found if not each.has_roots() or each.exists_at_all()]


def formula_rows() -> list[dict[str, str]]:
    """Name, topic, unit, meaning and source of every formula."""
    path = cache.folder() / f"formulas-{cache.engine()[:16]}.json"
    rows = cache.read(path, cache.engine()).get("rows")
    if not isinstance(rows, list) or not rows:
        rows = _rows()
        cache.write(path, cache.engine(), {"rows": rows})
        cache.forget(path.parent.glob("formulas-*.json"))
    return rows


def _rows() -> list[dict[str, str]]:
    from logca.derive.core.catalogue import MODULES, formula

    return [
        {
            "name": name,
            "topic": topic(module),
            "unit": str(formula(name).unit),
            "meaning": formula(name).meaning,
            "source": formula(name).source,
        }
        for module, members in MODULES.items()
        for name in members
    ]


def topic(module: str) -> str:
    """Subject of a module of formulas: the first line of its docstring.

    Examples
    --------
    >>> topic("logca.speedup")
    'Host time, accelerated time and speedup, its limits and symmetries (eqs 1 to 4, 8 to 10)'
    """
    from importlib import import_module

    described = import_module(f"logca.derive.{module}").__doc__ or module
    return described.strip().splitlines()[0].rstrip(".")
