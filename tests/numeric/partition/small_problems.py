"""Small problems, and what partitions of them take, computed from the paper's text alone."""

from fractions import Fraction
from itertools import product

import numpy as np

from logca.numeric.partition.problem.blocks import Block, Flow, Problem, Value
from logca.numeric.partition.problem.platform import Platform


def problem(seed: int, blocks: int = 6, name: str = "small") -> Problem:
    """A loop over blocks in a row, with values from each to some that follow."""
    rng = np.random.default_rng(seed)
    runs = [int(n) for n in rng.integers(1, 40, blocks)]
    runs[0], runs[1] = 1, max(runs[1], 2)
    return Problem(
        name=name,
        blocks=tuple(
            Block(
                name=f"b{k}",
                executions=runs[k],
                operations=int(rng.integers(1, 30)),
                integer_casts=int(rng.integers(0, 4)),
                area=int(rng.integers(1, 30)),
                pinned="first" if k == 0 else "",
            )
            for k in range(blocks)
        ),
        flows=tuple(
            Flow(source=k, target=k + 1, executions=min(runs[k], runs[k + 1]))
            for k in range(blocks - 1)
        ),
        values=tuple(
            Value(
                name=f"v{k}",
                producer=k,
                sent=runs[k],
                consumers=tuple(
                    (to, runs[to])
                    for to in sorted({int(n) for n in rng.integers(k + 1, blocks, 2)})
                ),
            )
            for k in range(blocks - 1)
        ),
    )


def lines(given: Problem, machine: Platform) -> list[tuple[Fraction, Fraction]]:
    """Fixed time and communication of every partition that fits (kenter2010, section II-A)."""
    found = []
    for mapped in product((False, True), repeat=len(given.blocks)):
        chosen = list(zip(given.blocks, mapped, strict=True))
        if any(on and block.pinned for block, on in chosen):
            continue
        if sum(block.area for block, on in chosen if on) > machine.area:
            continue
        fixed = sum(
            (
                block.executions * block.operations * machine.accelerator_cycles
                if on
                else block.executions
                * (block.operations + block.integer_casts)
                * machine.cpu_cycles
                for block, on in chosen
            ),
            Fraction(0),
        )
        control = sum(f.executions for f in given.flows if mapped[f.source] != mapped[f.target])
        registers = Fraction(0)
        for value in given.values:
            pulls = sum(
                times for to, times in value.consumers if mapped[to] != mapped[value.producer]
            )
            registers += min(value.sent * machine.push, pulls * machine.pull)
        found.append((fixed, control * machine.control + registers))
    return found
