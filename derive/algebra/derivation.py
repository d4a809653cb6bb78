"""Derivations: equations transformed by named steps, each of which can be checked again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import mpmath
import sympy as sp

from logca.common.errors import LogcaError
from logca.derive.algebra.asymptotics import generic_point, leading_value
from logca.derive.algebra.identities import canonical, is_zero
from logca.derive.algebra.trinomial import LowerRoot, UpperRoot

__all__ = [
    "Derivation",
    "DerivationError",
    "Leaves",
    "Step",
    "begin",
    "by_cases",
    "tends",
    "vanishing",
]

Leaves = Callable[[sp.Eq, sp.Eq], Iterable[sp.Expr]]
Follows = Callable[[sp.Eq, sp.Eq], bool]


class DerivationError(LogcaError, ValueError):
    """A step that does not follow from the one before it."""

    exit_code = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One equation of a derivation and why it holds."""

    name: str  # what was done
    relation: sp.Eq  # the equation reached; both sides have the same unit [any]
    # the equation it follows from; None where the derivation starts [any]
    before: sp.Eq | None = None
    # verifies that the equation reached follows from the one before; None for a definition [1]
    follows: Follows | None = field(default=None, compare=False, repr=False)

    @property
    def posed(self) -> bool:
        """True if the equation is a definition or a question, with nothing to verify [1]."""
        return self.follows is None

    def check(self) -> bool:
        """Verify the step anew: identities by algebra, limits by evaluation far out [1]."""
        return self.follows is None or self.follows(self.before, self.relation)


def vanishing(leaves: Leaves) -> Follows:
    """Verifies that expressions, from the equations before and after, vanish identically [any]."""
    return lambda old, new: all(is_zero(expr) for expr in leaves(old, new))


def tends(variable: sp.Symbol, to: sp.Expr, ordering: tuple[sp.Rel, ...]) -> Follows:
    """Verifies a limit of the right-hand side before, by evaluation far out [its unit]."""
    return lambda old, new: _approaches(old.rhs, variable, to, ordering, new.rhs)


