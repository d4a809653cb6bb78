"""Timings drawn from the model, typed once more, and where its times truly cross."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

SIZES = np.rint(np.geomspace(64, 4 << 20, 25))
REPEATS = 5
HOSTILE = "<script>alert('1')</script> & \"so on\".csv"


@dataclass(frozen=True)
class Truth:
    """Parameters in seconds and bytes, and the spread of the noise."""

    o: float
    L: float
    C: float
    A: float
    beta: float
    noise: float = 0.02
    spikes: int = 0

    def host(self, g: np.ndarray) -> np.ndarray:
        return self.C * g**self.beta

    def accelerated(self, g: np.ndarray) -> np.ndarray:
        return self.o + self.L * g + self.C * g**self.beta / self.A

    def crossings(self) -> list[float]:
        """Where both times are equal, by bisection from a grid over all sizes [B]."""
        g = np.geomspace(1e-2, 2.0**60, 4001)
        pays = self.host(g) > self.accelerated(g)
        found = []
        for place in np.flatnonzero(pays[1:] != pays[:-1]):
            low, high = g[place], g[place + 1]
            for _ in range(60):
                middle = np.sqrt(low * high)
                same = (self.host(middle) > self.accelerated(middle)) == pays[place]
                low, high = (middle, high) if same else (low, middle)
            found.append(float(low))
        return found


PAYS = Truth(o=9e-6, L=0.0, C=1e-9, A=12.0, beta=1.0)
TWICE = Truth(o=2e-6, L=3e-10, C=1e-8, A=8.0, beta=0.75, spikes=3)
NEVER = Truth(o=9e-6, L=0.0, C=1e-9, A=0.8, beta=1.0)
FAR = Truth(o=9e-3, L=0.0, C=1e-10, A=12.0, beta=1.0)
NOISY = Truth(o=1e-7, L=0.0, C=1e-9, A=1.04, beta=1.0, noise=0.4)


def rows(truth: Truth, seed: int = 1) -> list[tuple[float, float, float]]:
    """Size, host time and accelerated time of every run; the first sizes' first are outliers."""
    draw = np.random.default_rng(seed)
    found = []
    for place, g in enumerate(SIZES):
        for run in range(REPEATS):
            noise = np.exp(truth.noise * draw.standard_normal(2))
            spike = 10.0 if run == 0 and place < truth.spikes else 1.0
            host, other = float(truth.host(g)), float(truth.accelerated(g))
            found.append((float(g), spike * host * noise[0], other * noise[1]))
    return found


def write_table(
    path: Path,
    truth: Truth,
    *,
    header: str = "granularity_B,host_s,accelerated_s",
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    backwards: bool = False,
) -> Path:
    """The timings as CSV, in units that are so much larger than bytes and seconds."""
    ordered = rows(truth)[:: -1 if backwards else 1]
    lines = [
        ",".join(repr(float(x / by)) for x, by in zip(row, scale, strict=True)) for row in ordered
    ]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path
