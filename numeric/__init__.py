"""What can be computed, fast: array functions generated from the formulas, and what builds on them.

The array functions do not check their parameters: NaN in, NaN out, and NaN where a condition that
their documentation names does not hold; but a negative overhead, say, gives a number all the same.
The checked entrance is `logca.Accelerator`.

Examples
--------
>>> from logca import numeric
>>> curve = numeric.speedup([512, 4096], o=29_000, L=1500, C=90, A=19, beta=1)
>>> [round(float(each), 3) for each in curve]
[1.4, 7.387]
"""

from importlib import import_module
from typing import Any

from logca.numeric.generated import CGPREDICT, HOMES, PARTITION

__all__ = ["RootStatus", "Roots", "evaluate", "granularity_for", "logarithmic_granularity_for"]

_HOMES = {
    "RootStatus": "status",
    "Roots": "roots",
    "evaluate": "evaluation",
    "granularity_for": "roots",
    "logarithmic_granularity_for": "logarithmic_roots",
    **{name: f"generated.{home}" for name, home in HOMES.items()},
    **dict.fromkeys(CGPREDICT, "generated.cgpredict"),
    **dict.fromkeys(PARTITION, "generated.partition"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'logca.numeric' has no attribute '{name}'")
    found = getattr(import_module(f"logca.numeric.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
