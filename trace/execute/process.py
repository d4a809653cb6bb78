"""The process of a traced program: started, served and read until it ends or meets a limit.

Its records come by a ring of chunks in memory that both sides see.
"""

import errno
import mmap
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.common.programs import kill_session
from logca.common.sizes import format_size
from logca.trace.execute.containment import EXCEEDED, GroupWatch, refused, start_contained
from logca.trace.execute.decoding import Chunk, Decoder
from logca.trace.instrument.records import StateWord

__all__ = [
    "ProcessEnd",
    "ProcessServer",
    "Ring",
    "TraceReader",
    "exceeded",
    "ring_buffer",
    "running",
    "served",
    "served_untraced",
]


CHUNKS = 4
RECORDS_PER_CHUNK = 1 << 18
FIRST_DESCRIPTOR = 900  # above what programs open: `select` takes numbers below 1024 only


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
        """Copies of the chunks that have been handed over.

        Their memory is the program's as well: what it writes into one that is being read would be
        another record to each who reads it.
        """
        try:
            tokens = os.read(self.full, 8 * len(self.chunks))
        except BlockingIOError:
            return
        # a program that writes into the pipe itself may leave part of a number
        for count in np.frombuffer(tokens[: len(tokens) // 8 * 8], np.uint64):
            yield self.chunks[self.read % len(self.chunks)][: int(count)].copy()
            self.read += 1
            # full only if the program announces chunks that it never had
            with suppress(BlockingIOError):
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
        # Where it ended between handing over one chunk and beginning the next, its cursor is that
        # of a chunk that was taken: the end it compares with tells which chunk it writes.
        begun = int(self.state[end]) == begin + 8 * self.chunks[0].size
        if more:
            return self.chunks[place][count if begun else self.chunks[place].size :]
        return self.chunks[place][: count if begun else 0]


@contextmanager
def ring_buffer(
    state_bytes: int, limits: Limits, *, records: int = RECORDS_PER_CHUNK
) -> Iterator[Ring]:
    """A ring for one run; descriptors are closed at its end, its memory with the last view."""
    import fcntl
    import resource

    ours: list[int] = []
    theirs: list[int] = []
    try:
        memory = os.memfd_create("logca-trace", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        ours.append(memory)
        size = state_bytes + CHUNKS * 8 * records
        os.ftruncate(memory, size)
        # a program that made it shorter would end us, by SIGBUS
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        full, to_full = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(full, False)
        ours += [full, to_full]
        from_free, free = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(free, False)
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
        # one chunk the program has from the start: it asks only before the second
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


MOST_BYTES, BYTES_PER_SECOND = 10**10, 10**11
"""Accesses of one thread move less: at once, and over time."""


@dataclass(slots=True, kw_only=True)
class TraceReader:
    """The reading of one trace."""

    ring: Ring  # where the records come from
    decoder: Decoder | None  # what makes accesses of them; None if the program records nothing
    limits: Limits  # how many accesses are read
    # who gets them; True as its answer ends the trace
    on_chunk: Callable[[Chunk], bool | None] | None
    go_on: bool  # whether the program is of use after the trace has ended
    recorded: int = 0  # accesses read [1]
    full: bool = False  # whether the trace has ended before the program
    bytes: int = 0  # what the accesses move together [B]
    since: float = field(default_factory=time.monotonic)

    def take(self) -> bool:
        """Take the chunks that are full; whether the program is of no more use."""
        for records in self.ring.taken():
            self.read(records)
        return self.full and not self.go_on

    def finish(self) -> None:
        """Take what the program, which has ended, left behind."""
        self.take()
        self.read(self.ring.rest().copy())

    def read(self, records: NDArray[np.uint64]) -> None:
        """Decode records and pass the accesses on."""
        if self.full or self.decoder is None or not len(records):
            return
        chunk = self.decoder.decode(records)
        self.bytes += int(chunk.size.sum(dtype=np.uint64))
        if self.bytes > MOST_BYTES + BYTES_PER_SECOND * (time.monotonic() - self.since):
            raise TraceError("the program has written into its own trace: it cannot be traced")
        left = self.limits.records - self.recorded
        if len(chunk) > left:
            chunk = chunk.first(left)
            self.full = True
        self.recorded += len(chunk)
        if len(chunk) and self.on_chunk is not None:
            self.full |= bool(self.on_chunk(chunk))
        if self.full:
            self.ring.state[StateWord.STOP] = 1  # the program hands over no more chunks


SECONDS_TO_DIE = 1.0
SECONDS_TO_LOOK = 0.05
SECONDS_TO_END = 0.001
SECONDS_FOR_CHILDREN = 0.5
PIECE = 1 << 16


@dataclass(slots=True, kw_only=True)
class ProcessEnd:
    """The end of a program: its status, output and time."""

    code: int = 0  # exit status, or the negative number of a signal [1]
    # ``""``, or why we ended it: ``time``, ``output``, ``enough``, or what `GroupWatch` found
    reason: str = ""
    # what it wrote to standard output (1) and standard error (2)
    output: dict[int, bytearray] = field(default_factory=lambda: {1: bytearray(), 2: bytearray()})
    wall_s: float = 0.0  # time from its start to its end [s]


def environment(folder: Path) -> dict[str, str]:
    """All that the program finds in its environment."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LC_ALL": "C",
        "HOME": str(folder),
        "TMPDIR": str(folder),
    }


@contextmanager
def running(
    starter: Path,
    executable: Path,
    words: Sequence[str],
    folder: Path,
    limits: Limits,
    *,
    ring: Ring | None = None,
    variables: Mapping[str, str] | None = None,
    threads: bool = False,
) -> Iterator[subprocess.Popen[bytes]]:
    """The program, running; whatever happens here, nothing of its session is left behind."""
    # where the ring is the runtime learns by a variable that it hides from the program
    place = {} if ring is None else {"LOGCA_TRACE": ",".join(map(str, ring.theirs))}
    words_of_ring = 0 if ring is None else ring.state.size + sum(map(len, ring.chunks))
    try:
        process = start_contained(
            starter,
            executable,
            words,
            folder=folder,
            environment={**environment(folder), **place, **(variables or {})},
            limits=limits,
            threads=threads,
            beside_B=8 * words_of_ring,
            descriptors=() if ring is None else ring.theirs,
        )
    except PermissionError as error:
        raise TraceError(
            f"no program can be run in {executable.parent}: let TMPDIR name a folder where one can"
        ) from error
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        size = sum(len(os.fsencode(each)) for each in words[1:])
        raise TraceError(
            f"args have {size} bytes, more than the system lets a program have: give less, or give"
            " it by the standard input"
        ) from error
    try:
        yield process
    finally:
        kill_session(process)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                pipe.close()


@dataclass(slots=True, kw_only=True)
class ProcessServer:
    """Serves one process."""

    process: subprocess.Popen[bytes]
    limits: Limits
    reader: TraceReader | None  # of its trace, if it has one
    waiting: memoryview
    watch: GroupWatch
    ended: ProcessEnd = field(default_factory=ProcessEnd)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def serve(self) -> ProcessEnd:
        """Serve until the process and its pipes have ended."""
        start = time.monotonic()
        try:
            self.register()
            while self.process.poll() is None and not self.ended.reason:
                left = start + self.limits.time_s - time.monotonic()
                if left <= 0:
                    self.ended.reason = "time"
                    break
                for key, _ in self.selector.select(min(left, self.patience())):
                    self.answer(key.data)
                self.ended.reason = self.ended.reason or self.watch.exceeded()
            self.end()
            self.ended.wall_s = time.monotonic() - start
            self.drain()
            if self.reader is not None:
                self.reader.finish()
        finally:
            self.selector.close()
        return self.ended

    def patience(self) -> float:
        """Time to wait for an event [s]: a process that ends closes its output first."""
        streams = (self.process.stdout, self.process.stderr)
        known = self.selector.get_map()
        return SECONDS_TO_LOOK if any(stream in known for stream in streams) else SECONDS_TO_END

    def register(self) -> None:
        """Watch everything that can happen."""
        process = self.process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
        self.selector.register(process.stdout, selectors.EVENT_READ, 1)
        self.selector.register(process.stderr, selectors.EVENT_READ, 2)
        if self.reader is not None:
            self.selector.register(self.reader.ring.full, selectors.EVENT_READ, "records")
        if self.waiting:
            self.selector.register(process.stdin, selectors.EVENT_WRITE, 0)
        else:
            process.stdin.close()

    def answer(self, source: int | str) -> None:
        """Do what an event asks for."""
        if source == "records":
            if self.reader is not None and self.reader.take():
                self.ended.reason = self.ended.reason or "enough"
        elif source == 0:
            self.feed()
        elif not self.read(int(source)):
            self.ended.reason = self.ended.reason or "output"

    def feed(self) -> None:
        """Give the process some of its input."""
        pipe = self.process.stdin
        assert pipe
        try:
            self.waiting = self.waiting[os.write(pipe.fileno(), self.waiting[:PIECE]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.waiting = self.waiting[:0]
        if not self.waiting:
            self.selector.unregister(pipe)
            pipe.close()

    def read(self, stream: int) -> bool:
        """Read some of the output; whether it is not too much."""
        pipe = self.process.stdout if stream == 1 else self.process.stderr
        assert pipe
        try:
            data = os.read(pipe.fileno(), PIECE)
        except BlockingIOError:
            return True
        if not data:
            self.selector.unregister(pipe)
            return True
        kept = self.ended.output[stream]
        room = self.limits.output_B - len(kept)
        kept += data[:room]
        return len(data) <= room

    def end(self) -> None:
        """Wait for the end of the process; if that has a reason, bring it about.

        First with a signal that the process can answer, then with one that it cannot. Where there
        are too many processes, or they take too much, all of them are ended at once.
        """
        if self.ended.reason in EXCEEDED:
            kill_session(self.process)
        elif self.ended.reason:
            self.process.terminate()
            try:
                self.process.wait(SECONDS_TO_DIE)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.ended.code = self.process.wait()

    def drain(self) -> None:
        """Read what is left of the output; children of the process may still write."""
        limit = time.monotonic() + SECONDS_FOR_CHILDREN
        for key in list(self.selector.get_map().values()):
            if key.data not in (1, 2):
                self.selector.unregister(key.fileobj)
        while self.selector.get_map() and (left := limit - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                if not self.read(key.data):
                    self.ended.reason = self.ended.reason or "output"
                    return


def served(
    starter: Path,
    executable: Path,
    words: Sequence[str],
    folder: Path,
    reader: TraceReader,
    stdin: bytes,
) -> ProcessEnd:
    """The end of a program that was started, contained, and served until then."""
    limits, ring = reader.limits, reader.ring
    with running(starter, executable, words, folder, limits, ring=ring) as process:
        ended = ProcessServer(
            process=process,
            limits=limits,
            reader=reader,
            waiting=memoryview(stdin),
            watch=GroupWatch(group=process.pid, folder=folder, limits=limits),
        ).serve()
    if not ring.state[StateWord.READY]:
        refused(ended.code, bytes(ended.output[2]))
    return ended


def served_untraced(
    starter: Path,
    executable: Path,
    words: Sequence[str],
    folder: Path,
    limits: Limits,
    stdin: bytes,
    variables: Mapping[str, str],
) -> ProcessEnd:
    """The end of a program that may start threads and leaves no trace, contained until then."""
    with running(
        starter, executable, words, folder, limits, variables=variables, threads=True
    ) as process:
        ended = ProcessServer(
            process=process,
            limits=limits,
            reader=None,
            waiting=memoryview(stdin),
            # the kernel does not limit its memory, as each thread takes a stack of address space
            watch=GroupWatch(group=process.pid, folder=folder, limits=limits, alone=True),
        ).serve()
    refused(ended.code, bytes(ended.output[2]))
    return ended


def exceeded(ended: ProcessEnd, limits: Limits) -> str:
    """A sentence on the limit that a program met, if we ended it for one; or no text."""
    reasons = {
        "time": f"the program did not end within {limits.time_s:g} s",
        "output": f"the program wrote more than {limits.output_B} bytes of output",
        "processes": f"the program ran more than {limits.processes} processes at once",
        "disk": f"the program's files took more than {format_size(limits.disk_B)}",
        "uncounted": (
            "the program's folders cannot be looked into, so what its files take cannot be "
            "limited: it made paths longer than the system's longest, or took rights away"
        ),
        "memory": (
            f"the program's processes took more than {format_size(limits.memory_B)} of memory"
        ),
    }
    return reasons.get(ended.reason, "")
