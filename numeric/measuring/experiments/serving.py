"""What a worker does: it answers questions until its parent is gone; see `workers`."""

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from logca.numeric.measuring.experiment import ExperimentError

__all__ = ["Service", "serve"]


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a worker offers.

    Parameters
    ----------
    report : dict
        What to say first.
    answer : callable
        Answers a question given as its keywords.
    leave : callable
        What to do before the end.
    """

    report: dict[str, Any]
    answer: Callable[..., dict[str, Any]]
    leave: Callable[[], None] = _nothing


def serve(opened: Callable[[], Service]) -> None:
    """Answer each line of standard input with a line, until there are no more.

    Parameters
    ----------
    opened : callable
        Opens the service.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        service = opened()
        questions: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(questions, service.leave), daemon=True).start()
        say(service.report)
        while True:
            say(service.answer(**json.loads(questions.get())))
    except ExperimentError as error:
        say({"error": str(error)})


def _listen(questions: "queue.SimpleQueue[str]", leave: Callable[[], None]) -> None:
    """Pass lines on; without a parent end at once, whatever the main thread computes."""
    try:
        for line in sys.stdin:
            questions.put(line)
        leave()
    finally:
        os._exit(0)
