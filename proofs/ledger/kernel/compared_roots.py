"""Values at the points of comparisons of roots: before a root the power is below the line."""

from collections.abc import Mapping, Sequence

import sympy as sp
from sympy.core.relational import Relational

from logca.proofs.ledger.kernel.expressions import as_term
from logca.proofs.ledger.kernel.skeletons import GoalContext
from logca.proofs.terms.elimination import Signs

__all__ = ["values_at_roots"]

_LEMMAS = {
    (True, True): "before_lower_root",
    (True, False): "up_to_lower_root",
    (False, True): "beyond_upper_root",
    (False, False): "from_upper_root",
}


def values_at_roots(
    context: GoalContext,
    relations: Sequence[tuple[str, sp.Basic]],
    values: Mapping[sp.Symbol, sp.Expr],
    signs: Signs,
) -> list[tuple[str, Relational, str]]:
    """For each comparison of a multiple of a root: a name, what it says, and the step to it.

    y < s*x, with x a lower root, says that the power is below the line at y/s; the comparison of an
    upper root with something greater says the like.
    """
    found = []
    for name, each in relations:
        if not isinstance(each, sp.Lt | sp.Le | sp.Gt | sp.Ge):
            continue
        strict = isinstance(each, sp.Lt | sp.Gt)
        for symbol, root in context.roots:
            side, other = (each.gts, each.lts) if root.upward else (each.lts, each.gts)
            multiple = sp.cancel(side / symbol)
            point = sp.simplify(other / multiple) if multiple != 0 else sp.S.Zero
            if symbol in multiple.free_symbols | point.free_symbols:
                continue
            if not point.free_symbols:
                continue  # powers of large numbers only take time, and `bounding` compares numbers
            if not (_is_positive(multiple, signs) and _is_positive(point, signs)):
                continue
            k, c, l, b = (sp.sympify(part).xreplace(dict(values)) for part in root.args)
            kind = sp.Lt if strict else sp.Le
            told = f"V_{name}_{symbol.name}"
            origin = f"(Rge_le _ _ {name})" if isinstance(each, sp.Ge) else name
            lemma = _LEMMAS[bool(root.upward), strict]
            step = (
                f"assert ({told} := {lemma} _ _ _ _ _ {as_term(multiple)} _ _ {as_term(point)} "
                f"R_{symbol.name} {origin} ltac:(positive) ltac:(positive) ltac:(same) ltac:(same))"
            )
            found.append((told, kind(k * point**b, c + l * point, evaluate=False), step))
    return found


def _is_positive(expr: sp.Expr, signs: Signs) -> bool:
    """True for a product of powers of which each base is known to be positive."""
    bases = (factor.as_base_exp()[0] for factor in sp.Mul.make_args(expr))
    return all(signs.of(base) > 0 for base in bases)
