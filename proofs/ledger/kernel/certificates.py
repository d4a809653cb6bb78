"""Products of inequalities whose sum contradicts itself: found by linear programming.

If polynomials p are positive, or not negative, then so are their products with each other and with
monomials of positive variables. A sum of such products that vanishes, one of them positive, is a
contradiction. Floats only choose the products here; Coq's `lra` finds the factors again, exactly.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import sympy as sp
from scipy.optimize import linprog
from scipy.sparse import csc_array

from logca.proofs.ledger.kernel.expressions import as_term

__all__ = ["Atom", "Product", "certificate", "product_proof"]

_Monomial = tuple[int, ...]
_Polynomial = dict[_Monomial, float]
_MOST = 3000
_MOST_MONOMIALS = 500
_LARGEST_DEGREE = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A polynomial of known sign, by a hypothesis."""

    name: str
    kind: str  # "gt": positive; "ge": not negative; "eq": zero; "ne": not zero
    polynomial: sp.Expr  # [any unit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product of hypotheses and variables that takes part in a contradiction."""

    factors: tuple[Atom, ...]
    variables: tuple[tuple[sp.Symbol, int], ...]  # with their exponents


def certificate(atoms: Sequence[Atom], signs: dict[sp.Symbol, str]) -> list[Product] | None:
    """Products of which a combination contradicts itself; None if none is found.

    Signs of variables are "gt" or "ge"; other variables are of no known sign.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, L0, o
    >>> one = Atom(name="H", kind="gt", polynomial=-A * C - L0)
    >>> [product.factors for product in certificate([one], {A: "gt", C: "gt", L0: "ge"})][0][0].name
    'H'
    """
    symbols = sorted(
        set().union(*(atom.polynomial.free_symbols for atom in atoms)) | set(), key=str
    )
    if not symbols:
        symbols = [sp.Symbol("unused")]
    polynomials = {}
    for atom in atoms:
        if atom.kind == "ne":
            continue
        try:
            polynomials[atom] = _polynomial(atom.polynomial, symbols)
        except sp.PolynomialError:
            return None
    for depth in (0, 1, 2, 3):
        found = _combination(polynomials, symbols, signs, depth)
        if found is not None:
            return found
    return None


def _polynomial(expr: sp.Expr, symbols: Sequence[sp.Symbol]) -> _Polynomial:
    poly = sp.Poly(expr, *symbols)
    scale = max((abs(float(c)) for c in poly.coeffs()), default=1.0) or 1.0
    return {monomial: float(c) / scale for monomial, c in poly.terms() if c != 0}


def _combination(
    polynomials: dict[Atom, _Polynomial],
    symbols: Sequence[sp.Symbol],
    signs: dict[sp.Symbol, str],
    depth: int,
) -> list[Product] | None:
    columns = _columns(polynomials, symbols, signs, depth)
    if not columns:
        return None
    rows: dict[_Monomial, int] = {}
    data, row_index, column_index = [], [], []
    strict = []
    bounds: list[tuple[float | None, float | None]] = []
    for column, (_, kind, polynomial) in enumerate(columns):
        for monomial, coefficient in polynomial.items():
            data.append(coefficient)
            row_index.append(rows.setdefault(monomial, len(rows)))
            column_index.append(column)
        bounds.append((None, None) if kind == "eq" else (0, None))
        if kind == "gt":
            strict.append(column)
    if not strict:
        return None
    for column in strict:
        data.append(1.0)
        row_index.append(len(rows))
        column_index.append(column)
    matrix = csc_array((data, (row_index, column_index)), shape=(len(rows) + 1, len(columns)))
    right = np.zeros(len(rows) + 1)
    right[-1] = 1.0
    cost = [
        0.0 if kind == "eq" else 1.0 + sum(map(sum, list(poly)[:1])) for _, kind, poly in columns
    ]
    answer = linprog(
        cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds", options={"time_limit": 2.0}
    )
    if answer.status != 0:
        return None
    return [columns[index][0] for index in np.flatnonzero(np.abs(answer.x) > 1e-9)]


