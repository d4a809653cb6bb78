"""Random programs to partition: structured ones, and knapsacks that are hard.

A program is a tree of sequences, branches, loops and calls, so that its control-flow graph is
reducible; counts follow from the tree, so that they are conserved at every block. Costs are as in
kenter2010, Table I: 1 cycle for an instruction on the CPU and 0.5 on the accelerator, 2 cycles for
control to cross, 1 to push a value and 3 to pull it.
"""

from dataclasses import dataclass, field

import numpy as np

from logca.numeric.partition.problem.instance_and_objective import Instance

__all__ = ["KNAPSACKS", "Program", "knapsack", "program", "program_with_loops"]

SCALE = 10
CONTROL, PUSH, PULL = 2, 1, 3
MOST = 10**8
TRIPS = (1, 2, 2, 3, 3, 4, 4, 4, 5, 8, 8, 10, 16, 16, 32, 64, 100, 256, 1000)
KNAPSACKS = ("uncorrelated", "weak", "strong", "inverse", "subset sum")


@dataclass
class Program:
    """A program as it grows.

    Parameters
    ----------
    random : numpy.random.Generator
        Where chance comes from.
    """

    random: np.random.Generator
    counts: list[int] = field(default_factory=list)
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    loops: list[tuple[int, ...]] = field(default_factory=list)
    calls: list[tuple[int, int, int]] = field(default_factory=list)

    def block(self, count: int) -> int:
        """Another block that is executed so often; its number [1]."""
        self.counts.append(count)
        return len(self.counts) - 1

    def edge(self, first: int, second: int, count: int) -> None:
        """Control flows from one block to another so often."""
        if count:
            self.edges.append((first, second, count))

    def part(self, size: int, count: int, depth: int) -> tuple[int, int]:
        """A piece of about so many blocks: its first and its last one [1]."""
        first = last = self.block(count)
        left = size - 1
        while left > 0:
            take = min(left, 1 + int(self.random.geometric(1 / (4 + 12 / (1 + depth)))))
            start, end = self._piece(take, count, depth)
            self.edge(last, start, count)
            last, left = end, left - take
        return first, last

    def _piece(self, size: int, count: int, depth: int) -> tuple[int, int]:
        kind = self.random.random()
        if size >= 3 and depth < 5 and kind < 0.45:
            return self._loop(size, count, depth)
        if size >= 4 and kind < 0.8:
            return self._branch(size, count, depth)
        if size >= 2 and kind < 0.95:
            before, after = self.block(count), self.block(count)
            self.calls.append((before, after, count))
            return before, after
        block = self.block(count)
        return block, block

    def _loop(self, size: int, count: int, depth: int) -> tuple[int, int]:
        trips = int(self.random.choice([t for t in TRIPS if t * count <= MOST] or [1]))
        header = self.block(count * (trips + 1))
        first, last = self.part(size - 2, count * trips, depth + 1)
        self.loops.append(tuple(range(header, len(self.counts))))
        after = self.block(count)
        self.edge(header, first, count * trips)
        self.edge(last, header, count * trips)
        self.edge(header, after, count)
        return header, after

    def _branch(self, size: int, count: int, depth: int) -> tuple[int, int]:
        taken = int(count * self.random.choice([0.0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0]))
        half = 1 + int(self.random.integers(0, size - 2))
        test = self.block(count)
        one = self.part(half, taken, depth)
        other = self.part(max(1, size - 2 - half), count - taken, depth)
        join = self.block(count)
        for (first, last), times in ((one, taken), (other, count - taken)):
            self.edge(test, first, times)
            self.edge(last, join, times)
        return test, join


