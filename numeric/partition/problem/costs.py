"""Costs of each decision, and the parts of a partition's runtime, in whole scaled cycles.

Every cost is a value of a formula of `logca.derive.partition`, times the least whole number that
makes all latencies of the platform whole.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from logca.numeric.generated import partition as formulas
from logca.numeric.partition.memory.caches import Latencies
from logca.numeric.partition.memory.coupling import Coupling, coupling_cost
from logca.numeric.partition.memory.designs import Design
from logca.numeric.partition.problem.blocks import Problem, ProblemError
from logca.numeric.partition.problem.instance_and_objective import (
    Instance,
    InstanceError,
    cost,
    register_cost,
)
from logca.numeric.partition.problem.platform import KEYS, Platform, PlatformError

__all__ = [
    "Costs",
    "Times",
    "costs_of",
    "latencies_of",
    "scale_of",
    "speedups",
    "times_of",
    "with_own_costs",
]

Integers = NDArray[np.int64]

MOST_SCALE = 10**12
"""The finest unit of latencies is a cycle divided by this [1]."""

_MOST = 1 << 61
"""Sums stay below this, so that no whole number of 64 bits overflows [scaled cycles]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Costs:
    """A problem in scaled cycles, without the memory that depends on the partition."""

    instance: Instance  # what is minimised
    # execution_cpu, execution_accelerator: execution time of each block on either core [scaled
    # cycles]
    execution_cpu: Integers
    execution_accelerator: Integers
    # memory time of each block on either core, as far as the levels are given [scaled cycles]
    memory: Integers
    # how many of the instance's pairs are flows of control; those behind are registers [1]
    flows: int


def scale_of(platform: Platform) -> int:
    """The least whole number that makes all latencies of a platform whole [1].

    Examples
    --------
    >>> from logca.numeric.partition.problem.platform import platform
    >>> scale_of(platform("kenter2010"))
    2
    """
    values = [getattr(platform, name) for name in KEYS]
    found = lcm(*(value.denominator for value in values if isinstance(value, Fraction)))
    if found > MOST_SCALE:
        raise PlatformError(
            f"{platform.name}: its latencies are whole numbers only in units of 1/{found} cycles; "
            f"allowed are 1/{MOST_SCALE:,} and coarser: round them"
        )
    return found


def latencies_of(platform: Platform, design: Design, *, penalty: bool) -> Latencies:
    """Latencies of accesses on a platform.

    Examples
    --------
    >>> from logca.numeric.partition.memory.designs import design_named
    >>> from logca.numeric.partition.problem.platform import platform
    >>> latencies_of(platform("kenter2010"), design_named("SMM+"), penalty=True)
    Latencies(l1=6, l2=30, memory=400, write_back=400, penalty=2)
    """
    scale = scale_of(platform)
    write_back = platform.write_back
    if write_back is None:
        write_back = platform.latency_memory if design.shared == 3 else platform.latency_L2
    return Latencies(
        l1=int(platform.latency_L1 * scale),
        l2=int(platform.latency_L2 * scale),
        memory=int(platform.latency_memory * scale),
        write_back=int(write_back * scale),
        penalty=int(platform.penalty * scale) if penalty else 0,
    )


def with_own_costs(instance: Instance, coupling: Coupling | None) -> Instance:
    """The instance with what accesses of each block cost in any case."""
    if coupling is None:
        return instance
    if instance.blocks != coupling.blocks:
        raise InstanceError(
            f"memory costs of {coupling.blocks} blocks, and the instance has {instance.blocks}"
        )
    return replace(
        instance,
        cpu=instance.cpu + coupling.cpu,
        accelerator=instance.accelerator + coupling.accelerator,
    )


