"""Memory shared with the program that is traced: its state, and a ring of chunks of records.

The program writes one chunk while the reader takes others. Chunks change hands by tokens in two
pipes, so that neither side ever spins and each notices the other's end. The state outlives the
program: whatever ended it, the records of the last chunk and the counters are there.
"""

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.limits import Limits

__all__ = ["HEADER_WORDS", "PAGE_BYTES", "Ring", "StateWord", "ring_buffer"]

CHUNKS = 4
RECORDS_PER_CHUNK = 1 << 18
HEADER_WORDS = 64
PAGE_BYTES = 4096
RETURNS = 32
FIRST_DESCRIPTOR = 900


class StateWord:
    """The numbers of the words at the start of the state, as in runtime.c [1]."""

    CURSOR, END, BASE, RING, CHUNK_BYTES, CHUNKS, HANDED, STOP, READY = range(9)
    SIGNAL, PC, ADDRESS, STACK_POINTER, STACK_TOP, STACK_LIMIT, REFUSED, THREADS = range(9, 17)
    TOO_LARGE, CLOSED, ASIDE, LAST_CURSOR, LAST_END = range(17, 22)
    LIMIT_CPU, LIMIT_MEMORY, LIMIT_FILE, LIMIT_STACK = range(24, 28)


@dataclass(slots=True, kw_only=True)
class Ring:
    """The reader's side."""

    state: NDArray[np.uint64]  # the words that are shared: header, then counters [1]
    chunks: tuple[NDArray[np.uint64], ...]  # records of each chunk [1]
    # descriptors for the program: memory, where it announces full chunks, where it learns of free
    # ones [1]
    theirs: tuple[int, int, int]
    # full, free: our ends of the two pipes [1]
    full: int
    free: int
    read: int = 0  # chunks taken so far [1]

    def taken(self) -> Iterator[NDArray[np.uint64]]:
        """The records of the chunks that have been handed over; each is free again afterwards."""
        try:
            tokens = os.read(self.full, 8 * len(self.chunks))
        except BlockingIOError:
            return
        for count in np.frombuffer(tokens, np.uint64):
            yield self.chunks[self.read % len(self.chunks)][: int(count)]
            self.read += 1
            os.write(self.free, b"\0")

    def rest(self, *, more: bool = False) -> NDArray[np.uint64]:
        """The records of the chunk that the program was writing when it ended.

        With `more` the memory behind them instead, where it wrote those that are not valid yet.
        """
        place = self.read % len(self.chunks)
        begin = int(self.state[StateWord.RING]) + 8 * self.chunks[0].size * place
        aside = bool(self.state[StateWord.ASIDE])  # it ended in a handler of a signal
        cursor, end = (
            (StateWord.LAST_CURSOR, StateWord.LAST_END)
            if aside
            else (StateWord.CURSOR, StateWord.END)
        )
        count = (int(self.state[cursor]) - begin) // 8
        # where it ended between handing over one chunk and beginning the next, nothing is left
        begun = int(self.state[end]) == begin + 8 * self.chunks[0].size
        if more:
            return self.chunks[place][count if begun else self.chunks[place].size :]
        return self.chunks[place][: count if begun else 0]

    def stop(self) -> None:
        """Let the program hand over no more chunks."""
        self.state[StateWord.STOP] = 1

    def counters(self, number: int) -> NDArray[np.int64]:
        """A copy of the counters [1]."""
        return self.state[HEADER_WORDS : HEADER_WORDS + number].astype(np.int64)


@contextmanager
def ring_buffer(
    state_bytes: int, limits: Limits, *, records: int = RECORDS_PER_CHUNK
) -> Iterator[Ring]:
    """A ring for one run; descriptors are closed at its end, its memory with the last view."""
    if not hasattr(os, "memfd_create"):
        raise TraceError("programs can be traced under Linux only")
    import fcntl
    import resource

    ours: list[int] = []
    theirs: list[int] = []
    try:
        memory = os.memfd_create("logca-trace")
        ours.append(memory)
        size = state_bytes + CHUNKS * 8 * records
        os.ftruncate(memory, size)
        full, to_full = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(full, False)
        ours += [full, to_full]
        from_free, free = os.pipe2(os.O_CLOEXEC)
        ours += [from_free, free]
        # the program finds its first free descriptors where it would find them without us
        first = min(FIRST_DESCRIPTOR, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
        for descriptor in (memory, to_full, from_free):
            theirs.append(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, first))
        for descriptor in (to_full, from_free):
            os.close(descriptor)
            ours.remove(descriptor)
        words = np.frombuffer(mmap.mmap(memory, size), np.uint64)
        state, rest = words[: state_bytes // 8], words[state_bytes // 8 :]
        state[StateWord.CHUNK_BYTES] = 8 * records
        state[StateWord.CHUNKS] = CHUNKS
        state[StateWord.LIMIT_CPU] = 1 + int(min(limits.time_s, 1e9))
        state[StateWord.LIMIT_MEMORY] = limits.memory_B
        state[StateWord.LIMIT_FILE] = limits.file_B
        state[StateWord.LIMIT_STACK] = limits.stack_B
        for _ in range(CHUNKS - 1):
            os.write(free, b"\0")
        yield Ring(
            state=state,
            chunks=tuple(rest.reshape(CHUNKS, records)),
            theirs=(theirs[0], theirs[1], theirs[2]),
            full=full,
            free=free,
        )
    finally:
        for descriptor in (*ours, *theirs):
            os.close(descriptor)
