"""The asking end of `logca.proofs.engine.worker`: no answer comes later than asked.

Nothing here loads SymPy.
"""

import atexit
import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from logca.common.errors import ContradictionError, LogcaError
from logca.common.extras import MissingSolversError
from logca.common.processes import Child, EndedError, command
from logca.proofs.engine.answer import (
    OUT_OF_TIME,
    SECONDS_PER_QUESTION,
    UNTRIED,
    Answer,
    Record,
    WeakestHypothesis,
    late_answer,
)
from logca.proofs.engine.certificate import NotCertifiedError, SmtCertificate
from logca.proofs.language.syntax import ClaimSyntaxError
from logca.proofs.provers.effort import OutOfTimeError

__all__ = ["EngineError", "ask", "certify", "close", "find", "judge"]

COMMAND = command("logca.proofs.engine.worker")
_START_SECONDS = 120.0
_GRACE_SECONDS = 0.5
_LONGEST_SECONDS = threading.TIMEOUT_MAX / 2


class EngineError(LogcaError, RuntimeError):
    """The deciding engine failed; its traceback is in the message."""

    exit_code = 5


_lock = threading.RLock()
_worker: Child | None = None


def _running() -> Child:
    global _worker
    if _worker is None or _worker.process.poll() is not None:
        close()
        _worker = Child(COMMAND, environment={"SYMPY_CACHE_SIZE": "20000"} | os.environ)
        try:
            first = _worker.hear(time.monotonic() + _START_SECONDS)
            if first is None:
                raise EngineError("the engine's process does not start")
            if "error" in first:
                _raise(first)
        except BaseException:
            close()
            raise
    return _worker


def close() -> None:
    """End the engine's process, if there is one."""
    global _worker
    with _lock:
        if _worker is not None:
            _worker.end()
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
    if message["error"] == "late":
        raise OutOfTimeError(OUT_OF_TIME)
    if message["error"] == "uncertified":
        raise NotCertifiedError(text)
    if message["error"] == "contradiction":
        raise ContradictionError(text)
    raise EngineError("\n".join(part for part in (text, str(message.get("details", ""))) if part))


def _exchange(request: dict[str, Any], seconds: float) -> tuple[dict[str, Any] | None, Any]:
    """The early and the final answer; the final one is None if time ran out."""
    with _lock:
        early: dict[str, Any] | None = None
        try:
            begun = time.monotonic()
            worker = _running()
            # the process takes a second or two to start, which count as all others do
            deadline = begun + min(seconds, _LONGEST_SECONDS) + _GRACE_SECONDS
            if "timeout" in request:
                request["timeout"] = max(0.0, seconds - (time.monotonic() - begun))
            worker.send(request)
            while (message := worker.hear(deadline)) is not None and "early" in message:
                early = message["early"]
        except EndedError as ended:
            close()
            reason = "\n".join(filter(None, ("the engine's process ended", ended.said)))
            raise EngineError(reason) from None
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


def ask(
    claim: str,
    given: tuple[str, ...] = (),
    timeout: float = SECONDS_PER_QUESTION,
    theorems: Sequence[Mapping[str, object]] = (),
) -> Answer:
    """Put a question to the engine; the answer is there in time, or says that it is not."""
    request = {
        "verb": "ask",
        "claim": claim,
        "given": list(given),
        "timeout": timeout,
        "theorems": [dict(each) for each in theorems],
    }
    early, done = _exchange(request, timeout)
    if done is not None:
        return Answer.from_json(done)
    if early is not None:
        return Answer.from_json(early | {"reason": UNTRIED})
    return late_answer(claim, given, timeout)


def find(
    claim: str, given: tuple[str, ...] = (), timeout: float = SECONDS_PER_QUESTION
) -> tuple[WeakestHypothesis, ...]:
    """The weakest hypothesis of a claim, for each form of latency that is left open."""
    request = {"verb": "find", "claim": claim, "given": list(given), "timeout": timeout}
    _, done = _exchange(request, timeout)
    if done is None:
        return (WeakestHypothesis(latency="any", condition="", reason=OUT_OF_TIME),)
    return tuple(WeakestHypothesis(**each) for each in done)


def certify(
    answer: Answer,
    timeout: float = SECONDS_PER_QUESTION,
    theorems: Sequence[Mapping[str, object]] = (),
) -> SmtCertificate:
    """Have an answer written so that any solver can check it."""
    request = {
        "verb": "certify",
        "answer": answer.to_json(),
        "timeout": timeout,
        "theorems": [dict(each) for each in theorems],
    }
    _, done = _exchange(request, timeout)
    if done is None:
        raise OutOfTimeError(OUT_OF_TIME)
    return SmtCertificate.from_json(answer, done)


def judge(claim_id: str, timeout: float) -> Record:
    """Have a claim of the ledger decided; a record that is late, and no verdict, past the limit."""
    try:
        _, done = _exchange({"verb": "judge", "id": claim_id}, timeout)
    except OutOfTimeError:
        done = None
    if done is None:
        return Record(verdict="UNDECIDED", failing=OUT_OF_TIME, seconds=timeout)
    return Record.from_json(done)
