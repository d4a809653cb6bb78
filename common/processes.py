"""Processes: the cores that one may use, pools, and children that are asked in lines of JSON.

What must be killed when it takes too long, or must not share its memory with the caller, runs in
a child: `Child` is the asking end, `replies` and `questions` are the answering one.
"""

import json
import os
import pickle
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from logca.common.programs import kill_session

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

__all__ = [
    "Child",
    "EndedError",
    "answered",
    "apart",
    "asked_beside",
    "command",
    "find_program",
    "questions",
    "replies",
    "search_path",
    "unless_stopped",
    "usable_cores",
    "workers",
]

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")

_INTERRUPTED = 130

_STOPPED = threading.Event()
"""Set in a process of a pool that was interrupted: what it was still given is not begun."""

_PATIENCE_S = 5.0
_PATIENCE_OF_POOLS_S = 2.0
_BETWEEN_S = 0.1
_TAIL_B = 1 << 16


def usable_cores() -> int:
    """Cores that this process may use [1]."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def search_path() -> str:
    """The folders in which programs are looked for, without those that depend on the working one.

    Examples
    --------
    >>> all(map(os.path.isabs, search_path().split(os.pathsep)))
    True
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(filter(os.path.isabs, folders))


def find_program(name: str) -> str | None:
    """The path of a program, by its name or its path; None if there is none."""
    return shutil.which(name, path=search_path())


_START = """import sys
sys.path[:] = {path!r}
from runpy import run_module
del sys.argv[0]
run_module(sys.argv[0], run_name="__main__", alter_sys=True)"""


def command(module: str, *arguments: str) -> list[str]:
    """The words that start a module in a process of its own, which finds what this one finds.

    Nothing of the working folder is run in its place, and nothing that a variable of Python names:
    a folder may hold another `logca`, or a `sitecustomize`.
    """
    flags = ["-E", "-P", *(["-s"] if sys.flags.no_user_site else [])]
    return [sys.executable, *flags, "-c", _START.format(path=_path()), module, *arguments]


def _path() -> list[str]:
    """Where Python looks for modules, without the working folder."""
    return [each for each in sys.path if os.path.isabs(each) and each != os.getcwd()]


@contextmanager
def apart() -> Iterator[None]:
    """Let Pythons that are started in here, as those of a pool, import nothing of this folder."""
    # They start with `-c`, before which no option can be put: for them, too, the folder is first.
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


@contextmanager
def workers(number: int) -> Iterator["ProcessPoolExecutor"]:
    """A pool of processes, which an interrupt or an error here ends without a word of theirs."""
    # half a second to import, and most answers need none
    from concurrent.futures import ProcessPoolExecutor

    from logca.common.spawning import spawned, spawning

    with (
        apart(),
        ProcessPoolExecutor(number, spawning(), initializer=_follow) as pool,
    ):
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            until = time.monotonic() + _PATIENCE_OF_POOLS_S
            # one that is only loading hears nothing yet, so they are told until they have ended
            while (children := spawned()) and time.monotonic() < until:
                for child in children:
                    if child.pid is not None:
                        with suppress(ProcessLookupError):
                            os.kill(child.pid, signal.SIGINT)
                    child.join(_BETWEEN_S)
            for child in children:
                child.terminate()
            raise


def unless_stopped(
    call: Callable[_Parameters, _Answer], *args: _Parameters.args, **kwargs: _Parameters.kwargs
) -> _Answer:
    """The answer of a function, called in a process of a pool that was not interrupted."""
    if _STOPPED.is_set():
        raise SystemExit(_INTERRUPTED)
    return call(*args, **kwargs)


def _follow() -> None:
    """End with the process that asks: without a word at an interrupt, at once if it is gone."""
    from multiprocessing import parent_process

    def leave(number: int, frame: Any) -> None:
        _STOPPED.set()
        raise SystemExit(_INTERRUPTED)

    signal.signal(signal.SIGINT, leave)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(_INTERRUPTED)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def asked_beside(module: str, question: object) -> Iterator[Callable[[], Any]]:
    """A module's process that is asked once, and a function that waits for its answer.

    That is None if there is none, as where memory was short: then it is left to the one who asked.
    """
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said:
        pickle.dump(question, asked, protocol=5)
        asked.seek(0)
        process = subprocess.Popen(
            command(module), stdin=asked, stdout=said, stderr=subprocess.DEVNULL
        )

        def answer() -> Any:
            if process.wait():
                return None
            said.seek(0)
            return pickle.load(said)

        try:
            yield answer
        finally:
            process.kill()
            process.wait()


def answered(answer: Callable[[Any], object]) -> None:
    """Answer the one question that is the standard input, for `asked_beside`."""
    pickle.dump(answer(pickle.load(sys.stdin.buffer)), sys.stdout.buffer, protocol=5)
    sys.stdout.flush()


class EndedError(Exception):
    """A child has ended instead of answering; told to the caller, who says what that means."""

    def __init__(self, code: int | None, said: str) -> None:
        super().__init__(f"exit code {code}")
        self.code = code  # its exit code; None if it has closed its pipes and lives
        self.said = said  # the end of what it wrote to standard error


class Child:
    """A process that is asked in lines of JSON and answers in lines of JSON.

    In a session of its own a signal of the terminal does not reach it, and it is killed with all
    that it has started.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        own_session: bool = True,
    ) -> None:
        # A file, since nobody reads while the child computes: a full pipe would stop it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (`end` closes it)
        self._own_session = own_session
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env=None if environment is None else dict(environment),
            start_new_session=own_session,
        )
        # A thread reads, since nothing else waits for a pipe and for a deadline on all systems.
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, message: Any) -> None:
        """Put a question; an `EndedError` if nobody is there to read it."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):  # ValueError: `end` has closed the pipe
            raise self._ended() from None

    def hear(self, deadline: float | None = None) -> Any:
        """The next answer; None if there is none until the deadline, a monotonic time."""
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if not line.endswith(b"\n"):  # the end of the pipe, or half an answer before it
            self._lines.put(b"")
            raise self._ended()
        return json.loads(line)

    def _ended(self) -> EndedError:
        try:
            code: int | None = self.process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            code = None
        said = b""
        if not self._complaints.closed:
            self._complaints.seek(max(0, self._complaints.seek(0, os.SEEK_END) - _TAIL_B))
            said = self._complaints.read()
        return EndedError(code, said.decode(errors="replace").strip())

    def end(self, patience_s: float = 0.0) -> None:
        """End the process; with patience it may first see the end of its questions and leave."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            if patience_s > 0:
                with suppress(OSError):  # what was still to be written is of no use any more
                    self.process.stdin.close()
                with suppress(subprocess.TimeoutExpired):
                    self.process.wait(patience_s)
        finally:
            if self._own_session:
                kill_session(self.process)
            self.process.kill()
            self.process.wait()
            self._reader.join()
            for pipe in (self.process.stdin, self.process.stdout, self._complaints):
                with suppress(OSError):
                    pipe.close()


def replies() -> Callable[[Any], None]:
    """A function that tells the parent a message; to be asked for before anything is printed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer

    def say(message: Any) -> None:
        lines.write(json.dumps(message) + "\n")
        lines.flush()

    return say


def _nothing() -> None:
    pass


def questions(leave: Callable[[], None] = _nothing) -> Iterator[Any]:
    """Questions of the parent; after the last one `leave` is called and the process ends."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        try:
            for line in sys.stdin:
                lines.put(line)
            leave()
        finally:
            # From this thread, since the other may compute for ever for a parent that is gone.
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield json.loads(lines.get())
