"""Work of a search for partitions, counted so that a busy machine finds the same one later."""

import time
from dataclasses import dataclass

__all__ = ["Work", "work_of"]

FUSE, FUSE_S = 10.0, 60.0
"""Factor on the time of an idle core after which the clock ends a search [1], and time besides for
what is not counted: machine code that is made at the first call [s]."""

# what an idle core of 2020 does in a second, measured on the programs of benchmarks/partition
NODES_AND_ARCS = 4e6  # of networks that are cut
ENTRIES = 3.5e7  # of the tables of linear programs, each visited once in an iteration
NODES_OF_PROGRAMS = 2e6  # of networks that HiGHS bounds, for each node of its tree
SECONDS_PER_CALL = 1e-3  # of Python, for each of these


@dataclass(slots=True, kw_only=True)
class Work:
    """Work that is left, and a fuse by the clock."""

    left_s: float  # in seconds of an idle core
    until: float  # when the fuse blows, by the monotonic clock [s]
    out_of_time: bool = False  # whether it has, so that another run may find more

    def cut(self, size: int) -> None:
        """Count a minimum cut of a network with so many nodes and arcs [1]."""
        self.left_s -= SECONDS_PER_CALL + size / NODES_AND_ARCS

    def simplex(self, iterations: int, size: int) -> None:
        """Count iterations on a linear program with so many rows and columns [1]."""
        self.left_s -= SECONDS_PER_CALL + (iterations + 100) * size / ENTRIES

    def tree_nodes(self, size: int) -> int:
        """Nodes of a tree of integer programs of this size that what is left is enough for [1]."""
        return max(1, int(self.left_s * NODES_OF_PROGRAMS / max(1, size)))

    def over(self) -> bool:
        """True if nothing is left, or the fuse has blown."""
        if self.left_s <= 0:
            return True
        self.out_of_time |= time.monotonic() > self.until
        return self.out_of_time

    def seconds_to_fuse(self) -> float:
        """Time until the fuse blows [s]."""
        return max(1e-3, self.until - time.monotonic())


def work_of(seconds: float) -> Work:
    """The work of an idle core in so many seconds."""
    return Work(left_s=seconds, until=time.monotonic() + FUSE_S + FUSE * seconds)
