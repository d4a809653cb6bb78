"""Identity of expressions with symbolic exponents.

SymPy's ``simplify`` does not decide such identities reliably. Here every power is written over
canonical bases and exponents, each such power becomes an indeterminate, and what remains is a
rational function, for which cancellation is a decision procedure.
"""

import sympy as sp

from logca.derive.trinomial import TrinomialRoot

__all__ = ["canonical", "is_zero"]


def is_zero(expr: sp.Expr) -> bool:
    """Whether an expression vanishes identically on its domain [any unit].

    ``True`` is a proof: bases of symbolic powers are taken as positive, trinomial roots are
    replaced by their defining equation. ``False`` only says that no proof was found.

    Examples
    --------
    >>> from logca.derive.symbols import A, beta
    >>> is_zero((A**2 - A) ** (1 / beta) / A ** (1 / beta) - (A - 1) ** (1 / beta))
    True
    """
    expr = sp.sympify(expr)
    if expr == 0:
        return True
    return bool(canonical(expr) == 0)


def canonical(expr: sp.Expr) -> sp.Expr:
    """The expression as a cancelled fraction over canonical powers [unit of the expression]."""
    atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy] = {}
    rational = _rewrite(sp.sympify(expr), atoms)
    numerator, denominator = sp.fraction(sp.together(rational))
    numerator = _insert_roots(sp.expand(numerator), atoms)
    if numerator == 0:
        return sp.S.Zero
    fraction = sp.cancel(numerator / denominator)
    return fraction.xreplace({d: base**e for (base, e), d in atoms.items()})


def _rewrite(expr: sp.Expr, atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy]) -> sp.Expr:
    if isinstance(expr, TrinomialRoot):
        return expr
    if isinstance(expr, sp.Pow):
        base = _rewrite(expr.base, atoms) if not expr.exp.is_Integer else expr.base
        if expr.exp.is_Integer:
            return _rewrite(expr.base, atoms) ** expr.exp
        restored = base.xreplace({d: b**e for (b, e), d in atoms.items()})
        return _power(sp.factor(sp.together(restored)), expr.exp, atoms)
    if isinstance(expr, sp.exp):
        return _exponential(expr.args[0], atoms)
    if isinstance(expr, sp.log):
        return _logarithm(expr.args[0])
    if isinstance(expr, sp.sin | sp.cos | sp.sinh | sp.cosh):
        return _rewrite(expr.rewrite(sp.exp), atoms)
    if expr.is_Atom:
        return expr
    return expr.func(*[_rewrite(arg, atoms) for arg in expr.args])


def _power(
    base: sp.Expr, exponent: sp.Expr, atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy]
) -> sp.Expr:
    if base.is_Mul:
        return sp.Mul(*[_power(factor, exponent, atoms) for factor in _positive_factors(base)])
    if base.is_Pow and (base.exp.is_even is not True or base.base.is_nonnegative):
        return _power(base.base, base.exp * exponent, atoms)
    if base.is_Integer and base > 1 and not sp.isprime(base):
        return sp.Mul(*[_power(sp.Integer(p), k * exponent, atoms) for p, k in sp.factorint(base).items()])
    if base.is_Rational and not base.is_Integer:
        return _power(sp.Integer(base.p), exponent, atoms) / _power(sp.Integer(base.q), exponent, atoms)
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
        unit = rest / coefficient.q
        result *= atoms.setdefault((base, unit), sp.Dummy(positive=True)) ** coefficient.p
    return result


def _positive_factors(product: sp.Expr) -> list[sp.Expr]:
    """Factors of a positive product; a minus sign belongs to a sum of unknown sign [any]."""
    sign, rest = (sp.S.NegativeOne, -product) if product.args[0].is_negative else (1, product)
    factors = list(sp.Mul.make_args(rest))
    if sign == 1:
        return factors
    for index, factor in enumerate(factors):
        whole, power = factor.as_base_exp()
        if whole.is_Add and not whole.is_positive and power.is_odd:
            factors[index] = sp.expand(-whole) ** power
            return factors
    return [sign, *factors]


def _partial_fractions(exponent: sp.Expr) -> sp.Expr:
    exponent = sp.together(exponent)
    symbols = exponent.free_symbols
    if len(symbols) == 1 and exponent.is_rational_function(*symbols):
        return sp.apart(exponent, symbols.pop())
    return sp.expand(exponent)


def _exponential(
    exponent: sp.Expr, atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy]
) -> sp.Expr:
    result = sp.S.One
    for term in sp.Add.make_args(sp.expand(exponent)):
        coefficient, rest = term.as_coeff_Mul()
        logarithm = next((part for part in sp.Mul.make_args(rest) if part.func is sp.log), None)
        if logarithm is not None:
            result *= _power(sp.factor(logarithm.args[0]), term / logarithm, atoms)
            continue
        if isinstance(rest, sp.LambertW) and coefficient.is_Integer:
            result *= (_rewrite(rest.args[0], atoms) / _rewrite(rest, atoms)) ** coefficient
            continue
        key = (sp.E, rest / coefficient.q)
        result *= atoms.setdefault(key, sp.Dummy(positive=True)) ** coefficient.p
    return result


def _logarithm(argument: sp.Expr) -> sp.Expr:
    factored = sp.factor(sp.together(argument))
    return sp.expand_log(sp.log(factored), force=True)


def _insert_roots(
    numerator: sp.Expr, atoms: dict[tuple[sp.Expr, sp.Expr], sp.Dummy]
) -> sp.Expr:
    """Use ``k x**beta = c + l x`` wherever a power of a trinomial root occurs."""
    for (base, unit), dummy in list(atoms.items()):
        if isinstance(base, TrinomialRoot) and unit == base.args[3]:
            k, c, l, _ = base.args
            value = _rewrite((c + l * base) / k, atoms)
            numerator = sp.expand(sp.fraction(sp.together(numerator.xreplace({dummy: value})))[0])
    return numerator
