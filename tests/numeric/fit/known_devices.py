"""Devices whose times are known, written down again: nothing of the package's model is used."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from logca.numeric.timings.timings import Timings

SIZES = tuple(float(size) for size in 2.0 ** np.arange(4, 26, 1.5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An accelerator, with latency per byte, and what a call of the host costs besides."""

    o: float
    C: float
    A: float
    L: float = 0.0
    beta: float = 1.0
    call: float = 0.0

    def host(self, g: Any) -> Any:
        return self.call + self.C * np.asarray(g) ** self.beta

    def accelerated(self, g: Any) -> Any:
        g = np.asarray(g)
        return self.o + self.L * g + self.C * g**self.beta / self.A

    def where(self, speedup: float, low: float = 2.0**-20, high: float = 2.0**60) -> float:
        """The first granularity with a speedup, by looking for it on a grid."""

        def gained(t: float) -> float:
            return float(np.log(self.host(np.exp(t)) / self.accelerated(np.exp(t)) / speedup))

        grid = np.linspace(np.log(low), np.log(high), 20_000)
        signs = np.array([gained(t) for t in grid]) > 0
        first = int(np.argmax(signs))
        return float(np.exp(brentq(gained, grid[first - 1], grid[first], xtol=1e-13)))

    def timings(
        self,
        noise: float = 0.0,
        *,
        seed: int = 0,
        repeats: int = 3,
        sizes: Any = SIZES,
        spikes: float = 0.0,
    ) -> Timings:
        rng = np.random.default_rng(seed)

        def noisy(times: Any) -> list[Any]:
            shape = (len(sizes), repeats)
            slower = np.where(rng.random(shape) < spikes, 10.0, 1.0)
            return list(times[:, None] * slower * np.exp(noise * rng.standard_normal(shape)))

        g = np.array(sizes)
        return Timings(
            granularity=sizes, host=noisy(self.host(g)), accelerated=noisy(self.accelerated(g))
        )


CONSTANT = Known(o=2e-5, C=2e-9, A=12.0)
LINEAR = Known(o=3e-6, L=4e-11, C=1.5e-9, A=8.0, beta=0.95)
STEEP = Known(o=5e-5, L=1e-10, C=1e-12, A=30.0, beta=1.5)
SLOWER = Known(o=1e-6, C=1e-9, A=0.6)
TOO_FAR = Known(o=3e-6, L=2e-9, C=1e-9, A=30.0)
