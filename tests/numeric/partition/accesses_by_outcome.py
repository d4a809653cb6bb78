"""Accesses by outcome, each signature read by itself: what costs of memory are compared with."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.jit import compiled
from logca.numeric.partition.memory.caches import Latencies
from logca.numeric.partition.memory.designs import Design, costs
from logca.numeric.partition.memory.levels_and_write_backs import OUTCOMES, automaton
from logca.numeric.partition.memory.signatures import Signatures


def counts(
    signatures: Signatures,
    design: Design,
    mapped: Sequence[bool] | NDArray[np.bool_],
    *,
    resident: bool = False,
) -> NDArray[np.int64]:
    """By core, level and write-back the number of accesses [1]."""
    found = signatures
    machine = automaton((design.cpu, design.accelerator), design.shared, resident)
    result = np.zeros((2, OUTCOMES), np.int64)
    compiled(_count)(
        np.asarray(mapped, np.bool_),
        (found.block, found.start, found.entry_block, found.entry_kind, found.weight),
        (machine.step, machine.end, machine.first),
        result,
    )
    return result.reshape(2, 3, 2)


def memory_time(
    signatures: Signatures,
    design: Design,
    latencies: Latencies,
    mapped: Sequence[bool] | NDArray[np.bool_],
    *,
    resident: bool = False,
) -> int:
    """Time of all accesses together, t_m of kenter2010 [scaled cycles]."""
    found = counts(signatures, design, mapped, resident=resident)
    return int((found.reshape(2, OUTCOMES) * costs(design, latencies)).sum())


def _count(mapped: Any, signatures: Any, machine: Any, result: Any) -> None:
    block, start, entry_block, entry_kind, weight = signatures
    step, end, first = machine
    for signature in range(block.shape[0]):
        home = mapped[block[signature]]
        core = 1 if home else 0
        state = first[core]
        for at in range(start[signature], start[signature + 1]):
            near = 1 if mapped[entry_block[at]] == home else 0
            state = step[core, state, 2 * entry_kind[at] + near]
            if state < OUTCOMES:
                break
        result[core, end[core, state]] += weight[signature]
