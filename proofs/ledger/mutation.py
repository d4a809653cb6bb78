"""Mutants that the ledger must notice: each formula spoilt by a token turns some claim red.

Every formula of LogCA: the equations of CGPredict have no claims, tests hold them to the paper.

Run as ``python -m logca.proofs.ledger.mutation [NAME ...]``; exits with 1 if a mutant survives.
"""

import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO

import sympy as sp

from logca.derive.algebra import trinomial
from logca.derive.algebra.identities import is_zero
from logca.derive.core.catalogue import LOGCA, all_formulas, formula
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import TABLE
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.judge import settle
from logca.proofs.engine.problems import forms, problem
from logca.proofs.language.parser import ClaimSyntaxError, Lookup
from logca.proofs.ledger.check import run
from logca.proofs.numbers.counterexamples import find_counterexample
from logca.proofs.numbers.exact import Undefined, ball
from logca.proofs.numbers.sampled_points import sample
from logca.proofs.terms.limits import PowerLimit

__all__ = ["Mutant", "killer", "mutants"]

_OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "**": "*"}
_TRIED = 24
_PRECISION = 128
_WORDS = {"LowerRoot": "UpperRoot", "UpperRoot": "LowerRoot", "Min": "Max", "Max": "Min"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A formula with one token changed."""

    name: str  # the formula
    text: str  # the spoilt expression
    change: str  # what was changed
    expr: sp.Expr  # the spoilt expression [unit of the formula, or none]


def mutants(entry: Formula) -> Iterator[Mutant]:
    """All expressions that differ from a formula's in one token and in value [unit lost].

    Operators are exchanged, symbols swapped for others of the formula (a single one for all others
    of its unit), numbers raised by one.
    """
    text = str(entry.expr)
    tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    symbols = sorted({token.string for token in tokens if token.string in TABLE})
    if len(symbols) == 1:
        symbols = [name for name in TABLE if TABLE[name].unit == TABLE[symbols[0]].unit]
    seen: set[sp.Expr] = set()
    for token in tokens:
        for replacement in _replacements(token, symbols):
            spoilt = text[: token.start[1]] + replacement + text[token.end[1] :]
            expr = _read(spoilt)
            if expr is None or expr in seen or expr == entry.expr or _same(expr, entry.expr):
                continue
            seen.add(expr)
            change = f"'{token.string}' to '{replacement}' at {token.start[1]}"
            yield Mutant(name=entry.name, text=spoilt, change=change, expr=expr)


def _replacements(token: tokenize.TokenInfo, symbols: Sequence[str]) -> Iterator[str]:
    if token.string in _OPERATORS:
        yield _OPERATORS[token.string]
    elif token.string in _WORDS:
        yield _WORDS[token.string]
    elif token.type == tokenize.NUMBER:
        yield str(int(token.string) + 1)
    elif token.string in symbols:
        yield from (symbol for symbol in symbols if symbol != token.string)


def _read(text: str) -> sp.Expr | None:
    names = {name: entry.symbol for name, entry in TABLE.items()}
    names |= {name: getattr(trinomial, name) for name in trinomial.__all__}
    try:
        expr = sp.sympify(text, locals=names)
    except (sp.SympifyError, TypeError, ValueError, ZeroDivisionError):
        return None
    return None if expr.has(sp.zoo, sp.nan, sp.oo, sp.I) else expr


def _same(spoilt: sp.Expr, original: sp.Expr) -> bool:
    """True if two expressions agree in balls at every point where both exist, or as formulas."""
    symbols = sorted(spoilt.free_symbols | original.free_symbols, key=str)
    columns = sample(tuple(symbols), 1, 0)
    seen = 0
    for index in range(_TRIED):
        point = {symbol: sp.Rational(str(columns.text[symbol][index])) for symbol in symbols}
        try:
            if not _agree(spoilt, original, point):
                return False
            seen += 1
        except (Undefined, ValueError, ZeroDivisionError, OverflowError):
            continue
    return seen > 0 or is_zero(spoilt - original)


def _agree(left: sp.Expr, right: sp.Expr, point: dict[sp.Symbol, sp.Rational]) -> bool:
    a, b = ball(left, point, _PRECISION), ball(right, point, _PRECISION)
    return bool((a - b).contains(0))


def killer(mutant: Mutant, claims: Sequence[Claim]) -> str:
    """Id of a claim whose verdict changes when the mutant takes the formula's place, or ''."""
    lookup = _with(mutant)
    mentioning = [claim for claim in claims if _mentions(claim, mutant.name)]
    for quick in (True, False):
        for claim in mentioning:
            if not _stands(claim, lookup, quick) and _stands_unspoilt(claim, quick):
                return claim.id
    return ""


@cache
def _stands_unspoilt(claim: Claim, quick: bool) -> bool:
    """Refuted and open claims notice nothing."""
    return _stands(claim, formula, quick)


def _with(mutant: Mutant) -> Lookup:
    def lookup(name: str) -> Formula:
        found = formula(name)
        return found.mutated(mutant.expr) if name == mutant.name else found

    return lookup


def _mentions(claim: Claim, name: str) -> bool:
    return name in _words(claim)


@cache
def _words(claim: Claim) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", " ".join([*claim.true.asserts, *claim.true.given])))


def _stands(claim: Claim, lookup: Lookup, quick: bool) -> bool:
    asserts, given = claim.true.asserts, claim.true.given
    try:
        if quick:
            return not _refuted_by_search(asserts, given, lookup)
        touch = claim.corrected.touch if claim.corrected else claim.touch
        return settle(asserts, given, touch, lookup, thorough=False)[0].status == "proved"
    except (ClaimSyntaxError, Undefined, TypeError, ValueError, ZeroDivisionError):
        return False


def _refuted_by_search(asserts: tuple[str, ...], given: tuple[str, ...], lookup: Lookup) -> bool:
    for latency in forms(asserts, given):
        stated = problem(asserts, given, latency, total=True, lookup=lookup)
        for _, goal in stated.goals:
            if goal.has(PowerLimit):
                continue
            if find_counterexample(stated.given(), [goal]) is not None:
                return True
    return False


def survivors(wanted: Sequence[str] = (), report: Callable[[str], None] = print) -> list[Mutant]:
    """Mutants that no proved or corrected claim notices."""
    claims = all_claims()
    alive = []
    for entry in all_formulas(LOGCA):
        if wanted and entry.name not in wanted:
            continue
        count = 0
        for mutant in mutants(entry):
            count += 1
            if not killer(mutant, claims):
                alive.append(mutant)
                report(f"survives: {mutant.name}, {mutant.change}: {mutant.text}")
        report(f"{entry.name}: {count} mutants")
    return alive


def _main(wanted: list[str]) -> int:
    unknown = set(wanted) - {name for listed in LOGCA.values() for name in listed}
    if unknown:
        print(f"LogCA has no formula {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    return 1 if survivors(wanted) else 0


if __name__ == "__main__":
    run(lambda: _main(sys.argv[1:]))
