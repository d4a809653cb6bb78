"""A change of an accelerator's parameters, and what it costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from logca.common import results
from logca.common.sizes import format_size

__all__ = ["Change", "Costs", "factors_between", "same"]

_SAME = 1e-9

Costs = Mapping[str, float] | Callable[[dict[str, Any], dict[str, float]], Any]
"""A weight for each parameter that may change, or a function of new and old parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The cheapest change that reaches a speedup, or that none does."""

    reached: bool  # whether the speedup is reached [1]
    target: float  # the speedup that was to be reached [1]
    g: float  # granularity [B]
    # speedup after the change; if none is enough, the greatest that there is, or the limit [1]
    speedup: float
    cost: float  # cost of the change, infinite if none is enough [1]
    # o, L, C, A and beta after the change; if none is enough, where the speedup is greatest, and
    # empty if it is a limit only [cycles, cycles or cycles/B, cycles/B**beta, 1, 1]
    parameters: Mapping[str, float]
    factors: Mapping[str, float]  # by how much each parameter that changes is multiplied [1]

    def __str__(self) -> str:
        where = f"{self.target:g} at {format_size(self.g)}"
        if not self.reached and not self.parameters:
            return f"no change reaches a speedup of {where}; it stays below {self.speedup:.4g}"
        changed = ", ".join(
            f"{name} = {self.parameters[name]:.4g} (×{factor:.4g})"
            for name, factor in self.factors.items()
        )
        if not self.reached:
            return (
                f"no point reaches a speedup of {where}; the greatest is {self.speedup:.4g}"
                f"{' with ' if changed else ''}{changed}"
            )
        return f"{changed or 'no change'}: speedup {self.speedup:.4g}, cost {self.cost:.4g}"

    __repr__ = __str__
    _repr_html_ = results.html


def same(value: Any, other: Any) -> Any:
    """True where two values of a parameter are equal but for rounding [1]."""
    return np.isclose(value, other, rtol=_SAME, atol=0.0)


def factors_between(old: Mapping[str, float], new: Mapping[str, float]) -> dict[str, float]:
    """By how much each parameter that changes is multiplied [1]."""
    with np.errstate(divide="ignore"):
        return {
            name: float(np.float64(value) / old[name])
            for name, value in new.items()
            if not same(value, old[name])
        }
