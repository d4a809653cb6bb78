"""Traces to measure with: real programs, and a made-up one with a thousand blocks."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import logca.examples.partition
import logca.examples.polybench
from logca.trace.compile.driver import compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import run

__all__ = ["Trace", "made_up", "of_program", "programs"]

MOST = 8_000_000
POLYBENCH = ("gemm", "corr", "deriche")
PARTITION = ("aes", "md5", "jpeg", "fft", "sor", "whetstone", "toolbox")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Accesses in program order."""

    name: str  # of the program
    blocks: int  # how many it has [1]
    # blocks [1], addresses [B] and sizes [B], and which accesses are stores
    columns: tuple[Any, Any, Any, Any]

    def __len__(self) -> int:
        """Accesses [1]."""
        return len(self.columns[0])


def programs() -> list[Path]:
    """Sources of real programs."""
    (polybench,), (partition,) = (
        folder.__path__ for folder in (logca.examples.polybench, logca.examples.partition)
    )
    found = [Path(polybench, f"{name}.c") for name in POLYBENCH]
    return found + [Path(partition, f"{name}.c") for name in PARTITION]


def of_program(source: Path) -> Trace:
    """The first accesses of a program, blocks not split at calls."""
    compiled = compile_program(source)
    accesses = compiled.program.accesses
    block = np.array([each.block for each in accesses])
    store = np.array([each.store for each in accesses])
    parts: list[tuple[Any, Any, Any, Any]] = []
    total = 0

    def keep(chunk: Chunk) -> bool:
        nonlocal total
        chosen = chunk.access
        parts.append((block[chosen], chunk.address.copy(), chunk.size.copy(), store[chosen]))
        total += len(chunk)
        return total >= MOST

    run(compiled, on_chunk=keep, counts=False)
    block, address, size, store = (np.concatenate(each)[:MOST] for each in zip(*parts, strict=True))
    return Trace(
        name=source.stem,
        blocks=len(compiled.program.blocks),
        columns=(block, address, size, store),
    )


def made_up(*, functions: int = 120, accesses: int = 1_900_000, regular: bool = True) -> Trace:
    """A program of about a thousand blocks: loops over arrays, local variables, shared objects."""
    rng = np.random.default_rng(0)
    blocks = np.concatenate([[0], np.cumsum(rng.integers(4, 14, functions))])
    code = []
    for first, last in pairwise(blocks):
        block = np.repeat(np.arange(first, last), rng.integers(1, 4, last - first))
        kind = rng.integers(0, 3, len(block))
        offset = rng.integers(0, 512, len(block)) * 32
        array = rng.integers(0, 64, len(block)) << 14
        stride = rng.choice([0, 4, 8, 8, 64], len(block))
        code.append((block, kind, offset, array, stride, rng.random(len(block)) < 0.3))
    often = 1 / np.arange(1, functions + 1)
    parts, total = [], 0
    while total < accesses:
        function = int(rng.choice(functions, p=often / often.sum()))
        block, kind, offset, array, stride, store = code[function]
        trips = int(rng.geometric(0.04))
        step = np.arange(trips)[:, None]
        place = array + (int(rng.integers(0, 8)) << 10) + step * stride
        if not regular:
            place = place + rng.integers(0, 64, place.shape) * 64
            offset = rng.integers(0, 4096, place.shape) * 32
        local = (1 << 30) - function % 6 * 256 + offset % 256
        shape = (trips, len(block))
        address = np.select([kind == 0, kind == 1], [local, place], (1 << 24) + offset)
        parts.append([np.broadcast_to(each, shape).ravel() for each in (block, address, store)])
        total += trips * len(block)
    block, address, store = (np.concatenate(each) for each in zip(*parts, strict=True))
    name = "made up, regular" if regular else "made up, anywhere"
    size = np.full(len(block), 8)
    return Trace(name=name, blocks=int(blocks[-1]), columns=(block, address, size, store))
