"""The model typed once more with NumPy, and brute force: what pictures are held against."""

from typing import Any

import numpy as np

from logca.numeric.accelerator.accelerator import Accelerator

Values = np.ndarray[Any, np.dtype[np.float64]]


def speedup(accelerator: Accelerator, g: Any, **better: float) -> Values:
    """Eqs. 2 and 8 of the ISCA paper, with o and L divided and C and A multiplied."""
    a = accelerator
    o, L = a.o / better.get("o", 1), a.L / better.get("L", 1)
    C, A = a.C * better.get("C", 1), a.A * better.get("A", 1)
    g = np.asarray(g, dtype=float)
    host = C * g**a.beta
    latency = L * g if a.latency == "linear" else L + 0 * g
    result: Values = host / (o + latency + host / A)
    return result


def crossings(accelerator: Accelerator, target: float, low: float, high: float) -> list[float]:
    """Where the speedup crosses a target, by bisection from a fine grid [B]."""
    g = np.geomspace(low, high, 20_001)
    above = speedup(accelerator, g) >= target
    found = []
    for place in np.flatnonzero(above[1:] != above[:-1]):
        start, end = g[place], g[place + 1]
        for _ in range(80):
            middle = (start * end) ** 0.5
            same = (speedup(accelerator, middle) >= target) == above[place]
            start, end = (middle, end) if same else (start, middle)
        found.append(float(start))
    return found


def labels(
    accelerator: Accelerator, g: Values, improvement: float = 10, gain: float = 1.2
) -> list[str]:
    """The bottlenecks at each granularity, from the gains themselves."""
    base = speedup(accelerator, g)
    pays = {name: speedup(accelerator, g, **{name: improvement}) / base >= gain for name in "oLCA"}
    return ["".join(name for name in "oLCA" if pays[name][place]) for place in range(len(g))]
