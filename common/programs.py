"""Programs that are run to their end, which end with us whatever ends us.

Each is in a session of its own. An interrupt ends those that threads of ours wait for; if we are
killed, a guard ends them.
"""

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["finished", "kill_session", "threads"]


@dataclass(slots=True, kw_only=True)
class _Programs:
    """Programs that threads of one pool are waiting for."""

    running: set["subprocess.Popen[bytes]"] = field(default_factory=set)
    is_over: bool = False  # whether no more may run


class _Thread(threading.local):
    """The pool that a thread belongs to, and those that this one was made in."""

    pools: tuple[_Programs, ...] = ()


_THREAD = _Thread()


@contextmanager
def threads(number: int | None = None) -> Iterator["ThreadPoolExecutor"]:
    """A pool of threads; an interrupt or an error here ends the programs that they wait for."""
    from concurrent.futures import ThreadPoolExecutor

    own = _Programs()
    pools = (*_THREAD.pools, own)

    def join() -> None:
        _THREAD.pools = pools

    with ThreadPoolExecutor(number, initializer=join) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            own.is_over = True
            for process in tuple(own.running):
                kill_session(process)
            raise


_GUARD = """import os, signal, sys
left = set()
for line in sys.stdin:
    (left.add if line[0] == "+" else left.discard)(int(line[1:]))
for session in left:
    try:
        os.killpg(session, signal.SIGKILL)
    except OSError:
        pass
"""


class _Guard:
    """A process that ends programs of ours which are left when we have been killed.

    It reads a pipe, which ends with us however we end.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Start it, if it is not there; before the first program, which it is told of at once."""
        if not hasattr(os, "killpg"):
            return
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _GUARD],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    bufsize=0,
                )
                atexit.register(self._end, self._process)

    def tell(self, sign: str, session: int) -> None:
        """A session has begun ("+") or ended ("-")."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        with self._lock, suppress(OSError, ValueError):
            self._process.stdin.write(f"{sign}{session}\n".encode())

    @staticmethod
    def _end(process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        process.wait()


_GUARDED = _Guard()


def finished(
    words: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str],
    folder: str | os.PathLike[str] | None = None,
    memory_B: int | None = None,
) -> "subprocess.CompletedProcess[bytes]":
    """A program that has ended, and all that it had started; a `TimeoutExpired` past the time.

    Of memory each of its processes has so much, where the system can limit that.
    """
    _GUARDED.begin()
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
    ) as process:
        try:
            _GUARDED.tell("+", process.pid)
            for pool in _THREAD.pools:
                pool.running.add(process)
            if any(pool.is_over for pool in _THREAD.pools):
                kill_session(process)
            if memory_B is not None:
                with suppress(ImportError, AttributeError, OSError, ValueError):
                    import resource

                    resource.prlimit(process.pid, resource.RLIMIT_AS, (memory_B, memory_B))
            out, err = process.communicate(timeout=seconds)
        finally:
            kill_session(process)
            _GUARDED.tell("-", process.pid)
            for pool in _THREAD.pools:
                pool.running.discard(process)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def kill_session(process: "subprocess.Popen[Any]") -> None:
    """Kill a process that began a session, with all that it has started, where the system can."""
    if not hasattr(os, "killpg"):
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # it has ended, and so has the session
        os.killpg(process.pid, signal.SIGKILL)
