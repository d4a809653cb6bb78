"""Proof by algebra: identities by cancellation, inequalities by the signs of coefficients.

Valid for all real exponents: every power with a symbolic exponent is a positive indeterminate.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice, product

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.identities import cancelled, canonical, is_zero
from logca.proofs.terms.definedness import RootExists
from logca.proofs.terms.elimination import conjuncts, eliminate, substitute, termwise_sign

__all__ = ["PATIENT", "proves", "without_cases"]

_LARGE = 40
"""Operations in a fraction that is not factored at the first attempt [1]."""

PATIENT = 6
"""Attempts where nothing else helps: what the first does not show, solvers show faster [1]."""


def proves(hypotheses: Sequence[sp.Basic], goal: sp.Basic, attempts: int = 1) -> bool:
    """True if algebra alone shows that the goal follows [1].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, C, o
    >>> proves([A > 1], C * (1 - 1 / A) > 0)
    True
    """
    return goal is sp.true or _follows(tuple(hypotheses), goal, attempts)


@lru_cache(maxsize=4096)
def _follows(hypotheses: tuple[sp.Basic, ...], goal: sp.Basic, attempts: int) -> bool:
    solved, rest = eliminate(hypotheses)
    goal = substitute(goal, solved)
    rest = [hypothesis for hypothesis in conjuncts(rest) if hypothesis is not sp.true]
    if any(map(_impossible, rest)):
        return True
    try:
        return _proves(rest, goal, attempts)
    except (sp.PolynomialError, ValueError):  # no Min or Max of what has no real value there
        return False


@lru_cache(maxsize=4096)
def _impossible(hypothesis: sp.Basic) -> bool:
    """True if no values satisfy it, by the signs of its terms alone, such as A <= 0."""
    if not isinstance(hypothesis, Relational):
        return hypothesis is sp.false
    return _matches(hypothesis.negated, termwise_sign(hypothesis.lhs - hypothesis.rhs))


def without_cases(statement: sp.Basic, hypotheses: Sequence[sp.Basic]) -> sp.Basic:
    """The statement without the absolute values and cases that algebra decides [1].

    Examples
    --------
    >>> from logca.derive.core.symbols import beta
    >>> without_cases(sp.Gt(sp.Abs(1 - beta), 2), [beta > 1])
    beta - 1 > 2
    """
    for part in statement.atoms(sp.Abs, sp.Piecewise):
        value = _of_sign(part, hypotheses) if isinstance(part, sp.Abs) else _case(part, hypotheses)
        statement = statement if value is None else statement.xreplace({part: value})
    return statement


def _of_sign(part: sp.Abs, hypotheses: Sequence[sp.Basic]) -> sp.Expr | None:
    for value in (part.args[0], -part.args[0]):
        if proves(hypotheses, sp.Ge(value, 0, evaluate=False)):
            return value
    return None


def _case(part: sp.Piecewise, hypotheses: Sequence[sp.Basic]) -> sp.Expr | None:
    for branch, condition in part.args:
        if proves(hypotheses, condition):
            return branch
        if not proves(hypotheses, sp.Not(condition)):
            return None
    return None


def _proves(hypotheses: list[sp.Basic], goal: sp.Basic, attempts: int) -> bool:
    if goal is sp.true or goal in hypotheses:
        return True
    if goal is sp.false or isinstance(goal, RootExists):
        return False
    if isinstance(goal, sp.And):
        return all(_proves(hypotheses, part, attempts) for part in goal.args)
    if isinstance(goal, sp.Or):
        return any(
            _proves(
                [*hypotheses, *(sp.Not(other) for other in goal.args if other is not part)],
                part,
                attempts,
            )
            for part in goal.args
        )
    return isinstance(goal, Relational) and _relation(hypotheses, goal, attempts)


def _relation(hypotheses: list[sp.Basic], goal: Relational, attempts: int) -> bool:
    equations = [h for h in hypotheses if isinstance(h, sp.Eq)]
    if equations:
        solved, rest = eliminate(hypotheses)
        if solved:
            return _proves(list(conjuncts(rest)), substitute(goal, solved), attempts)
    difference = goal.lhs - goal.rhs
    if isinstance(goal, sp.Eq):
        return is_zero(difference)
    difference = canonical(difference)
    if _matches(goal, _sign(difference, list)):
        return True
    if attempts == 1 and sp.count_ops(difference) > _LARGE:
        return False
    for substitution in islice(_parametrisations(hypotheses), attempts):
        value = canonical(difference.xreplace(substitution)) if substitution else difference
        positive = partial(_positive, tuple(hypotheses), tuple(substitution.items()))
        if _matches(goal, _sign(_factored(value), positive)):
            return True
    return False


def _matches(goal: Relational, sign: str) -> bool:
    allowed = {
        sp.Gt: {"+"},
        sp.Ge: {"+", "0+", "0"},
        sp.Lt: {"-"},
        sp.Le: {"-", "0-", "0"},
        sp.Eq: {"0"},
        sp.Ne: {"+", "-"},
    }
    return sign in allowed[type(goal)]


def _parametrisations(hypotheses: list[sp.Basic]) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Replace a symbol bounded by a hypothesis by a positive excess: A > 1 becomes A = 1 + d."""
    choices: list[list[tuple[sp.Symbol, sp.Expr] | None]] = []
    for hypothesis in hypotheses:
        options = _options(hypothesis)
        if options:
            choices.append([*options, None])
    for chosen in product(*choices[:4]):
        substitution: dict[sp.Symbol, sp.Expr] = {}
        for option in chosen:
            if option is None or option[0] in substitution:
                continue
            symbol, value = option
            value = value.xreplace(substitution)
            if symbol in value.free_symbols:
                continue
            substitution = {k: v.xreplace({symbol: value}) for k, v in substitution.items()}
            substitution[symbol] = value
        yield substitution


