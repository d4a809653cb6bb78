"""Set-associative caches against a naive simulation, and the histogram on real programs."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from accesses_by_outcome import counts

import logca.examples.partition
from logca.numeric.partition.memory.caches import Geometry, Latencies
from logca.numeric.partition.memory.coupling import coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.memory.simulation import Shortcut, Simulation
from logca.trace.compile.driver import compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import run

Access = tuple[int, int, int, bool]
Play = Callable[..., Any]
Arrays = tuple[Any, Any, Any, Any]

SIZES = (16, 64, 512)
WAYS = ((1, 1), (1, 2), (2, 1), (2, 4), (4, 32))
KENTER = Latencies(l1=3, l2=15, memory=200, write_back=15)
PROGRAMS = ("aes", "fft", "jpeg", "md5", "sor", "whetstone")
CACHES = (Geometry(), Geometry(line=32, l1=1 << 10, l2=8 << 10))
NAIVE = 4_000


def columns(trace: list[Access]) -> Arrays:
    block, address, size, store = ([each[place] for each in trace] for place in range(4))
    return (
        np.array(block, np.int64),
        np.array(address, np.uint64),
        np.array(size, np.uint32),
        np.array(store, np.bool_),
    )


def simulated(
    trace: Arrays, mapped: Any, name: str, geometry: Geometry, **options: Any
) -> Simulation:
    simulation = Simulation(len(mapped), geometry, DESIGNS[name], mapped, **options)
    middle = len(trace[0]) // 3
    simulation.push(*(each[:middle] for each in trace))
    simulation.push(*(each[middle:] for each in trace))
    return simulation


@pytest.mark.parametrize("ways", WAYS)
def test_sets_of_several_lines_are_those_of_the_naive_simulation(
    played: Play, ways: tuple[int, int]
) -> None:
    rng, blocks = random.Random(3), 5
    geometry = Geometry(line=SIZES[0], l1=SIZES[1], l2=SIZES[2])
    for _ in range(40):
        span = rng.choice((128, 1024, 2048))
        trace = [
            (rng.randrange(blocks), rng.randrange(span), rng.choice((1, 20)), rng.random() < 0.4)
            for _ in range(rng.randint(0, 120))
        ]
        mapped = [rng.random() < 0.5 for _ in range(blocks)]
        for name in DESIGNS:
            for resident in (False, True):
                found = simulated(
                    columns(trace), mapped, name, geometry, ways=ways, resident=resident
                )
                expected = played(trace, mapped, name, SIZES, ways=ways, resident=resident)
                assert found.counts.tolist() == expected.tolist()


def test_the_error_of_the_shortcut_is_that_of_conflicts() -> None:
    # two lines of the same set in turn: each drives the other out, unless there are two places
    trace = [(0, place * 4096, 4, False) for place in (0, 1) * 100]
    geometry = Geometry(line=64, l1=4096, l2=8192)
    recorder = Recorder(1, geometry)
    recorder.push(*columns(trace))
    found = simulated(columns(trace), [False], "SL2+", geometry, ways=(2, 2))
    coupling = coupling_of(recorder.signatures(), DESIGNS["SL2+"], KENTER)
    mapped_directly = coupling_cost(coupling, [False])
    short = Shortcut(simulated=found.time(KENTER), direct_mapped=mapped_directly)
    assert short.simulated == 2 * 200 + 198 * 3
    assert short.direct_mapped == 2 * 200 + 198 * 15
    assert short.error == pytest.approx(198 * 12 / (400 + 198 * 3))
    direct = simulated(columns(trace), [False], "SL2+", geometry, ways=(1, 1))
    assert direct.time(KENTER) == mapped_directly


@pytest.fixture(scope="module", params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> tuple[int, Arrays]:
    """Blocks of a program, and its trace."""
    (home,) = logca.examples.partition.__path__
    compiled = compile_program(Path(home, f"{request.param}.c"))
    accesses = compiled.program.accesses
    block = np.array([each.block for each in accesses])
    store = np.array([each.store for each in accesses])
    parts: list[Arrays] = []

    def keep(chunk: Chunk) -> None:
        chosen = chunk.access
        parts.append((block[chosen], chunk.address.copy(), chunk.size.copy(), store[chosen]))

    assert run(compiled, on_chunk=keep, counts=False).ending == "exit"
    blocks, addresses, sizes, stores = (np.concatenate(each) for each in zip(*parts, strict=True))
    return len(compiled.program.blocks), (blocks, addresses, sizes, stores)


def test_one_pass_is_the_simulation_on_a_real_program(
    program: tuple[int, Arrays], played: Play
) -> None:
    blocks, trace = program
    rng = np.random.default_rng(4)
    some = list(zip(*(each[:NAIVE].tolist() for each in trace), strict=True))
    for geometry in CACHES:
        whole, short = Recorder(blocks, geometry), Recorder(blocks, geometry)
        whole.push(*trace)
        short.push(*(each[:NAIVE] for each in trace))
        found, begun = whole.signatures(), short.signatures()
        for name, design in DESIGNS.items():
            mapped = rng.random(blocks) < 0.5
            expected = simulated(trace, mapped, name, geometry, ways=(1, 1)).counts
            assert counts(found, design, mapped).tolist() == expected.tolist()
            naive = played(some, mapped, name, (geometry.line, geometry.l1, geometry.l2))
            assert counts(begun, design, mapped).tolist() == naive.tolist()