def costs_of(problem: Problem, platform: Platform, *, area: int | None = None) -> Costs:
    """Costs of each decision about a problem."""
    capacity = platform.area if area is None else area
    if capacity < 0:
        raise ProblemError(f"area must be at least 0, not {area}")
    scale = scale_of(platform)
    blocks = problem.blocks
    executions = _array([block.executions for block in blocks])
    paid, free = _operations(problem, platform.free_casts)
    levels = _array([block.accesses for block in blocks]).reshape(len(blocks), 3)
    execution = [
        _whole(
            formulas.block_execution_cycles(
                class_operations=operations,
                operation_cycles=_array([int(cycles * scale)]),
                block_executions=executions,
            )
        )
        for operations, cycles in (
            (paid, platform.cpu_cycles),
            (free, platform.accelerator_cycles),
        )
    ]
    none = np.zeros(len(blocks), np.int64)
    memory = _whole(
        formulas.block_memory_cycles(
            accesses_L1=levels[:, 0],
            accesses_L2=levels[:, 1],
            accesses_memory=levels[:, 2],
            accesses_shared=none,
            write_backs=none,
            cache_latency_L1=int(platform.latency_L1 * scale),
            cache_latency_L2=int(platform.latency_L2 * scale),
            memory_access_latency=int(platform.latency_memory * scale),
            shared_penalty=0,
            write_back_penalty=0,
        )
    )
    flow_cost = _whole(
        formulas.flow_transfer_cycles(
            flow_executions=_array([flow.executions for flow in problem.flows]),
            control_latency=int(platform.control * scale),
        )
    )
    push, pull = int(platform.push * scale), int(platform.pull * scale)
    sent = _array([value.sent for value in problem.values])
    consumers = [reader for value in problem.values for reader in value.consumers]
    numbers = [len(value.consumers) for value in problem.values]
    fetched = _array([times for _, times in consumers])
    readers = _array([block for block, _ in consumers])
    writers = _array([value.producer for value in problem.values])
    flow_ends = _array([(flow.source, flow.target) for flow in problem.flows]).reshape(-1, 2)
    first, second, cost = flow_ends[:, 0], flow_ends[:, 1], flow_cost
    if platform.values == "pair":
        each = np.repeat(np.arange(len(numbers)), numbers)
        pairs = _whole(
            formulas.pair_transfer_cycles(
                producer_executions=sent[each],
                consumer_executions=fetched,
                push_latency=push,
                pull_latency=pull,
            )
        )
        first = np.concatenate([first, writers[each]])
        second = np.concatenate([second, readers])
        cost = np.concatenate([cost, pairs])
        writers, sent, readers, fetched, numbers = (*(_array([]) for _ in range(4)), [])
    instance = Instance(
        cpu=execution[0] + memory,
        accelerator=execution[1] + memory,
        area=_array([block.area for block in blocks]),
        capacity=capacity,
        pinned=np.array([bool(block.pinned) for block in blocks], np.bool_),
        pair_first=first,
        pair_second=second,
        pair_cost=cost,
        producer=writers,
        push=_whole(formulas.push_cycles(producer_executions=sent, push_latency=push)),
        consumer_start=np.concatenate([[0], np.cumsum(numbers, dtype=np.int64)]).astype(np.int64),
        consumer=readers,
        pull=_whole(formulas.use_pull_cycles(consumer_executions=fetched, pull_latency=pull)),
        scale=scale,
    )
    return Costs(
        instance=instance,
        execution_cpu=execution[0],
        execution_accelerator=execution[1],
        memory=memory,
        flows=len(problem.flows),
    )


def _operations(problem: Problem, free_casts: str) -> tuple[Integers, Integers]:
    """Operations of each block that are paid for on the CPU, and those on the accelerator."""
    found = []
    for block in problem.blocks:
        every = block.operations + block.integer_casts + block.real_casts
        wires = {"none": 0, "integer": block.integer_casts}.get(
            free_casts, block.integer_casts + block.real_casts
        )
        found.append((every, every - wires))
    both = _array(found).reshape(len(found), 2)
    return both[:, :1], both[:, 1:]


def _array(values: object) -> Integers:
    return np.asarray(values, np.int64)


def _whole(values: object) -> Integers:
    """Costs as whole numbers, none of which can overflow a sum."""
    found = np.atleast_1d(np.asarray(values))
    if found.dtype != np.int64 and found.size:
        raise TypeError(f"costs must be whole numbers, not {found.dtype}")
    if found.size and float(np.abs(found.astype(np.float64)).sum()) > _MOST:
        raise ProblemError(
            "costs add up to more than 2**61 scaled cycles: divide all executions by a number"
        )
    return found.astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Where the runtime of a partition goes (kenter2010, section II-A).

    Examples
    --------
    >>> Times(te=Fraction(7), tm=Fraction(3), tc=Fraction(0), tr=Fraction(1, 2)).total
    Fraction(21, 2)
    """

    te: Fraction  # execution of instructions with only register operands [cycles]
    tm: Fraction  # memory accesses [cycles]
    tc: Fraction  # passing control between the cores [cycles]
    tr: Fraction  # passing register values between them [cycles]

    @property
    def total(self) -> Fraction:
        """All of it, t [cycles]."""
        return self.te + self.tm + self.tc + self.tr


def times_of(costs: Costs, coupling: Coupling | None, mapped: NDArray[np.bool_]) -> Times:
    """The parts of the runtime of a partition."""
    instance = costs.instance
    execution = int(np.where(mapped, costs.execution_accelerator, costs.execution_cpu).sum())
    memory = int(costs.memory.sum())
    if coupling is not None:
        memory += coupling_cost(coupling, mapped)
    apart = mapped[instance.pair_first] != mapped[instance.pair_second]
    control = int(instance.pair_cost[: costs.flows][apart[: costs.flows]].sum())
    pairs = int(instance.pair_cost[costs.flows :][apart[costs.flows :]].sum())
    registers = pairs + register_cost(instance, mapped)
    assert execution + int(costs.memory.sum()) + control + registers == cost(instance, mapped)
    return Times(
        te=Fraction(execution, instance.scale),
        tm=Fraction(memory, instance.scale),
        tc=Fraction(control, instance.scale),
        tr=Fraction(registers, instance.scale),
    )


def speedups(costs: Costs, baseline: Times, found: Times) -> tuple[float, float, float]:
    """Speedup, theoretical speedup, and what share of its gain is achieved [1, 1, 1].

    The theoretical speedup is that of all instructions on the accelerator, without communication,
    area, or another memory time than the CPU's.
    """
    execution = Fraction(int(costs.execution_accelerator.sum()), costs.instance.scale)
    theoretical = float(
        formulas.theoretical_speedup(
            cycles_program_execution_cpu=float(baseline.te),
            cycles_program_execution_accelerator=float(execution),
            cycles_program_memory_cpu=float(baseline.tm),
        )
    )
    speedup = float(
        formulas.partition_speedup(
            cycles_program=float(found.total), cycles_cpu_only=float(baseline.total)
        )
    )
    relative = float(
        formulas.relative_speedup(speedup_partition=speedup, speedup_theoretical=theoretical)
    )
    return speedup, theoretical, relative
