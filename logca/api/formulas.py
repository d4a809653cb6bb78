"""Formulas from Python: they show well in a terminal and in Jupyter, and print in every markup.

The list of all of them is cached, because making it loads and derives every one.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from logca.common import results
from logca.common.errors import ArgumentTypeError
from logca.derive.core import catalogue
from logca.derive.core.catalogue import PAPER_NAMES
from logca.proofs.ledger import cache

if TYPE_CHECKING:
    import sympy as sp

    from logca.derive.algebra.derivation import Step
    from logca.derive.core.formula import Formula

__all__ = [
    "Formulas",
    "Quantity",
    "Steps",
    "formula",
    "formula_rows",
    "formulas",
    "topic",
]


@dataclass(frozen=True, slots=True, repr=False)
class Quantity:
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
    def entry(self) -> "Formula":
        """The object that the other rooms work with."""
        return catalogue.formula(self.name)

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

        return sp.And(*self._needed())

    def _needed(self) -> "tuple[sp.Basic, ...]":
        from logca.derive.core.symbols import FORMS
        from logca.proofs.terms.existence import existence

        return existence(self.entry.expr, self.entry.domain, FORMS[self.latency])

    def sympy(self) -> "sp.Expr":
        """The expression [unit of the quantity].

        Its symbols know their domains, so replace these and not their names.

        Examples
        --------
        >>> speedup = formula("speedup", latency="constant").sympy()
        >>> symbols = {symbol.name: symbol for symbol in speedup.free_symbols}
        >>> speedup.subs({symbols["o"]: 0, symbols["L"]: 0})
        A
        """
        return self.entry.in_form(self.latency)

    def equation(self) -> "sp.Eq":
        """The expression with its name on the left [unit of the quantity]."""
        from logca.derive.notation.text_latex_python import equation

        return equation(self.entry, self.latency)

    def text(self) -> str:
        """On one line, in Unicode."""
        return self._printed("text")

    def pretty(self, width: int = 100) -> str:
        """In two dimensions for a terminal.

        Parameters
        ----------
        width : int
            Columns of the terminal [1].
        """
        from logca.derive.notation.text_latex_python import pretty

        return pretty(self.equation(), width)

    def latex(self) -> str:
        """In LaTeX, without delimiters."""
        return self._printed("latex")

    def mathml(self) -> str:
        """As a ``<math>`` element."""
        return self._printed("mathml")

    def markdown(self) -> str:
        """As displayed mathematics in Markdown."""
        return self._printed("markdown")

    def python(self) -> str:
        """As a Python expression."""
        from logca.derive.notation.text_latex_python import python

        return python(self.sympy())

    def derivation(self) -> "Steps":
        """The steps that lead to it; each can be checked again."""
        return Steps(self)

    def _printed(self, markup: str) -> str:
        from logca.derive.notation import text_latex_python

        return str(getattr(text_latex_python, markup)(self.equation()))

    def conditions(self) -> str:
        """When it exists, in words and signs, or "" if it always does."""
        from logca.derive.notation.text_latex_python import abbreviated, text

        parts = [text(abbreviated(condition, self.latency)) for condition in self._needed()]
        return " and ".join(f"({part})" if " or " in part else part for part in parts)

    def facts(self) -> list[tuple[str, str]]:
        """Meaning, unit, domain, status, source, number, each with its heading."""
        found = [("meaning", self.meaning), ("unit", self.unit)]
        if self.latency != "affine":
            found.append(("latency", self.latency))
        if self.conditions():
            found.append(("where", self.conditions()))
        if self.status != "exact":
            found.append(("status", self.status))
        numbers = [each for each, name in PAPER_NAMES.items() if name == self.name]
        return [*found, ("source", self.source), *(("also", number) for number in numbers)]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        width = shutil.get_terminal_size((100, 24)).columns
        drawn = "\n".join(f"  {line}" for line in self.pretty(width - 2).splitlines())
        lines = [f"  {heading:8} {fact}" for heading, fact in self.facts()]
        return "\n".join([drawn, "", *lines])

    def __rich__(self) -> Any:
        from logca.api.display import quantity_panel

        return quantity_panel(self.pretty(), self.facts())

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"

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
