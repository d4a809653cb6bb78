"""What direct-mapped caches get wrong: against pycachesim, and a naive simulation of two cores."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from logca.numeric.partition.answer.associativity import associativity_error
from logca.numeric.partition.answer.partition import partition
from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.platform import changed, platform
from logca.numeric.partition.program.tracing import Traced, traced
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import run

for library in ("numba", "llvmlite", "ziglang", "ortools"):
    pytest.importorskip(library)

SMALL = changed(platform("kenter2010"), {"size_L1": 1024, "size_L2": 16384, "dirty": "dirty"})
LATENCY = {1: 3, 2: 15, 3: 200}
PROGRAM = """
static int a[256], b[256], c[256];
int main(int argc, char **argv) {
    int s = 0;
    for (int j = 0; j < 4 * argc; j++) {
        for (int i = 0; i < 256; i++)
            c[i] = a[i] * 3 + b[i] + j;
        for (int i = 0; i < 256; i += 3)
            s += c[i];
    }
    return s == 1;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    source = tmp_path_factory.mktemp("associativity") / "rows.c"
    source.write_text(PROGRAM, encoding="utf-8")
    return traced(source, SMALL)


@pytest.fixture(scope="module")
def accesses(program: Traced) -> list[tuple[int, int, int, bool]]:
    """All accesses of the program: piece, address, size, and whether it writes."""
    every = program.compiled.program.accesses
    found: list[tuple[int, int, int, bool]] = []

    def take(chunk: Chunk) -> None:
        for which, address, size in zip(chunk.access, chunk.address, chunk.size, strict=True):
            access = every[which]
            piece = program.pieces.at(access.block, access.index)
            found.append((piece, int(address), int(size), access.store))

    run(program.compiled, on_chunk=take, counts=False)
    return found


@pytest.mark.parametrize("ways", [(1, 1), (2, 4), (16, 16)])
@pytest.mark.parametrize("design", ["SL1", "SL2+", "SL2-", "SMM+", "SMM-"])
def test_both_times_are_those_of_a_naive_simulation(
    program: Traced,
    accesses: list[tuple[int, int, int, bool]],
    played: Callable[..., Any],
    design: str,
    ways: tuple[int, int],
) -> None:
    found = partition(program, platform=SMALL, design=design, method="clusters", penalty=True)
    result = associativity_error(program, found, ways=ways)
    sizes = (SMALL.line, SMALL.size_L1, SMALL.size_L2)
    shared = {"SL1": 1, "SL2+": 2, "SL2-": 2}.get(design, 3)
    write_back = LATENCY[max(shared, 2)]
    nothing = [False] * len(found.mapped)
    for mapped, penalty, short in (
        (found.mapped.tolist(), 1, result.partition),
        (nothing, 0, result.cpu_alone),
    ):
        for each, time in ((ways, short.simulated), ((1, 1), short.direct_mapped)):
            by_level = played(accesses, mapped, design, sizes, ways=each).sum(axis=0)
            cycles = sum(
                int(by_level[level - 1].sum()) * (LATENCY[level] + penalty * (level == shared < 3))
                + int(by_level[level - 1, 1]) * write_back
                for level in (1, 2, 3)
            )
            assert time == cycles * found.case.instance.scale
    time, base, scale = found.time, found.case.baseline, found.case.instance.scale
    simulated = result.cpu_alone.simulated / scale, result.partition.simulated / scale
    expected = (base.te + base.tc + base.tr + simulated[0]) / (
        time.te + time.tc + time.tr + simulated[1]
    )
    assert result.speedup == pytest.approx(float(expected), rel=1e-12)
    assert result.direct_mapped_speedup == found.speedup
    if ways == (1, 1):
        assert result.error == result.cpu_alone.error == 0
        assert result.speedup == pytest.approx(found.speedup, rel=1e-12)


@pytest.mark.parametrize("ways", [(2, 2), (4, 8), (16, 256)])
def test_the_cpu_alone_has_the_hits_of_pycachesim(
    program: Traced, accesses: list[tuple[int, int, int, bool]], ways: tuple[int, int]
) -> None:
    """Nothing leaves level 2, which pycachesim does not keep inclusive; it counts hits of loads."""
    cachesim = pytest.importorskip(
        "cachesim", reason="pycachesim comes as source and needs a C compiler to install"
    )
    lines = [size // SMALL.line for size in (SMALL.size_L1, SMALL.size_L2)]
    memory = cachesim.MainMemory()
    second = cachesim.Cache("L2", lines[1] // ways[1], ways[1], SMALL.line, "LRU")
    first = cachesim.Cache(
        "L1", lines[0] // ways[0], ways[0], SMALL.line, "LRU", load_from=second, store_to=second
    )
    memory.load_to(second)
    memory.store_from(second)
    both = cachesim.CacheSimulator(first, memory)
    for _, address, size, _ in accesses:
        both.load(address, length=size)
    served = [first.HIT_count, second.HIT_count, second.MISS_count]
    cycles = sum(count * LATENCY[level] for level, count in enumerate(served, 1))
    found = partition(program, platform=SMALL, method="greedy")
    result = associativity_error(program, found, ways=ways)
    assert result.cpu_alone.simulated == cycles * found.case.instance.scale


def test_conflicts_of_direct_mapped_caches_are_the_error(program: Traced) -> None:
    found = partition(program, platform=SMALL, method="greedy")
    told: list[tuple[str, int]] = []
    result = associativity_error(
        program, found, ways=(16, 256), tell=lambda step, done: told.append((step, done))
    )
    assert result.cpu_alone.direct_mapped > result.cpu_alone.simulated
    assert told[0] == ("simulating", 0)
    assert told[-1] == ("simulating", program.signatures.accesses)


def test_what_cannot_be_compared_is_refused(program: Traced) -> None:
    found = partition(program, platform=SMALL, method="greedy")
    with pytest.raises(CacheError, match="give the arguments and the input"):
        associativity_error(program, found, args=["more"])
    with pytest.raises(CacheError, match="l1 with 3 ways; allowed are powers of two"):
        associativity_error(program, found, ways=(3, 4))
    with pytest.raises(CacheError, match="l2 with 512 ways"):
        associativity_error(program, found, ways=(1, 512))
    other = replace(program, problem=replace(program.problem, name="other"))
    with pytest.raises(ProblemError, match="one of rows, not of this traced other"):
        associativity_error(other, found)
    untraced = partition(program.problem, platform=SMALL, method="greedy")
    with pytest.raises(ProblemError, match="not of this traced"):
        associativity_error(program, untraced)


def test_the_caches_are_those_of_the_partition(program: Traced) -> None:
    assert np.array_equal(program.geometry.sets, (16, 256))
