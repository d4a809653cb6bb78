"""When a formula exists, as it is printed: its domain, and each root's existence by cases.

What decides is `logca.proofs.terms.definedness`, of which the ledger's claims speak. Here its
conditions are only written differently, by steps that keep their meaning: what follows from the
others is left out, positive factors too, and no fraction remains.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.trinomial import crossing_cases
from logca.proofs.terms.definedness import RootExists, definedness

__all__ = ["existence"]

_Monomials = frozenset[frozenset[sp.Expr]]


def existence(
    expr: sp.Expr,
    domain: tuple[sp.Basic, ...],
    values: Mapping[sp.Symbol, sp.Expr],
    besides: Iterable[sp.Basic] = (),
) -> tuple[sp.Basic, ...]:
    """Conditions that hold if and only if an expression exists on its domain [1].

    The domain holds for all its parts but roots. Values for symbols are inserted, such as a form of
    latency or an exponent; besides is what a closed form needs, with the values inserted.

    Examples
    --------
    >>> from logca.derive.logca.granularity import G1
    >>> from logca.derive.core.symbols import FORMS, beta
    >>> existence(G1.expr, G1.domain, FORMS["constant"])[1:]
    (L + o > 0,)
    >>> existence(G1.expr, G1.domain, FORMS["linear"] | {beta: sp.S.One})[1:]
    (o > 0, C*(A - 1) > A*L)
    """
    known = _Known()
    for condition in domain:
        known.learn(condition.subs(values, simultaneous=True))
    for condition in besides:
        known.learn(condition)
    for condition in definedness(expr) if sp.false not in known.told else ():
        if isinstance(condition, RootExists):
            known.learn_root(*(part.subs(values, simultaneous=True) for part in condition.args))
    return (sp.false,) if sp.false in known.told else tuple(known.told)


@dataclass(slots=True, kw_only=True)
class _Known:
    """Conditions said so far, and all that follows from them."""

    told: list[sp.Basic] = field(default_factory=list)  # as it is to be printed
    _positive: set[sp.Expr] = field(default_factory=set)  # in factors [any unit]
    # what is not negative, in factors, with the relation that says so
    _nonnegative: dict[sp.Expr, Relational] = field(default_factory=dict)
    _sums: set[_Monomials] = field(default_factory=set)  # of which one summand is positive

    def learn(self, condition: sp.Basic) -> None:
        """Take note of a condition, in short, unless it follows from what is known."""
        for part in sp.And.make_args(condition):
            for short in () if self.implies(part) else self._in_short(part):
                if not self.implies(short):
                    self._tell(sp.false if self.implies(sp.Not(short)) else short)

    def learn_root(self, k: sp.Expr, c: sp.Expr, l: sp.Expr, b: sp.Expr, upward: sp.Basic) -> None:
        """Take note that a root exists."""
        simple = RootExists(k, c, l, b, upward)
        if l != 0 and min(self._sign(c)[0], self._sign(l)[0]) == 1:
            for part in self._crossing(k, c, l, b, upward):
                self._tell(part)
        else:
            self.learn(simple.condition() if isinstance(simple, RootExists) else simple)

    def _tell(self, condition: sp.Basic) -> None:
        self.told = [each for each in self.told if each != self._weak(condition)]
        self.told.append(condition)
        self._use(condition)

    def _weak(self, condition: sp.Basic) -> Relational | None:
        """The relation known of a difference that is now known to be positive."""
        if not isinstance(condition, sp.Gt | sp.Lt):
            return None
        return self._nonnegative.get(_factored(condition.gts - condition.lts))

    def _within(self) -> "_Known":
        """A copy of the knowledge with nothing told yet."""
        return _Known(
            _positive={*self._positive}, _nonnegative={**self._nonnegative}, _sums={*self._sums}
        )

    def _use(self, condition: sp.Basic) -> None:
        if isinstance(condition, sp.Ge | sp.Le):
            self._nonnegative[_factored(condition.gts - condition.lts)] = condition
        elif isinstance(condition, sp.Gt | sp.Lt):
            difference = _factored(condition.gts - condition.lts)
            rest = self._without_positive(self._in_factors(difference))
            self._positive |= {difference, _factored(rest)}
            monomials = _monomials(difference)
            self._sums |= set() if monomials is None else {monomials}

    def implies(self, condition: sp.Basic) -> bool:
        """True if a condition is seen to follow from the signs of symbols and what is known."""
        if condition in (sp.true, sp.false):
            return condition is sp.true
        if isinstance(condition, sp.Ne):
            return self._sign(condition.lhs - condition.rhs)[1]
        if not isinstance(condition, _ORDERS):
            return condition in self.told
        sign, never_zero = self._sign(condition.gts - condition.lts)
        return sign == 1 and (never_zero or isinstance(condition, sp.Ge | sp.Le))

    def _sign(self, expr: sp.Expr) -> tuple[int, bool]:
        """1 or -1 if an expression is never below, or above, zero, else 0; and if it is never 0."""
        difference = _factored(expr)
        if difference in self._positive or difference in self._nonnegative:
            return 1, difference in self._positive
        sign, never_zero = 1, True
        for factor in sp.Mul.make_args(difference):
            base, exponent = factor.as_base_exp()
            if factor.is_positive or self._is_positive(base):
                continue
            if factor.is_negative or (exponent.is_Integer and self._is_positive(-base)):
                sign *= -1 if factor.is_negative or exponent % 2 else 1
            elif factor.is_nonnegative or factor in self._nonnegative:
                never_zero = False
            else:
                return 0, False
        return sign, never_zero

    def _is_positive(self, expr: sp.Expr) -> bool:
        if expr.is_positive or _factored(expr) in self._positive:
            return True
        monomials = _monomials(expr)
        if monomials is None:
            return self._is_positive_between(expr)
        return any(
            all(any(each <= one for each in monomials) for one in known) for known in self._sums
        )

    def _is_positive_between(self, expr: sp.Expr) -> bool:
        """True if it is linear in a symbol with an upper bound, and positive at both ends."""
        for bound in self._nonnegative.values():
            symbol, top = bound.lts, bound.gts
            if symbol.is_Symbol and top.is_number and symbol in expr.free_symbols:
                slope = sp.diff(expr, symbol)
                ends = (expr.subs(symbol, 0), expr.subs(symbol, top))
                if not slope.has(symbol) and all(end.is_positive for end in ends):
                    return True
        return False

    def _in_short(self, condition: sp.Basic) -> tuple[sp.Basic, ...]:
        if isinstance(condition, Relational):
            return (min((condition, self._without_positive_factors(condition)), key=_length),)
        return (condition,)

    def _without_positive_factors(self, condition: Relational) -> sp.Basic:
        """The relation with zero of what is left of the difference of both sides."""
        great, less = condition.args
        if isinstance(condition, _ORDERS):
            great, less = condition.gts, condition.lts
        difference = self._in_factors(great - less)
        if isinstance(condition, sp.Gt | sp.Lt):
            weak = self._weak(condition)
            if weak is not None:
                return sp.Gt(*weak.args) if isinstance(weak, sp.Ge) else sp.Lt(*weak.args)
            monomials = _monomials(difference)
            if monomials is not None:
                least = (m for m in monomials if not any(other < m for other in monomials))
                return sp.Gt(sp.Add(*(sp.Mul(*m) for m in least)), 0)
        kept = sp.expand(self._without_positive(difference))
        right = sp.Add(*(-t for t in sp.Add.make_args(kept) if t.could_extract_minus_sign()))
        relation = type(condition)
        if isinstance(condition, _ORDERS):
            relation = sp.Gt if isinstance(condition, sp.Gt | sp.Lt) else sp.Ge
        written = relation(sp.factor_terms(kept + right), sp.factor_terms(right))
        turned = isinstance(written, Relational) and written.lhs.is_number
        return written.reversed if turned else written

    def _without_positive(self, product: sp.Expr) -> sp.Expr:
        factors = sp.Mul.make_args(product)
        return sp.Mul(*(f for f in factors if not self._is_positive(f.as_base_exp()[0])))

    def _crossing(
        self, k: sp.Expr, c: sp.Expr, l: sp.Expr, b: sp.Expr, upward: sp.Basic
    ) -> tuple[sp.Basic, ...]:
        """When a root exists, for l = 0 too: then each case comes to c > 0, or to nothing."""
        outside = self._within()
        outside.learn(k > 0)
        if self._sign(-c)[0] == 1:
            c = sp.S.Zero
        k, l = outside._in_factors(k), outside._in_factors(l)
        c = min((c, outside._in_factors(c)), key=_length)
        found = []
        for case, condition in crossing_cases(k, c, l, b, upward=bool(upward)):
            inside = outside._within()
            inside.learn(case)
            # c = 0 needs no case of its own: as they are written here, weighted means hold for it
            parts = condition.args if isinstance(condition, sp.Or) else (condition,)
            for part in (p for each in parts for p in sp.And.make_args(each)):
                if isinstance(part, sp.Eq):
                    continue
                if isinstance(part, sp.Ge) or part == sp.Gt(k, l, evaluate=False):
                    part = _cross_multiplied(part, b)
                inside.learn(part)
            if upward:
                inside.learn_one(c, l)
            else:
                inside.learn(l > 0)
            found.append(sp.And(*inside.told))
        return (*outside.told, *sorted(sp.And.make_args(sp.Or(*found)), key=_by_simplicity))

    def learn_one(self, first: sp.Expr, second: sp.Expr) -> None:
        """Take note that one of two terms, none negative, is positive, unless it follows."""
        if self.implies(first > 0) or self.implies(second > 0):
            return
        if _monomials(first + second) is not None:
            self.learn(first + second > 0)
        else:
            self.told.append(sp.Or(*self._in_short(first > 0), *self._in_short(second > 0)))

    def _in_factors(self, expr: sp.Expr) -> sp.Expr:
        """In factors, those of known sign written as positive ones."""
        sign, factors = 1, []
        for factor in sp.Mul.make_args(_factored(expr)):
            base, exponent = factor.as_base_exp()
            negative = exponent.is_Integer and base.is_Add and self._is_positive(-base)
            sign *= (-1) ** exponent if negative else 1
            factors.append((-base) ** exponent if negative else factor)
        return sp.Mul(sign, *factors)


_GREATEST_ROOT = 12
_ORDERS = sp.Gt | sp.Lt | sp.Ge | sp.Le


def _length(expr: sp.Basic) -> int:
    return int(sp.count_ops(expr))


def _by_simplicity(condition: sp.Basic) -> tuple[int, str]:
    return (len(condition.free_symbols), str(condition))


@lru_cache(maxsize=1 << 12)
def _factored(expr: sp.Expr) -> sp.Expr:
    return sp.factor(sp.together(expr))


@lru_cache(maxsize=1 << 12)
def _monomials(expr: sp.Expr) -> _Monomials | None:
    """Of a sum of terms that are not negative: in each, the factors that may be zero [any unit].

    The sum is positive if and only if all such factors of one of the terms are. None for others.
    """
    found = set()
    for term in sp.Add.make_args(sp.expand(expr)):
        bases = [f.as_base_exp()[0] for f in sp.Mul.make_args(term) if not f.is_positive]
        if not term.is_nonnegative or not all(base.is_nonnegative for base in bases):
            return None
        found.add(frozenset(bases))
    return frozenset(found)


def _powers(product: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Bases and exponents of a product of factors none of which is negative."""
    for factor in sp.Mul.make_args(product):
        if isinstance(factor, sp.Pow) and isinstance(factor.base, sp.Mul | sp.Pow):
            yield from ((base, inner * factor.exp) for base, inner in _powers(factor.base))
        else:
            yield factor.as_base_exp()


def _cross_multiplied(relation: Relational, b: sp.Expr) -> sp.Basic:
    """Products of powers over no denominator, for 0 < b < 1; for a rational b, of integers.

    What stands in them, in factors, is not negative.
    """
    powers: dict[sp.Expr, sp.Expr] = {}
    for side, sign in ((relation.lhs, 1), (relation.rhs, -1)):
        for base, exponent in _powers(side):
            powers[base] = powers.get(base, sp.S.Zero) + sign * exponent
    whole = b.q if b.is_Rational and b.q <= _GREATEST_ROOT else 1
    half = {symbol: value for symbol in b.free_symbols for value in sp.solve(b - sp.Rational(1, 2))}
    sides = [sp.S.One, sp.S.One]
    for base, exponent in powers.items():
        below = bool(exponent.subs(half) < 0)
        sides[below] *= base ** sp.expand(-whole * exponent if below else whole * exponent)
    number = sides[0].as_coeff_Mul()[0] / sides[1].as_coeff_Mul()[0]
    if number.is_Rational:
        sides = [side.as_coeff_Mul()[1] for side in sides]
        sides = [number.p * sides[0], number.q * sides[1]]
    return type(relation)(*sides)
