"""How fast the cache analysis is: ratios against pycachesim, measured in the same run.

Both simulate the same single-level LRU cache, reference by reference, on the same addresses and on
one core; misses are compared before times are. Each gets what it takes, made beforehand: ours the
numbers of blocks, the rival by its fastest interface addresses as a list of Python numbers
(iterating over an array takes it twice as long), or, where lines follow each other, one call for
the whole range. Times are the least of several runs,
rival and ours in turn. Ours is measured again as compiled for older processors.

pycachesim comes as source: installing it takes a C compiler.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cachesim
import numpy as np

from benchmarks.measuring import least_times, machine
from logca.gpu.stages.cache import Cache, simulate
from logca.trace.profiling.reuse_distances import LruStack

REFERENCES = 4_000_000
RUNS = 5
HERE = Path(__file__).parent
CACHES = (Cache(size=128 * 1024, line=64, ways=16), Cache(size=32 * 1024, line=64, ways=8))
OLDER = {"AVX2 only": "haswell", "SSE2 only": "x86-64"}
FIRST_USE = "from logca.gpu.stages.cache import Cache, simulate; simulate(Cache(), [0])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """References to measure with."""

    name: str  # what they are
    addresses: Any  # where they go to [B]
    wanted: float  # the ratio of rates that is wanted [1]


def streams(cache: Cache) -> list[Stream]:
    """Random, sequential and conflicting references for a cache."""
    rng = np.random.default_rng(0)
    number = np.arange(REFERENCES)
    one_set = cache.sets * cache.line
    apart = number % 3 * (1 << 24) + number // 3 * 4
    given = [
        ("random over half the cache", rng.integers(0, cache.size // 2, REFERENCES), 2),
        ("random over 2 times the cache", rng.integers(0, 2 * cache.size, REFERENCES), 2),
        ("random over 16 times the cache", rng.integers(0, 16 * cache.size, REFERENCES), 2),
        ("sequential, 4 B apart", number * 4, 1),
        ("sequential, 8 B apart", number * 8, 1),
        ("sequential, line by line", number * cache.line, 1),
        ("three arrays in turn, same sets", apart, 1),
        ("a column: all in one set, no hits", number % (1 << 15) * one_set, 1),
        ("round A blocks of one set, all hits", number % cache.associativity * one_set, 1),
        ("GEMM, 126 x 126 of float", gemm(126)[:REFERENCES], 1),
    ]
    return [
        Stream(name=name, addresses=addresses.astype(np.uint64), wanted=wanted)
        for name, addresses, wanted in given
    ]


def gemm(n: int) -> Any:
    """Addresses of the loads of ``C[i][j] += A[i][k] * B[k][j]`` [B]."""
    i, j, k = np.meshgrid(*[np.arange(n)] * 3, indexing="ij")
    return np.stack([(i * n + k) * 4, (1 << 24) + (k * n + j) * 4], axis=-1).ravel()


def blocks_of(cache: Cache, addresses: Any) -> Any:
    """The blocks that addresses are in, which is what stages hand to the simulation."""
    return addresses >> np.uint64(cache.line.bit_length() - 1)


def rival(cache: Cache) -> Any:
    """The same cache in pycachesim, empty."""
    memory = cachesim.MainMemory()
    level = cachesim.Cache("L2", cache.sets, cache.associativity, cache.line, "LRU")
    memory.load_to(level)
    memory.store_from(level)
    return level


def compared(cache: Cache, stream: Stream, older: list[float]) -> str:
    """One line of the table: rates of both [M/s] and their ratio [1]."""
    addresses = stream.addresses
    blocks, numbers = blocks_of(cache, addresses), addresses.tolist()

    def theirs() -> Any:
        level = rival(cache)
        level.iterload(numbers)
        return level

    def range_of_theirs() -> Any:
        level = rival(cache)
        level.load(0, length=addresses.size * cache.line)
        return level

    assert theirs().HIT_count == simulate(cache, blocks).sum()
    tasks = [lambda: simulate(cache, blocks), theirs]
    if "line by line" in stream.name:
        assert range_of_theirs().MISS_count == addresses.size
        tasks.append(range_of_theirs)
    own, *other = least_times(*tasks, runs=RUNS)
    mine, them = (addresses.size / t / 1e6 for t in (own, min(other)))
    reached = "" if mine / them >= stream.wanted else " **missed**"
    cells = [f"{mine:.0f}", f"{them:.0f}", f"{mine / them:.1f}{reached}", f"{stream.wanted:.0f}"]
    cells += [f"{rate:.0f}" for rate in older]
    return f"| {stream.name} | " + " | ".join(cells) + " |"


def own_rates(cache: Cache) -> list[float]:
    """Rate of ours on every stream [M/s]."""
    rates = []
    for stream in streams(cache):
        blocks = blocks_of(cache, stream.addresses)
        (least,) = least_times(lambda blocks=blocks: simulate(cache, blocks), runs=RUNS)
        rates.append(stream.addresses.size / least / 1e6)
    return rates


def rates_on(processor: str) -> list[list[float]]:
    """Rates of ours [M/s] for each cache, as compiled for another processor."""
    environment = os.environ | {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-m", "benchmarks.cache.measure", "--rates"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    rates: list[list[float]] = json.loads(done.stdout)
    return rates


def first_uses() -> tuple[float, float]:
    """Time from the start of Python to the first hits, without and with code on disk [s]."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        times = []
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", FIRST_USE], env=environment, check=True)
            times.append(time.perf_counter() - start)
    return times[0], times[1]


