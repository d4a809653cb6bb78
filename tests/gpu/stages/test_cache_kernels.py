"""The cache on the accesses of compiled kernels, against an independent simulator."""

from pathlib import Path

import numpy as np
import pytest

from logca.common.limits import Limits
from logca.gpu.stages.cache import Cache, simulate
from logca.trace.compile.driver import compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import run

FOLDER = Path(__file__).parents[3] / "examples" / "polybench"
KERNELS = sorted(path.stem for path in FOLDER.glob("*.c"))
RECORDS = 60_000
SETS, WAYS, LINE = 16, 4, 64  # small, so that small programs have misses of all kinds

cachesim = pytest.importorskip(
    "cachesim", reason="pycachesim comes as source and needs a C compiler to install"
)


@pytest.mark.parametrize("kernel", KERNELS)
def test_hits_are_those_of_pycachesim(kernel: str) -> None:
    pieces: list[Chunk] = []
    compiled = compile_program(FOLDER / f"{kernel}.c", defines={"N": 32}, inline=True)
    loops = tuple(loop.id for loop in compiled.program.loops if loop.offload)
    run(compiled, nests=loops, limits=Limits(records=RECORDS), on_chunk=pieces.append)
    address = np.concatenate([piece.address for piece in pieces])
    address = address - address.min() // (SETS * LINE) * (SETS * LINE)  # pycachesim has 32 bits
    memory = cachesim.MainMemory()
    level = cachesim.Cache("L2", SETS, WAYS, LINE, "LRU")
    memory.load_to(level)
    memory.store_from(level)
    expected = np.empty(address.size, np.int64)
    for at, each in enumerate(address.tolist()):
        level.load(each)
        expected[at] = level.HIT_count
    found = simulate(Cache(size=SETS * WAYS * LINE, line=LINE, ways=WAYS), address // LINE)
    assert np.array_equal(np.cumsum(found), expected)
    assert 0 < found.sum() < found.size
