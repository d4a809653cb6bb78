"""Which lines of a cache an access touches: bytes become blocks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.errors import TraceError

__all__ = ["lines_of"]


def unsigned(values: Any, name: str) -> NDArray[np.uint64]:
    """Whole numbers >= 0 as a contiguous array of 64 bits each, copied only if need be.

    Examples
    --------
    >>> unsigned([1, 2], "addresses")
    array([1, 2], dtype=uint64)
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise TraceError(
            f"{name} have {array.ndim} dimensions; allowed is 1: pass them in program order, "
            "as in x.ravel()"
        )
    if array.size == 0:
        return np.empty(0, dtype=np.uint64)
    if array.dtype.kind not in "ui":
        raise TraceError(
            f"{name} are of type {array.dtype}; allowed are whole numbers: convert them, "
            "as in x.astype('uint64')"
        )
    if array.dtype.kind == "i" and (least := int(array.min())) < 0:
        raise TraceError(
            f"{name}: {least} is negative; allowed are numbers from 0 to 2**64 - 1: "
            "view signed addresses as what they are, as in x.view('uint64')"
        )
    same = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64, copy=False)
    return np.ascontiguousarray(same).view(np.uint64)


def bits_of_line(line: int) -> int:
    """The number of address bits inside a line of this size [1].

    Examples
    --------
    >>> bits_of_line(64)
    6
    """
    if isinstance(line, bool) or not isinstance(line, int) or line < 1 or line & (line - 1):
        raise TraceError(
            f"line = {line!r} B; allowed are powers of two: take the line size of the cache, say 64"
        )
    return line.bit_length() - 1


def lines_of(
    addresses: Any, sizes: Any, line: int = 64
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The lines that accesses touch, in order, those that straddle lines with every one of them.

    Examples
    --------
    >>> lines, accesses = lines_of([0, 60, 128], [8, 8, 4], line=64)
    >>> lines.tolist(), accesses.tolist()
    ([0, 0, 1, 2], [0, 1, 1, 2])
    """
    start = unsigned(addresses, "addresses")
    length = unsigned(np.broadcast_to(np.asarray(sizes), start.shape), "sizes")
    bits = np.uint64(bits_of_line(line))
    nothing = length == 0
    end = start + length - np.uint64(1)
    if np.any((end < start) & ~nothing):
        at = int(np.flatnonzero((end < start) & ~nothing)[0])
        raise TraceError(
            f"access {at}: {length[at]} B from address {start[at]} on end behind 2**64 - 1; "
            "allowed is what the address space holds: look at how the addresses were computed"
        )
    first = start >> bits
    counts = ((end >> bits) - first + np.uint64(1)).astype(np.int64)
    counts[nothing] = 0
    if counts.size and counts.min() == counts.max() == 1:
        return first, np.arange(first.size)
    accesses = np.repeat(np.arange(first.size), counts)
    steps = np.arange(accesses.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return first[accesses] + steps.astype(np.uint64), accesses
