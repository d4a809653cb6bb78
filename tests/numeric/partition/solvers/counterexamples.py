"""What does not hold of partitions: the smallest examples that a search found, and their tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress, count

import numpy as np

from logca.numeric.partition.problem.instance_and_objective import Instance


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Blocks that save so much, one pair, and the latencies and areas to look at."""

    saves: tuple[int, ...]
    areas: tuple[int, ...]
    pair: tuple[int, int, int] | None
    latencies: tuple[int, ...]
    capacities: tuple[int, ...]

    def instance(self, latency: int, capacity: int) -> Instance:
        """Everything on the CPU costs what all blocks save: on the accelerator they are free."""
        first, second, cost = self.pair or (0, 0, 0)
        none, blocks = np.zeros(0, np.int64), len(self.saves)
        return Instance(
            cpu=np.array(self.saves),
            accelerator=np.zeros(blocks, np.int64),
            area=np.array(self.areas),
            capacity=capacity,
            pinned=np.zeros(blocks, np.bool_),
            pair_first=np.array([first]),
            pair_second=np.array([second]),
            pair_cost=np.array([cost * latency]),
            producer=none,
            push=none,
            consumer_start=np.zeros(1, np.int64),
            consumer=none,
            pull=none,
        )


GREEDY_IN_AREA = Example(
    saves=(2, 3, 4), areas=(1, 1, 3), pair=(0, 1, 2), latencies=(1,), capacities=(1, 2, 3, 4, 5)
)
GREEDY_IN_LATENCY = Example(
    saves=(2, 5), areas=(1, 3), pair=(0, 1, 1), latencies=(0, 1, 2, 3), capacities=(3,)
)
NESTED = Example(saves=(1, 2), areas=(1, 2), pair=None, latencies=(0,), capacities=(1, 2, 3))


def named(mapped: Iterable[bool]) -> str:
    """The blocks of a partition: A, B, ..."""
    return ", ".join(compress(map(chr, count(ord("A"))), mapped)) or "none"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---:"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, each)) + " |" for each in lines)
