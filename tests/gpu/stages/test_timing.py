"""Times of Table 4 of wang2017, from traces made by hand at the paper's trace and work sizes.

The expected numbers are those of a reading of the paper that gives its matrix products to 0.01 ms;
where that reading and the paper's own estimate differ, the test says so.
"""

import math
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from logca.gpu.devices.parameters import device
from logca.gpu.nests.nest import NestTrace
from logca.gpu.stages.cache import Cache, missed
from logca.gpu.stages.grid_occupancy import Occupancy, layout, occupancy
from logca.gpu.stages.timing import (
    Latency,
    Timing,
    class_counts,
    computation_cycles,
    latency,
    timing,
)
from logca.gpu.stages.transactions import memory, patterns
from logca.gpu.stages.warps import warp_trace

pytest.importorskip("numba")

TK1 = device("jetson-tk1")


def predicted(
    trace: NestTrace, work: Sequence[int], executions: Sequence[float], instructions: float
) -> Timing:
    grid = layout(trace.extents[0])
    blocks = min(occupancy(grid, TK1).limits.values())
    warps = warp_trace(trace, [grid], blocks_per_batch=blocks, batches=2)
    cache = Cache(size=TK1.l2_size, line=TK1.l2_line, ways=TK1.l2_ways, index=TK1.l2_index)
    kinds = patterns(warps, line_size=TK1.l2_line)
    found = memory(warps, kinds, missed(cache, kinds))
    counts = class_counts(found, dict(enumerate(executions)))
    return timing(
        latency=latency(found, counts, TK1),
        cycles_computation=computation_cycles(instructions, TK1),
        occupancy=occupancy(layout(tuple(work)), TK1),
        device=TK1,
    )


@pytest.mark.parametrize(("n", "products", "paper"), [(4096, 1, 15518.11), (2048, 3, 5819.73)])
def test_matrix_products(handmade: SimpleNamespace, n: int, products: int, paper: float) -> None:
    result = predicted(handmade.product(128), (n, n), [n, n], 9 * n)
    assert products * result.time * 1e3 == pytest.approx(paper, abs=0.01)


def test_gemm(handmade: SimpleNamespace) -> None:
    result = predicted(handmade.product(128), (1024, 1024), [1024, 1024], 10 * 1024)
    assert result.time * 1e3 == pytest.approx(242.53, abs=0.01)
    assert result.mwp == pytest.approx(54.45, abs=0.005)
    assert result.bound == "memory"


def test_syrk(handmade: SimpleNamespace) -> None:
    result = predicted(handmade.syrk(128), (1024, 1024), [1024, 1024], 10 * 1024)
    assert result.time * 1e3 == pytest.approx(2605.45, abs=0.01)
    assert result.mwp == pytest.approx(5.97, abs=0.005)
    assert result.cwp == 64
    assert result.cwp_full > 64


def test_syr2k(handmade: SimpleNamespace) -> None:
    result = predicted(handmade.syr2k(128), (1024, 1024), [1024] * 4, 16 * 1024)
    assert result.time * 1e3 == pytest.approx(5204.73, abs=0.01)


def test_atax_is_the_reading_not_the_paper(handmade: SimpleNamespace) -> None:
    parts = [
        predicted(trace, (4096,), [4096, 4096], 9 * 4096)
        for trace in (handmade.rows_times_vector(1024), handmade.columns_times_vector(1024))
    ]
    assert sum(part.time for part in parts) * 1e3 == pytest.approx(211.89, abs=0.01)


def test_convolution_is_the_reading_not_the_paper(handmade: SimpleNamespace) -> None:
    result = predicted(handmade.convolution(512), (4094, 4094), [1] * 10, 58)
    assert result.time * 1e3 == pytest.approx(31.12, rel=0.01)


def test_correlation_with_threads_of_unequal_work(handmade: SimpleNamespace) -> None:
    mean = 1024 * 1023 / 2 * 1024 / 1023
    result = predicted(handmade.correlation(128), (1023,), [mean] * 4, 13 * mean)
    assert (result.active_warps, result.batches) == (32, 1)
    assert result.time * 1e3 == pytest.approx(2645.56, rel=0.005)


def made(latency_: float, delay: float, memory_: float, instructions: float) -> Latency:
    return Latency(
        classes=(), instructions=instructions, cycles=memory_, latency=latency_, delay=delay
    )


def on(blocks: int) -> Occupancy:
    return occupancy(layout((blocks * 256,)), TK1)


def test_no_memory_instruction_leaves_computation() -> None:
    none = made(float("nan"), float("nan"), 0.0, 0.0)
    result = timing(latency=none, cycles_computation=100.0, occupancy=on(16), device=TK1)
    assert result.bound == "computation"
    assert result.cycles == 100.0 * 64 * 2


def test_printed_equation_differs_by_one_period() -> None:
    some = made(200.0, 10.0, 2000.0, 10.0)
    both = [
        timing(latency=some, cycles_computation=50.0, occupancy=on(8), device=TK1, printed=printed)
        for printed in (False, True)
    ]
    assert both[1].cycles - both[0].cycles == pytest.approx(50.0 / 10)


def test_shared_memory_adds_to_both_and_barriers_wait() -> None:
    some = made(200.0, 10.0, 2000.0, 10.0)
    plain = timing(latency=some, cycles_computation=50.0, occupancy=on(8), device=TK1)
    result = timing(
        latency=some,
        cycles_computation=50.0,
        occupancy=on(8),
        device=TK1,
        cycles_load_shared=500.0,
        cycles_shared=70.0,
        barriers=3,
    )
    assert result.cycles_memory == plain.cycles_memory + 500
    assert result.cycles_computation == plain.cycles_computation + 70
    assert result.cycles_synchronisation == 10.0 * (20 - 1) * 3 * 8 * 1


def test_one_warp_that_makes_no_access_only_computes() -> None:
    nothing = Latency(classes=(), instructions=0.0, cycles=0.0, latency=math.nan, delay=math.nan)
    result = timing(
        latency=nothing,
        cycles_computation=100.0,
        occupancy=occupancy(layout((16,), (32,)), TK1),
        device=TK1,
    )
    assert result.active_warps == 1
    assert result.cycles == 100
