"""Numbered equations of the papers on LogCA: as printed, what is known of them, the exact ones."""

import ast
import re
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from logca.api.claims import LedgerClaim, claims
from logca.common.near_misses import did_you_mean

if TYPE_CHECKING:
    import sympy as sp
    from rich.console import RenderableType

    from logca.api.formulas import Quantity
    from logca.derive.notation.boxes import Node

__all__ = ["PaperEquation", "as_id", "equation_rows", "paper_equation"]

_EQUATIONS = (
    ("speedup", "affine"),
    ("speedup", "constant"),
    ("limit_large", "constant"),
    ("speedup_one", "constant"),
    ("g1", "constant"),
    ("gA2", "constant"),
    ("gA2", "constant"),
    ("speedup", "linear"),
    ("limit_large", "linear"),
    ("speedup_one", "linear"),
    ("g1", "linear"),
    ("gA2", "linear"),
    ("gA", "linear"),
)
"""Quantity and form of latency of each equation of both papers on LogCA, by number."""

_ID = re.compile(r"(cal2015|isca2017)-eq(\d+)")
_NUMBER = re.compile(r"[\s_.-]*eq[\s_.-]*(\d+)$")
_KEYS = {"altaf2015": "cal2015", "altaf2017": "isca2017"}
"""The papers' names in ids, by those in sources."""
_TERMINAL = (100, 24)
_INDENT = 4
_UNKNOWN = "x"  # stands for the quantity in claims about an equation that solves for it


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEquation:
    """A numbered equation of a paper on LogCA: as printed, what is known of it, the exact one."""

    claim: LedgerClaim  # what the ledger says of it
    exact: "Quantity"  # what is true, under the equation's latency

    @property
    def id(self) -> str:
        """Its identifier, which is its claim's."""
        return self.claim.id

    @property
    def status(self) -> str:
        """Exact, or what it is in place of it: "approximation" or "corrected"."""
        true = self.claim.corrected
        if true is None:
            return "exact"
        from logca.derive.core.catalogue import formula, names

        named = {*re.findall(r"\w+", " ".join(true.asserts))} & {*names()}
        found = {formula(name).status.value for name in named}
        return "approximation" if "approximation" in found else "corrected"

    @property
    def printed(self) -> "Node":
        """The equation as the paper prints it."""
        from logca.derive.notation.boxes import Name, Row, Sign
        from logca.derive.notation.layout import typeset

        solved = f"{_UNKNOWN} == "
        found = [text.removeprefix(solved) for text in self.claim.given if text.startswith(solved)]
        if found:
            sides = [Name(self.exact.name), typeset(self._expression(found[0]))]
        else:
            relation = ast.parse(self.claim.asserts[0], mode="eval").body
            assert isinstance(relation, ast.Compare), self.id
            sides = [self._side(each) for each in (relation.left, *relation.comparators)]
        parts = [part for side in sides for part in (Sign("="), side)]
        return Row(tuple(parts[1:]), kind="relation")

    def _side(self, node: ast.expr) -> "Node":
        import sympy as sp

        from logca.derive.core.symbols import TABLE
        from logca.derive.notation.boxes import Name, Row, Script
        from logca.derive.notation.layout import typeset

        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "limit":
                of, variable, end = (ast.unparse(each) for each in node.args)
                limit = sp.oo if end == "oo" else self._expression(end)
                symbol = TABLE[variable].symbol
                return typeset(sp.Limit(self._expression(of), symbol, limit))
            fixed = [
                (each.arg or "", self._expression(ast.unparse(each.value)))
                for each in node.keywords
            ]
            below = [sp.Eq(sp.Symbol(name), value, evaluate=False) for name, value in fixed]
            return Script(Name(node.func.id), sub=Row(tuple(map(typeset, below))))
        return typeset(self._expression(ast.unparse(node)))

    def _expression(self, text: str) -> "sp.Expr":
        """A side of an equation, in which quantities keep their names [its unit]."""
        import sympy as sp

        from logca.derive.core.catalogue import formula
        from logca.derive.core.symbols import TABLE
        from logca.proofs.language.parser import parse_expression

        def by_name(name: str) -> Any:
            return replace(formula(name).mutated(sp.Symbol(name, positive=True)), domain=())

        latency = "constant" if self.exact.latency == "affine" else self.exact.latency
        found = parse_expression(text, latency, by_name)
        return found.subs(TABLE[_UNKNOWN].symbol, TABLE["g"].symbol)

    def true(self) -> "sp.Eq":
        """The exact equation, for the exponent of the printed one [unit of the quantity]."""
        import sympy as sp

        from logca.derive.core.symbols import beta
        from logca.derive.notation.text_latex_python import equation

        linear = {beta: sp.S.One} if "beta == 1" in self.claim.given else {}
        return equation(self.exact.entry, self.exact.latency, linear)

    def _both(self, markup: str) -> list[str]:
        from logca.derive.notation import text_latex_python

        write = getattr(text_latex_python, markup)
        return [*dict.fromkeys((str(write(self.printed)), str(write(self.true()))))]

    def text(self) -> str:
        """As printed; and the exact one on the next line, where it is written otherwise."""
        return "\n".join(self._both("text"))

    def latex(self) -> str:
        """As printed and exact, in LaTeX, each below a comment."""
        comments = (f"% {self.id}, as printed: {self.status}", f"% exact: {self.exact.name}")
        return "\n".join(f"{a}\n{b}" for a, b in zip(comments, self._both("latex"), strict=False))

    def mathml(self) -> str:
        """As printed and exact, each a ``<math>`` element on a line."""
        return "\n".join(self._both("mathml"))

    def markdown(self) -> str:
        """As printed and exact, as displayed mathematics in Markdown."""
        return "\n\n".join(self._both("markdown"))

    def python(self) -> str:
        """The exact right side as a Python expression."""
        from logca.derive.notation.text_latex_python import python

        return python(self.true().rhs)

    def to_json(self) -> dict[str, Any]:
        """Id, status and verdict, and both equations in LaTeX."""
        from logca.derive.notation.text_latex_python import latex

        return {
            "id": self.id,
            "source": self.claim.source,
            "status": self.status,
            "verdict": self.claim.verdict,
            "statement": self.claim.statement,
            "true": self.claim.claim.true.statement,
            "printed": latex(self.printed),
            "exact": {
                "name": self.exact.name,
                "latency": self.exact.latency,
                "latex": latex(self.true()),
            },
        }

    def __rich__(self) -> "RenderableType":
        from logca.api.display import equation_panel
        from logca.derive.notation.text_latex_python import pretty
        from logca.proofs.claims.catalogue import all_claims

        room = get_terminal_size(_TERMINAL).columns - _INDENT
        drawn = {"as printed": pretty(self.printed, room), "exact": pretty(self.true(), room)}
        if drawn["as printed"] == drawn["exact"]:
            drawn = {"as printed, and exact": drawn["exact"]}
        true = self.claim.corrected
        more = [each.id for each in all_claims() if each.id.startswith(f"{self.id}-")]
        known = {
            "status": self.status if true is None else f"{self.status}. {true.statement}",
            "statement": self.claim.statement,
            "source": self.claim.source,
            "formula": f"logca formula {self.exact.name} --latency {self.exact.latency}",
            "claims": ", ".join([self.id, *more]),
        }
        return equation_panel(self.id, self.claim.verdict, drawn, known)