def program_with_loops(
    blocks: int, *, seed: int, share: float | None = None
) -> tuple[Instance, list[tuple[int, ...]]]:
    """A random structured program of about so many blocks, and the blocks of its loops."""
    random = np.random.default_rng(seed)
    grown = Program(random)
    functions = max(1, blocks // 150)
    calls_to: list[list[tuple[int, int, int]]] = [[] for _ in range(functions)]
    for number in range(functions):
        count = sum(times for _, _, times in calls_to[number]) if number else 1
        first, last = grown.part(
            max(2, (blocks - len(grown.counts)) // (functions - number)), count, 0
        )
        for before, after, times in calls_to[number]:
            grown.edge(before, first, times)
            grown.edge(last, after, times)
        for before, after, times in grown.calls:
            callee = number + 1 + int(random.integers(0, max(1, functions - number - 1)))
            total = sum(other for _, _, other in calls_to[callee]) if callee < functions else MOST
            if callee < functions and total + times <= MOST:
                calls_to[callee].append((before, after, times))
            else:
                grown.edge(before, after, times)
        grown.calls.clear()
    return _instance(grown, share), grown.loops


def program(blocks: int, *, seed: int, share: float | None = None) -> Instance:
    """A random structured program of about so many blocks; see `program_with_loops`."""
    return program_with_loops(blocks, seed=seed, share=share)[0]


def _instance(grown: Program, share: float | None) -> Instance:
    random = grown.random
    counts = np.array(grown.counts, np.int64)
    blocks = len(counts)
    area = random.geometric(1 / 7, blocks).astype(np.int64)
    memory = random.binomial(area, 0.25)
    slow = np.rint(counts * (area - memory) * SCALE).astype(np.int64)
    factor = random.choice([0.5, 0.5, 0.5, 0.3, 0.8, 1.2], blocks)
    fast = np.rint(slow * factor).astype(np.int64)
    reading = counts * memory * 3 * SCALE
    edges = np.array(grown.edges, np.int64).reshape(-1, 3)
    values = random.poisson(1.2, blocks)
    producer, start, consumer = [], [0], []
    for block in np.flatnonzero(values):
        for _ in range(values[block]):
            users = block + random.geometric(0.25, 1 + random.geometric(0.6)) - 2
            users = np.unique(users[(users >= 0) & (users < blocks) & (users != block)])
            if len(users):
                producer.append(block)
                consumer += users.tolist()
                start.append(len(consumer))
    return Instance(
        cpu=slow + reading,
        accelerator=fast + reading,
        area=area,
        capacity=128 if share is None else int(share * area.sum()),
        pinned=random.random(blocks) < 0.03,
        pair_first=edges[:, 0].copy(),
        pair_second=edges[:, 1].copy(),
        pair_cost=edges[:, 2] * CONTROL * SCALE,
        producer=np.array(producer, np.int64),
        push=counts[np.array(producer, np.int64)] * PUSH * SCALE,
        consumer_start=np.array(start, np.int64),
        consumer=np.array(consumer, np.int64),
        pull=counts[np.array(consumer, np.int64)] * PULL * SCALE,
        scale=SCALE,
    )


def knapsack(
    blocks: int,
    *,
    seed: int,
    share: float = 0.5,
    coupled: float = 0.0,
    kind: str = "strong",
    largest: int = 100,
) -> Instance:
    """A knapsack as in Pisinger 2005, Computers & Operations Research 32, section 3."""
    random = np.random.default_rng(seed)
    drawn, tenth = random.integers(1, largest + 1, blocks), largest // 10
    area = drawn + tenth if kind == "inverse" else drawn
    saving = {
        "uncorrelated": lambda: random.integers(1, largest + 1, blocks),
        "weak": lambda: np.maximum(1, drawn + random.integers(-tenth, tenth + 1, blocks)),
        "strong": lambda: drawn + tenth,
        "inverse": lambda: drawn,
        "subset sum": lambda: drawn,
    }[kind]()
    saving = saving * SCALE
    pairs = int(coupled * blocks)
    first, second = random.integers(0, blocks, (2, pairs))
    none = np.zeros(0, np.int64)
    return Instance(
        cpu=2 * saving,
        accelerator=saving.copy(),
        area=area,
        capacity=int(share * area.sum()),
        pinned=np.zeros(blocks, np.bool_),
        pair_first=first,
        pair_second=second,
        pair_cost=random.integers(0, 1 + 6 * SCALE * largest // 100, pairs),
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
        scale=SCALE,
    )
