"""LogCA: when a hardware accelerator pays, derived exactly and proved.

Examples
--------
>>> import logca
>>> print(logca.formula("T0"))
T0 = C·g^β
>>> print(logca.Accelerator(o=29_000, L=1500, C=90, A=19).break_even())
357.7 B
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logca import gpu, numeric, trace
    from logca.entries import LedgerClaim, claims
    from logca.numeric.accelerator import Accelerator
    from logca.numeric.answers import UnreachableError
    from logca.numeric.cheapest import cheapest_change
    from logca.numeric.devices import device, devices, load_devices
    from logca.numeric.domain import DomainError
    from logca.numeric.fitting.decision import Decision, decide
    from logca.numeric.fitting.fit import Fit, FitError, fit
    from logca.numeric.fitting.reading import read_timings
    from logca.numeric.fitting.timings import Timings, TimingsError
    from logca.numeric.measuring.measure import measure
    from logca.numeric.pareto import pareto
    from logca.numeric.partition.answer import Partition
    from logca.numeric.partition.partitioning import partition
    from logca.numeric.sizes import SizeError
    from logca.numeric.sweep import SweepError, open_sweep, sweep
    from logca.proofs.answer import Answer, MissingSolversError
    from logca.proofs.tree import ClaimSyntaxError
    from logca.quantities import Quantity, formula, formulas
    from logca.questions import prove

__all__ = [
    "Accelerator",
    "Answer",
    "ClaimSyntaxError",
    "Decision",
    "DomainError",
    "Fit",
    "FitError",
    "LedgerClaim",
    "MissingSolversError",
    "Partition",
    "Quantity",
    "SizeError",
    "SweepError",
    "Timings",
    "TimingsError",
    "UnreachableError",
    "__version__",
    "cheapest_change",
    "claims",
    "decide",
    "device",
    "devices",
    "fit",
    "formula",
    "formulas",
    "gpu",
    "load_devices",
    "measure",
    "numeric",
    "open_sweep",
    "pareto",
    "partition",
    "prove",
    "read_timings",
    "sweep",
    "trace",
]

_ROOMS = ("gpu", "numeric", "trace")
_HOMES = {
    "Accelerator": "logca.numeric.accelerator",
    "Answer": "logca.proofs.answer",
    "ClaimSyntaxError": "logca.proofs.tree",
    "Decision": "logca.numeric.fitting.decision",
    "DomainError": "logca.numeric.domain",
    "Fit": "logca.numeric.fitting.fit",
    "FitError": "logca.numeric.fitting.fit",
    "LedgerClaim": "logca.entries",
    "MissingSolversError": "logca.proofs.answer",
    "Partition": "logca.numeric.partition.answer",
    "Quantity": "logca.quantities",
    "SizeError": "logca.numeric.sizes",
    "SweepError": "logca.numeric.sweep",
    "Timings": "logca.numeric.fitting.timings",
    "TimingsError": "logca.numeric.fitting.timings",
    "UnreachableError": "logca.numeric.answers",
    "cheapest_change": "logca.numeric.cheapest",
    "claims": "logca.entries",
    "decide": "logca.numeric.fitting.decision",
    "device": "logca.numeric.devices",
    "devices": "logca.numeric.devices",
    "fit": "logca.numeric.fitting.fit",
    "formula": "logca.quantities",
    "formulas": "logca.quantities",
    "load_devices": "logca.numeric.devices",
    "measure": "logca.numeric.measuring.measure",
    "open_sweep": "logca.numeric.sweep",
    "pareto": "logca.numeric.pareto",
    "partition": "logca.numeric.partition.partitioning",
    "prove": "logca.questions",
    "read_timings": "logca.numeric.fitting.reading",
    "sweep": "logca.numeric.sweep",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("logca")
    if name in _ROOMS:
        return import_module(f"logca.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'logca' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
