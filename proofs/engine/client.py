"""The asking end of `logca.proofs.engine.worker`: no answer comes later than asked.

Nothing here loads SymPy.
"""

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from logca.common.errors import ContradictionError, LogcaError
from logca.common.extras import MissingSolversError
from logca.proofs.engine.answer import Answer, Record
from logca.proofs.language.syntax_tree import ClaimSyntaxError

__all__ = ["EngineError", "ask", "close", "judge"]

COMMAND = [sys.executable, "-m", "logca.proofs.engine.worker"]
_START_SECONDS = 120.0
_GRACE_SECONDS = 0.5
_LONGEST_SECONDS = threading.TIMEOUT_MAX / 2


class EngineError(LogcaError, RuntimeError):
    """The deciding engine failed; its traceback is in the message."""

    exit_code = 5


class _Worker:
    """A child process, its own process group, and a thread that reads what it says."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"SYMPY_CACHE_SIZE": "20000"} | os.environ,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self.said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(json.loads(line))
        self.said.put(None)

    def send(self, request: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def hear(self, deadline: float) -> dict[str, Any] | None:
        """The next message; None if there is none until the deadline, a monotonic time."""
        try:
            message = self.said.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        return message or {"error": "crash", "message": "the engine's process ended", "details": ""}

    def kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            self.process.kill()
        self.process.wait()
        self.reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


_lock = threading.RLock()
_worker: _Worker | None = None


def _running() -> _Worker:
    global _worker
    if _worker is None or _worker.process.poll() is not None:
        close()
        started = _Worker()
        first = started.hear(time.monotonic() + _START_SECONDS)
        if first is None or "ready" not in first:
            started.kill()
            _raise(first or {"error": "crash", "message": "the engine's process does not start"})
        _worker = started
    return _worker


def close() -> None:
    """End the engine's process, if there is one."""
    global _worker
    with _lock:
        if _worker is not None:
            _worker.kill()
            _worker = None


atexit.register(close)


def _raise(message: dict[str, Any]) -> None:
    text = str(message.get("message", ""))
    if message["error"] == "syntax":
        raise ClaimSyntaxError(text)
    if message["error"] == "missing":
        raise MissingSolversError(
            f"deciding claims needs {text}, which is not installed: pip install 'logca[prove]'"
        )
    if message["error"] == "contradiction":
        raise ContradictionError(text)
    raise EngineError("\n".join(part for part in (text, str(message.get("details", ""))) if part))


def _exchange(
    request: dict[str, Any], seconds: float
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What was said early, and at the end; the end is None if time ran out."""
    with _lock:
        worker = _running()
        deadline = time.monotonic() + min(seconds, _LONGEST_SECONDS) + _GRACE_SECONDS
        early: dict[str, Any] | None = None
        try:
            worker.send(request)
            while (message := worker.hear(deadline)) is not None and "early" in message:
                early = message["early"]
        except BaseException:
            # The reply that is still to come must not be taken for that of the next question.
            close()
            raise
        if message is None:
            close()
            return early, None
        if "error" in message:
            _raise(message)
        return early, message["done"]


def ask(claim: str, given: tuple[str, ...] = (), timeout: float = 10.0) -> Answer:
    """Put a question to the engine; the answer is there in time, or says "undecided"."""
    request = {"verb": "ask", "claim": claim, "given": list(given), "timeout": timeout}
    early, done = _exchange(request, timeout)
    if done is not None:
        return Answer.from_json(done)
    if early is not None:
        return Answer.from_json(early | {"reason": "time ran out before hypotheses were dropped"})
    reason = f"no answer within {timeout:g} s"
    return Answer(claim=claim, given=given, verdict="undecided", reason=reason, seconds=timeout)


def judge(claim_id: str, timeout: float) -> Record:
    """Have a claim of the ledger decided; past the time limit it is UNDECIDED."""
    _, done = _exchange({"verb": "judge", "id": claim_id}, timeout)
    if done is None:
        return Record(
            verdict="UNDECIDED", failing=f"no verdict within {timeout:g} s", seconds=timeout
        )
    return Record.from_json(done)
