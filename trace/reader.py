"""Reads a trace from the ring up to its end, its limit, or until somebody has enough of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.trace.decoding import Chunk, Decoder
from logca.trace.limits import Limits
from logca.trace.ring import Ring

__all__ = ["Reader"]


@dataclass(slots=True, kw_only=True)
class Reader:
    """The reading of one trace.

    Parameters
    ----------
    ring : Ring
        Where the records come from.
    decoder : Decoder
        What makes accesses of them.
    limits : Limits
        How many accesses are read.
    on_chunk : callable or None
        Who gets them; True as its answer ends the trace.
    go_on : bool
        Whether the program is of use after the trace has ended.
    recorded : int
        Accesses read [1].
    full : bool
        Whether the trace has ended before the program.
    consumed_s : float
        Time that `on_chunk` has taken [s].
    """

    ring: Ring
    decoder: Decoder
    limits: Limits
    on_chunk: Callable[[Chunk], bool | None] | None
    go_on: bool
    recorded: int = 0
    full: bool = False
    consumed_s: float = 0.0

    def take(self) -> bool:
        """Take the chunks that are full; whether the program is of no more use."""
        for records in self.ring.taken():
            self.read(records)
        return self.full and not self.go_on

    def finish(self, unfinished: int = 0) -> None:
        """Take what the program left behind, and as many records more that are not valid yet."""
        self.read(self.ring.rest())
        self.read(self.ring.rest(more=True)[:unfinished])

    def read(self, records: NDArray[np.uint64]) -> None:
        """Decode records and pass the accesses on."""
        if self.full or not len(records):
            return
        chunk = self.decoder.decode(records)
        left = self.limits.records - self.recorded
        if len(chunk) > left:
            chunk = chunk.first(left)
            self.full = True
        self.recorded += len(chunk)
        if len(chunk) and self.on_chunk is not None:
            start = time.monotonic()
            self.full |= bool(self.on_chunk(chunk))
            self.consumed_s += time.monotonic() - start
        if self.full:
            self.ring.stop()
