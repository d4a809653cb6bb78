"""Processes of a pool that begin anew, without running the caller's script again."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import current_thread, main_thread
from typing import ClassVar

__all__ = ["spawned", "spawning"]


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes that are begun here ignore interrupts until they say otherwise.

    One that is only loading would tell of an interrupt at length.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Process(SpawnProcess):
    """A process that knows nothing of `__main__`.

    Python would run that again in it, and a script that makes the pool would make another one. What
    is sent to ours is found by its module.
    """

    def start(self) -> None:
        main = sys.modules["__main__"]
        path, spec = vars(main).pop("__file__", None), main.__spec__
        main.__spec__ = None
        try:
            with _ignoring_interrupts():
                super().start()
        finally:
            main.__spec__ = spec
            if path is not None:
                main.__file__ = path


class _Context(SpawnContext):
    Process: ClassVar[type[_Process]] = _Process


def spawning() -> SpawnContext:
    """The context for a pool of such processes."""
    return _Context()


def spawned() -> list[SpawnProcess]:
    """The processes of such pools that live; the caller's own children are not among them."""
    return [child for child in active_children() if isinstance(child, _Process)]