def _columns(
    polynomials: dict[Atom, _Polynomial],
    symbols: Sequence[sp.Symbol],
    signs: dict[sp.Symbol, str],
    depth: int,
) -> list[tuple[Product, str, _Polynomial]]:
    """The products to choose from, with their kinds: more of them with greater depth."""
    chosen: list[tuple[tuple[Atom, ...], str, _Polynomial]] = []
    for atom, polynomial in polynomials.items():
        chosen.append(((atom,), atom.kind, polynomial))
    if depth in (1, 3):
        for one, other in combinations_with_replacement(polynomials, 2):
            if "eq" in (one.kind, other.kind):
                continue
            kind = "gt" if one.kind == other.kind == "gt" else "ge"
            chosen.append(((one, other), kind, _times(polynomials[one], polynomials[other])))
    usable = [symbol in signs for symbol in symbols]
    monomials = [list(polynomial) for _, _, polynomial in chosen]
    everything = {monomial for each in monomials for monomial in each}
    multipliers: set[_Monomial] = {(0,) * len(symbols)}
    for _ in range(1 + (depth >= 2)):
        grown = _quotients(everything)
        multipliers |= grown
        if len(multipliers) > 400:
            multipliers = set(sorted(multipliers, key=lambda m: (sum(m), m))[:400])
        if depth >= 2:
            everything = {
                tuple(a + b for a, b in zip(m, e, strict=True))
                for m in list(multipliers)[:60]
                for e in everything
            }
    found: list[tuple[Product, str, _Polynomial]] = []
    reached: set[_Monomial] = set()
    for factors, kind, polynomial in chosen:
        for multiplier in sorted(multipliers, key=lambda m: (sum(m), m)):
            if kind != "eq" and not all(
                u or not e for u, e in zip(usable, multiplier, strict=True)
            ):
                continue
            product = {
                tuple(a + b for a, b in zip(multiplier, monomial, strict=True)): coefficient
                for monomial, coefficient in polynomial.items()
            }
            if any(sum(monomial) > _LARGEST_DEGREE + 3 for monomial in product):
                continue
            reached |= set(product)
            variables = _variables(multiplier, symbols)
            weak = any(signs.get(symbol) == "ge" for symbol, _ in variables)
            found.append(
                (
                    Product(factors=factors, variables=variables),
                    "ge" if weak and kind == "gt" else kind,
                    product,
                )
            )
            if len(found) > _MOST:
                return found
    for monomial in sorted(reached):
        if all(u or not e for u, e in zip(usable, monomial, strict=True)):
            variables = _variables(monomial, symbols)
            weak = any(signs.get(symbol) == "ge" for symbol, _ in variables)
            found.append(
                (Product(factors=(), variables=variables), "ge" if weak else "gt", {monomial: 1.0})
            )
    return found


def _times(one: _Polynomial, other: _Polynomial) -> _Polynomial:
    found: _Polynomial = {}
    for a, x in one.items():
        for b, y in other.items():
            key = tuple(i + j for i, j in zip(a, b, strict=True))
            found[key] = found.get(key, 0.0) + x * y
    return {key: value for key, value in found.items() if abs(value) > 1e-13}


def _quotients(monomials: Iterable[_Monomial]) -> set[_Monomial]:
    """Factors from monomials to their least common multiples with others, of a low degree."""
    chosen = sorted(monomials, key=lambda monomial: (sum(monomial), monomial))[:_MOST_MONOMIALS]
    if not chosen:
        return set()
    exponents = np.array(chosen, dtype=np.int64)
    pairs = np.maximum(exponents[None] - exponents[:, None], 0).reshape(-1, exponents.shape[1])
    low = pairs[pairs.sum(axis=1) <= _LARGEST_DEGREE]
    return set(map(tuple, np.unique(low, axis=0).tolist()))


def _variables(
    monomial: _Monomial, symbols: Sequence[sp.Symbol]
) -> tuple[tuple[sp.Symbol, int], ...]:
    return tuple((s, e) for s, e in zip(symbols, monomial, strict=True) if e)


def product_proof(
    product: Product, signs: Mapping[sp.Symbol, str], proofs: Mapping[sp.Symbol, str]
) -> str:
    """A proof that a product is positive, not negative, or zero."""
    if product.factors and product.factors[0].kind == "eq":
        monomial = sp.Mul(*[symbol**exponent for symbol, exponent in product.variables])
        return f"Rmult_eq_compat_l {as_term(monomial)} _ _ {product.factors[0].name}"
    parts = [(atom.name, atom.kind) for atom in product.factors]
    for symbol, exponent in product.variables:
        lemma = "pow_lt" if signs[symbol] == "gt" else "pow_le"
        text = proofs[symbol] if exponent == 1 else f"({lemma} _ {exponent} {proofs[symbol]})"
        parts.append((text, signs[symbol]))
    if not parts:
        return "Rlt_0_1"
    text, kind = parts[0]
    for other, other_kind in parts[1:]:
        if kind == other_kind == "gt":
            text = f"(Rmult_lt_0_compat _ _ {text} {other})"
            continue
        left = text if kind == "ge" else f"(Rlt_le _ _ {text})"
        right = other if other_kind == "ge" else f"(Rlt_le _ _ {other})"
        text, kind = f"(Rmult_le_pos _ _ {left} {right})", "ge"
    return text
