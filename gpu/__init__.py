"""CGPredict: the time of a single-threaded C kernel on a GPU, one stage a file.

Folders, lowest first: devices, nests, program, stages, sampling, affine, bounds, loops, tiles,
prediction, advice, paper. Everything is loaded when it is first used.

Examples
--------
>>> from logca import gpu
>>> gpu.device("jetson-tk1").multiprocessors
1
"""

from typing import TYPE_CHECKING

from logca.common.extras import attach

if TYPE_CHECKING:
    from logca.gpu.advice.advise import advise
    from logca.gpu.advice.results import Advice, KernelAdvice, Remedy
    from logca.gpu.devices.parameters import GpuDevice, device
    from logca.gpu.prediction.predict import predict
    from logca.gpu.prediction.result import (
        AccessReport,
        KernelPrediction,
        Prediction,
        ReductionReport,
    )

__all__ = [
    "AccessReport",
    "Advice",
    "GpuDevice",
    "KernelAdvice",
    "KernelPrediction",
    "Prediction",
    "ReductionReport",
    "Remedy",
    "advise",
    "device",
    "predict",
]

_HOMES = {
    "AccessReport": "logca.gpu.prediction.result",
    "Advice": "logca.gpu.advice.results",
    "GpuDevice": "logca.gpu.devices.parameters",
    "KernelAdvice": "logca.gpu.advice.results",
    "KernelPrediction": "logca.gpu.prediction.result",
    "Prediction": "logca.gpu.prediction.result",
    "ReductionReport": "logca.gpu.prediction.result",
    "Remedy": "logca.gpu.advice.results",
    "advise": "logca.gpu.advice.advise",
    "device": "logca.gpu.devices.parameters",
    "predict": "logca.gpu.prediction.predict",
}

__getattr__, __dir__ = attach(__name__, _HOMES)
