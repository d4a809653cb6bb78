"""Numeric evaluation: array functions generated from the formulas, and what builds on them.

The array functions do not check their parameters: NaN in, NaN out, and NaN where a condition that
their documentation names does not hold; but a negative overhead, say, gives a number all the same.
The checked entrance is `logca.Accelerator`.

Folders, lowest first: arrays, generated, evaluation, roots, accelerator, sweep, paper, timings,
measure, in_flight, fit, chance, streams, audit, shapes, partition, generate. SymPy is loaded in
generate alone.

Examples
--------
>>> from logca import numeric
>>> curve = numeric.speedup([512, 4096], o=29_000, L=1500, C=90, A=19, beta=1)
>>> [round(float(each), 3) for each in curve]
[1.4, 7.387]
"""

from logca.common.extras import attach
from logca.numeric.generated import CGPREDICT, GPU_BOUNDS, HOMES, PARTITION, SHAPES

__all__ = [
    "RootStatus",
    "Roots",
    "as_logca",
    "evaluate",
    "granularity_for",
    "logarithmic_granularity_for",
    "roots_of",
]

_HOMES = {
    "RootStatus": "logca.numeric.roots.status",
    "Roots": "logca.numeric.roots.granularity",
    "as_logca": "logca.numeric.roots.extensions",
    "evaluate": "logca.numeric.evaluation.by_name",
    "granularity_for": "logca.numeric.roots.granularity",
    "logarithmic_granularity_for": "logca.numeric.roots.logarithmic",
    "roots_of": "logca.numeric.roots.extensions",
    **{name: f"logca.numeric.generated.{home}" for name, home in HOMES.items()},
    **dict.fromkeys(CGPREDICT, "logca.numeric.generated.cgpredict"),
    **dict.fromkeys(GPU_BOUNDS, "logca.numeric.generated.gpu_bounds"),
    **dict.fromkeys(PARTITION, "logca.numeric.generated.partition"),
    **dict.fromkeys(SHAPES, "logca.numeric.generated.shapes"),
}

__getattr__, __dir__ = attach(__name__, _HOMES)