def as_id(name: str) -> str:
    """An id, or the beginning of one, in which the paper may be called as in sources.

    Examples
    --------
    >>> as_id("altaf2017-eq5"), as_id("cal2015-eq1")
    ('isca2017-eq5', 'cal2015-eq1')
    """
    for key, paper in _KEYS.items():
        name = name.replace(key, paper)
    return name


def paper_equation(name: str) -> PaperEquation | None:
    """The equation of that number; None if the name is of another kind.

    Examples
    --------
    >>> print(paper_equation("isca2017-eq12").text())
    gA2 = (A·o + (β − 1)·C) / (β·C − A·L)
    gA2 = the rising root x of C·x^β / A = o + L·x
    >>> paper_equation("isca2017-eq12").status, paper_equation("isca2017-eq5").status
    ('approximation', 'exact')
    """
    wanted = as_id(_NUMBER.sub(r"-eq\1", name.casefold()))
    found = _ID.fullmatch(wanted)
    if found is None:
        _refuse_unknown_number(name, wanted)
        return None
    from logca.api.formulas import Quantity

    for claim in claims():
        if claim.id == found[0]:
            about, latency = _EQUATIONS[int(found[2]) - 1]
            return PaperEquation(claim=claim, exact=Quantity(about, latency))
    from logca.derive.core.formula import FormulaError

    known = [
        each.id for each in claims() if _ID.fullmatch(each.id) and each.id.startswith(found[1])
    ]
    raise FormulaError(f"{found[1]} has no equation {found[2]}: it has {known[0]} to {known[-1]}")


def _refuse_unknown_number(name: str, wanted: str) -> None:
    """Raise FormulaError for what looks like the number of an equation and is none."""
    from logca.derive.core.catalogue import PAPER_NAMES
    from logca.derive.core.formula import FormulaError

    if wanted in PAPER_NAMES or not _NUMBER.search(wanted):
        return
    known = [*(claim.id for claim in claims() if _ID.fullmatch(claim.id)), *PAPER_NAMES]
    hint = did_you_mean(wanted, known, most=3, quote=str) or "`logca formula` lists them"
    raise FormulaError(f"no paper has an equation '{name}'; {hint}")


def equation_rows() -> list[dict[str, str]]:
    """The numbered equations of the papers on LogCA, as rows of the list of formulas."""
    return [
        {
            "name": claim.id,
            "topic": "Equations of the papers, as printed and exact",
            "unit": "" if claim.corrected is None else "not exact",
            "meaning": claim.statement,
            "source": claim.source,
        }
        for claim in claims()
        if _ID.fullmatch(claim.id)
    ]
