"""The process that computes and times, on one core; its instructions are its environment's."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter_ns
from typing import Any

from logca.common.processes import questions, replies
from logca.examples.experiments.openssl_kernels import (
    CipherLoop,
    address,
    kernel,
    openssl,
)
from logca.examples.experiments.pipes import Pipe, piped
from logca.numeric.measure.experiment import ExperimentError

__all__ = [
    "main",
    "stay",
]

_ALLOWED = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


def stay(which: int, process: int = 0) -> bool:
    """Keep a process on one of the cores that this one was started with; False if it cannot be."""
    if sys.platform != "linux":
        return False
    if which >= len(_ALLOWED):
        raise ExperimentError(
            f"cores = {which + 1}: this process may use {len(_ALLOWED)}; run it on more, or ask "
            "for fewer"
        )
    os.sched_setaffinity(process, {_ALLOWED[-1 - which]})
    return True


Compute = Callable[[bytes], bytes]
Seconds = Callable[[int, int], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Service of a worker: its first report, its answers, and its last act."""

    report: dict[str, Any]  # what to say first
    answer: Callable[..., dict[str, Any]]  # answers a question given as its keywords
    leave: Callable[[], None]  # what to do before the end


def main() -> None:
    """Answer the parent's questions until it is gone."""
    name, *cores = sys.argv[1:]
    say = replies()
    try:
        service = _opened(name, *map(int, cores))
        say(service.report)
        for question in questions(service.leave):
            say(service.answer(**question))
    except ExperimentError as error:
        say({"error": str(error)})


def _nothing() -> None:
    pass


def _opened(name: str, cores: int = 0) -> Service:
    crypto = openssl()
    stay(0)
    here, memory = kernel(name, crypto, fast=True), _Memory()
    here.loop(0, 0, 0, 0)  # numba compiles now
    report: dict[str, Any] = {
        "version": crypto.version,
        "capabilities": crypto.capabilities,
        "compiled": here.is_compiled,
    }
    seconds: dict[str, Seconds] = {"here": partial(_here, here, memory)}
    compute: dict[str, Compute] = {"here": here.compute}
    if not cores:
        return Service(report=report, answer=partial(_answer, seconds, compute), leave=_nothing)
    start = perf_counter_ns()
    pipe = piped(name, here.result_size)
    started = (perf_counter_ns() - start) * 1e-9
    try:
        placed = stay(cores - 1, pipe.process.pid)
    except ExperimentError:
        pipe.close()
        raise
    report |= {"there": pipe.capabilities, "start": started, "cores": cores if placed else 0}
    seconds["pipe"], compute["pipe"] = partial(_there, pipe, memory), pipe.compute
    return Service(report=report, answer=partial(_answer, seconds, compute), leave=pipe.close)


def _answer(
    seconds: dict[str, Seconds],
    compute: dict[str, Compute],
    *,
    path: str,
    size: int = 0,
    calls: int = 0,
    data: str = "",
) -> dict[str, Any]:
    if calls:
        return {"seconds": seconds[path](size, calls)}
    return {"result": compute[path](bytes.fromhex(data)).hex()}


class _Memory:
    """Random bytes and room for results, kept from call to call; their pages are in memory."""

    def __init__(self) -> None:
        self.given = bytearray()
        self.result = bytearray()

    def grow(self, size: int, result_size: int) -> None:
        if len(self.given) < size:
            self.given = bytearray(os.urandom(size))
        if len(self.result) < result_size:
            self.result = bytearray(b"\1") * result_size


def _here(found: CipherLoop, memory: _Memory, size: int, calls: int) -> float:
    memory.grow(size, found.result_size(size))
    given, result = address(memory.given), address(memory.result)
    start = perf_counter_ns()
    found.loop(calls, given, size, result)
    return (perf_counter_ns() - start) * 1e-9


def _there(pipe: Pipe, memory: _Memory, size: int, calls: int) -> float:
    memory.grow(size, pipe.result_size(size))
    message = pipe.message(memoryview(memory.given)[:size])
    answer = memoryview(memory.result)[: pipe.result_size(size)]
    start = perf_counter_ns()
    for _ in range(calls):
        pipe.call(message, answer)
    return (perf_counter_ns() - start) * 1e-9


if __name__ == "__main__":
    main()
