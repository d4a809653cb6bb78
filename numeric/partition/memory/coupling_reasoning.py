"""What a solver may ask of a coupling: bounds, which rows a block is in, and which are pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logca.numeric.partition.memory.coupling import Coupling, arrays_of, row_costs
from logca.numeric.partition.memory.geometry import CacheError

__all__ = ["Pairs", "bounds", "occurrences", "pairs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Rows whose cost depends on one other block only.

    Parameters
    ----------
    row : array of int64
        Which rows [1].
    block, other : array of int64
        The block of the row, and the other one [1].
    side : array of bool
        Whether the row counts if `block` is on the accelerator (True), or on the CPU (False).
    together, apart : array of int64
        What the row costs if it counts, with both blocks on the same core, and on different ones
        [scaled cycles].
    """

    row: NDArray[np.int64]
    block: NDArray[np.int64]
    other: NDArray[np.int64]
    side: NDArray[np.bool_]
    together: NDArray[np.int64]
    apart: NDArray[np.int64]


def bounds(
    coupling: Coupling, fixed: Sequence[int] | NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bounds of what each row costs while only some blocks have their place.

    Parameters
    ----------
    coupling : Coupling
        The costs.
    fixed : sequence of int
        For each block 0 on the CPU, 1 on the accelerator, -1 if that is open [1].

    Returns
    -------
    low, high : array of int64
        Bounds for every way to place the others; exact once all have their place [scaled cycles].

    Raises
    ------
    CacheError
        If there are more or fewer of them than blocks, or another number.
    """
    from logca.numeric.partition.memory.coupling_loops import bound_rows

    places = np.ascontiguousarray(fixed, np.int8)
    if places.shape != (coupling.blocks,) or np.any((places < -1) | (places > 1)):
        raise CacheError(
            f"places of shape {places.shape}; allowed are -1, 0 or 1 for each of the "
            f"{coupling.blocks} blocks"
        )
    low, high = np.zeros((2, coupling.rows), np.int64)
    bound_rows(places, *arrays_of(coupling), low, high)
    return np.maximum(low, 0), np.minimum(high, coupling.upper)


def occurrences(coupling: Coupling) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which rows change their cost, or may, if a block changes its core.

    Parameters
    ----------
    coupling : Coupling
        The costs.

    Returns
    -------
    start, row : array of int64
        The rows of block b are ``row[start[b] : start[b + 1]]``, rising [1].
    """
    count = coupling.rows
    rows = np.repeat(np.arange(count), np.diff(coupling.start))
    blocks = np.concatenate([coupling.block, coupling.entry_block]).astype(np.int64)
    keys = np.unique(blocks * max(count, 1) + np.concatenate([np.arange(count), rows]))
    found, row = np.divmod(keys, max(count, 1))
    start = np.searchsorted(found, np.arange(coupling.blocks + 1))
    return start.astype(np.int64), row.astype(np.int64)


def pairs(coupling: Coupling) -> Pairs:
    """The rows that depend on one other block only, and what they cost.

    Parameters
    ----------
    coupling : Coupling
        The costs.
    """
    from logca.numeric.partition.memory.coupling_loops import lone_rows

    rows = np.repeat(np.arange(coupling.rows), np.diff(coupling.start))
    foreign = coupling.entry_block != coupling.block[rows]
    keys = np.unique(rows[foreign] * coupling.blocks + coupling.entry_block[foreign])
    row, other = np.divmod(keys, coupling.blocks)
    single = np.bincount(row, minlength=coupling.rows)[row] == 1
    row, other = row[single], other[single]
    on_cpu, on_accelerator = (
        row_costs(coupling, np.full(coupling.blocks, side)) for side in (False, True)
    )
    side = coupling.side[row]
    apart = np.zeros(coupling.rows, np.int64)
    lone_rows(*arrays_of(coupling), apart)
    return Pairs(
        row=row,
        block=coupling.block[row].astype(np.int64),
        other=other,
        side=side,
        together=np.where(side, on_accelerator[row], on_cpu[row]),
        apart=apart[row],
    )
