"""From the accesses of threads to the time of a launch, one stage a file.

In order: grid and occupancy, warps, transactions, the cache that they hit or miss, shared memory,
instructions, latencies and timing; then what all of them print.
"""

from collections.abc import Mapping, Sequence

__all__ = ["Rows"]

Rows = Sequence[Mapping[str, object]]
"""Rows that a stage prints, each a mapping of column to value."""