@lru_cache(maxsize=1024)
def _options(hypothesis: sp.Basic) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
    """Symbols that a hypothesis bounds, and values with an excess, the same in all proofs."""
    if not isinstance(hypothesis, sp.Gt | sp.Ge | sp.Lt | sp.Le):
        return ()
    options: list[tuple[sp.Symbol, sp.Expr]] = []
    strict = isinstance(hypothesis, sp.Gt | sp.Lt)
    excess = sp.Dummy("excess", **{"positive" if strict else "nonnegative": True})
    large, small = hypothesis.gts, hypothesis.lts
    if large.is_Symbol and not small.has(large):
        options.append((large, small + excess))
    if small.is_Symbol and small.is_positive and not large.has(small):
        options.append((small, large / (1 + excess)))
    return tuple(options)


@lru_cache(maxsize=1024)
def _factored(fraction: sp.Expr) -> sp.Expr:
    """A cancelled fraction with its polynomials factored."""
    parts = [part.as_base_exp() for part in sp.Mul.make_args(fraction)]
    return sp.Mul(*[_product_of_factors(base) ** exponent for base, exponent in parts])


def _product_of_factors(base: sp.Expr) -> sp.Expr:
    if not base.is_Add:
        return base
    # sp.factor would first look for a common denominator, which a cancelled fraction has
    number, factors = sp.Poly(base).factor_list()
    return sp.Mul(number, *[factor.as_expr() ** exponent for factor, exponent in factors])


def _sign(expr: sp.Expr, positive: Callable[[], list[sp.Expr]]) -> str:
    """'+', '-', '0+', '0-', '0' or '?' for a product, given what is known to be positive."""
    negative, zero = False, False
    for factor in sp.Mul.make_args(expr):
        base, exponent = factor.as_base_exp()
        even = bool(exponent.is_Integer and exponent % 2 == 0)
        if even and base.is_nonzero:
            continue
        base = base if exponent.is_Integer else factor
        sign = termwise_sign(base)
        if sign not in ("+", "-", "0"):
            sign = _sign_from(base, positive()) or sign
        if sign in ("?", "0"):
            return sign
        negative ^= "-" in sign and not even
        zero |= "0" in sign
    return ("0" if zero else "") + ("-" if negative else "+")


@lru_cache(maxsize=1024)
def _positive(
    hypotheses: tuple[sp.Basic, ...], substitution: tuple[tuple[sp.Symbol, sp.Expr], ...]
) -> list[sp.Expr]:
    """Terms that hypotheses say to be positive, factored."""
    values = dict(substitution)
    return [
        _factored(canonical((h.gts - h.lts).xreplace(values)))
        for h in hypotheses
        if isinstance(h, sp.Gt | sp.Lt)
    ]


def _sign_from(factor: sp.Expr, positive: list[sp.Expr]) -> str:
    """The sign of a factor that is a multiple of something positive, or ''."""
    base, exponent = factor.as_base_exp()
    if not exponent.is_Integer and any(_ratio(base, known).is_positive for known in positive):
        return "+"
    for known in positive:
        ratio = _ratio(factor, known)
        if ratio.is_positive:
            return "+"
        if ratio.is_negative:
            return "-"
    return ""


@lru_cache(maxsize=4096)
def _ratio(factor: sp.Expr, known: sp.Expr) -> sp.Expr:
    over, under = sp.fraction(factor)
    known_over, known_under = sp.fraction(known)
    return cancelled(over * known_under, under * known_over)
