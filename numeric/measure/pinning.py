"""Keeping a measurement on one core."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["can_pin", "pinned"]


def can_pin() -> bool:
    """True if this system can keep a process on one core."""
    return hasattr(os, "sched_setaffinity")


@contextmanager
def pinned(wanted: bool) -> Iterator[None]:
    """Keep this thread, and what it starts, on the last of the cores that it may use."""
    if not (wanted and can_pin()):
        yield
        return
    before = os.sched_getaffinity(0)
    with suppress(OSError):
        os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)
