"""Sums over sequences in claims: those of one term, which is a number like any other."""

from collections.abc import Callable, Mapping

import sympy as sp
from sympy.core.function import AppliedUndef

from logca.derive.core.catalogue import names
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import TABLE

__all__ = ["one_term"]


def one_term(
    expr: sp.Expr, values: Mapping[sp.Symbol, sp.Expr], lookup: Callable[[str], Formula]
) -> sp.Expr | None:
    """An expression whose sums have one term by these values, or None [unit of the expression].

    The first value of a sequence is the symbol of its name, or the formula.

    Examples
    --------
    >>> from logca.derive.core.catalogue import formula
    >>> from logca.derive.core.partition_symbols import flows
    >>> one_term(formula("mapped_area").expr, {}, formula) is None
    True
    >>> one = one_term(formula("control_transfer_cycles").expr, {flows: sp.S.One}, formula)
    >>> sorted(map(str, one.free_symbols))
    ['control_latency', 'flow_executions', 'mapped_source', 'mapped_target']
    """
    terms: dict[sp.Basic, sp.Expr] = {}
    for total in expr.atoms(sp.Sum):
        ((index, low, high),) = total.limits
        if not low == high.xreplace(dict(values)) == 1:
            return None
        terms[total] = total.function.xreplace({index: sp.S.One})
    single = expr.xreplace(terms)
    first: dict[sp.Basic, sp.Expr] = {}
    for value in single.atoms(AppliedUndef):
        name = value.func.__name__
        known = (
            TABLE[name].symbol if name in TABLE else lookup(name).expr if name in names() else None
        )
        if known is None or known.has(AppliedUndef):
            return None
        first[value] = known
    return single.xreplace(first)
