"""Two Python functions as an experiment."""

import gc
import time
from collections.abc import Callable
from hashlib import sha256
from types import CodeType
from typing import Any

from logca.numeric.measuring.experiment import Experiment, ExperimentError, Timer

__all__ = ["callables_experiment"]


def callables_experiment(
    host: Callable[[Any], Any],
    accelerated: Callable[[Any], Any],
    *,
    make: Callable[[int], Any] | None,
    sizes: tuple[int, int],
    name: str | None = None,
    pin: bool = False,
) -> Experiment:
    """Two functions that are called in this process.

    Parameters
    ----------
    host, accelerated : callable
        Are called with what `make` gave, or with the size if there is none.
    make : callable or None
        Makes the input of both from a size [B]; it is not timed.
    sizes : tuple of int
        Least and largest size [B].
    name : str or None
        What the experiment is called; the names of the functions, and a digest of their code, if
        left out [text].
    pin : bool
        Whether to keep the process on one core.

    Raises
    ------
    ExperimentError
        If one cannot be called.
    """
    for role, each in (("host", host), ("accelerated", accelerated), ("make", make)):
        if not callable(each) and not (role == "make" and each is None):
            raise ExperimentError(f"{role} = {each!r} cannot be called; give a function")
    title = f"{_name(host)} against {_name(accelerated)}"
    inputs = _Inputs(make)
    return Experiment(
        name=name or f"{title}, {_digest(host, accelerated, make)}",
        title=name or title,
        host=_timer(host, inputs),
        accelerated=_timer(accelerated, inputs),
        sizes=sizes,
        pin=pin,
    )


class _Inputs:
    """The input of the last size, which both functions are given by turns."""

    def __init__(self, make: Callable[[int], Any] | None) -> None:
        self._make = make
        self._size: int | None = None
        self._made: Any = None

    def of(self, size: int) -> Any:
        if self._make is None:
            return size
        if size != self._size:
            self._size = self._made = None  # so that there are never two at a time
            self._made = self._make(size)
            self._size = size
        return self._made


def _timer(call: Callable[[Any], Any], inputs: _Inputs) -> Timer:
    def timer(size: int, calls: int) -> float:
        data = inputs.of(size)
        collecting = gc.isenabled()
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(calls):
                call(data)
            return time.perf_counter() - start
        finally:
            if collecting:
                gc.enable()

    return timer


def _name(call: Callable[..., Any]) -> str:
    home = getattr(call, "__module__", None) or type(call).__module__
    name = getattr(call, "__qualname__", None) or type(call).__qualname__
    return f"{home}.{name}"


def _digest(*calls: Callable[..., Any] | None) -> str:
    """Tells apart functions of one name, such as lambdas, or one that was changed [text]."""
    found = sha256()
    for call in calls:
        found.update(repr(_code(getattr(call, "__code__", None))).encode(errors="replace"))
    return found.hexdigest()[:8]


def _code(code: Any) -> Any:
    """What a function does, without where it stands."""
    if not isinstance(code, CodeType):
        return sorted(map(repr, code)) if isinstance(code, frozenset) else code
    return code.co_code, code.co_names, tuple(map(_code, code.co_consts))
