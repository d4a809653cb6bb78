"""CGPredict: the time of a single-threaded C kernel on a GPU, one stage a file.

Everything is loaded when it is first used.

Examples
--------
>>> from logca import gpu
>>> gpu.device("jetson-tk1").multiprocessors
1
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logca.gpu.advice import Advice, KernelAdvice, Remedy
    from logca.gpu.advising import advise
    from logca.gpu.devices import GpuDevice, device
    from logca.gpu.prediction import predict
    from logca.gpu.result import AccessReport, KernelPrediction, Prediction

__all__ = [
    "AccessReport",
    "Advice",
    "GpuDevice",
    "KernelAdvice",
    "KernelPrediction",
    "Prediction",
    "Remedy",
    "advise",
    "device",
    "predict",
]

_HOMES = {
    "AccessReport": "result",
    "Advice": "advice",
    "GpuDevice": "devices",
    "KernelAdvice": "advice",
    "KernelPrediction": "result",
    "Prediction": "result",
    "Remedy": "advice",
    "advise": "advising",
    "device": "devices",
    "predict": "prediction",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'logca.gpu' has no attribute '{name}'")
    found = getattr(import_module(f"logca.gpu.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
