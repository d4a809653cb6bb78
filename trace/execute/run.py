"""Runs a program: what it prints, how often each block is passed, and every access."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logca.common.arguments import checked_arguments, checked_input, checked_limits
from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.common.sizes import format_size
from logca.trace.compile.driver import Compiled, all_kept
from logca.trace.execute.building import executable_of, image_of, objects_of
from logca.trace.execute.containment import containment, guarantees, run_folder
from logca.trace.execute.decoding import Chunk, decoder
from logca.trace.execute.process import ProcessEnd, TraceReader, exceeded, ring_buffer, served
from logca.trace.instrument.faults import last_place, unfinished_records
from logca.trace.instrument.plan import plan
from logca.trace.instrument.records import HEADER_WORDS, StateWord
from logca.trace.instrument.rewriting import state_bytes
from logca.trace.ir.program import Program

__all__ = [
    "COPYING_CALLS",
    "ENDED",
    "FORKS",
    "Run",
    "calls",
    "counters_of",
    "run",
]

NEAR_STACK = 1 << 20
MEANING = {
    "SIGSEGV": "an access to memory that it does not have (SIGSEGV)",
    "SIGBUS": "an access to memory that is not there (SIGBUS)",
    "SIGFPE": "a division by zero or another arithmetical error (SIGFPE)",
    "SIGILL": "an illegal instruction (SIGILL)",
    "SIGTRAP": "a trap (SIGTRAP)",
    "SIGKILL": "SIGKILL, as by a system that runs out of memory",
    "SIGABRT": "abort() (SIGABRT), as by a failed assertion",
}
FORKS = frozenset({"fork", "_Fork", "vfork", "forkpty", "daemon"})
STARTS = frozenset(
    {
        *("execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve"),
        *("posix_spawn", "posix_spawnp", "system", "popen"),
    }
)
COPYING_CALLS = frozenset({"clone", "clone3"})
SYSTEM_CALLS = COPYING_CALLS | {"syscall"}
NO_LIMITS = Limits()
ENDED = ("exit", "enough")
"""Endings of a run that did not fail: many programs return another exit status than 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A program that has run.

    Parameters
    ----------
    status : int
        Its exit status; 128 and the signal if one ended it, as shells say it [1].
    signal : str
        Name of that signal, or an empty text.
    ending : str
        ``exit``, ``crash``, ``time``, ``memory``, ``stack``, ``output``, ``file``, ``disk``,
        ``processes``, ``threads``, or ``enough`` if it was ended because nobody wanted more of its
        trace.
    message : str
        What went wrong, in a sentence; an empty text if nothing did.
    stdout, stderr : bytes
        What it wrote, up to the limit.
    wall_s : float
        How long it ran, instrumented [s].
    block_counts, edge_counts : ndarray
        How often each block and edge was passed; empty if that was not asked for [1].
    recorded : int
        Accesses in the trace [1].
    truncated : bool
        Whether the trace ends before the program did.
    last_line : str
        ``file:line`` where a signal ended it, if that is known.
    copies : int
        How often it made a copy of itself by fork() [1].
    unseen : tuple of str
        What was executed and is not in the trace, in sentences: copies of the program that it
        made, programs that it started, handlers of signals that others sent. Copies and programs
        are known if blocks were counted.
    contained : tuple of str
        What the kernel kept it from, in words that follow "it could not".
    """

    status: int
    signal: str
    ending: str
    message: str
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    wall_s: float
    block_counts: NDArray[np.int64] = field(repr=False)
    edge_counts: NDArray[np.int64] = field(repr=False)
    recorded: int
    truncated: bool
    last_line: str
    copies: int = 0
    unseen: tuple[str, ...] = ()
    contained: tuple[str, ...] = ()


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

    The program runs in a temporary folder of its own, with a minimal environment; `guarantees` of
    `containment` says what the kernel keeps it from. It can read every file that you can.

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
    if not hasattr(os, "memfd_create"):
        raise TraceError("programs can be traced under Linux only")
    program = compiled.program
    with all_kept():
        records = None if nests == () else plan(program, compiled.ir, nests=nests)
    if all(function.name != "main" for function in program.functions):
        raise TraceError("the program has no function main: name the file that has it too")
    name = Path(program.files[0]).stem if program.files else "program"
    with run_folder() as home:
        decoding = None
        with ThreadPoolExecutor(2) as pool:
            starter = pool.submit(containment, Path(home), compiled.toolchain)
            objects = objects_of(compiled, records, Path(home), pool, counts=counts)
            if records and records.stretches:
                # an interrupt while compiled code is loaded is lost: load it before the program
                # runs, and while others make its code
                decoding = decoder(records.sites)
                decoding.decode(np.empty(0, np.uint64))
            executable = executable_of(objects, Path(home), compiled)
        work = Path(home, "work")
        work.mkdir()
        with ring_buffer(state_bytes(program), limits) as ring:
            reader = TraceReader(
                ring=ring, decoder=decoding, limits=limits, on_chunk=on_chunk, go_on=counts
            )
            words = [name, *arguments]
            ended = served(starter.result(), executable, words, work, reader, stdin)
            place = ""
            # a program that was ended as enough is known met nothing that had to be said
            if ring.state[StateWord.PC] and ended.reason != "enough":
                code = image_of(compiled, records, executable, counts=counts)
                behind = ring.rest(more=True)
                if records:
                    reader.read(behind[: unfinished_records(ring.state, behind, records, code)])
                place = last_place(program, ring.state, code)
            blocks, edges = counters_of(program, ring.state)
            how, message = ending(ended, ring.state, limits, place)
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
        truncated=reader.full or bool(ring.state[StateWord.CLOSED]),
        last_line=place,
        copies=int(ring.state[StateWord.COPIES]),
        unseen=tuple(unseen(program, blocks, ring.state)),
        contained=guarantees(),
    )


def calls(program: Program, counts: NDArray[np.int64], callees: frozenset[str]) -> list[str]:
    """The places that were executed at which a program calls one of these functions."""
    return [
        f"{block.file}:{each.line} ({each.callee})" if each.line else each.callee
        for block in program.blocks
        if counts[block.id]
        for each in block.instructions
        if each.callee in callees
    ]


def unseen(program: Program, counts: NDArray[np.int64], state: NDArray[np.uint64]) -> Iterator[str]:
    """Sentences on what was executed and is not in the trace."""
    handled, copies = int(state[StateWord.HANDLED]), int(state[StateWord.COPIES])
    places = calls(program, counts, FORKS)
    if places or copies:
        at = f" at {', '.join(places)}" * bool(places)
        yield f"what the copies do that the program makes of itself{at}"
    if places := calls(program, counts, STARTS):
        yield f"what the programs do that it starts at {', '.join(places)}"
    if places := calls(program, counts, SYSTEM_CALLS):
        yield (
            f"what the system calls do that it makes itself at {', '.join(places)}; a copy that "
            "they make of it ends with SIGSEGV, where fork() would let it go on, and is counted "
            "in part where it shares the program's memory"
        )
    if handled:
        times = "once" if handled == 1 else f"{handled} times"
        yield (
            f"what handlers of signals access ({times}): they come between any two accesses, "
            "except where the program sends the signal to itself"
        )


MOST_STARTS = 1 << 53
"""Starts of one block that no program can have had: at 10 GHz they take a week and more."""


def counters_of(
    program: Program, state: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts of each block, over its edges or as the first of its function, and of each edge [1].

    Examples
    --------
    >>> from logca.trace.ir.program import BasicBlock, ControlFlowEdge, Function, Program
    >>> def block(n, after):
    ...     return BasicBlock(id=n, function="f", name=str(n), file="", first_line=0, last_line=0,
    ...                  instructions=(), successors=after, loop=None)
    >>> program = Program(
    ...     level="O1", blocks=(block(0, (1,)), block(1, ())), loops=(), accesses=(), values=(),
    ...     edges=(ControlFlowEdge(id=0, source=0, target=1),), files=(), functions=(Function(
    ...         name="f", source_name="f", file="", line=0, blocks=(0, 1), irreducible=()),))
    >>> state = np.array([0] * HEADER_WORDS + [3, 4, 7], np.uint64)
    >>> [counts.tolist() for counts in counters_of(program, state)]
    [[4, 3], [3]]
    """
    counters = state[HEADER_WORDS:]
    if int(counters.max(initial=0)) > MOST_STARTS:
        raise TraceError("the program has written into its own counters: it cannot be counted")
    counted = counters.astype(np.int64)
    edges, entries = np.split(counted, [len(program.edges)])
    blocks = np.zeros(len(program.blocks), np.int64)
    np.add.at(blocks, [edge.target for edge in program.edges], edges)
    first = [function.blocks[0] for function in program.functions]
    np.add.at(blocks, first, entries[: len(first)])
    return blocks, edges


