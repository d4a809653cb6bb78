"""What tests of partitions share: helpers, and a naive simulation of both cores' caches."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))  # for `small_problems`


Access = tuple[int, int, int, bool]
"""Block, address [B], size [B], whether it writes."""

PRIVATE: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "SL1": ((), ()),
    "SL2+": ((1,), (1,)),
    "SL2-": ((1,), ()),
    "SMM+": ((1, 2), (1, 2)),
    "SMM-": ((1, 2), ()),
}
SHARED = {"SL1": (1, 2), "SL2+": (2,), "SL2-": (2,), "SMM+": (), "SMM-": ()}


@dataclass
class NaiveCache:
    """By set the lines, the latest first, and which of them are changed."""

    sets: int
    ways: int = 1
    content: dict[int, list[int]] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)

    def has(self, line: int) -> bool:
        return line in self.content.get(line % self.sets, [])

    def drop(self, line: int) -> None:
        if self.has(line):
            self.content[line % self.sets].remove(line)
            self.changed.discard(line)

    def use(self, line: int) -> tuple[int, bool] | None:
        """Make it the latest of its set; what had to leave for it, and whether it was changed."""
        row = self.content.setdefault(line % self.sets, [])
        if line in row:
            row.remove(line)
        row.insert(0, line)
        if len(row) <= self.ways:
            return None
        gone = row.pop()
        was = gone in self.changed
        self.changed.discard(gone)
        return gone, was


class NaiveMachine:
    """Private caches of two cores, and shared ones, by the numbers of their levels."""

    def __init__(
        self, design: str, sizes: Sequence[tuple[int, int]], resident: bool, careful: bool
    ) -> None:
        self.private = [
            {level: NaiveCache(*sizes[level - 1]) for level in levels} for levels in PRIVATE[design]
        ]
        self.shared = {level: NaiveCache(*sizes[level - 1]) for level in SHARED[design]}
        self.resident, self.careful = resident, careful

    def access(self, core: int, line: int, store: bool) -> tuple[int, bool]:
        """The level that serves it, and whether the other core has to write back."""
        mine, others = self.private[core], self.private[1 - core]
        stack = {**mine, **self.shared}
        level = next((each for each in sorted(stack) if stack[each].has(line)), 3)
        elsewhere = any(
            cache.has(line) if self.resident else line in cache.changed for cache in others.values()
        )
        held = elsewhere and level not in mine
        for cache in others.values():
            if store:
                cache.drop(line)
            else:
                cache.changed.discard(line)
        if level in stack:
            stack[level].use(line)
        for each in sorted(stack, reverse=True):
            if each < level:
                left = stack[each].use(line)
                if left is not None:
                    self.leave(core, each, *left)
        if store and stack:
            stack[min(stack)].changed.add(line)
        if self.careful:
            self.check()
        return level, held

    def leave(self, core: int, level: int, line: int, changed: bool) -> None:
        """A line has left a level: it leaves those above, and changes go to the one below."""
        for each in (0, 1) if level in self.shared else (core,):
            for above, cache in {**self.private[each], **self.shared}.items():
                if above < level:
                    cache.drop(line)
        below = {**self.private[core], **self.shared}.get(level + 1)
        if changed and below is not None and below.has(line):
            below.changed.add(line)

    def check(self) -> None:
        """What is near is also further away; what is changed is with one core only."""
        for core in (0, 1):
            stack = {**self.private[core], **self.shared}
            if len(stack) == 2:
                assert all(stack[2].has(line) for row in stack[1].content.values() for line in row)
            for cache in self.private[core].values():
                for line in cache.changed:
                    assert cache.has(line)
                    assert not any(c.has(line) for c in self.private[1 - core].values())


def play(
    trace: Iterable[Access],
    mapped: Sequence[bool],
    design: str,
    sizes: tuple[int, int, int],
    *,
    ways: tuple[int, int] = (1, 1),
    resident: bool = False,
    careful: bool = False,
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How many accesses by core, level and write-back; sizes of line, level 1, level 2 [B]."""
    width = sizes[0]
    shapes = [(size // width // way, way) for size, way in zip(sizes[1:], ways, strict=True)]
    machine = NaiveMachine(design, shapes, resident, careful)
    result = np.zeros((2, 3, 2), np.int64)
    for block, address, size, store in trace:
        for line in range(address // width, (address + size - 1) // width + 1):
            core = int(mapped[block])
            level, held = machine.access(core, line, store)
            result[core, level - 1, int(held)] += 1
    return result


@pytest.fixture(scope="session")
def played() -> Callable[..., np.ndarray[Any, np.dtype[np.int64]]]:
    return play