def reuse_table() -> list[str]:
    """Rates of reuse distances [M/s]."""
    lines = ["", "| reuse distances of | distinct blocks | M/s |", "|---|---:|---:|"]
    rng = np.random.default_rng(1)
    number = np.arange(REFERENCES)
    given = {
        "sequential, 8 B apart": number * 8,
        "three arrays in turn, 4 B apart": number % 3 * (1 << 24) + number // 3 * 4,
        "GEMM, 126 x 126 of float": gemm(126),
        "random over 1,000 blocks": rng.integers(0, 1_000, REFERENCES) * 64,
        "random over 100,000 blocks": rng.integers(0, 100_000, REFERENCES) * 64,
        "round 500,000 blocks": number % 500_000 * 64,
    }
    for name, addresses in given.items():
        blocks = addresses.astype(np.uint64) >> np.uint64(6)
        distinct = len(np.unique(blocks))
        (least,) = least_times(lambda b=blocks: LruStack().push(b), runs=RUNS)
        lines.append(f"| {name} | {distinct:,} | {blocks.size / least / 1e6:.0f} |")
    return lines


def table() -> str:
    """The results as Markdown."""
    x86 = platform.machine() in {"x86_64", "AMD64"}
    older = {title: rates_on(name) for title, name in OLDER.items()} if x86 else {}
    without, with_code = first_uses()
    lines = [
        "# Cache analysis",
        "",
        f"Measured by `make bench-cache` on {machine()}; one core used.",
        "Rates are in millions of references per second. The rival is pycachesim with the same",
        "cache and its fastest interface; each row has the same addresses, and the same hits were",
        "found. The wanted ratio is that of the first two columns.",
        "",
        f"First use, from the start of Python on: {without:.1f} s, {with_code:.1f} s once the "
        "machine code is on disk.",
    ]
    for place, cache in enumerate(CACHES):
        titles = ["ours", "pycachesim", "ratio", "wanted"]
        titles += [f"ours, {title}" for title in older]
        size = f"{cache.size // 1024} KiB, {cache.line} B lines, {cache.ways} ways"
        lines += ["", f"| {size} | " + " | ".join(titles) + " |"]
        lines += ["|---" + "|---:" * len(titles) + "|"]
        for row, stream in enumerate(streams(cache)):
            lines.append(compared(cache, stream, [rates[place][row] for rates in older.values()]))
            print(lines[-1], flush=True)
    return "\n".join([*lines, *reuse_table()]) + "\n"


def main() -> None:
    """Measure, print, and say by the exit code whether all wanted ratios were reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write table.md")
    parser.add_argument("--rates", action="store_true", help="print our rates only, as JSON")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if options.rates:
        print(json.dumps([own_rates(cache) for cache in CACHES]))
        return
    text = table()
    print(text)
    if options.write:
        (HERE / "table.md").write_text(text, encoding="utf-8")
    raise SystemExit("missed" in text)


if __name__ == "__main__":
    main()
