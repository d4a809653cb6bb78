"""Random instances with random traces, and what all their partitions cost."""

from dataclasses import dataclass

import numpy as np
from accesses_by_outcome import memory_time
from every_partition import areas, costs, instances, partitions
from hypothesis import strategies as st
from numpy.typing import NDArray

from logca.numeric.partition.memory.caches import Geometry, Latencies
from logca.numeric.partition.memory.coupling import Coupling, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS, Design
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.signatures import Signatures
from logca.numeric.partition.problem.instance_and_objective import Instance

SMALL = Geometry(line=4, l1=16, l2=64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coupled:
    """A problem with memory, and the accesses behind it."""

    instance: Instance
    signatures: Signatures
    design: Design
    latencies: Latencies
    coupling: Coupling


def random_coupling(
    instance: Instance,
    *,
    seed: int,
    accesses: int,
    design: Design = DESIGNS["SL2+"],
    weight: int = 1,
) -> Coupled:
    """An instance with a random trace; addresses near each other come after one another."""
    random = np.random.default_rng(seed)
    # few sets and lines, so that blocks meet; some blocks work on data of their own
    home = random.integers(0, 3, instance.blocks)
    block = random.integers(0, instance.blocks, accesses)
    block = np.where(random.random(accesses) < 0.5, np.sort(block), block)
    address = home[block] * 16 + random.integers(0, 24, accesses) * 4
    recorder = Recorder(instance.blocks, SMALL)
    recorder.push(block, address, np.full(accesses, 4), random.random(accesses) < 0.3)
    signatures = recorder.signatures()
    times = random.integers(0, (3, 10, 40, 20, 2)) * weight
    latencies = Latencies(
        l1=int(times[0]),
        l2=int(times[0] + times[1]),
        memory=int(times[0] + times[1] + times[2]),
        write_back=int(times[3]),
        penalty=int(times[4]),
    )
    return Coupled(
        instance=instance,
        signatures=signatures,
        design=design,
        latencies=latencies,
        coupling=coupling_of(signatures, design, latencies),
    )


@st.composite
def coupled(draw: st.DrawFn, most: int = 7, design: Design | None = None) -> Coupled:
    """An instance of a few blocks with a random trace."""
    return random_coupling(
        draw(instances(most=most)),
        seed=draw(st.integers(0, 10**9)),
        accesses=draw(st.integers(0, 80)),
        design=design or DESIGNS[draw(st.sampled_from(sorted(DESIGNS)))],
    )


def every_cost(case: Coupled, every: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What each partition costs, its memory time from the histogram of accesses."""
    memory = [memory_time(case.signatures, case.design, case.latencies, mapped) for mapped in every]
    found: NDArray[np.int64] = costs(case.instance, every) + np.array(memory, np.int64)
    return found


def least_coupled(case: Coupled) -> int:
    """What the cheapest partition that fits costs."""
    every = partitions(case.instance)
    every = every[areas(case.instance, every) <= case.instance.capacity]
    return int(every_cost(case, every).min())
