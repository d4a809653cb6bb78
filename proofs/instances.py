"""The lemmas on powers and logarithms at everything an abstraction has seen."""

from collections.abc import Iterator
from itertools import combinations

import sympy as sp

from logca.derive.dimension import Dimension, DimensionError, dimension_of
from logca.derive.symbols import L1, UNITS, L
from logca.proofs import log_lemmas, power_lemmas
from logca.proofs.abstraction import Abstraction
from logca.proofs.log_lemmas import Logarithm
from logca.proofs.power_lemmas import Power

__all__ = ["lemmas"]


def lemmas(work: Abstraction, level: int, *, alike: bool) -> Iterator[sp.Basic]:
    """Instances of the lemmas on all powers and logarithms seen so far [1].

    Parameters
    ----------
    work : Abstraction
        What has been translated.
    level : int
        0 none, 1 monotone, 2 and slope, 3 and tangent [1].
    alike : bool
        Only between arguments of the same dimension, which is what proofs mostly need [1].
    """
    if level >= 1:
        yield from _on_powers(work, level, alike)
        yield from _on_logarithms(work, level, alike)


def _on_powers(work: Abstraction, level: int, alike: bool) -> Iterator[sp.Basic]:
    powers = list(work.powers.values())
    for v in dict.fromkeys(power.v for power in powers):
        mine = [power for power in powers if power.v == v]
        one = Power(u=sp.S.One, power=sp.S.One, v=v)
        for first, second in combinations([one, *mine], 2):
            if alike and not _alike(work, first.u, second.u):
                second = Power(u=1 / second.u, power=1 / second.power, v=v)
                if not _alike(work, first.u, second.u):
                    continue
            yield from _on_pair(work, first, second, level)
        for first, second in list(_products(work, v)):
            yield from _on_pair(work, first, second, min(level, 2))


def _on_pair(work: Abstraction, first: Power, second: Power, level: int) -> Iterator[sp.Basic]:
    guards = _guards(work, first.u, second.u)
    for lemma in power_lemmas.instances(first, second, level, work.clear):
        yield from _guarded(guards, lemma)


def _on_logarithms(work: Abstraction, level: int, alike: bool) -> Iterator[sp.Basic]:
    if not work.logs:
        return
    seen = dict(work.logs)
    for power in work.powers.values():
        if power.u in seen:
            seen[power.power] = power.v * seen[power.u]
    seen.pop(sp.S.One, None)
    one = Logarithm(u=sp.S.One, log=sp.S.Zero)
    for first, second in combinations([one, *(Logarithm(u=u, log=z) for u, z in seen.items())], 2):
        if alike and first is not one and not _alike(work, first.u, second.u):
            continue
        guards = _guards(work, first.u, second.u)
        for lemma in log_lemmas.instances(first, second, level, work.clear):
            yield from _guarded(guards, lemma)


def _guards(work: Abstraction, *arguments: sp.Expr) -> list[sp.Basic]:
    """The lemmas speak of positive numbers: what to exclude where that is not evident."""
    unsure = [u for u in arguments if not u.is_positive and work.sign(u) <= 0]
    return [work.clear(u, sp.S.Zero) <= 0 for u in unsure]


def _guarded(guards: list[sp.Basic], lemma: sp.Basic) -> Iterator[sp.Basic]:
    if lemma is not sp.true:
        yield sp.Or(*guards, lemma, evaluate=False) if guards else lemma


def _products(work: Abstraction, v: sp.Expr) -> Iterator[tuple[Power, Power]]:
    """Powers of the products that are compared with each other somewhere."""
    for sides in list(work.monomials):
        factors = [part.as_base_exp()[0] for side in sides for part in sp.Mul.make_args(side)]
        if any((factor, v) in work.powers for factor in factors):
            left, right = (Power(u=u, power=work.product_power(u, v), v=v) for u in sides)
            yield left, right


def _alike(work: Abstraction, u: sp.Expr, w: sp.Expr) -> bool:
    """Whether the dimensions agree, with L per offload or per byte."""
    return any(
        _unit(work, u, units) == _unit(work, w, units) for units in (UNITS, UNITS | {L: UNITS[L1]})
    )


def _unit(
    work: Abstraction, u: sp.Expr, units: dict[sp.Symbol, Dimension]
) -> tuple[sp.Expr, ...] | None:
    while u.free_symbols & work.meaning.keys():
        u = u.xreplace(work.meaning)
    try:
        return tuple(sp.cancel(e) for e in dimension_of(u, units).exponents())
    except (DimensionError, KeyError):
        return None
