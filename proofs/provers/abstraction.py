"""From statements with symbolic exponents to statements over the ordered field of the reals.

Every part that is not polynomial (a power with a symbolic or fractional exponent, a logarithm, a
trinomial root, min, max) becomes a fresh positive or real variable together with the facts that
define it. What a real power u -> u**v does to the order of its arguments is added as instances of
lemmas, each valid for all real v; likewise for logarithms and exponentials (see `instances`). If
the negation of a claim is unsatisfiable together with these facts, the claim holds for all real
exponents.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.expansion import expand
from logca.derive.algebra.fractions import as_fraction
from logca.derive.algebra.identities import canonical, factored
from logca.derive.algebra.trinomial import TrinomialRoot
from logca.proofs.provers.lemmas import Power
from logca.proofs.provers.transcendental import translate
from logca.proofs.terms.definedness import RootExists
from logca.proofs.terms.elimination import Signs

__all__ = ["Abstraction", "Unsupported"]

_FLIPPED = {sp.Gt: sp.Lt, sp.Ge: sp.Le, sp.Lt: sp.Gt, sp.Le: sp.Ge, sp.Eq: sp.Eq, sp.Ne: sp.Ne}


class Unsupported(ValueError):
    """An expression that has no translation to the reals."""


@dataclass(slots=True, kw_only=True)
class Abstraction:
    """Accumulates abstract variables and the facts that define them."""

    # polynomial relations that hold for the abstract variables [any unit]
    facts: list[sp.Basic] = field(default_factory=list)
    # what each abstract variable stands for [any unit]
    meaning: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)
    # the powers seen so far, by base and exponent [any unit]
    powers: dict[tuple[sp.Expr, sp.Expr], Power] = field(default_factory=dict)
    # the logarithms seen so far, by argument [1]
    logs: dict[sp.Expr, sp.Expr] = field(default_factory=dict)
    # pairs of products that are compared with each other [any unit]
    monomials: list[tuple[sp.Expr, sp.Expr]] = field(default_factory=list)
    # what has been translated already [any unit]
    known: dict[sp.Basic, sp.Expr] = field(default_factory=dict)
    # what is known of signs; its hypotheses are to be remembered first [any unit]
    signs: Signs = field(default_factory=Signs)

    def fork(self) -> "Abstraction":
        """A copy to which more can be added; what is known of signs stays shared."""
        return replace(
            self,
            facts=[*self.facts],
            meaning={**self.meaning},
            powers={**self.powers},
            logs={**self.logs},
            monomials=[*self.monomials],
            known={**self.known},
        )

    def statement(self, formula: sp.Basic) -> sp.Basic:
        """The formula with every relation made polynomial [1]."""
        if formula in (sp.true, sp.false):
            return formula
        if isinstance(formula, Relational):
            return self._relation(formula)
        if isinstance(formula, RootExists):
            return self.statement(formula.condition())
        if isinstance(formula, sp.And | sp.Or | sp.Not):
            return formula.func(*[self.statement(arg) for arg in formula.args], evaluate=False)
        raise Unsupported(f"{type(formula).__name__} is not a statement")

    def _relation(self, relation: Relational) -> sp.Basic:
        cleared, under = self._cleared(relation)
        if under is not None:
            self.facts.append(sp.Ne(under, 0, evaluate=False))
        return cleared

    def _cleared(self, relation: Relational) -> tuple[sp.Basic, sp.Expr | None]:
        """The relation without fractions, and the denominator if it may vanish [any unit]."""
        left, right = self.term(relation.lhs), self.term(relation.rhs)
        if left.is_number is False and _is_monomial(left) and _is_monomial(right):
            self.monomials.append((left, right))
        numerator, denominator = as_fraction(left - right)
        numerator = expand(numerator)
        if numerator.has(sp.zoo, sp.nan):
            raise Unsupported(f"{relation} has no value")
        sign = self.signs.of(denominator)
        under = expand(denominator) if sign == 0 else None
        if under is not None and not isinstance(relation, sp.Eq | sp.Ne):
            numerator = numerator * under
        kind = _FLIPPED[type(relation)] if sign < 0 else type(relation)
        return kind(numerator, 0, evaluate=False), under

    def fails(self, condition: sp.Basic) -> sp.Basic:
        """That a condition does not hold, or has no value [1]."""
        if isinstance(condition, sp.And | sp.Or):
            other = sp.Or if isinstance(condition, sp.And) else sp.And
            return other(*[self.fails(part) for part in condition.args], evaluate=False)
        if not isinstance(condition, Relational):
            return self.statement(sp.Not(condition))
        cleared, under = self._cleared(condition)
        absent = () if under is None else (sp.Eq(under, 0, evaluate=False),)
        return sp.Or(sp.Not(cleared), *absent, evaluate=False)

    def term(self, expr: sp.Expr) -> sp.Expr:
        """The expression as a rational function of abstract variables [any unit]."""
        if expr.is_Rational or expr.is_Symbol:
            return expr
        if expr in self.known:
            return self.known[expr]
        result = self._translate(expr)
        self.known[expr] = result
        return result

    def written_out(self, expr: sp.Expr) -> sp.Expr:
        """An expression over the variables with what they stand for [any unit]."""
        while expr.free_symbols & self.meaning.keys():
            expr = expr.xreplace(self.meaning)
        return expr

    def _translate(self, expr: sp.Expr) -> sp.Expr:
        if isinstance(expr, sp.Add | sp.Mul):
            return expr.func(*[self.term(arg) for arg in expr.args])
        if isinstance(expr, sp.Pow):
            return self._power(expr.base, expr.exp)
        if isinstance(expr, TrinomialRoot):
            return self._root(expr)
        if isinstance(expr, sp.Min | sp.Max):
            return self._extremum(expr)
        if isinstance(expr, sp.Abs):
            return self._extremum(sp.Max(expr.args[0], -expr.args[0], evaluate=False), expr)
        if isinstance(expr, sp.Piecewise):
            return self._piecewise(expr)
        try:
            found = translate(self, expr)
        except ValueError as error:
            raise Unsupported(str(error)) from None
        if found is not None:
            return found
        raise Unsupported(f"{expr.func.__name__} has no translation to the reals")

    def fresh(self, stands_for: sp.Expr, *, positive: bool = True) -> sp.Symbol:
        """A new variable that stands for an expression [its unit]."""
        name = f"v{len(self.meaning)}"
        signed = {"real": True} if not stands_for.is_nonnegative else {"nonnegative": True}
        symbol = sp.Dummy(name, **({"positive": True} if positive else signed))
        self.meaning[symbol] = stands_for
        return symbol

    def equal(self, left: sp.Expr, right: sp.Expr, *unless: sp.Basic) -> None:
        """Note that two terms are equal, unless one of the statements holds [1]."""
        numerator = expand(as_fraction(left - right)[0])
        if numerator != 0:
            fact = sp.Eq(numerator, 0, evaluate=False)
            self.facts.append(sp.Or(*unless, fact, evaluate=False) if unless else fact)

    def _undefined(self, base: sp.Expr, *, zero: bool) -> tuple[sp.Basic, ...]:
        """Where a fractional power of the base does not exist, unless it evidently does [1]."""
        if base.is_positive or (zero and base.is_nonnegative) or self.signs.of(base) > 0:
            return ()
        kind = sp.Ge if zero else sp.Gt
        return (self.fails(kind(base, 0, evaluate=False)),)

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if exponent.is_Integer:
            return self.term(base) ** exponent
        if base == sp.E:
            return self.term(sp.exp(exponent, evaluate=False))
        if base.is_zero:
            return sp.S.Zero
        if exponent.is_positive or exponent.is_nonpositive or self._positive_base(self.term(base)):
            return self._split_power(base, exponent)
        return self._vanishing_power(base, exponent)

    def _positive_base(self, u: sp.Expr) -> bool:
        return bool(u.is_positive) or self.signs.of(u) > 0 or self.signs.of(sp.factor(u)) > 0

    def _vanishing_power(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        """A power that is 0 where the base is, and split into factors only elsewhere."""
        power = self._fresh_power(base**exponent, self.term(base))
        below = self.fails(sp.Gt(base, 0, evaluate=False))
        self.equal(power, self._split_power(base, exponent), below)
        return power

    def _fresh_power(self, stands_for: sp.Expr, u: sp.Expr) -> sp.Symbol:
        """A new variable for a power of u: positive if u is, else 0 exactly where u is."""
        if self._positive_base(u):
            return self.fresh(stands_for)
        power = self._fresh_nonnegative(stands_for)
        vanishes = sp.Eq(self.signs.clear(u, sp.S.Zero), 0, evaluate=False)
        none, some = (kind(power, 0, evaluate=False) for kind in (sp.Eq, sp.Gt))
        self.facts.append(sp.Or(sp.Not(vanishes), none, evaluate=False))
        self.facts.append(sp.Or(vanishes, some, evaluate=False))
        return power

    def _fresh_nonnegative(self, stands_for: sp.Expr) -> sp.Symbol:
        value = self.fresh(stands_for, positive=False)
        self.facts.append(sp.Ge(value, 0, evaluate=False))
        return value

    def _split_power(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        over, under = sp.fraction(sp.together(exponent))
        if under.free_symbols:
            whole, rest = sp.div(over, under)
            if not whole.is_Integer:
                whole, rest = sp.S.Zero, over
            root = self._implicit_root(base, expand(under))
            return self.term(base) ** whole * self._integer_like(root, expand(rest))
        if under != 1:
            root = self._rational_root(base, under)
            return self._integer_like(root, expand(over), split=False)
        return self._integer_like(self.term(base), expand(over))

    def _rational_root(self, base: sp.Expr, degree: sp.Integer) -> sp.Expr:
        """The h >= 0 with h**degree = base."""
        key = sp.Function("root")(base, degree)
        if key not in self.known:
            inner = self.term(base)
            fresh = self.fresh if base.is_positive else self._fresh_nonnegative
            root = fresh(base ** (1 / degree))
            self.known[key] = root
            self.equal(root**degree, inner, *self._undefined(inner, zero=True))
        return self.known[key]

    def _implicit_root(self, base: sp.Expr, degree: sp.Expr) -> sp.Expr:
        """The w with w**degree = base, the degree an affine function of exponent symbols.

        It vanishes with the base if the degree is evidently positive; else nothing is known of it
        unless the base is positive, since the power would not exist.
        """
        if degree.could_extract_minus_sign():
            return 1 / self._implicit_root(base, expand(-degree))
        inner = self.term(base)
        key = sp.Function("implicit")(inner, degree)
        if key not in self.known:
            positive = self._positive_base(inner)
            root = (self.fresh if positive else self._fresh_nonnegative)(base ** (1 / degree))
            self.known[key] = root
            power = self._integer_like(root, degree, split=False)
            none = () if self.signs.of(degree) else (sp.Eq(degree, 0, evaluate=False),)
            self.equal(power, inner, *self._undefined(inner, zero=not positive), *none)
        return self.known[key]

    def _integer_like(self, u: sp.Expr, exponent: sp.Expr, *, split: bool = True) -> sp.Expr:
        """Power of u whose exponent is an integer combination of products of symbols."""
        result: sp.Expr = sp.S.One
        for summand in sp.Add.make_args(exponent):
            coefficient, symbol = summand.as_coeff_Mul()
            if not (coefficient.is_Integer and symbol.is_polynomial()):
                raise Unsupported(f"exponent {exponent}")
            if symbol == 1:
                result *= u**coefficient
            else:
                result *= self._pair(u, symbol, split).power ** coefficient
        return result

    def _pair(self, u: sp.Expr, v: sp.Expr, split: bool = True) -> Power:
        u = factored(u) if split else u
        key = (u, v)
        if key in self.powers:
            return self.powers[key]
        if u == 1:
            pair = Power(u=u, power=sp.S.One, v=v)
        elif split and (u.is_Mul or u.is_Pow or (u.is_Rational and not u.is_Integer)):
            pair = Power(u=u, power=self.product_power(u, v), v=v)
        else:
            pair = Power(u=u, power=self._fresh_power(u**v, u), v=v)
        self.powers[key] = pair
        return pair

    def product_power(self, u: sp.Expr, v: sp.Expr) -> sp.Expr:
        """The power of a product, factor by factor [unit of u to the v]."""
        if u.is_Rational:
            return self._pair(sp.Integer(u.p), v).power / self._pair(sp.Integer(u.q), v).power
        return sp.Mul(*[self._pair(base, v).power ** e for base, e in self._factors(u)])

    def _factors(self, u: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
        """Bases and integer exponents of a positive product, bases positive where that is known."""
        factors, sign = [], 1
        for factor in sp.Mul.make_args(u):
            base, exponent = factor.as_base_exp()
            if not exponent.is_Integer:
                base, exponent = factor, sp.S.One
            if self.signs.of(base) < 0:
                base = expand(-base)
                sign = -sign if exponent % 2 else sign
            factors.append((base, exponent))
        return factors if sign == 1 else [factor.as_base_exp() for factor in sp.Mul.make_args(u)]

    def _root(self, expr: TrinomialRoot) -> sp.Expr:
        k, c, l, b = (self.term(arg) for arg in expr.args)
        root = self.fresh(expr)
        self.known[expr] = root
        power = (
            self._integer_like(root, expand(expr.args[3]))
            if expr.args[3].is_Symbol
            else (self.term(sp.Pow(root, expr.args[3])))
        )
        self.equal(k * power, c + l * root)
        falling = (1 - b) * l * root - b * c
        side = sp.Le(falling, 0) if expr.upward else sp.Ge(falling, 0)
        self.facts.append(self.statement(sp.Gt(k, 0, evaluate=False)))
        if expr.upward:
            curved, steep = (self.statement(kind(b, 1, evaluate=False)) for kind in (sp.Ne, sp.Ge))
            above = self.statement(sp.Gt(k, l, evaluate=False))
            self.facts.append(sp.Or(curved, above, evaluate=False))
            self.facts.append(sp.Or(steep, self.statement(side), evaluate=False))
        else:
            self.facts.append(self.statement(sp.Lt(b, 1, evaluate=False)))
            self.facts.append(self.statement(side))
        return root

    def _extremum(self, expr: sp.Expr, stands_for: sp.Expr | None = None) -> sp.Expr:
        terms = [self.term(arg) for arg in expr.args]
        enough = any if isinstance(expr, sp.Max) else all
        positive = enough(self.signs.of(term) > 0 for term in terms)
        value = self.fresh(stands_for or expr, positive=positive)
        order = sp.Ge if isinstance(expr, sp.Max) else sp.Le
        equalities = []
        for term in terms:
            self.facts.append(self._relation(order(value, term, evaluate=False)))
            equalities.append(self._relation(sp.Eq(value, term, evaluate=False)))
        self.facts.append(sp.Or(*equalities, evaluate=False))
        return value

    def _piecewise(self, expr: sp.Piecewise) -> sp.Expr:
        value = self.fresh(expr, positive=bool(expr.is_positive))
        earlier: list[sp.Basic] = []
        for branch, condition in expr.args:
            here, under = self._cleared(sp.Eq(value, self.term(branch), evaluate=False))
            guard = self.statement(sp.And(condition, *[sp.Not(e) for e in earlier]))
            # Where it is not taken, a branch need not exist.
            exists = () if under is None else (sp.Ne(under, 0, evaluate=False),)
            for fact in (here, *exists):
                self.facts.append(sp.Or(sp.Not(guard), fact, evaluate=False))
            earlier.append(condition)
        return value

    def _assumed(self, expr: sp.Expr) -> bool:
        """True if a hypothesis says that the expression is positive, up to a positive factor."""
        while expr.free_symbols & self.meaning.keys():
            expr = expr.xreplace(self.meaning)
        return any(self.signs.of(canonical(expr / known)) > 0 for known in self.signs.positive)

    def touch(self, points: Iterable[sp.Expr], v: sp.Expr) -> None:
        """Make the lemmas speak about further granularities [B] to the exponent v [1].

        The power of a product becomes a variable of its own, and the power of one of its factors
        is expressed by it: so tangents at that point stay linear. To be called before `statement`,
        and after `signs.remember`: a point that may not exist is not taken to exist.
        """
        for point in points:
            product = factored(self.term(point))
            factors = self._factors(product)
            free = [
                (base, exponent)
                for base, exponent in factors
                if exponent in (1, -1) and not base.is_Rational and (base, v) not in self.powers
            ]
            doubtful = any(
                self.signs.of(base) <= 0 and not self._assumed(base) for base, _ in factors
            )
            if len(factors) == 1 or not free or doubtful or (product, v) in self.powers:
                self._pair(product, v)
                continue
            whole = self.fresh(product**v)
            self.powers[product, v] = Power(u=product, power=whole, v=v)
            base, exponent = free[0]
            others = sp.Mul(*[self._pair(b, v).power ** e for b, e in factors if b != base])
            self.powers[base, v] = Power(u=base, power=(whole / others) ** exponent, v=v)


def _is_monomial(expr: sp.Expr) -> bool:
    powers = [factor.as_base_exp() for factor in sp.Mul.make_args(expr)]
    # what SymPy has to think about comes last
    return all(exponent.is_Integer and not base.is_Add for base, exponent in powers) and all(
        base.is_positive for base, _ in powers
    )
