"""Sectors of arrays that grow with the work, against draws at random from the longer ones."""

import numpy as np
import pytest

from logca.gpu.bounds.sampled_sectors import sampled_sectors


@pytest.mark.parametrize("growth", [2, 16, 500])
@pytest.mark.parametrize("per_sector", [2, 8])
def test_a_sample_that_reached_all_of_a_short_array_leaves_most_of_a_long_one_out(
    growth: int, per_sector: int
) -> None:
    draw = np.random.default_rng(growth)
    accesses, sectors, blocks = 1 << 12, (1 << 12) // per_sector, 16
    block = np.repeat(np.arange(blocks), accesses // blocks)
    found = sampled_sectors(draw.integers(0, sectors, accesses), block, growth=float(growth))
    longer = draw.integers(0, growth * sectors, growth * accesses)
    for times in (1, growth):
        reached = 32 * len(np.unique(longer[: times * accesses]))
        assert found.of(times) == pytest.approx(reached, rel=0.05)
        assert found.of(times) <= 32 * times * accesses


@pytest.mark.parametrize("growth", [4, 64, 4096])
def test_a_block_that_reaches_most_of_a_short_array_reaches_little_of_a_long_one(
    growth: int,
) -> None:
    draw = np.random.default_rng(growth)
    threads, blocks, sectors = 256, 4, 128
    block = np.repeat(np.arange(blocks), threads)
    found = sampled_sectors(draw.integers(0, sectors, len(block)), block, growth=float(growth))
    longer = draw.integers(0, growth * sectors, growth * len(block))
    reached = 32 * len(np.unique(longer))
    assert not found.shared
    assert found.of(growth) == pytest.approx(reached, rel=0.1)


def test_what_a_block_reads_whole_however_long_it_is_stays_shared() -> None:
    sector, block = np.tile(np.arange(64), 8), np.repeat(np.arange(8), 64)
    found = sampled_sectors(sector, block, growth=16.0, more=16.0)
    assert found.shared
    assert found.of(100) == 32 * 64
