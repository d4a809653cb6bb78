"""Whether launches reach memory in the same way: by the differences of their addresses.

A launch that does what another one does, but a row further on, has other addresses with the same
differences. So of every static access the first address of a launch is taken from all of its
addresses, and what remains is added up with the iterations as one number, which differs where
launches do.
"""

import numpy as np
from numpy.typing import NDArray

from logca.trace.compiling import compiled

__all__ = ["Fingerprints"]


class Fingerprints:
    """A number for each of some launches, from their accesses chunk by chunk.

    Parameters
    ----------
    accesses : int
        Static accesses of the program [1].
    launches : sequence of int
        The launches, ascending [1].
    """

    def __init__(self, accesses: int, launches: list[int]) -> None:
        self._launches = np.array(launches, np.int32)
        self._first = np.zeros((len(launches), accesses), np.uint64)
        self._begun = np.zeros((len(launches), accesses), np.bool_)
        self._sums = np.zeros(len(launches), np.uint64)

    def add(
        self,
        access: NDArray[np.uint32],
        address: NDArray[np.uint64],
        launch: NDArray[np.int32],
        iterations: NDArray[np.int32],
    ) -> None:
        """Take in the next accesses, in program order, all of them of these launches."""
        compiled(_add)(
            access,
            address,
            np.searchsorted(self._launches, launch),
            np.ascontiguousarray(iterations),
            self._first,
            self._begun,
            self._sums,
        )

    def of(self, launch: int) -> int | None:
        """The number of a launch so far; None if it is not one of these [1]."""
        place = int(np.searchsorted(self._launches, launch))
        known = place < len(self._launches) and self._launches[place] == launch
        return int(self._sums[place]) if known else None


def _add(
    access: NDArray[np.uint32],
    address: NDArray[np.uint64],
    place: NDArray[np.int64],
    iterations: NDArray[np.int32],
    first: NDArray[np.uint64],
    begun: NDArray[np.bool_],
    sums: NDArray[np.uint64],
) -> None:
    """Add up mixed numbers; the multipliers are those of the generator SplitMix64."""
    for i in range(access.shape[0]):
        launch, site = place[i], access[i]
        if not begun[launch, site]:
            begun[launch, site] = True
            first[launch, site] = address[i]
        number = address[i] - first[launch, site] + np.uint64(site)
        for level in range(iterations.shape[1] + 1):
            number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            if level < iterations.shape[1]:
                number += np.uint64(iterations[i, level] + 1)
        sums[launch] += number
