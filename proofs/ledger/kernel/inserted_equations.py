"""Equations for symbols inserted into a goal, and what is known of roots and of their absence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

from logca.proofs.ledger.kernel.expressions import as_term, identifier
from logca.proofs.ledger.kernel.polynomial_facts import contradictory
from logca.proofs.ledger.kernel.skeletons import Goal
from logca.proofs.terms.definedness import RootExists

__all__ = ["Solved", "solved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A goal after equations for symbols are inserted."""

    steps: tuple[str, ...]
    relations: tuple[tuple[str, sp.Basic], ...]
    relation: sp.Basic | None
    values: Mapping[sp.Symbol, sp.Expr]

    @property
    def opening(self) -> str:
        """The steps as the beginning of a tactic."""
        return "".join(f"{step}; " for step in self.steps)


def solved(goal: Goal) -> Solved:
    """Insert equations for symbols, as Coq's `subst` does."""
    relations = list(goal.known.relations)
    relation = goal.relation
    roots = list(goal.known.roots)
    steps: list[str] = []
    values: dict[sp.Symbol, sp.Expr] = {}
    while True:
        found = next(filter(None, (_equation(each) for _, each in relations)), None)
        if found is None:
            break
        symbol, value = found
        steps.append(f"try subst {identifier(symbol.name)}")
        values = {key: old.xreplace({symbol: value}) for key, old in values.items()}
        values[symbol] = value
        relations = [
            (name, _replaced(each, symbol, value))
            for name, each in relations
            if _equation(each) != found
        ]
        if symbol.is_nonnegative and symbol.is_Symbol and not value.is_nonnegative:
            # what was known of the symbol is known of its value
            sign = sp.Lt if symbol.is_positive else sp.Le
            known = sign(0, value, evaluate=False)
            relations.append((f"D_{symbol.name}", known))
        relation = _replaced(relation, symbol, value) if relation is not None else None
        roots = [(s, r) for s, r in roots if s != symbol]
    for name, each in list(relations):
        if isinstance(each, sp.Ne) and each.rhs == 0 and each.lhs.is_Symbol:
            symbol = each.lhs
            if symbol.is_nonnegative and not symbol.is_positive:
                domain = f"D_{symbol.name}"
                steps.append(f"try pose proof (nonnegative_nonzero _ {domain} {name}) as Q_{name}")
                relations.append((f"Q_{name}", sp.Lt(0, symbol, evaluate=False)))
    for name, each in list(relations):
        if isinstance(each, sp.Not) and isinstance(each.args[0], RootExists):
            k, _, l, b, upward = (part.xreplace(values) for part in each.args[0].args)
            if b == 1 and upward:
                absent = f"no_lower_root_linear _ _ _ _ {name} eq_refl ltac:(positive)"
                steps.append(f"try pose proof ({absent}) as N_{name}")
                relations.append((f"N_{name}", sp.Le(k, l, evaluate=False)))
    for symbol, root in roots:
        b = root.args[3].xreplace(values)
        if b == 1 and root.upward:
            name = f"A_{symbol.name}"
            steps.append(f"try pose proof (lower_root_above _ _ _ _ R_{symbol.name}) as {name}")
            k, l = (root.args[index].xreplace(values) for index in (0, 2))
            relations.append((name, sp.Lt(l, k, evaluate=False)))
        elif _speaks_of_peak([*relations, ("", relation)], b):
            reached = _reached(symbol, [arg.xreplace(values) for arg in root.args], relations)
            if reached is not None:
                steps.append(reached[0])
                relations.append((f"N_{symbol.name}", reached[1]))
    return Solved(steps=tuple(steps), relations=tuple(relations), relation=relation, values=values)


def _speaks_of_peak(relations: Sequence[tuple[str, sp.Basic | None]], b: sp.Expr) -> bool:
    """True if the weights of weighted means stand in relations, as at a tangent from zero."""
    powers = [power for _, each in relations if each is not None for power in each.atoms(sp.Pow)]
    return any(power.base == 1 - b and power.exp.has(b) for power in powers)


def _reached(
    symbol: sp.Symbol, arguments: Sequence[sp.Expr], relations: Sequence[tuple[str, sp.Basic]]
) -> tuple[str, sp.Basic] | None:
    """The condition for a root with an exponent below 1, which a root shows to hold."""
    k, c, l, b = arguments
    told = [each for _, each in relations if each.atoms(sp.Pow) <= each.atoms(sp.Integer)]
    for side in (k, c, l, b, 1 - b):
        numerator = sp.numer(sp.together(side))
        if not side.is_positive and not contradictory([*told, sp.Le(numerator, 0, evaluate=False)]):
            return None
    texts = [as_term(part) for part in (k, c, l, b)]
    name = symbol.name
    step = (
        f"try pose proof (reached_sublinear {' '.join(texts)} {name} ltac:(positive) "
        f"ltac:(positive) ltac:(positive) ltac:(positive) ltac:(lra) D_{name} "
        f"(Req_le _ _ (eq_sym E_{name}))) as N_{name}"
    )
    peak = k * b**b * (1 - b) ** (1 - b) * c**b
    return step, sp.Le(c * l**b, peak, evaluate=False)


def _equation(relation: sp.Basic) -> tuple[sp.Symbol, sp.Expr] | None:
    if isinstance(relation, sp.Eq):
        for symbol, value in (relation.args, relation.args[::-1]):
            if symbol.is_Symbol and symbol not in value.free_symbols:
                return symbol, value
    return None


def _replaced(relation: sp.Basic, symbol: sp.Symbol, value: sp.Expr) -> sp.Basic:
    if isinstance(relation, Relational):
        try:
            sides = [part.xreplace({symbol: value}) for part in relation.args]
        except TypeError:
            return sp.true
        return relation.func(*sides, evaluate=False)
    return relation
