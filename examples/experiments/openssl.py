"""AES and SHA-256 in OpenSSL, with the CPU's instructions for them off and on.

The host is a process that OpenSSL has been told to use no such instructions in; the accelerated
path is another, in which it uses all that the CPU has. Both time themselves (altaf2017, section 4
does the same on Sandy Bridge).
"""

import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from logca.examples.experiments.openssl_switch import (
    AES,
    SHA,
    SIMD,
    Switch,
    check_machine,
    environment,
)
from logca.examples.experiments.options import called, choice, truth
from logca.examples.experiments.workers import Worker, working
from logca.numeric.measure.experiment import Experiment, ExperimentError, FailedRunError

__all__ = [
    "MODES",
    "WORKER",
    "block",
    "code_left",
    "open_aes",
    "open_sha256",
    "said_of_loop",
    "said_of_padding",
    "seconds",
    "switched",
]

MODES = ("cbc", "ctr")
"""Modes of the cipher, the usual one first."""

WORKER = "logca.examples.experiments.openssl_worker"
"""Module that the processes run."""

_SAMPLE = 1 << 16
_REPEATS = 5
_MOST = 2**31 - 1
_LEAST_RATIO = 1.1
_LEFT = {
    ("aes-128-cbc", True): "AES by byte shuffles (SSSE3, code path vpaes)",
    ("aes-128-ctr", True): "AES by bit slices (SSSE3, code path bsaes) from 128 B on",
    (
        "aes-128-cbc",
        False,
    ): "AES by tables, from 512 B on larger ones where a core has one thread",
    ("aes-128-ctr", False): "AES by tables",
    ("sha256", True): "SHA-256 on vectors (AVX2, AVX or SSSE3, the best that the CPU has)",
    ("sha256", False): "SHA-256 on whole numbers",
}


def open_aes(*, mode: str = "cbc", simd: bool | str = True) -> Experiment:
    """AES-128 with the CPU's AES instructions off and on."""
    kind, vectors = choice("mode", mode, MODES), truth("simd", simd)
    name = called("aes", mode=(kind, MODES[0]), simd=(vectors, True))
    return _opened(name, f"aes-128-{kind}", AES, vectors)


def open_sha256(*, simd: bool | str = True) -> Experiment:
    """SHA-256 with the CPU's SHA instructions off and on."""
    vectors = truth("simd", simd)
    return _opened(called("sha256", simd=(vectors, True)), "sha256", SHA, vectors)


def switched(switch: Switch, simd: bool) -> Switch:
    """Switch of the instructions that are off on the host."""
    return switch if simd else switch | SIMD


def block(kernel: str) -> int:
    """Size of a block, of which all sizes are multiples [B]."""
    return 64 if kernel == "sha256" else 16


def code_left(kernel: str, simd: bool) -> str:
    """Note on the code that OpenSSL runs when the instructions are off."""
    return f"left on the host: {_LEFT[kernel, simd]}"


def said_of_padding(kernel: str) -> tuple[str, ...]:
    """Notes on the block of padding that a digest hashes besides; none for a cipher."""
    if kernel != "sha256":
        return ()
    return (
        "each call also hashes a block of padding, on both paths: at small sizes the host takes "
        "longer than in proportion",
    )


def said_of_loop(is_compiled: bool) -> str:
    """Note on the loop of calls: machine code, or calls through ctypes."""
    if is_compiled:
        return "the loop of calls is machine code (numba): a call costs a few nanoseconds"
    return (
        "each call goes through ctypes and costs some 0.5 us on both paths, which the model of the "
        "host does not know: pip install 'logca[fast]' compiles the loop of calls"
    )


def seconds(worker: Worker, path: str, size: int, calls: int) -> float:
    """Time of calls, as the worker takes it [s]."""
    if size > _MOST:
        raise FailedRunError("OpenSSL takes less than 2 GiB at once")
    found: float = worker.ask(path=path, size=size, calls=calls)["seconds"]
    return found


def _opened(name: str, kernel: str, switch: Switch, simd: bool) -> Experiment:
    check_machine(name)
    with ExitStack() as opened:
        accelerated, report = opened.enter_context(
            working(WORKER, kernel, environment=environment(None))
        )
        if not switch.is_seen(report["capabilities"]):
            raise ExperimentError(
                f"{name}: OpenSSL sees no {switch.name} instructions on this CPU, so there is "
                "nothing to compare with"
            )
        off = environment(switched(switch, simd))
        host, report = opened.enter_context(working(WORKER, kernel, environment=off))
        _compare(name, host, accelerated)
        notes = (
            f"{report['version']}; {kernel}; data in memory, result in memory",
            code_left(kernel, simd),
            *_effect(switch, report["capabilities"], _ratio(host, accelerated)),
            said_of_loop(report["compiled"]),
            *said_of_padding(kernel),
            f"a call for {block(kernel)} B takes {_least(host, block(kernel)) * 1e9:.0f} ns on the "
            f"host, {_least(accelerated, block(kernel)) * 1e9:.0f} ns accelerated",
        )
        return Experiment(
            name=name,
            title=f"{kernel} in OpenSSL, {switch.name} instructions off (host) and on",
            host=partial(seconds, host, "here"),
            accelerated=partial(seconds, accelerated, "here"),
            sizes=(block(kernel), 32 << 20),
            step=block(kernel),
            notes=notes,
            pin=False,
            close=opened.pop_all().close,
        )


def _compare(name: str, host: Worker, accelerated: Worker) -> None:
    data = secrets.token_hex(_SAMPLE)
    results = {worker.ask(path="here", data=data)["result"] for worker in (host, accelerated)}
    if len(results) > 1:
        raise ExperimentError(f"{name}: the two paths compute different results: a broken OpenSSL")


def _least(worker: Worker, size: int) -> float:
    calls = max(1, _SAMPLE // size)
    return min(seconds(worker, "here", size, calls) for _ in range(_REPEATS)) / calls


def _ratio(host: Worker, accelerated: Worker) -> float:
    return _least(host, _SAMPLE) / _least(accelerated, _SAMPLE)


def _effect(switch: Switch, capabilities: Sequence[int], ratio: float) -> tuple[str, ...]:
    """Notes on the effect of the switch: the ratio of speeds, and a warning if there is none."""
    notes = [f"at 64 KiB the {switch.name} instructions make it {ratio:.2f} times as fast"]
    if switch.is_seen(capabilities):
        notes.append(f"the switch has no effect: OpenSSL sees {switch.name} on the host, too")
    elif ratio < _LEAST_RATIO:
        notes.append("the switch has no effect on the speed: both paths may be the same code")
    return tuple(notes)
