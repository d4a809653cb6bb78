"""SymPy's expressions and conditions as terms and propositions of Coq over its real numbers."""

from collections.abc import Mapping
from functools import singledispatch

import sympy as sp

from logca.common.errors import LogcaError
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.proofs.ledger.kernel.propositions import (
    Conjunction,
    Disjunction,
    Negation,
    Proposition,
    Relation,
    RootExistence,
    Truth,
)
from logca.proofs.terms.definedness import Defined, RootExists, definedness

__all__ = ["NotExported", "Roots", "as_proposition", "as_term", "identifier", "number"]

Roots = Mapping[TrinomialRoot, str]
"""The variable that stands for each root of the trinomial."""


class NotExported(LogcaError, ValueError):
    """A claim that has no statement in Coq yet; the message says what stands in the way."""


_KEYWORDS = frozenset(
    [
        "as",
        "at",
        "cofix",
        "else",
        "end",
        "exists",
        "fix",
        "for",
        "forall",
        "fun",
        "if",
        "in",
        "let",
        "match",
        "mod",
        "return",
        "then",
        "using",
        "where",
        "with",
        "Prop",
        "Set",
        "Type",
        "R",
        "Rpower",
        "power",
        "ln",
        "exp",
        "sqrt",
        "Rabs",
        "Rmax",
        "Rmin",
        "PI",
        "sin",
        "cos",
        "asin",
        "acos",
        "nat",
        "Z",
        "I",
        "O",
        "S",
    ]
)


def identifier(name: str) -> str:
    """A symbol's name as a variable of Coq.

    Examples
    --------
    >>> identifier("beta"), identifier("S")
    ('beta', 'S_')
    """
    return f"{name}_" if name in _KEYWORDS else name


def number(value: sp.Rational) -> str:
    """A rational number as a term.

    Examples
    --------
    >>> number(sp.Rational(-6, 5))
    '(- (6 / 5))'
    """
    text = str(abs(value.p)) if value.q == 1 else f"({abs(value.p)} / {value.q})"
    return f"(- {text})" if value < 0 else text


def as_term(expr: sp.Expr, roots: Roots | None = None) -> str:
    """An expression as a term of type R, in parentheses where it is not atomic [unit of expr].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta, g
    >>> as_term(A * g**beta / 2 - g**2)
    '((A * (Rpower g beta) / 2) - (g ^ 2))'
    """
    return _term(expr, roots or {})


@singledispatch
def _term(expr: sp.Basic, roots: Roots) -> str:
    raise NotExported(f"{type(expr).__name__} is not defined in the development")


@_term.register
def _(expr: sp.Symbol, roots: Roots) -> str:
    return identifier(expr.name)


@_term.register
def _(expr: sp.Rational, roots: Roots) -> str:
    return number(expr)


@_term.register(sp.core.numbers.Exp1)
def _(expr: sp.Expr, roots: Roots) -> str:
    return "(exp 1)"


@_term.register(sp.core.numbers.Pi)
def _(expr: sp.Expr, roots: Roots) -> str:
    return "PI"


@_term.register
def _(expr: sp.Add, roots: Roots) -> str:
    terms = sorted(expr.args, key=_negative)
    text = _term(terms[0], roots)
    for term in terms[1:]:
        sign, rest = ("-", -term) if _negative(term) else ("+", term)
        text += f" {sign} {_inside(rest, roots)}"
    return f"({text})"


def _inside(term: sp.Expr, roots: Roots) -> str:
    text = _term(term, roots)
    return (
        text[1:-1] if isinstance(term, sp.Mul) and text.startswith("(") and _closes(text) else text
    )


