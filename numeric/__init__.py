"""What can be computed, fast: array functions generated from the formulas, and what builds on them.

The array functions check nothing: NaN where a formula does not hold, NaN in, NaN out. The checked
entrance is `logca.Accelerator`.

Examples
--------
>>> from logca import numeric
>>> curve = numeric.speedup([512, 4096], o=29_000, L=1500, C=90, A=19, beta=1)
>>> [round(float(each), 3) for each in curve]
[1.4, 7.387]
"""

from importlib import import_module
from typing import Any

__all__ = ["evaluate"]


def __getattr__(name: str) -> Any:
    if name == "evaluate":
        found: Any = import_module("logca.numeric.evaluation").evaluate
    else:
        from logca.numeric.generated import HOMES

        if name not in HOMES:
            raise AttributeError(f"module 'logca.numeric' has no attribute '{name}'")
        found = getattr(import_module(f"logca.numeric.generated.{HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    from logca.numeric.generated import HOMES

    return sorted({*globals(), *__all__, *HOMES})
