"""CGPredict's equations, typed here from the paper, in exact fractions: what its claims rest on."""

from fractions import Fraction

import pytest

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.engine.judge import judge

L2, DRAM, DELAY_L2, DELAY_DRAM, SHARED, LOAD = 164, 332, 2, 10, 67, 506
CLOCK = 852_000_000


def latency(l2: Fraction | int, dram: Fraction | int) -> Fraction:
    """Eqs 1 and 2."""
    return Fraction(L2 + (l2 - 1) * DELAY_L2 if dram <= 1 else L2 + DRAM + (dram - 1) * DELAY_DRAM)


def delay(l2: int, dram: int) -> int:
    """Eq. 3."""
    return max(l2 * DELAY_L2, dram * DELAY_DRAM)


def memory_bound(mem: Fraction, comp: Fraction, n: int, mwp: Fraction, warps: int) -> Fraction:
    """hong2009, Eq. 23, of one batch."""
    return mem * warps / mwp + comp / n * (mwp - 1)


def computation_bound(mean: Fraction, comp: Fraction, warps: int) -> Fraction:
    """hong2009, Eq. 24, of one batch."""
    return mean + comp * warps


def test_one_miss_does_not_show_and_a_load_to_shared_memory_is_two() -> None:
    assert latency(2, 0) == latency(2, 1) == 166
    assert latency(2, 2) == LOAD


def test_a_mean_of_accesses_is_not_the_access_of_the_mean() -> None:
    assert (latency(32, 0) + latency(32, 2)) / 2 - latency(32, 1) == Fraction(
        DRAM + DELAY_DRAM - 31 * DELAY_L2, 2
    )


def test_the_time_drops_where_memory_begins_to_bind() -> None:
    warps, n, comp, mwp = 64, 100, Fraction(700), Fraction(8)
    mem = comp * (mwp - 1)
    drop = computation_bound(mem / n, comp, warps) - memory_bound(mem, comp, n, mwp, warps)
    assert drop == comp * warps / mwp
    assert memory_bound(mem, comp, n, mwp, warps) < comp * warps


def mwp_of(uncoalesced: int, misses: Fraction) -> Fraction:
    constant = 2048 - uncoalesced
    latencies = uncoalesced * latency(32, 0) + constant * (L2 + misses * DRAM)
    return latencies / (uncoalesced * delay(32, 0) + constant * (DELAY_L2 + misses * DELAY_DRAM))


def test_half_of_the_instructions_give_the_parallelism_that_is_printed() -> None:
    assert round(float(mwp_of(1024, Fraction(148, 10_000))), 2) == 5.97
    assert max(mwp_of(2014, Fraction(k, 100)) for k in range(101)) < Fraction(37, 10)


def test_gesummv_cannot_take_as_long_as_estimated() -> None:
    delays = 4096 * (2 * delay(32, 32) + 2 * (DELAY_L2 + DELAY_DRAM) + 4 * delay(2, 2))
    milliseconds = Fraction(2 * 64 * delays * 1000, CLOCK)
    assert 457 < milliseconds < Fraction(4579, 10)
    assert milliseconds < Fraction("769.69") * Fraction(6, 10)


def test_tiled_gemm_as_estimated_and_by_the_equations() -> None:
    accesses, loads, batches = 2 * 1024 * SHARED, 64 * LOAD, 512
    by_equations = Fraction(accesses * 64 * batches * 1000, CLOCK)
    overlapped = Fraction((accesses + loads) * batches * 1000, CLOCK)
    assert 5277 < by_equations < 5278
    left = (Fraction("105.75") - overlapped) / 1000 * CLOCK / batches
    assert 12 < left / Fraction(1, 2) / 1024 < 13  # instructions for each of the products


@pytest.mark.parametrize("name", ["wang2017-eq16-computation", "wang2017-eq16-eq17-crossing"])
def test_counterexamples_hold_outside_the_package(name: str) -> None:
    found = judge(next(claim for claim in all_claims() if claim.id == name)).counterexample
    assert found is not None
    at = {key: Fraction(value) for key, value in found.items() if key != "latency"}
    mem, comp, mwp = (at[key] for key in ("cycles_memory", "cycles_computation", "mwp"))
    n, warps = int(at["instructions_memory"]), int(at["active_warps"])
    assert n == at["instructions_memory"] >= 1
    assert 1 <= mwp <= 1 + mem / comp <= warps == 64
    time = memory_bound(mem, comp, n, mwp, warps)
    if name.endswith("computation"):
        assert time < comp * warps
    else:
        assert mwp == 1 + mem / comp
        assert time != computation_bound(mem / n, comp, warps)