def ending(
    ended: ProcessEnd, state: NDArray[np.uint64], limits: Limits, place: str
) -> tuple[str, str]:
    """Reason for the end of a program, in a word and in a sentence."""
    where = f" at {place}" if place else ""
    name = signal_name(ended.code)
    still = f"; it was{where}" if where else ""
    if state[StateWord.THREADS]:
        return (
            "threads",
            f"the program starts a thread{where}: a trace has one order, of one thread",
        )
    if ended.reason == "time" or name == "SIGXCPU":
        return "time", exceeded(replace(ended, reason="time"), limits) + still
    if met := exceeded(ended, limits):
        return ended.reason, met
    if ended.reason == "enough":
        return "enough", ""
    if state[StateWord.TOO_LARGE] or not state[StateWord.READY]:
        return (
            "memory",
            f"the program does not start with {format_size(limits.memory_B)} of memory",
        )
    if state[StateWord.REFUSED] and ended.code:
        return (
            "memory",
            f"the program was refused more than {format_size(limits.memory_B)} of memory, and "
            f"failed{where}",
        )
    if name == "SIGXFSZ":
        return "file", f"the program wrote a file of more than {limits.file_B} bytes{where}"
    if name == "SIGSEGV" and hit_stack_guard(state):
        size = int(state[StateWord.STACK_LIMIT]) / 2**20
        return "stack", f"the stack of {size:.4g} MiB is full{where}: recursion without an end?"
    if name:
        return "crash", f"the program was ended{where} by {MEANING.get(name, name)}"
    return "exit", ""


def signal_name(code: int) -> str:
    """Name of the signal that ended a process, if one did.

    Examples
    --------
    >>> signal_name(-11), signal_name(-37), signal_name(3)
    ('SIGSEGV', 'SIGRTMIN+3', '')
    """
    if code >= 0:
        return ""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"SIGRTMIN+{-code - signal.SIGRTMIN}"


def hit_stack_guard(state: NDArray[np.uint64]) -> bool:
    """True if an access was made below the lowest address that the stack may grow to."""
    address, pointer, top, size = (
        int(state[word])
        for word in (
            StateWord.ADDRESS,
            StateWord.STACK_POINTER,
            StateWord.STACK_TOP,
            StateWord.STACK_LIMIT,
        )
    )
    return pointer - NEAR_STACK <= address <= top - size + NEAR_STACK
