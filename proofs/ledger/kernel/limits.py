"""Tactics for limits of quotients of sums of powers: divided by what dominates below.

After that each power of the variable that is left tends to zero, and the rest is arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy as sp
from sympy.core.relational import Relational

from logca.derive.algebra.trinomial import TrinomialRoot
from logca.proofs.ledger.kernel.comparisons import by_lemmas
from logca.proofs.ledger.kernel.expressions import as_term, identifier
from logca.proofs.ledger.kernel.inserted_equations import Solved, solved
from logca.proofs.ledger.kernel.polynomial_facts import contradictory
from logca.proofs.ledger.kernel.skeletons import Goal, GoalContext, Tending

__all__ = ["limit_value", "tending"]

_Powers = dict[sp.Expr, sp.Expr]
"""Coefficients by the exponents of the variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Divided:
    over: _Powers
    under: _Powers

    def value(self) -> sp.Expr:
        """The value that is left in the limit [unit of the expression]."""
        return self.over.get(sp.S.Zero, sp.S.Zero) / self.under[sp.S.Zero]


def limit_value(
    known: GoalContext, expr: sp.Expr, variable: sp.Symbol, to: sp.Expr
) -> sp.Expr | None:
    """The value of a finite limit under what is known; None if it is not found."""
    known_values = {
        each.lhs: each.rhs
        for _, each in known.relations
        if isinstance(each, sp.Eq) and each.lhs.is_Symbol and each.rhs.is_number
    }
    divided = _divided(known.relations, expr.xreplace(known_values), variable, to)
    return None if divided is None else sp.factor_terms(divided.value())


def tending(goal: Goal, part: Tending) -> list[str]:
    """Tactics that show that a function tends to a value."""
    known = solved(goal)
    start = known.opening
    expr, variable = part.expr.xreplace(dict(known.values)), part.variable
    if isinstance(part.expr, TrinomialRoot):
        return _of_linear_root(goal, part, known)
    divided = _divided(known.relations, expr, variable, part.to)
    if divided is None:
        return []
    over, under = (_sum(powers, variable) for powers in (divided.over, divided.under))
    name = identifier(variable.name)
    function = f"(fun {name} : R => {over} / {under})"
    found = []
    for bound in ("0", "1"):
        lemma = f"limit_at_infinity {bound}" if part.to == sp.oo else "limit_at_zero"
        found.append(
            f"{start}apply ({lemma} _ {function} _); [ limit_same | limit_value; limit_side ]"
        )
        if part.to != sp.oo:
            break
    return found


def _of_linear_root(goal: Goal, part: Tending, known: Solved) -> list[str]:
    """A tactic for the limit of a root at an exponent of 1, where it is a quotient."""
    k, c, l, b = (argument.xreplace(dict(known.values)) for argument in part.expr.args)
    divided = _divided(known.relations, c / (k - l), part.variable, part.to)
    if divided is None or b != 1 or part.to != sp.oo:
        return []
    over, under = (_sum(powers, part.variable) for powers in (divided.over, divided.under))
    name = identifier(part.variable.name)
    k_, c_, l_, quotient = (
        f"(fun {name} : R => {text})" for text in (*map(as_term, (k, c, l)), f"{over} / {under}")
    )
    # from the value on that the hypotheses speak of
    beyond = sp.Symbol("beyond", positive=True)
    relations = (*known.relations, ("T", sp.Lt(part.variable, beyond, evaluate=False)))
    context = replace(goal.known, relations=relations)
    shown = []
    for side in (sp.Lt(l, k, evaluate=False), sp.Lt(0, c, evaluate=False)):
        relation = side.func(
            *(e.xreplace({part.variable: beyond}) for e in side.args), evaluate=False
        )
        tactic = by_lemmas(replace(goal, known=context, relation=relation, proposition=None))
        if tactic is None:
            return []
        shown.append(f"intros beyond D_beyond T; cbv beta; {tactic}")
    return [
        f"{known.opening}intros root_at R_root_at; "
        f"apply (limit_of_linear_root {k_} {c_} {l_} root_at {quotient} {name} _); "
        f"[ exact R_root_at | {' | '.join(shown)} | limit_same | limit_value; limit_side ]"
    ]


def _divided(
    relations: Sequence[tuple[str, sp.Basic]], expr: sp.Expr, variable: sp.Symbol, to: sp.Expr
) -> _Divided | None:
    if to not in (sp.oo, 0):
        return None
    numerator, denominator = sp.fraction(sp.together(expr))
    over, under = _powers(numerator, variable), _powers(denominator, variable)
    if not over or not under:
        return None
    told = [
        each for _, each in relations if isinstance(each, Relational) and not each.has(variable)
    ]
    for dominant, coefficient in under.items():
        if not coefficient.is_nonzero and not contradictory(
            [*_polynomial(told), sp.Eq(sp.expand(coefficient), 0, evaluate=False)]
        ):
            continue
        shifted = [
            {sp.expand(e - dominant): c for e, c in powers.items()} for powers in (over, under)
        ]
        if all(_vanishes(e, to, told) for powers in shifted for e in powers):
            return _Divided(over=shifted[0], under=shifted[1])
    return None


def _vanishes(exponent: sp.Expr, to: sp.Expr, told: Sequence[sp.Basic]) -> bool:
    if exponent == 0:
        return True
    towards = exponent if to == sp.oo else -exponent
    if towards.is_negative:
        return True
    if towards.is_nonnegative:
        return False
    return contradictory([*_polynomial(told), sp.Ge(towards, 0, evaluate=False)])


def _polynomial(told: Sequence[sp.Basic]) -> list[sp.Basic]:
    return [
        each
        for each in told
        if all(side.is_polynomial(*each.free_symbols) for side in each.args) and each.free_symbols
    ]


def _powers(expr: sp.Expr, variable: sp.Symbol) -> _Powers | None:
    found: _Powers = {}
    for term in sp.Add.make_args(sp.expand(expr)):
        coefficient, rest = term.as_independent(variable, as_Add=False)
        exponent = sp.S.Zero
        for factor in sp.Mul.make_args(rest):
            base, power = factor.as_base_exp()
            if factor == 1:
                continue
            if base != variable or power.has(variable):
                return None
            exponent += power
        exponent = sp.expand(exponent)
        found[exponent] = found.get(exponent, sp.S.Zero) + coefficient
    return {exponent: coefficient for exponent, coefficient in found.items() if coefficient != 0}


def _sum(powers: _Powers, variable: sp.Symbol) -> str:
    name = identifier(variable.name)
    terms = []
    for exponent, coefficient in powers.items():
        term = as_term(coefficient)
        terms.append(term if exponent == 0 else f"{term} * Rpower {name} {as_term(exponent)}")
    return f"({' + '.join(terms)})"
