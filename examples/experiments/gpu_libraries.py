"""GPUs through the array library that is present: CuPy, torch or JAX.

What is placed is on the device when `place` returns or is used there in order; what is fetched is
complete; `wait` returns when the device has computed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from logca.numeric.measure.experiment import ExperimentError

__all__ = ["LIBRARIES", "Library", "library"]

Host = Any
"""An array of NumPy."""

Device = Any
"""An array on the device."""

Function = Callable[..., Device]
"""A function of arrays on the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A device, and an array library that computes on it."""

    name: str  # library and version
    device: str  # the device
    functions: Any  # the namespace of the library's functions, which follow the array API standard
    place: Callable[[Host], Device]  # copies an array of NumPy to the device
    # copies an array of the device to NumPy, when it has been computed
    fetch: Callable[[Device], Host]
    wait: Callable[[Device], Any]  # returns when an array of the device has been computed
    enter: Callable[[], Any]  # makes the device the one that the calling thread computes on
    # makes a function of arrays fast, as the library's users do
    prepared: Callable[[Function], Function]


def library(which: str, device: str) -> Library:
    """The first library that is installed and sees such a device."""
    kind, number = _parsed(device)
    tried = LIBRARIES if which == "auto" else (which,)
    lacks = []
    for each in tried:
        if find_spec(each) is None:
            lacks.append(f"{each} is not installed ({_HOW[each]})")
            continue
        try:
            return _OPENERS[each](import_module(each), kind, number)
        except _AbsentError as error:
            lacks.append(f"{each} {error}")
        except Exception as error:  # a driver that is too old, a library that is broken
            reason = str(error).strip().partition("\n")[0]
            lacks.append(f"{each} fails: {type(error).__name__}: {reason}")
    raise ExperimentError(
        f"there is no device {device!r}: {'; '.join(lacks)}. "
        "device=cpu tries the experiment out with torch or JAX on the CPU"
    )


class _AbsentError(Exception):
    """The library does not see the device; the message says what it sees."""


def _parsed(device: str) -> tuple[str, int]:
    kind, _, number = device.lower().partition(":")
    if kind not in ("gpu", "cpu") or not (number or "0").isdecimal():
        raise ExperimentError(f"device = {device!r}: give gpu, gpu:1 for the second, or cpu")
    return kind, int(number or 0)


def _nothing() -> None:
    pass


def _as_it_is(function: Function) -> Function:
    return function


def _cupy(cupy: Any, kind: str, number: int) -> Library:
    from array_api_compat import cupy as functions

    if kind == "cpu":
        raise _AbsentError("computes on GPUs only")
    count = cupy.cuda.runtime.getDeviceCount()
    if number >= count:
        raise _AbsentError(f"sees {count} GPUs")
    device = cupy.cuda.Device(number)
    device.use()
    properties = cupy.cuda.runtime.getDeviceProperties(number)
    return Library(
        name=f"CuPy {cupy.__version__}",
        device=properties["name"].decode(),
        functions=functions,
        place=cupy.asarray,
        fetch=cupy.asnumpy,
        wait=lambda array: cupy.cuda.get_current_stream().synchronize(),
        enter=device.use,
        prepared=_as_it_is,
    )


def _torch(torch: Any, kind: str, number: int) -> Library:
    from array_api_compat import torch as functions

    synchronize: Callable[[], Any]
    if kind == "cpu":
        device, name, synchronize = torch.device("cpu"), "the CPU", _nothing
    elif torch.cuda.is_available() and number < torch.cuda.device_count():
        device = torch.device("cuda", number)
        name = torch.cuda.get_device_name(device)
        synchronize = partial(torch.cuda.synchronize, device)
    elif torch.backends.mps.is_available() and number == 0:
        device, name, synchronize = torch.device("mps"), "Apple GPU", torch.mps.synchronize
    else:
        raise _AbsentError(f"{torch.__version__} sees {torch.cuda.device_count()} GPUs")
    return Library(
        name=f"torch {torch.__version__}",
        device=name,
        functions=functions,
        place=lambda array: torch.from_numpy(array).to(device),
        fetch=lambda array: array.cpu().numpy(),
        wait=lambda array: synchronize(),
        enter=_nothing,
        prepared=_as_it_is,
    )


def _jax(jax: Any, kind: str, number: int) -> Library:
    import numpy as np

    try:
        devices: Sequence[Any] = jax.devices(kind)
    except RuntimeError:
        platforms = sorted({each.platform for each in jax.devices()})
        raise _AbsentError(
            f"{jax.__version__} sees no {kind}, only {', '.join(platforms)}"
        ) from None
    if number >= len(devices):
        raise _AbsentError(f"{jax.__version__} sees {len(devices)} of kind {kind}")
    device = devices[number]
    return Library(
        name=f"JAX {jax.__version__}",
        device=f"{device.device_kind} ({device.platform})",
        functions=jax.numpy,
        place=lambda array: jax.device_put(array, device),
        fetch=np.asarray,
        wait=lambda array: array.block_until_ready(),
        enter=_nothing,
        prepared=jax.jit,
    )


_OPENERS: dict[str, Callable[[Any, str, int], Library]] = {
    "cupy": _cupy,
    "torch": _torch,
    "jax": _jax,
}
_HOW = {
    "cupy": "pip install cupy-cuda12x, or the one for your CUDA or ROCm",
    "torch": "pip install torch",
    "jax": "pip install 'jax[cuda12]'",
}

LIBRARIES = tuple(_OPENERS)
"""Names of the libraries, in the order in which they are tried."""
