"""Statements over the reals as a script in SMT-LIB 2, with what each of them says in mathematics.

The assertions are those that Z3 was given, written by Z3; only the names of variables are new.
"""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from logca.proofs.language.printer import mathematics
from logca.proofs.provers.smt import as_z3, as_z3_sign, as_z3_term, in_order, signed

__all__ = ["Assertion", "comment", "named", "script"]

_WIDTH = 100
_UNBROKEN = 1_000_000
"""Size below which Z3 writes an expression out instead of naming its parts [1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A statement over the reals, and why it holds."""

    kind: str  # "hypothesis", "definition", "lemma" or so, which names it
    why: str  # where it is from: a hypothesis, a lemma, a definition
    statement: sp.Basic  # polynomial, over symbols and variables [1]

    def formula(self) -> Any:
        """The statement as Z3 has it; sides that differ stay as they are, not multiplied out."""
        if isinstance(self.statement, sp.Ne):
            left, right = map(as_z3_term, self.statement.args)
            return left != right
        return as_z3(self.statement)


def comment(text: str, indent: int = 0) -> str:
    r"""A text as lines of comment, whatever is in it.

    Examples
    --------
    >>> print(comment("A > 2\n(assert false)"))
    ; A > 2 (assert false)
    """
    printable = "".join(c if c.isprintable() else " " for c in text)
    plain = printable.encode("ascii", "backslashreplace").decode()
    margin = "; " + " " * indent
    lines = textwrap.wrap(
        plain, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(margin + line for line in lines or [""]).rstrip()


def named(assertions: Sequence[Assertion]) -> dict[str, Assertion]:
    """The assertions of a script by their names."""
    kinds = Counter(each.kind for each in assertions)
    seen: Counter[str] = Counter()
    found = {}
    for each in assertions:
        seen[each.kind] += 1
        number = "" if kinds[each.kind] == 1 else f"_{seen[each.kind]}"
        found[each.kind + number] = each
    return found


def script(
    assertions: Sequence[Assertion], meaning: Mapping[sp.Symbol, sp.Expr], status: str
) -> str:
    """A script of SMT-LIB 2 that is complete by itself: `status` is what solvers should answer.

    Of variables that a known sign makes positive or not negative, that is asserted first.
    """
    ordered = in_order([each.statement for each in assertions])
    lines = ["(set-logic QF_NRA)", f"(set-info :status {status})"]
    for symbol in ordered:
        if symbol in meaning:
            lines.append(comment(f"{symbol.name} is {mathematics(meaning[symbol], meaning)}"))
        lines.append(f"(declare-const {symbol.name} Real)")
    domain = [symbol for symbol in ordered if symbol in signed(ordered)]
    if domain:
        lines += ["", comment("By the domain of the symbols, or of what a variable stands for:")]
    for symbol in domain:
        lines.append(_assert(as_z3_sign(symbol), f"sign_of_{symbol.name}"))
    for name, each in named(assertions).items():
        lines += ["", comment(each.why), comment(mathematics(each.statement, meaning), indent=4)]
        lines.append(_assert(each.formula(), name))
    return "\n".join([*lines, "", "(check-sat)", ""])


def _assert(formula: Any, name: str) -> str:
    import z3

    z3.set_param("pp.min_alias_size", _UNBROKEN)
    z3.set_param("pp.max_depth", _UNBROKEN)
    written = " ".join(formula.sexpr().split())
    return f"(assert (! {written} :named {name}))"
