"""More blocks with the same work each never shorten a launch."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca import gpu
from logca.numeric.generated import gpu_bounds

COLD = """
static float a[8192], c[N];
int main(void)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = 0; k < 1024; k++)
            sum += a[8 * k];
        c[i] = sum;
    }
    return 0;
}
"""


def waited(blocks: int, *, shared: float, own: float, missed: float) -> float:
    """Cycles in which a mean warp waits for groups of loads, of blocks that read the same and own
    bytes, on 7 multiprocessors of 2 blocks each."""
    held, spread = 14, {"blocks": blocks, "multiprocessors": 7, "resident_blocks": 2}
    wave = shared + own * min(blocks, held)
    waves = gpu_bounds.waves_of_blocks(**spread)
    share = gpu_bounds.share_of_main_memory(
        **spread,
        waves=waves,
        read_bytes=shared + own * blocks,
        wave_bytes=wave,
        first_bytes=wave,
        missed_sectors=missed,
        fresh_sectors=(shared + own) / 32,
    )
    return float(waves * gpu_bounds.miss_latency(
        latency_L2=250, latency_dram=400, main_memory_share=share
    ))  # fmt: skip


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100), st.integers(1, 90))
def test_blocks_that_share_cold_lines_wait_no_less(
    shared: int, own: int, again: int, blocks: int
) -> None:
    """Whatever they share, whatever they load again from L2, however many there are."""
    of = {"shared": 32.0 * shared, "own": 32.0 * own, "missed": float(shared + own + again)}
    assert waited(blocks + 1, **of) >= waited(blocks, **of) * (1 - 1e-12)
    if blocks <= 14 and shared + own:
        assert waited(blocks, **of) == pytest.approx(waited(1, **of))


def test_a_launch_of_more_blocks_that_read_the_same_takes_no_less(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    pytest.importorskip("llvmlite")
    path = tmp_path / "cold.c"
    path.write_text(COLD)
    times = [
        gpu.predict(path, device="rtx-4090", defines={"N": 256 * blocks}).time_s
        for blocks in (1, 8, 64, 128, 256, 640)
    ]
    for fewer, more in pairwise(times):
        assert more >= fewer * (1 - 1e-6)
