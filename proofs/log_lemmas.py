"""What the logarithm does to the order of positive numbers, as polynomial relations.

1. monotone: u < w iff log u < log w;
2. tangent: log u < log w + (u - w)/w unless u = w.

The exponential is read the same way: exp z is a positive number whose logarithm is z. Both are
weaker than the real exponential field and hold for all positive u, w. The ledger proves each
without using it: lemma-log-monotone, lemma-log-tangent.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from logca.proofs.power_lemmas import same_sign

__all__ = ["Logarithm", "instances"]

Clear = Callable[[sp.Expr, sp.Expr], sp.Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class Logarithm:
    """A positive number u [any unit] and log u [1], as expressions over abstract variables.

    Parameters
    ----------
    u, log : sympy.Expr
        Argument [any unit] and logarithm [1].
    """

    u: sp.Expr
    log: sp.Expr


def instances(a: Logarithm, b: Logarithm, level: int, clear: Clear) -> Iterator[sp.Basic]:
    """The lemmas of one level for two logarithms [1].

    Parameters
    ----------
    a, b : Logarithm
        Two logarithms of positive arguments.
    level : int
        1 monotone, 3 tangent [1].
    clear : callable
        Gives a polynomial with the sign of the difference of two expressions [any unit].
    """
    if level == 1:
        yield from same_sign(sp.S.One, clear(a.u, b.u), clear(a.log, b.log))
    if level == 3:
        yield _tangent(a, b, clear)
        yield _tangent(b, a, clear)


def _tangent(a: Logarithm, b: Logarithm, clear: Clear) -> sp.Basic:
    gap = clear(b.u * (a.log - b.log), a.u - b.u)
    return sp.Or(sp.Eq(clear(a.u, b.u), 0, evaluate=False), gap < 0, evaluate=False)
