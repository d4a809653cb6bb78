"""Latency and departure delay of the three classes of access, and their means (wang2017, eqs 1-8).

How many memory instructions of each class a thread executes is counted at the work size; how a warp
instruction of the class behaves is the mean over the batches that were traced.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from logca.gpu.accesses import PATTERNS
from logca.gpu.devices import GpuDevice
from logca.gpu.dram import Behaviour, Memory
from logca.numeric.generated import cgpredict

__all__ = ["ClassLatency", "Latency", "Transactions", "class_counts", "latency", "mean_latency"]

Transactions = Literal["rule", "sectors"]
"""Whether transactions are counted by the rule of section 3.3.3, or by what L2 delivers of the
lines that the real addresses touch [text]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassLatency:
    """What a warp instruction of a class costs.

    Parameters
    ----------
    pattern : str
        The class, one of `PATTERNS` [text].
    instructions : float
        Memory instructions of the class that a thread executes [1].
    transactions, dram : float
        L2 and DRAM transactions of a warp instruction [1].
    missing : float
        Share of its warp instructions that have DRAM transactions [1].
    hit : float
        L2 transactions of each of the others [1].
    latency : float
        Time of its memory access, mem_l of the class [cycles].
    delay : float
        Departure delay of its transactions, dep_del of the class [cycles].
    """

    pattern: str
    instructions: float
    transactions: float
    dram: float
    missing: float
    hit: float
    latency: float
    delay: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """What the memory instructions of a thread cost.

    Parameters
    ----------
    classes : tuple of ClassLatency
        One for each class, in the order of `PATTERNS`.
    instructions : float
        Memory instructions of a thread, no_mem_insts [1].
    cycles : float
        Their time, mem_cycles [cycles].
    latency, delay : float
        Means over all of them, mem_l and departure_delay; NaN if there are none [cycles].
    """

    classes: tuple[ClassLatency, ...]
    instructions: float
    cycles: float
    latency: float
    delay: float

    def rows(self) -> list[dict[str, object]]:
        """What the stage prints: one row for each class that occurs, then the mean."""
        found: list[dict[str, object]] = [
            {
                "pattern": each.pattern,
                "instructions": each.instructions,
                "transactions": each.transactions,
                "DRAM transactions": each.dram,
                "share with DRAM": each.missing,
                "transactions without DRAM": each.hit,
                "latency": each.latency,
                "departure delay": each.delay,
            }
            for each in self.classes
            if each.instructions
        ]
        mean = {"latency": self.latency, "departure delay": self.delay}
        return [*found, {"pattern": "mean", "instructions": self.instructions, **mean}]


def class_counts(found: Memory, executions: Mapping[int, float]) -> dict[str, float]:
    """Memory instructions of each class that a thread executes [1].

    Parameters
    ----------
    found : Memory
        Behaviour of the static accesses.
    executions : mapping of int to float
        How often a thread executes each static access, at the work size [1]. Accesses that were
        not traced are taken to be of the class that most traced ones have.

    Raises
    ------
    ValueError
        If something is executed, but nothing was traced.
    """
    shares = {each.access: each.shares for each in found.accesses}
    weights = {each.pattern: each.executions for each in found.classes}
    if not weights and any(executions.values()):
        raise ValueError("no access was traced, so that nothing is known of their classes")
    most = max(weights, key=lambda pattern: weights[pattern], default=PATTERNS[0])
    other = tuple(float(pattern == most) for pattern in PATTERNS)
    counts = dict.fromkeys(PATTERNS, 0.0)
    for access, times in executions.items():
        for pattern, share in zip(PATTERNS, shares.get(access, other), strict=True):
            counts[pattern] += times * share
    return counts


def latency(
    found: Memory,
    counts: Mapping[str, float],
    device: GpuDevice,
    *,
    transactions: Transactions = "rule",
) -> Latency:
    """Cost of the memory instructions of a thread (eqs 1-8).

    Parameters
    ----------
    found : Memory
        How warp instructions behave.
    counts : mapping of str to float
        Memory instructions of each class that a thread executes, see `class_counts` [1].
    device : GpuDevice
        The device.
    transactions : str
        Which count of L2 transactions goes in. With "rule" the rest is the paper's too: eqs 1 and
        2 are applied to the means of a class, and one departure delay stands for all transactions
        to main memory. Else the latency is the mean of those of its warp instructions, each by its
        own transactions, and the delay of uncoalesced transactions is the device's own [text].
    """
    by_class = {each.pattern: each for each in found.classes}
    return mean_latency(
        tuple(
            _class_latency(pattern, by_class.get(pattern), counts[pattern], device, transactions)
            for pattern in PATTERNS
        )
    )


def mean_latency(classes: tuple[ClassLatency, ...]) -> Latency:
    """Means over the classes (eqs 6-8).

    Parameters
    ----------
    classes : tuple of ClassLatency
        One for each class.
    """
    by_name = {each.pattern: each for each in classes}
    counts = {f"instructions_{name}": each.instructions for name, each in by_name.items()}
    latencies = {f"latency_{name}": each.latency for name, each in by_name.items()}
    delays = {f"delay_{name}": each.delay for name, each in by_name.items()}
    total = float(cgpredict.memory_instructions(**counts))
    cycles = float(cgpredict.memory_cycles(**latencies, **counts))
    none = total == 0
    return Latency(
        classes=classes,
        instructions=total,
        cycles=cycles,
        latency=float("nan")
        if none
        else float(cgpredict.memory_latency(cycles_memory=cycles, instructions_memory=total)),
        delay=float("nan") if none else float(cgpredict.departure_delay(**delays, **counts)),
    )


def _class_latency(
    pattern: str,
    behaviour: Behaviour | None,
    instructions: float,
    device: GpuDevice,
    transactions: Transactions,
) -> ClassLatency:
    if behaviour is None:
        return ClassLatency(
            pattern=pattern,
            instructions=0.0,
            transactions=0.0,
            dram=0.0,
            missing=0.0,
            hit=0.0,
            latency=0.0,
            delay=0.0,
        )
    printed = transactions == "rule"
    number = behaviour.ruled_transactions if printed else behaviour.delivered
    latencies = {"latency_L2": device.latency_L2, "latency_dram": device.latency_dram}
    apart = not printed and pattern == "uncoalesced"
    beyond = device.delay_dram_uncoalesced if apart else device.delay_dram
    delays = {"delay_L2": device.delay_L2, "delay_dram": beyond}
    both = {"transactions": number, "dram_transactions": behaviour.dram}
    if pattern == "constant":
        time = cgpredict.constant_access_latency(dram_transactions=behaviour.dram, **latencies)
        delay = cgpredict.constant_access_delay(**both, **delays)
    else:
        delay = cgpredict.access_delay(**both, **delays)
        time = (
            cgpredict.access_latency(**both, **latencies, **delays)
            if printed
            else cgpredict.access_latency_mean(
                dram_transactions=behaviour.dram,
                share_dram=behaviour.missing,
                transactions_hit=behaviour.hit,
                **latencies,
                **delays,
            )
        )
    return ClassLatency(
        pattern=pattern,
        instructions=instructions,
        transactions=number,
        dram=behaviour.dram,
        missing=behaviour.missing,
        hit=behaviour.hit,
        latency=float(time),
        delay=float(delay),
    )
