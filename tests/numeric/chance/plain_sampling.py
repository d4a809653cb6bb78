"""The model written down again, and plain Monte Carlo: nothing of the package is used."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

SAMPLES = 20_000
GRID = 400  # sizes of a search for the greatest speedup

Law = tuple[str, float, float]
"""("lognormal", median, factor), ("uniform", least, most), or ("certain", value, value)."""


def frozen(law: Law) -> Any:
    kind, first, second = law
    if kind == "lognormal":
        return stats.lognorm(s=np.log(second), scale=first)
    return stats.uniform(loc=first, scale=second - first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Parameters drawn independently of each other."""

    laws: dict[str, Law]
    linear: bool
    seed: int

    def draws(self) -> dict[str, Any]:
        rng = np.random.default_rng(self.seed)
        found = {}
        for name, law in self.laws.items():
            if law[0] == "certain":
                found[name] = np.full(SAMPLES, law[1])
            else:
                found[name] = frozen(law).rvs(size=SAMPLES, random_state=rng)
        return found

    def speedups(self, g: Any, draws: dict[str, Any] | None = None) -> Any:
        p = self.draws() if draws is None else draws
        host = p["C"] * g ** p["beta"]
        return host / (p["o"] + p["L"] * (g if self.linear else 1.0) + host / p["A"])

    def share_above(self, target: float, g: float) -> float:
        return float((self.speedups(g) > target).mean())

    def share_up_to(self, target: float, last: float, first: float = 1e-3) -> float:
        """Of draws that exceed the target at some size between two."""
        draws = self.draws()
        above = np.zeros(SAMPLES, dtype=bool)
        for g in np.geomspace(first, last, GRID):
            above |= self.speedups(g, draws) > target
        return float(above.mean())


def sigma(share: float) -> float:
    """Standard error of a share of so many samples; of none or all that of one."""
    safe = min(max(share, 1 / SAMPLES), 1 - 1 / SAMPLES)
    return float(np.sqrt(safe * (1 - safe) / SAMPLES))
