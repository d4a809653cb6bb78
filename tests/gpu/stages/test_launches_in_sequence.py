"""Warps whose threads diverge, against kernels of the same warp instructions."""

from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from grid_places import place
from hypothesis import given
from hypothesis import strategies as st

from logca import gpu
from logca.gpu.devices.parameters import device
from logca.gpu.prediction.result import KernelPrediction
from logca.gpu.stages.blocks_and_occupancy import layout, occupancy, shape_of
from logca.gpu.stages.instructions import Instructions
from logca.gpu.stages.launches_in_sequence import Launch, timed
from logca.gpu.stages.models import MODELS

predict = partial(gpu.predict, device="jetson-tk1")

pytest.importorskip("numba")

TK1 = device("jetson-tk1")
ROW = 1024


@given(st.lists(st.integers(1, 13), min_size=1, max_size=4), st.data())
def test_warps_with_a_thread_are_counted(extents: list[int], data: st.DataObject) -> None:
    block = tuple(data.draw(st.integers(1, 9)) for _ in range(min(len(extents), 3)))
    grid = layout(tuple(extents), block)
    warp_size = data.draw(st.sampled_from([1, 2, 4, 8]))
    blocks, threads = place(grid, np.array(list(np.ndindex(*extents))))
    used = [set(threads[blocks == number] // warp_size) for number in range(grid.blocks)]
    fullest = sorted(map(len, used), reverse=True)
    for number in {1, grid.blocks, data.draw(st.integers(1, grid.blocks))}:
        assert grid.busy_warps(number, warp_size) == sum(fullest[:number])


def test_idle_warps_take_room_but_are_not_active() -> None:
    few = occupancy(layout((32,), (1024,)), TK1)
    assert (few.active_blocks, few.active_warps, min(few.limits.values())) == (1, 1, 2)
    edge = occupancy(layout((300,)), TK1)
    assert (edge.active_blocks, edge.active_warps, edge.batches) == (2, 10, 1.0)
    narrow = occupancy(layout((1024, 8)), TK1)
    assert (narrow.active_blocks, narrow.active_warps) == (2, 64)
    low = occupancy(layout((4, 1024)), TK1)
    assert (low.active_blocks, low.active_warps, low.warps_share) == (2, 8, 8 / 64)


def time_of(handmade: SimpleNamespace, threads: int, block: int, model: str) -> float:
    """Each thread goes through a row of A, forth and back."""
    trace = handmade.rectangular(
        (threads,),
        [("A", False, lambda i, k: i * ROW + k), ("A", False, lambda i, k: i * ROW + ROW - 1 - k)],
        inner=16,
    )
    executed = Instructions(
        threads=threads, memory={0: 16.0, 1: 16.0}, shared={}, computation={"fma": 16.0}
    )
    shape = shape_of((threads,), TK1, block=(block,))
    grid = shape.grid((threads,))
    launch = Launch(
        shape=shape,
        grid=grid,
        traced=grid,
        occupancy=shape.occupancy(grid),
        trace=trace,
        executed=executed,
        tiled=None,
        times=1.0,
    )
    return timed(launch, MODELS[model]).time


@pytest.mark.parametrize("model", ["paper", "baseline", "logca"])
@pytest.mark.parametrize("threads", [1, 32, 33, 257])
def test_idle_warps_cost_nothing(handmade: SimpleNamespace, model: str, threads: int) -> None:
    times = {time_of(handmade, threads, block, model) for block in (32, 64, 96, 256, 1024)}
    assert max(times) == pytest.approx(min(times), rel=1e-12)


@pytest.mark.parametrize("model", ["paper", "logca"])
def test_more_full_warps_take_longer(handmade: SimpleNamespace, model: str) -> None:
    """Of warps that are not full that need not hold: they lower the mean latency (eqs 1 to 8)."""
    times = [time_of(handmade, threads, 256, model) for threads in (32, 64, 96, 160, 256, 288)]
    assert all(more >= fewer for fewer, more in pairwise(times))
    assert times[-1] > times[0]


for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

SOURCE = """
enum { THREADS = 4096, ROWS = 64 };
static float a[ROWS][THREADS], c[THREADS];
int main(void) {
#pragma logca offload
    for (int i = 0; i < THREADS; i++) {
        float sum = 0;
        %s
            sum += a[k][i];
        c[i] = sum;
    }
    return 0;
}
"""
LOOPS = {
    "all": "for (int k = 0; k < 64; k++)",
    "halves": "if (i & 1) for (int k = 0; k < 64; k++)",
    "whole warps": "if (i & 32) for (int k = 0; k < 64; k++)",
    "one lane": "for (int k = 0; k < (i % 32 == 5 ? 64 : 0); k++)",
    "triangle": "for (int k = 0; k <= 2 * (i % 32) + 1; k++)",
}


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], KernelPrediction]:
    folder, found = tmp_path_factory.mktemp("divergence"), {}
    for name, loop in LOOPS.items():
        source = folder / f"{name.replace(' ', '_')}.c"
        source.write_text(SOURCE % loop, encoding="utf-8")
        for model in ("paper", "logca"):
            found[name, model] = predict(source, model=model).kernels[0]
    return found


