"""Runs a program: what it prints, how often each edge is taken, and every access as it happens."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logca.trace.boundary import checked_arguments, checked_input, checked_limits
from logca.trace.building import built
from logca.trace.compilation import Compiled
from logca.trace.counts import block_counts
from logca.trace.decoding import Chunk, decoder
from logca.trace.endings import ending, last_place, signal_name
from logca.trace.instrument import instrumented, state_bytes
from logca.trace.launching import served
from logca.trace.limits import Limits
from logca.trace.plan import plan
from logca.trace.progress import unfinished
from logca.trace.reader import Reader
from logca.trace.ring import State, opened

__all__ = ["Run", "run"]

NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A program that has run.

    Parameters
    ----------
    status : int
        Its exit status; 128 and the signal if one ended it, as shells say it [1].
    signal : str
        Name of that signal, or an empty text [text].
    ending : str
        ``exit``, ``crash``, ``time``, ``memory``, ``stack``, ``output``, ``file``, ``threads``,
        or ``enough`` if it was ended because nobody wanted more of its trace [text].
    message : str
        What went wrong, in a sentence; an empty text if nothing did [text].
    stdout, stderr : bytes
        What it wrote, up to the limit.
    wall_s : float
        How long it ran, under observation [s].
    block_counts, edge_counts : ndarray
        How often each block and edge was passed; empty if that was not asked for [1].
    recorded : int
        Accesses in the trace [1].
    truncated : bool
        Whether the trace ends before the program did.
    last_line : str
        ``file:line`` where a signal ended it, if that is known [text].
    """

    status: int
    signal: str
    ending: str
    message: str
    stdout: bytes
    stderr: bytes
    wall_s: float
    block_counts: NDArray[np.int64]
    edge_counts: NDArray[np.int64]
    recorded: int
    truncated: bool
    last_line: str


def run(
    compiled: Compiled,
    *,
    nests: tuple[int, ...] | None = None,
    arguments: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits = NO_LIMITS,
    on_chunk: Callable[[Chunk], bool | None] | None = None,
    counts: bool = True,
) -> Run:
    """Build an instrumented program, run it, and hand over its trace chunk by chunk.

    The program runs in a session and a temporary folder of its own, with a minimal environment.
    That contains accidents; it is no sandbox.

    Parameters
    ----------
    compiled : Compiled
        The program.
    nests : tuple of int or None
        Loops to record, each with what its blocks access but not what the functions do that they
        call; None for every access of the program, an empty tuple for none [1].
    arguments : sequence of str
        Arguments of the program.
    stdin : bytes
        Its standard input.
    limits : Limits
        What it may take.
    on_chunk : callable, optional
        Given each part of the trace in order, as soon as it is there. If it returns True the
        trace ends: the program runs on if it is to count, and is ended otherwise.
    counts : bool
        Whether to count blocks and edges.

    Raises
    ------
    RegionError
        If a loop does not exist, or lies in another one that is recorded.
    CompileError
        If the program cannot be linked.
    TraceError
        If an argument is wrong, it has no function `main`, or cannot be instrumented.
    """
    arguments, stdin = checked_arguments(arguments), checked_input(stdin)
    limits = checked_limits(limits)
    program = compiled.program
    what = plan(program, compiled.ir, nests=nests)
    text = instrumented(program, compiled.ir, plan=what, counts=counts)
    name = Path(program.files[0]).stem if program.files else "program"
    with (
        tempfile.TemporaryDirectory(prefix="logca-run-") as home,
        opened(state_bytes(program), limits) as ring,
    ):
        work = Path(home, "work")
        work.mkdir()
        executable = built(compiled, text, Path(home))
        decoding = decoder(what.sites)
        if what.stretches:
            # an interrupt while compiled code is loaded is lost: load it before the program runs
            decoding.decode(np.empty(0, np.uint64))
        reader = Reader(ring=ring, decoder=decoding, limits=limits, on_chunk=on_chunk, go_on=counts)
        ended = served(
            executable,
            name=name,
            arguments=arguments,
            stdin=stdin,
            folder=work,
            ring=ring,
            limits=limits,
            reader=reader,
        )
        reader.finish(unfinished(ring.state, ring.rest(more=True), what, executable))
        place = last_place(program, ring.state, executable)
        words = ring.counters(len(program.edges) + len(program.functions))
        how, message = ending(ended, ring.state, limits, place)
    edges = words[: len(program.edges)]
    blocks = block_counts(program, edges, words[len(program.edges) :])
    return Run(
        status=ended.code if ended.code >= 0 else 128 - ended.code,
        signal=signal_name(ended.code),
        ending=how,
        message=message,
        stdout=bytes(ended.output[1]),
        stderr=bytes(ended.output[2]),
        wall_s=ended.wall_s,
        block_counts=blocks if counts else blocks[:0],
        edge_counts=edges if counts else edges[:0],
        recorded=reader.recorded,
        truncated=reader.full or bool(ring.state[State.CLOSED]),
        last_line=place,
    )