def _closes(text: str) -> bool:
    """True if the first parenthesis closes at the end, and no sign follows it."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1 and not text.startswith("(-")
    return False


def _negative(term: sp.Expr) -> bool:
    return bool(term.as_coeff_Mul()[0] < 0)


@_term.register
def _(expr: sp.Mul, roots: Roots) -> str:
    if _negative(expr):
        return f"(- {_term(-expr, roots)})"
    over, under = [], []
    for factor in sp.Mul.make_args(expr):
        base, exponent = factor.as_base_exp()
        if factor.is_Rational:
            over += [str(factor.p)] * (factor.p != 1)
            under += [str(factor.q)] * (factor.q != 1)
        elif exponent.is_Integer and exponent < 0:
            under.append(_term(base**-exponent, roots))
        else:
            over.append(_term(factor, roots))
    top = " * ".join(over) or "1"
    if not under:
        return f"({top})"
    bottom = under[0] if len(under) == 1 else f"({' * '.join(under)})"
    return f"({top} / {bottom})"


@_term.register
def _(expr: sp.Pow, roots: Roots) -> str:
    base, exponent = expr.args
    if base is sp.E:
        return f"(exp {_term(exponent, roots)})"
    if exponent.is_Integer:
        if exponent == -1:
            return f"(/ {_term(base, roots)})"
        text = (
            _term(base, roots)
            if abs(exponent) == 1
            else f"({_term(base, roots)} ^ {abs(exponent)})"
        )
        return text if exponent > 0 else f"(/ {text})"
    if exponent == sp.S.Half:
        return f"(sqrt {_term(base, roots)})"
    if exponent == -sp.S.Half:
        return f"(/ sqrt {_term(base, roots)})"
    function = "Rpower" if base.is_positive else "power"
    return f"({function} {_term(base, roots)} {_term(exponent, roots)})"


@_term.register
def _(expr: TrinomialRoot, roots: Roots) -> str:
    if expr not in roots:
        raise NotExported("a root of the trinomial stands inside of a limit or a derivative")
    return roots[expr]


_FUNCTIONS = {
    sp.log: "ln",
    sp.exp: "exp",
    sp.Abs: "Rabs",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.asinh: "arcsinh",
}


@_term.register
def _(expr: sp.Function, roots: Roots) -> str:
    name = _FUNCTIONS.get(type(expr))
    if name is None:
        raise NotExported(f"{type(expr).__name__} is not defined in the development")
    return f"({name} {_term(expr.args[0], roots)})"


@_term.register(sp.Max)
@_term.register(sp.Min)
def _(expr: sp.Expr, roots: Roots) -> str:
    name = "Rmax" if isinstance(expr, sp.Max) else "Rmin"
    parts = [_term(part, roots) for part in sorted(expr.args, key=sp.default_sort_key)]
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"({name} {part} {text})"
    return text


@_term.register
def _(expr: sp.Piecewise, roots: Roots) -> str:
    *cases, (last, condition) = expr.args
    if condition is not sp.true:
        raise NotExported("a definition by cases does not cover all cases")
    text = _term(last, roots)
    for value, guard in reversed(cases):
        text = _by_case(guard, _term(value, roots), text, roots)
    return text


_DECISIONS = {
    sp.Lt: "Rlt_dec",
    sp.Le: "Rle_dec",
    sp.Gt: "Rgt_dec",
    sp.Ge: "Rge_dec",
    sp.Eq: "Req_EM_T",
}


def _by_case(guard: sp.Basic, then: str, otherwise: str, roots: Roots) -> str:
    """One value where the guard holds, the other elsewhere; one decision for each comparison."""
    if isinstance(guard, sp.And):
        for part in reversed(guard.args):
            then = _by_case(part, then, otherwise, roots)
        return then
    if isinstance(guard, sp.Or):
        for part in reversed(guard.args):
            otherwise = _by_case(part, then, otherwise, roots)
        return otherwise
    if isinstance(guard, sp.Ne):
        return _by_case(sp.Eq(*guard.args), otherwise, then, roots)
    if type(guard) not in _DECISIONS:
        raise NotExported(f"a case is decided by {type(guard).__name__}")
    left, right = (_term(side, roots) for side in guard.args)
    return f"(if {_DECISIONS[type(guard)]} {left} {right} then {then} else {otherwise})"


_SIGNS = {sp.Eq: "=", sp.Ne: "<>", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}


def as_proposition(condition: sp.Basic, roots: Roots | None = None) -> Proposition:
    r"""A condition as a proposition [1].

    Examples
    --------
    >>> from logca.derive.core.symbols import A
    >>> as_proposition((A > 1) & (A < 2)).text()
    '((A > 1) /\\ (A < 2))'
    """
    roots = roots or {}
    if condition in (sp.true, sp.false):
        return Truth(value=condition is sp.true)
    if isinstance(condition, Defined):
        inner = condition.args[0]
        parts = (*definedness(inner), inner)  # what has no value does not hold
        return Conjunction(parts=tuple(as_proposition(part, roots) for part in parts))
    if isinstance(condition, RootExists):
        k, c, l, b, upward = condition.args
        return RootExistence(
            arguments=tuple(as_term(part, roots) for part in (k, c, l, b)),
            upward=bool(upward),
            formula=condition,
        )
    if isinstance(condition, sp.Not):
        return Negation(part=as_proposition(condition.args[0], roots))
    if isinstance(condition, sp.And | sp.Or):
        joined = Conjunction if isinstance(condition, sp.And) else Disjunction
        ordered = sorted(condition.args, key=sp.default_sort_key)
        return joined(parts=tuple(as_proposition(part, roots) for part in ordered))
    if type(condition) in _SIGNS:
        left, right = condition.args
        return Relation(
            sign=_SIGNS[type(condition)],
            left=as_term(left, roots),
            right=as_term(right, roots),
            formula=condition,
        )
    raise NotExported(f"{type(condition).__name__} is no condition of the development")
