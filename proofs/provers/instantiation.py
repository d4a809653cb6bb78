"""The lemmas on powers and logarithms at everything an abstraction has seen."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

import sympy as sp

from logca.derive.algebra.dimension import DimensionError, dimension_of
from logca.derive.core.symbols import L1, UNITS, L
from logca.proofs.provers import lemmas
from logca.proofs.provers.abstraction import Abstraction
from logca.proofs.provers.lemmas import Clear, Logarithm, Power

__all__ = ["Supply"]

_Pair = TypeVar("_Pair", Power, Logarithm)
_PER_OFFLOAD, _PER_BYTE = UNITS, UNITS | {L: UNITS[L1]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """Instances of the lemmas on an abstraction, each of them made once."""

    work: Abstraction  # what has been translated
    made: dict[tuple[Power | Logarithm, Power | Logarithm, int], list[sp.Basic]] = field(
        default_factory=dict
    )
    units: dict[tuple[sp.Expr, bool], tuple[sp.Expr, ...] | None] = field(default_factory=dict)

    def fork(self) -> "Supply":
        """A supply for more translations, with the instances made so far."""
        return replace(self, work=self.work.fork())

    def lemmas(self, level: int, *, alike: bool) -> list[sp.Basic]:
        """Instances on all powers and logarithms seen so far [1]."""
        if level < 1:
            return []
        return [*self._on_powers(level, alike), *self._on_logarithms(level, alike)]

    def _on_powers(self, level: int, alike: bool) -> Iterator[sp.Basic]:
        powers = list(self.work.powers.values())
        for v in dict.fromkeys(power.v for power in powers):
            mine = [power for power in powers if power.v == v]
            one = Power(u=sp.S.One, power=sp.S.One, v=v)
            for first, second in combinations([one, *mine], 2):
                if alike and not self._alike(first.u, second.u):
                    second = Power(u=1 / second.u, power=1 / second.power, v=v)
                    if not self._alike(first.u, second.u):
                        continue
                yield from self._on_pair(first, second, level, lemmas.power_instances)
            for first, second in list(_products(self.work, v)):
                yield from self._on_pair(first, second, min(level, 2), lemmas.power_instances)

    def _on_logarithms(self, level: int, alike: bool) -> Iterator[sp.Basic]:
        if not self.work.logs:
            return
        seen = dict(self.work.logs)
        for power in self.work.powers.values():
            if power.u in seen:
                seen[power.power] = power.v * seen[power.u]
        seen.pop(sp.S.One, None)
        one = Logarithm(u=sp.S.One, log=sp.S.Zero)
        others = [Logarithm(u=u, log=z) for u, z in seen.items()]
        for first, second in combinations([one, *others], 2):
            if not alike or first is one or self._alike(first.u, second.u):
                yield from self._on_pair(first, second, level, lemmas.logarithm_instances)

    def _on_pair(
        self,
        first: _Pair,
        second: _Pair,
        level: int,
        instances: Callable[[_Pair, _Pair, int, Clear], Iterable[sp.Basic]],
    ) -> Iterator[sp.Basic]:
        for step in range(1, level + 1):
            key = (first, second, step)
            if key not in self.made:
                guards = _guards(self.work, first.u, second.u)
                self.made[key] = [
                    sp.Or(*guards, lemma, evaluate=False) if guards else lemma
                    for lemma in instances(first, second, step, self.work.signs.clear)
                    if lemma is not sp.true
                ]
            yield from self.made[key]

    def _alike(self, u: sp.Expr, w: sp.Expr) -> bool:
        """True if the dimensions agree, with L per offload or per byte."""
        return any(self._unit(u, per_byte) == self._unit(w, per_byte) for per_byte in (False, True))

    def _unit(self, u: sp.Expr, per_byte: bool) -> tuple[sp.Expr, ...] | None:
        if (u, per_byte) not in self.units:
            self.units[u, per_byte] = _exponents(self.work.written_out(u), per_byte)
        return self.units[u, per_byte]


@lru_cache(maxsize=4096)
def _exponents(expr: sp.Expr, per_byte: bool) -> tuple[sp.Expr, ...] | None:
    units = _PER_BYTE if per_byte else _PER_OFFLOAD
    try:
        return tuple(sp.cancel(e) for e in dimension_of(expr, units).exponents())
    except (DimensionError, KeyError):
        return None


def _guards(work: Abstraction, *arguments: sp.Expr) -> list[sp.Basic]:
    """The lemmas speak of positive numbers: what to exclude where that is not evident."""
    unsure = [u for u in arguments if not u.is_positive and work.signs.of(u) <= 0]
    return [work.signs.clear(u, sp.S.Zero) <= 0 for u in unsure]


def _products(work: Abstraction, v: sp.Expr) -> Iterator[tuple[Power, Power]]:
    """Powers of the products that are compared with each other somewhere."""
    for sides in list(work.monomials):
        factors = [part.as_base_exp()[0] for side in sides for part in sp.Mul.make_args(side)]
        if any((factor, v) in work.powers for factor in factors):
            left, right = (Power(u=u, power=work.product_power(u, v), v=v) for u in sides)
            yield left, right
