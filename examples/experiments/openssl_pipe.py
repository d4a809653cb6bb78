"""AES and SHA-256 in OpenSSL, the accelerated path in another process behind a pipe.

The calling process has the instructions switched off and is the host. To offload, it sends the data
through a pipe to a process with the instructions, which sends the result back: an accelerator with
a real overhead, and a real latency for each byte.
"""

import secrets
from contextlib import ExitStack
from functools import partial

from logca.examples.experiments.openssl import (
    MODES,
    WORKER,
    block,
    code_left,
    said_of_loop,
    said_of_padding,
    seconds,
    switched,
)
from logca.examples.experiments.openssl_switch import (
    AES,
    SHA,
    Switch,
    check_machine,
    environment,
)
from logca.examples.experiments.options import called, choice, truth
from logca.examples.experiments.workers import working
from logca.numeric.measure.experiment import Experiment, ExperimentError

__all__ = ["open_aes_pipe", "open_sha256_pipe"]

_LARGEST = 4 << 20
_LEAST = 256
_PLACES = (
    "the system chooses the cores of the two processes",
    "both processes run on the same core, in turn",
    "the processes run on two cores: most of the overhead is waking one up",
)
_SAMPLE = 100_000 // 64 * 64


def open_aes_pipe(
    *, mode: str = "cbc", simd: bool | str = True, cores: int | str = 1
) -> Experiment:
    """AES-128 without AES instructions, and with them behind a pipe."""
    kind, vectors = choice("mode", mode, MODES), truth("simd", simd)
    number = choice("cores", cores, ("1", "2"))
    name = called("aes-pipe", mode=(kind, MODES[0]), simd=(vectors, True), cores=(number, "1"))
    return _opened(name, f"aes-128-{kind}", AES, vectors, number)


def open_sha256_pipe(*, simd: bool | str = True, cores: int | str = 1) -> Experiment:
    """SHA-256 without SHA instructions, and with them behind a pipe."""
    vectors, number = truth("simd", simd), choice("cores", cores, ("1", "2"))
    name = called("sha256-pipe", simd=(vectors, True), cores=(number, "1"))
    return _opened(name, "sha256", SHA, vectors, number)


def _opened(name: str, kernel: str, switch: Switch, simd: bool, cores: str) -> Experiment:
    check_machine(name)
    with ExitStack() as opened:
        off = environment(switched(switch, simd))
        worker, report = opened.enter_context(working(WORKER, kernel, cores, environment=off))
        if not switch.is_seen(report["there"]):
            raise ExperimentError(
                f"{name}: OpenSSL sees no {switch.name} instructions on this CPU, so there is "
                "nothing to compare with"
            )
        notes = [
            f"{report['version']}; {kernel}; each call sends the data through a pipe and "
            + ("waits for the digest" if kernel == "sha256" else "waits for as many bytes"),
            code_left(kernel, simd),
            _PLACES[report["cores"]],
            said_of_loop(report["compiled"]),
            *said_of_padding(kernel),
        ]
        if switch.is_seen(report["capabilities"]):
            notes.append(f"the switch has no effect: OpenSSL sees {switch.name} on the host, too")
        data = secrets.token_hex(_SAMPLE)
        if len({worker.ask(path=path, data=data)["result"] for path in ("here", "pipe")}) > 1:
            raise ExperimentError(f"{name}: what comes back is not what the host computes")
        return Experiment(
            name=name,
            title=f"{kernel} in OpenSSL, without {switch.name} instructions (host) and with them "
            "behind a pipe",
            host=partial(seconds, worker, "here"),
            accelerated=partial(seconds, worker, "pipe"),
            sizes=(_LEAST, _LARGEST),
            step=block(kernel),
            notes=tuple(notes),
            once={"start of the process behind the pipe": report["start"]},
            pin=False,
            close=opened.pop_all().close,
        )
