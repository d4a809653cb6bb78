"""LogCA: when a hardware accelerator pays, derived exactly and proved.

Folders, lowest first: api, plots, show, report, explorer, book, cli.

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

from logca.common.results import shown_by

if TYPE_CHECKING:
    from logca import gpu, numeric, trace
    from logca.api.claims import LedgerClaim, certificate, claims, prove, weakest_hypothesis
    from logca.api.formulas import Quantity, formula, formulas
    from logca.common.errors import LogcaError
    from logca.common.extras import MissingSolversError
    from logca.common.sizes import SizeError
    from logca.numeric.accelerator.accelerator import Accelerator
    from logca.numeric.accelerator.answers import UnreachableError
    from logca.numeric.accelerator.parameter_ranges import DomainError
    from logca.numeric.audit.audit import Audit, audit
    from logca.numeric.chance.accelerator import UncertainAccelerator
    from logca.numeric.chance.decide import UncertainDecision, decide_uncertain
    from logca.numeric.chance.distributions import LogNormal, Uniform
    from logca.numeric.chance.quasi_monte_carlo import BoundedValue
    from logca.numeric.fit.decide import Decision, decide
    from logca.numeric.fit.fit import Fit, FitError, fit
    from logca.numeric.measure.measure import measure
    from logca.numeric.paper.devices import device, devices, load_devices
    from logca.numeric.partition.answer.partition import partition
    from logca.numeric.partition.answer.result import Partition
    from logca.numeric.shapes.decide import ShapeDecision, decide_shape
    from logca.numeric.shapes.fit import ShapeFit, fit_shapes
    from logca.numeric.shapes.formulas import ShapeError
    from logca.numeric.streams.decide import StreamDecision, decide_in_flight
    from logca.numeric.sweep.cheapest import cheapest_change
    from logca.numeric.sweep.pareto import pareto
    from logca.numeric.sweep.sweep import SweepError, open_sweep, sweep
    from logca.numeric.timings.reading import read_timings
    from logca.numeric.timings.timings import Timings, TimingsError
    from logca.offloading.offload import offload
    from logca.offloading.result import Offload
    from logca.proofs.engine.answer import Answer, WeakestHypothesis
    from logca.proofs.engine.certificate import SmtCertificate
    from logca.proofs.language.syntax import ClaimSyntaxError

__all__ = [
    "Accelerator",
    "Answer",
    "Audit",
    "BoundedValue",
    "ClaimSyntaxError",
    "Decision",
    "DomainError",
    "Fit",
    "FitError",
    "LedgerClaim",
    "LogNormal",
    "LogcaError",
    "MissingSolversError",
    "Offload",
    "Partition",
    "Quantity",
    "ShapeDecision",
    "ShapeError",
    "ShapeFit",
    "SizeError",
    "SmtCertificate",
    "StreamDecision",
    "SweepError",
    "Timings",
    "TimingsError",
    "UncertainAccelerator",
    "UncertainDecision",
    "Uniform",
    "UnreachableError",
    "WeakestHypothesis",
    "__version__",
    "audit",
    "certificate",
    "cheapest_change",
    "claims",
    "decide",
    "decide_in_flight",
    "decide_shape",
    "decide_uncertain",
    "device",
    "devices",
    "fit",
    "fit_shapes",
    "formula",
    "formulas",
    "gpu",
    "load_devices",
    "measure",
    "numeric",
    "offload",
    "open_sweep",
    "pareto",
    "partition",
    "prove",
    "read_timings",
    "sweep",
    "trace",
    "weakest_hypothesis",
]

shown_by("logca.show.results")

_ROOMS = ("gpu", "numeric", "trace")
_HOMES = {
    "Accelerator": "logca.numeric.accelerator.accelerator",
    "Answer": "logca.proofs.engine.answer",
    "Audit": "logca.numeric.audit.audit",
    "BoundedValue": "logca.numeric.chance.quasi_monte_carlo",
    "ClaimSyntaxError": "logca.proofs.language.syntax",
    "Decision": "logca.numeric.fit.decide",
    "DomainError": "logca.numeric.accelerator.parameter_ranges",
    "Fit": "logca.numeric.fit.fit",
    "FitError": "logca.numeric.fit.fit",
    "LedgerClaim": "logca.api.claims",
    "LogNormal": "logca.numeric.chance.distributions",
    "LogcaError": "logca.common.errors",
    "MissingSolversError": "logca.common.extras",
    "Offload": "logca.offloading.result",
    "Partition": "logca.numeric.partition.answer.result",
    "Quantity": "logca.api.formulas",
    "ShapeDecision": "logca.numeric.shapes.decide",
    "ShapeError": "logca.numeric.shapes.formulas",
    "ShapeFit": "logca.numeric.shapes.fit",
    "SizeError": "logca.common.sizes",
    "SmtCertificate": "logca.proofs.engine.certificate",
    "StreamDecision": "logca.numeric.streams.decide",
    "SweepError": "logca.numeric.sweep.sweep",
    "Timings": "logca.numeric.timings.timings",
    "TimingsError": "logca.numeric.timings.timings",
    "UncertainAccelerator": "logca.numeric.chance.accelerator",
    "UncertainDecision": "logca.numeric.chance.decide",
    "Uniform": "logca.numeric.chance.distributions",
    "UnreachableError": "logca.numeric.accelerator.answers",
    "WeakestHypothesis": "logca.proofs.engine.answer",
    "audit": "logca.numeric.audit.audit",
    "certificate": "logca.api.claims",
    "cheapest_change": "logca.numeric.sweep.cheapest",
    "claims": "logca.api.claims",
    "decide": "logca.numeric.fit.decide",
    "decide_in_flight": "logca.numeric.streams.decide",
    "decide_shape": "logca.numeric.shapes.decide",
    "decide_uncertain": "logca.numeric.chance.decide",
    "device": "logca.numeric.paper.devices",
    "devices": "logca.numeric.paper.devices",
    "fit": "logca.numeric.fit.fit",
    "fit_shapes": "logca.numeric.shapes.fit",
    "formula": "logca.api.formulas",
    "formulas": "logca.api.formulas",
    "load_devices": "logca.numeric.paper.devices",
    "measure": "logca.numeric.measure.measure",
    "offload": "logca.offloading.offload",
    "open_sweep": "logca.numeric.sweep.sweep",
    "pareto": "logca.numeric.sweep.pareto",
    "partition": "logca.numeric.partition.answer.partition",
    "prove": "logca.api.claims",
    "weakest_hypothesis": "logca.api.claims",
    "read_timings": "logca.numeric.timings.reading",
    "sweep": "logca.numeric.sweep.sweep",
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