def _approaches(
    expr: sp.Expr, variable: sp.Symbol, to: sp.Expr, ordering: tuple[sp.Rel, ...], value: sp.Expr
) -> bool:
    """Evaluate at 10**+-400 with generic parameters and compare with the claimed limit."""
    point = generic_point(expr.free_symbols | value.free_symbols, ordering)
    far = sp.Integer(10) ** (400 if to is sp.oo else -400)
    with mpmath.workdps(60):
        there = sp.N(expr.subs({**point, variable: far}), 60)
        claimed = value if value in (sp.oo, sp.S.Zero) else sp.N(value.subs(point), 60)
    if claimed is sp.oo:
        return bool(there > sp.Integer(10) ** 20)
    return bool(abs(there - claimed) <= sp.Rational(1, 10**20) * (1 + abs(claimed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A chain of steps; every method performs one operation and appends its step."""

    steps: tuple[Step, ...]  # the steps so far, the definition first [any unit]

    @property
    def relation(self) -> sp.Eq:
        """The equation reached so far [any unit]."""
        return self.steps[-1].relation

    @property
    def expr(self) -> sp.Expr:
        """The right-hand side reached so far [any unit]."""
        return self.relation.rhs

    def _then(self, name: str, lhs: sp.Expr, rhs: sp.Expr, leaves: Leaves) -> "Derivation":
        reached = _equation(lhs, rhs)
        step = Step(name=name, relation=reached, before=self.relation, follows=vanishing(leaves))
        return replace(self, steps=(*self.steps, step))

    def _on_both(
        self,
        name: str,
        done: Callable[[sp.Expr], sp.Expr],
        written: Callable[[sp.Expr], sp.Expr] = lambda side: side,
    ) -> "Derivation":
        """Do something to both sides, and write the result in a certain way."""
        lhs, rhs = (written(done(side)) for side in self.relation.args)
        return self._then(
            name,
            lhs,
            rhs,
            lambda old, new: (new.lhs - done(old.lhs), new.rhs - done(old.rhs)),
        )

    def multiply(self, name: str, factor: sp.Expr) -> "Derivation":
        """Multiply both sides by a factor that is nonzero on the domain [unit of the factor]."""
        _refuse_zero(name, factor)
        return self._on_both(name, lambda side: side * factor, sp.expand)

    def scale(self, name: str, factor: sp.Expr) -> "Derivation":
        """Multiply both sides by a nonzero factor, without expanding them [unit of the factor]."""
        _refuse_zero(name, factor)
        return self._on_both(name, lambda side: side * factor)

    def add(self, name: str, term: sp.Expr) -> "Derivation":
        """Add a term to both sides [unit of the equation]."""
        return self._on_both(name, lambda side: side + term)

    def invert(self, name: str) -> "Derivation":
        """Take reciprocals of both sides [reciprocal unit]."""
        return self._on_both(name, lambda side: 1 / side, sp.expand)

    def raise_to(self, name: str, exponent: sp.Expr) -> "Derivation":
        """Raise both sides, positive, to a power [unit to that power]."""
        return self._on_both(
            name, lambda side: side**exponent, lambda power: sp.powdenest(power, force=True)
        )

    def log(self, name: str) -> "Derivation":
        """Take logarithms of both sides, positive, and of their factors [1]."""
        return self._on_both(name, sp.log, lambda log: sp.expand_log(log, force=True))

    def substitute(self, name: str, **values: object) -> "Derivation":
        """Insert values for symbols, all at once [unit of each symbol]."""
        by_name = {str(symbol): symbol for symbol in self.relation.free_symbols}
        mapping = {
            by_name[key]: sp.sympify(value) for key, value in values.items() if key in by_name
        }
        return self._on_both(name, lambda side: side.subs(mapping, simultaneous=True))

    def swap(self, name: str) -> "Derivation":
        """Exchange the two sides [same unit]."""
        lhs, rhs = self.relation.args
        return self._then(name, rhs, lhs, lambda old, new: (new.lhs - old.rhs, new.rhs - old.lhs))

    def rename(self, name: str, label: sp.Symbol) -> "Derivation":
        """Give the right-hand side another name on the left [same unit]."""
        return self._then(name, label, self.expr, lambda old, new: (new.rhs - old.rhs,))

    def rewrite(
        self, name: str, lhs: sp.Expr | None = None, rhs: sp.Expr | None = None
    ) -> "Derivation":
        """Write one or both sides differently; refused unless it is an identity [same unit]."""
        old_lhs, old_rhs = self.relation.args
        new_lhs = old_lhs if lhs is None else lhs
        new_rhs = old_rhs if rhs is None else rhs
        for difference in (new_lhs - old_lhs, new_rhs - old_rhs):
            if not is_zero(difference):
                raise DerivationError(f"'{name}': the two forms differ by {difference}")
        return self._then(name, new_lhs, new_rhs, _unchanged)

    def simplify(self, name: str) -> "Derivation":
        """Factor the right-hand side [same unit]."""
        return self._then(name, self.relation.lhs, sp.factor(sp.together(self.expr)), _unchanged)

    def insert(self, name: str, known: sp.Expr, value: sp.Expr) -> "Derivation":
        """Replace a sub-expression by an equal one, identically equal [unit of the expression]."""
        if not is_zero(known - value):
            raise DerivationError(f"'{name}': {known} is not {value}")
        lhs, rhs = (side.subs(known, value) for side in self.relation.args)
        return self._then(name, lhs, rhs, _unchanged)

    def solve(self, name: str, unknown: sp.Symbol) -> "Derivation":
        """Solve for a symbol in which the equation is linear [unit of the symbol]."""
        residual = sp.expand(self.relation.lhs - self.relation.rhs)
        slope = sp.diff(residual, unknown)
        if slope == 0 or not is_zero(sp.diff(slope, unknown)):
            raise DerivationError(f"'{name}': the equation is not linear in {unknown}")
        solution = sp.factor(sp.together(-residual.subs(unknown, 0) / slope))
        if solution.has(unknown):
            raise DerivationError(f"'{name}': write the equation as linear in {unknown} first")
        return self._then(name, unknown, solution, _solves)

    def root(
        self, name: str, unknown: sp.Symbol, label: sp.Expr, *, upper: bool = False
    ) -> "Derivation":
        """Name the least (or greatest) positive root of ``k x**beta = c + l x`` [B]."""
        lhs, rhs = self.relation.args
        power = next((p for p in lhs.atoms(sp.Pow) if p.base == unknown), None)
        if power is None or not rhs.is_polynomial(unknown):
            raise DerivationError(
                f"'{name}': {self.relation} is not of the form k*x**beta = c + l*x"
            )
        k = sp.cancel(lhs / power)
        linear, constant = rhs.coeff(unknown, 1), rhs.coeff(unknown, 0)
        kind = UpperRoot if upper else LowerRoot
        crossing = kind(k, constant, linear, power.exp)

        def same_equation(old: sp.Eq, new: sp.Eq) -> tuple[sp.Expr, ...]:
            sides = (old.lhs - k * power, old.rhs - constant - linear * unknown)
            return (*sides, new.rhs - crossing)

        return self._then(name, label, crossing, same_equation)

    def isolate(self, name: str, term: sp.Expr) -> "Derivation":
        """Solve for an expression, such as a power, in which the equation is linear [its unit]."""
        stand_in = sp.Dummy("term", positive=True)
        residual = (self.relation.lhs - self.relation.rhs).xreplace({term: stand_in})
        solved = begin(name, residual, sp.S.Zero).solve(name, stand_in)
        return self._then(
            name,
            term,
            solved.expr,
            lambda old, new: ((old.lhs - old.rhs).xreplace({term: new.rhs}), new.lhs - term),
        )

    def balance(self, name: str, lhs: sp.Expr, rhs: sp.Expr) -> "Derivation":
        """Say where the right-hand side vanishes: of one sign apart from ``lhs - rhs`` [any]."""
        cofactor = sp.factor(canonical(self.expr / (lhs - rhs)))
        if not (cofactor.is_nonnegative or cofactor.is_nonpositive):
            raise DerivationError(f"'{name}': the sign of {cofactor} is not evident")
        return self._then(
            name, lhs, rhs, lambda old, new: (old.rhs - cofactor * (new.lhs - new.rhs),)
        )

    def distribute(self, name: str) -> "Derivation":
        """Move a positive factor into a minimum or maximum; division swaps the two [same unit]."""
        for part in sp.Mul.make_args(self.expr):
            extremum, power = part.as_base_exp()
            factor = self.expr / part
            if isinstance(extremum, sp.Min | sp.Max) and abs(power) == 1 and factor.is_nonnegative:
                kinds = (sp.Min, sp.Max) if power == 1 else (sp.Max, sp.Min)
                kind = kinds[isinstance(extremum, sp.Max)]
                inside = {argument: factor * argument**power for argument in extremum.args}
                whole = kind(*inside.values())
                leaves = _in_each_case(extremum, inside, whole)
                return self._then(name, self.relation.lhs, whole, leaves)
        raise DerivationError(f"'{name}': {self.expr} has no minimum or maximum to move into")

    def take(self, name: str, unknown: sp.Symbol, solution: sp.Expr) -> "Derivation":
        """Give a solution of the equation, verified by inserting it [unit of the symbol].

        An equation of several branches has several solutions; the name says which one is meant.
        """
        residual = (self.relation.lhs - self.relation.rhs).subs(unknown, solution)
        if not is_zero(residual):
            raise DerivationError(f"'{name}': {solution} leaves a residual of {residual}")
        return self._then(name, unknown, solution, _solves)

    def into(self, name: str, label: sp.Expr, whole: sp.Expr) -> "Derivation":
        """Insert the symbol solved for into an expression, which gets a name [unit of it]."""
        unknown, value = self.relation.args
        return self._then(
            name,
            label,
            whole.subs(unknown, value),
            lambda old, new: (new.rhs - whole.subs(old.lhs, old.rhs),),
        )

    def tangent(self, name: str, variable: sp.Symbol, at: sp.Expr, label: sp.Expr) -> "Derivation":
        """Replace the right-hand side by its tangent at a point, which gets a name [same unit]."""
        value, slope = (sp.diff(self.expr, variable, order).subs(variable, at) for order in (0, 1))

        def touches(old: sp.Eq, new: sp.Eq) -> tuple[sp.Expr, ...]:
            apart = new.rhs - old.rhs
            contact = [sp.diff(apart, variable, order).subs(variable, at) for order in (0, 1)]
            return (*contact, sp.diff(new.rhs, variable, 2))

        return self._then(name, label, value + slope * (variable - at), touches)

    def differentiate(self, name: str, variable: sp.Symbol, label: sp.Expr) -> "Derivation":
        """Differentiate the right-hand side, an expression for the left [unit per variable]."""
        return self._then(
            name,
            label,
            sp.diff(self.expr, variable),
            lambda old, new: (new.rhs - sp.diff(sp.expand(old.rhs), variable),),
        )

    def limit(
        self, name: str, variable: sp.Symbol, to: sp.Expr, label: sp.Expr, *ordering: sp.Rel
    ) -> "Derivation":
        """Let a variable go to 0 or infinity, under relations that order the exponents [same]."""
        value = leading_value(self.expr, variable, to, ordering)
        step = Step(
            name=name,
            relation=_equation(label, value),
            before=self.relation,
            follows=tends(variable, sp.sympify(to), ordering),
        )
        return replace(self, steps=(*self.steps, step))

    def check(self) -> None:
        """Verify every step again, and that each follows from an equation reached before it."""
        reached: list[sp.Eq | None] = [None]
        for step in self.steps:
            linked = step.before in reached
            reached.append(step.relation)
            if not (linked and step.check()):
                raise DerivationError(f"step '{step.name}' does not hold: {step.relation}")


def by_cases(name: str, label: sp.Expr | str, *cases: tuple[Derivation, sp.Basic]) -> Derivation:
    """Join derivations that hold under conditions, the first that applies [unit of the cases].

    Examples
    --------
    >>> from logca.derive.core.symbols import A, beta
    >>> one, other = begin("at most linear", "x", sp.S.Zero), begin("superlinear", "x", A)
    >>> by_cases("by exponent", "x", (one, beta <= 1), (other, sp.true)).expr
    Piecewise((0, beta <= 1), (A, True))
    """
    symbol = sp.Symbol(label) if isinstance(label, str) else label
    whole = sp.Piecewise(*((case.expr, condition) for case, condition in cases))
    steps = tuple(step for case, _ in cases for step in case.steps)
    joined = Step(
        name=name,
        relation=_equation(symbol, whole),
        before=steps[-1].relation,
        follows=vanishing(lambda _, new: (new.rhs - whole,)),
    )
    return Derivation(steps=(*steps, joined))


def begin(name: str, lhs: sp.Expr | str, rhs: sp.Expr) -> Derivation:
    """Start a derivation from a definition [unit of the right-hand side].

    Examples
    --------
    >>> from logca.derive.core.symbols import C, beta, g
    >>> begin("host time", "T0", C * g**beta).expr
    C*g**beta
    """
    label = sp.Symbol(lhs) if isinstance(lhs, str) else lhs
    return Derivation(steps=(Step(name=name, relation=_equation(label, rhs)),))


def _refuse_zero(name: str, factor: sp.Expr) -> None:
    if is_zero(sp.sympify(factor)):
        raise DerivationError(f"'{name}': the factor is zero, and nothing would be left")


def _unchanged(old: sp.Eq, new: sp.Eq) -> tuple[sp.Expr, ...]:
    return (new.lhs - old.lhs, new.rhs - old.rhs)


def _solves(old: sp.Eq, new: sp.Eq) -> tuple[sp.Expr, ...]:
    return ((old.lhs - old.rhs).subs(new.lhs, new.rhs),)


def _in_each_case(extremum: sp.Expr, inside: dict[sp.Expr, sp.Expr], whole: sp.Expr) -> Leaves:
    def leaves(old: sp.Eq, new: sp.Eq) -> tuple[sp.Expr, ...]:
        cases = [old.rhs.xreplace({extremum: a}) - value for a, value in inside.items()]
        return (*cases, new.rhs - whole, new.lhs - old.lhs)

    return leaves


def _equation(lhs: sp.Expr, rhs: sp.Expr) -> sp.Eq:
    return sp.Eq(sp.sympify(lhs), sp.sympify(rhs), evaluate=False)
