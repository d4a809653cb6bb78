"""Identity of expressions with symbolic exponents.

SymPy's ``simplify`` does not decide such identities reliably. Here every power is written over
canonical bases and exponents, each such power becomes an indeterminate, and what remains is a
rational function, for which cancellation is a decision procedure.
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache

import sympy as sp

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.derive.algebra.trinomial import TrinomialRoot

__all__ = ["cancelled", "canonical", "factored", "is_zero"]


def is_zero(expr: sp.Expr) -> bool:
    """True if an expression vanishes identically on its domain [any unit].

    ``True`` is a proof: bases of symbolic powers are taken as positive, trinomial roots are
    replaced by their defining equation. ``False`` only says that no proof was found.

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> is_zero((A**2 - A) ** (1 / beta) / A ** (1 / beta) - (A - 1) ** (1 / beta))
    True
    """
    expr = sp.sympify(expr)
    return bool(expr == 0 or _fraction(expr, _Powers(whole=expr))[0] == 0)


def canonical(expr: sp.Expr) -> sp.Expr:
    """The expression as a cancelled fraction over canonical powers [unit of the expression]."""
    whole = sp.sympify(expr)
    powers = _Powers(whole=whole)
    numerator, denominator = _fraction(whole, powers)
    if numerator == 0:
        return sp.S.Zero
    return cancelled(numerator, denominator).xreplace(powers.restored())


def cancelled(numerator: sp.Expr, denominator: sp.Expr) -> sp.Expr:
    """A fraction without common factors [unit of the fraction]."""
    if numerator.has(sp.Piecewise) or denominator.has(sp.Piecewise):
        return sp.cancel(numerator / denominator)
    # as a pair: of a quotient SymPy first looks for common factors term by term, which is slow
    number, over, under = sp.cancel((numerator, denominator))
    return number * over / under


def _fraction(whole: sp.Expr, powers: "_Powers") -> tuple[sp.Expr, sp.Expr]:
    numerator, denominator = as_fraction(_rewrite(whole, powers))
    # radicals last: the equation of a root may bring new ones
    return _reduce_radicals(_insert_roots(expand(numerator), powers), powers), denominator


@dataclass(slots=True, kw_only=True)
class _Powers:
    """Indeterminates that stand for powers in one expression, and the sums taken as positive."""

    whole: sp.Expr
    atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy] = field(default_factory=dict)
    positive: set[sp.Expr] | None = None

    def atom(self, base: sp.Expr, unit: sp.Expr) -> sp.Dummy:
        if base.is_positive:
            fresh = sp.Dummy("power", positive=True)
        elif base.is_nonnegative or unit != 1:
            fresh = sp.Dummy("power", nonnegative=True)
        else:
            fresh = sp.Dummy("power", real=True)
        return self.atoms.setdefault((base, unit), fresh)

    def restored(self) -> dict[sp.Dummy, sp.Expr]:
        return {dummy: base**unit for (base, unit), dummy in self.atoms.items()}

    def known_positive(self) -> set[sp.Expr]:
        """Sums that are positive because they are the only such factor of a base."""
        if self.positive is None:
            self.positive = set()
            for power in self.whole.atoms(sp.Pow):
                if not power.exp.is_Integer:
                    factors = sp.Mul.make_args(factored(power.base))
                    undecided = [factor for factor in factors if _of_unknown_sign(factor)]
                    if len(undecided) == 1:
                        negative = any(factor.is_negative for factor in factors)
                        found, _ = undecided[0].as_base_exp()
                        self.positive.add(expand(-found) if negative else found)
        return self.positive


def _rewrite(expr: sp.Expr, powers: _Powers) -> sp.Expr:
    if isinstance(expr, TrinomialRoot):
        return expr
    if isinstance(expr, sp.Pow):
        base = _rewrite(expr.base, powers) if not expr.exp.is_Integer else expr.base
        if expr.exp.is_Integer:
            return _rewrite(expr.base, powers) ** expr.exp
        restored = base.xreplace(powers.restored())
        return _power(factored(restored), expr.exp, powers)
    if isinstance(expr, sp.exp):
        return _exponential(expr.args[0], powers)
    if isinstance(expr, sp.log):
        return _logarithm(expr.args[0])
    if isinstance(expr, sp.Abs):
        return _absolute(factored(expr.args[0]))
    if isinstance(expr, sp.Min | sp.Max):
        # opaque, as no rational function of its arguments; equal ones are one indeterminate
        return powers.atom(expr.func(*map(canonical, expr.args)), sp.S.One)
    if isinstance(expr, sp.sin | sp.cos | sp.sinh | sp.cosh):
        return _rewrite(expr.rewrite(sp.exp), powers)
    if expr.is_Atom:
        return expr
    return expr.func(*[_rewrite(arg, powers) for arg in expr.args])


def _power(base: sp.Expr, exponent: sp.Expr, powers: _Powers) -> sp.Expr:
    if base.is_Mul:
        factors = _positive_factors(base, powers)
        return sp.Mul(*[_power(factor, exponent, powers) for factor in factors])
    if base.is_Pow and (base.exp.is_even is not True or base.base.is_nonnegative):
        return _power(base.base, base.exp * exponent, powers)
    if base.is_Integer and base > 1 and not sp.isprime(base):
        primes = sp.factorint(base).items()
        return sp.Mul(*[_power(sp.Integer(p), k * exponent, powers) for p, k in primes])
    if base.is_Rational and not base.is_Integer:
        over, under = (_power(sp.Integer(n), exponent, powers) for n in (base.p, base.q))
        return over / under
    if base == 1:
        return sp.S.One
    result = sp.S.One
    for term in sp.Add.make_args(_partial_fractions(exponent)):
        coefficient, rest = term.as_coeff_Mul()
        if rest == 1:
            whole = sp.floor(coefficient)
            result *= base**whole
            coefficient, rest = coefficient - whole, sp.S.One
            if coefficient == 0:
                continue
        result *= powers.atom(base, rest / coefficient.q) ** coefficient.p
    return result


def _positive_factors(product: sp.Expr, powers: _Powers) -> list[sp.Expr]:
    """Factors of a positive product, each of them positive.

    Sums of which only the product is known to be positive, two may be negative, stay together.
    """
    factors = list(product.args)
    undecided = [index for index, factor in enumerate(factors) if _of_unknown_sign(factor)]
    negative = bool(factors[0].is_negative)
    if not negative and len(undecided) < 2:
        return factors
    if len(undecided) > 1:
        known = powers.known_positive()
        for index in tuple(undecided):
            base, exponent = factors[index].as_base_exp()
            if base in known or expand(-base) in known:
                undecided.remove(index)
                if base not in known:
                    factors[index], negative = expand(-base) ** exponent, not negative
    if len(undecided) > 1:
        whole = expand(sp.Mul(*[factors[index] for index in undecided]))
        factors = [f for index, f in enumerate(factors) if index not in undecided] + [whole]
        undecided = [len(factors) - 1]
    if negative != bool(factors[0].is_negative):
        factors[0:0] = [sp.S.NegativeOne]
        undecided = [index + 1 for index in undecided]
    if factors[0].is_negative and undecided:
        base, exponent = factors[undecided[0]].as_base_exp()
        factors[undecided[0]], factors[0] = expand(-base) ** exponent, -factors[0]
    return factors


def _of_unknown_sign(factor: sp.Expr) -> bool:
    base, exponent = factor.as_base_exp()
    return bool(base.is_Add and base.is_nonnegative is None and exponent.is_odd)


@lru_cache(maxsize=8192)
def factored(expr: sp.Expr) -> sp.Expr:
    """A sum of fractions as one product [unit of the expression]."""
    return expr if expr.is_Atom else sp.factor(sp.together(expr))


@cache
def _partial_fractions(exponent: sp.Expr) -> sp.Expr:
    if exponent.is_Atom:
        return exponent
    exponent = sp.together(exponent)
    symbols = exponent.free_symbols
    if len(symbols) == 1 and exponent.is_rational_function(*symbols):
        return sp.apart(exponent, symbols.pop())
    return expand(exponent)


def _exponential(exponent: sp.Expr, powers: _Powers) -> sp.Expr:
    result = sp.S.One
    for term in sp.Add.make_args(expand(exponent)):
        coefficient, rest = term.as_coeff_Mul()
        logarithm = next((part for part in sp.Mul.make_args(rest) if part.func is sp.log), None)
        if logarithm is not None:
            result *= _power(sp.factor(logarithm.args[0]), term / logarithm, powers)
            continue
        if isinstance(rest, sp.LambertW) and coefficient.is_Integer:
            result *= (_rewrite(rest.args[0], powers) / _rewrite(rest, powers)) ** coefficient
            continue
        result *= powers.atom(sp.E, rest / coefficient.q) ** coefficient.p
    return result


def _absolute(product: sp.Expr) -> sp.Expr:
    return sp.Mul(*[sp.Abs(factor) for factor in sp.Mul.make_args(product)])


def _logarithm(argument: sp.Expr) -> sp.Expr:
    return sp.expand_log(sp.log(factored(argument)), force=True)


def _insert_roots(numerator: sp.Expr, powers: _Powers) -> sp.Expr:
    """Use ``k x**beta = c + l x`` wherever a power of a trinomial root occurs."""
    for (base, unit), dummy in list(powers.atoms.items()):
        if isinstance(base, TrinomialRoot) and unit == base.args[3]:
            k, c, l, _ = base.args
            value = _rewrite((c + l * base) / k, powers)
            numerator = expand(sp.fraction(sp.together(numerator.xreplace({dummy: value})))[0])
    return numerator


def _reduce_radicals(numerator: sp.Expr, powers: _Powers) -> sp.Expr:
    """Use ``d**q = base`` for an indeterminate ``d`` that stands for ``base**(1/q)``."""
    for (base, unit), dummy in list(powers.atoms.items()):
        if unit.is_Rational and 1 < unit.q <= sp.degree(numerator, dummy):
            relation = dummy**unit.q - _rewrite(base, powers)
            numerator = expand(sp.rem(numerator, relation, dummy))
    return numerator