def loads(kernel: KernelPrediction) -> float:
    """Memory instructions of a warp, less the store at the end [1]."""
    (mean,) = (row for row in kernel.stages["latency"] if row["pattern"] == "mean")
    number = mean["instructions"]
    assert isinstance(number, float)
    return number - 1


@pytest.mark.parametrize(
    ("name", "of_warp", "of_thread"),
    [
        ("all", 64, 64),
        ("halves", 64, 32),
        ("whole warps", 32, 32),
        ("one lane", 64, 2),
        ("triangle", 64, 33),
    ],
)
def test_a_warp_executes_what_any_of_its_threads_does(
    kernels: dict[tuple[str, str], KernelPrediction], name: str, of_warp: int, of_thread: int
) -> None:
    kernel = kernels[name, "logca"]
    assert loads(kernel) == pytest.approx(of_warp)
    (load,) = (each for each in kernel.accesses if not each.store)
    assert load.executions == pytest.approx(of_thread)


def test_lanes_that_wait_take_as_long_as_lanes_that_work(
    kernels: dict[tuple[str, str], KernelPrediction],
) -> None:
    everything = kernels["all", "logca"].time_s
    assert kernels["halves", "logca"].time_s == pytest.approx(everything, rel=0.05)
    assert kernels["whole warps", "logca"].time_s < 0.7 * everything
    assert kernels["halves", "paper"].time_s < 0.7 * kernels["all", "paper"].time_s


BUSY = """
enum { THREADS = 4096 };
static float a[THREADS], c[THREADS], rows[THREADS][64];
int main(void) {
#pragma logca offload
    for (int i = 0; i < THREADS; i++) {
        float sum = a[i];
        for (int k = 0; k < 1000; k++)
            sum = sum * 1.5f + 2;
        %s
        c[i] = sum;
    }
    return 0;
}
"""
RARE = "if (i % 32 == 0) for (int k = 0; k < 64; k++) sum += rows[i][k];"


def test_what_all_threads_compute_does_not_grow_with_what_few_load(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    source = tmp_path_factory.mktemp("busy") / "busy.c"
    found = []
    for rare in ("", RARE):
        source.write_text(BUSY % rare, encoding="utf-8")
        kernel = predict(source, model="logca").kernels[0]
        rows = [row for row in kernel.stages["instructions"] if row["kind"] == "compute"]
        found.append(sum(float(str(row["per warp"])) for row in rows))
    assert found[0] >= 3000
    loop = 64 * 5  # the sum, product and sum of the address, the step and the jump
    assert found[0] < found[1] < found[0] + loop + 10
