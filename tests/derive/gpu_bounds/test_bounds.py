"""The model of bounds against itself written down a second time, in 50 digits, and in arrays."""

import math
import random
from collections.abc import Callable

import array_api_strict as strict
import mpmath
import numpy as np
import pytest
from mpmath import mpf

from logca.derive.core.catalogue import GPU_BOUNDS, formula
from logca.numeric.generate.groups import GROUPS
from logca.numeric.generated import gpu_bounds

Values = dict[str, mpf]
DIGITS = 50
POINTS = 6
TIMES = (
    *("time_main_memory", "time_l2", "time_l2_slices", "time_stores"),
    *("time_l1", "time_issue", "time_pipes", "time_latency"),
)


def units(v: Values) -> list[mpf]:
    l2 = max(v["time_l2"], v["time_l2_slices"], v["time_stores"])
    arithmetic = max(v["time_issue"], v["time_pipes"])
    return [v["time_main_memory"], l2, v["time_l1"], arithmetic, v["time_latency"]]


def norm(v: Values, p: mpf) -> mpf:
    return v["launch_overhead"] + sum(each**p for each in units(v)) ** (1 / p)


def threads(v: Values, count: mpf, lanes: str) -> mpf:
    """Time in which the lanes of a multiprocessor take the instructions of all its warps [s]."""
    return count * v["busiest_blocks"] * v["warp_threads"] / v[lanes] / v["frequency"]


def pipes(v: Values) -> mpf:
    mixed = v["fp32"] + v["integer"] * v["shared_issue"]
    others = {
        "int_lanes": "integer",
        "fp64_lanes": "fp64",
        "conversion_lanes": "conversions",
        "special_lanes": "special",
    }
    return max(
        threads(v, mixed, "fp32_lanes"),
        *(threads(v, v[count], lanes) for lanes, count in others.items()),
    )


def sliced(v: Values) -> mpf:
    whole = v["missed_sectors"] + v["stored_sectors"] - v["partial_lines"]
    sectors = v["blocks"] * (whole + v["partial_lines"] * v["partial_store"])
    return sectors / (v["l2_slices"] * v["frequency"])


def waiting(v: Values) -> mpf:
    """Group by group: those that hit L1, those that go on to L2, and some of these further on."""
    near = v["load_groups"] - v["missed_groups"]
    cycles = near * v["latency_L1"] + v["missed_groups"] * v["latency_L2"]
    cycles += v["missed_groups"] * v["main_memory_share"] * v["latency_dram"]
    cycles += v["dependent_cycles"] + v["barriers"] * v["barrier_cycles"]
    return v["waves"] * cycles / v["warps_of_block"] / v["frequency"]


def share(v: Values) -> mpf:
    """Wave by wave: what main memory has to bring of what each of them reads."""
    exact = v["blocks"] / v["multiprocessors"] / v["resident_blocks"]
    cold = v["first_bytes"] / v["wave_bytes"]
    if exact > 1:
        left = max(mpf(0), v["read_bytes"] - v["first_bytes"])
        later = min(mpf(1), left / (exact - 1) / v["wave_bytes"])
        cold = (cold + later * (v["waves"] - 1)) / v["waves"]
    return cold * v["fresh_sectors"] / v["missed_sectors"]


def expected(v: Values) -> mpf:
    """The mean over sectors of the chance that at least one of so many samples has one."""
    left_out = 1 - v["sampled_sectors"] / v["reachable_sectors"]
    return v["reachable_sectors"] * (1 - mpmath.exp(v["sample_times"] * mpmath.log(left_out)))


def rounded(v: Values, each: mpf) -> mpf:
    waves = v["blocks"] / v["multiprocessors"] / v["resident_blocks"]
    return mpmath.ceil(each) if waves < 4 else each


ORACLE: dict[str, Callable[[Values], mpf]] = {
    "bound_main_memory": lambda v: (v["read_bytes"] + v["written_bytes"]) / v["bandwidth"],
    "share_of_main_memory": share,
    "sectors_to_reach": lambda v: v["second_sectors"] / (v["common_sectors"] / v["first_sectors"]),
    "expected_sectors": expected,
    "bound_l2": lambda v: (
        (v["missed_sectors"] + v["stored_sectors"])
        * v["busiest_blocks"]
        * (v["l2_sector"] / v["l2_bandwidth"] / v["frequency"])
    ),
    "bound_l2_slices": sliced,
    "bound_stores": lambda v: (
        v["store_cycles"] / v["frequency"] * v["stored_sectors"] * v["busiest_blocks"]
    ),
    "access_cycles": lambda v: max(
        v["load_cycles"],
        v["wavefront_cycles"] * v["bank_passes"],
        v["wavefront_cycles"] - v["line_cycles"] + v["line_cycles"] * v["lines"],
    ),
    "bound_l1": lambda v: sum(
        v[f"{kind}_wavefronts"] * v["busiest_blocks"] / v["frequency"]
        for kind in ("load", "store", "shared")
    ),
    "bound_issue": lambda v: (
        v["busiest_blocks"] * v["instructions"] / v["schedulers"] / v["frequency"]
    ),
    "bound_pipes": pipes,
    "miss_latency": lambda v: v["latency_L2"] + v["main_memory_share"] * v["latency_dram"],
    "exposed_latency": lambda v: waiting({**v, "dependent_cycles": mpf(0)}),
    "bound_latency": waiting,
    "blocks_on_busiest": lambda v: rounded(v, v["blocks"] / v["multiprocessors"]),
    "waves_of_blocks": lambda v: rounded(
        v, v["blocks"] / v["multiprocessors"] / v["resident_blocks"]
    ),
    "time_copies": lambda v: (
        v["copies"] * v["link_latency"] + v["copied_bytes"] / v["link_bandwidth"]
    ),
    "acceleration_by_peak_rates": lambda v: (
        v["multiprocessors"] * v["peak_lanes"] * 2 * v["frequency"] / v["host_peak_rate"]
    ),
    "time_slowest_unit": lambda v: v["launch_overhead"] + max(units(v)),
    "time_bounds_sharp": lambda v: norm(v, v["sharpness"]),
    "time_bounds_apart": lambda v: v["launch_overhead"] + sum(units(v)),
    "time_bounds": lambda v: norm(v, mpf(5) / 2),
}


def drawn(seed: str) -> list[dict[str, float]]:
    """Values between a tenth and a hundred times those of the example, evenly on a log scale."""
    rng, (example,) = random.Random(seed), GROUPS["gpu_bounds"].points
    points = []
    for _ in range(POINTS):
        values = {
            name: float(value or 1) * 10 ** rng.uniform(-1, 2) for name, value in example.items()
        }
        values["missed_groups"] = values["load_groups"] * rng.random()
        values["partial_lines"] = values["stored_sectors"] * rng.random()
        values["fresh_sectors"] = values["missed_sectors"] * rng.random()
        values["first_bytes"] = values["wave_bytes"] * rng.random()
        values["sampled_sectors"] = values["reachable_sectors"] * rng.uniform(0.05, 0.95)
        values["sharpness"] = rng.uniform(1, 8)
        points.append(values)
    return points


def of_formula(name: str, values: dict[str, float]) -> dict[str, float]:
    wanted = {str(symbol) for symbol in formula(name).expr.free_symbols}
    return {each: value for each, value in values.items() if each in wanted}


def test_every_formula_is_written_down_again() -> None:
    assert [*ORACLE] == [name for names in GPU_BOUNDS.values() for name in names]


@pytest.mark.parametrize("name", ORACLE)
def test_formula_and_function_are_the_model(name: str) -> None:
    points = [of_formula(name, values) for values in drawn(name)]
    with mpmath.workdps(DIGITS):
        wanted = [ORACLE[name]({k: mpf(v) for k, v in each.items()}) for each in points]
    exact = {symbol.name: symbol for symbol in formula(name).expr.free_symbols}
    for values, value in zip(points, wanted, strict=True):
        derived = formula(name).expr.subs({exact[k]: mpf(v) for k, v in values.items()})
        assert float(derived) == pytest.approx(float(value), rel=1e-13)
        assert getattr(gpu_bounds, name)(**values) == pytest.approx(float(value), rel=1e-13)
    arrays = {each: np.array([point[each] for point in points]) for each in points[0]}
    found = getattr(gpu_bounds, name)(**arrays)
    np.testing.assert_allclose(found, [float(value) for value in wanted], rtol=1e-13)
    of_another = {each: strict.asarray(values) for each, values in arrays.items()}
    again = getattr(gpu_bounds, name)(**of_another)
    np.testing.assert_allclose(np.asarray(again), found, rtol=1e-13)


@pytest.mark.parametrize("held", [1, 2, 6])
def test_blocks_in_step_are_those_of_turns(held: int) -> None:
    """Blocks handed out in turns: as many as all multiprocessors hold, until none are left."""
    multiprocessors = 7
    most_before = (0.0, 0.0)
    for blocks in range(1, 6 * multiprocessors * held):
        given = {"blocks": blocks, "multiprocessors": multiprocessors, "resident_blocks": held}
        most = gpu_bounds.blocks_on_busiest(**given)
        turns = gpu_bounds.waves_of_blocks(**given)
        assert (most, turns) >= most_before
        if blocks <= 4 * multiprocessors * held:
            owners = [block % multiprocessors for block in range(blocks)]
            assert most == max(map(owners.count, set(owners)))
            assert turns == len(range(0, blocks, multiprocessors * held))
        else:
            assert most == pytest.approx(blocks / multiprocessors)
            assert 4 < turns <= math.ceil(blocks / (multiprocessors * held))
        most_before = (most, turns)


def test_nothing_missed_is_no_share_and_no_warning() -> None:
    given = {"blocks": 3, "multiprocessors": 2, "resident_blocks": 1, "waves": 2, "read_bytes": 64}
    for missed, wave in ((0, 64), (2, 0)):
        some = {"missed_sectors": missed, "fresh_sectors": 0, "wave_bytes": wave, "first_bytes": 0}
        assert gpu_bounds.share_of_main_memory(**given, **some) == 0


def test_random_accesses_reach_what_a_draw_of_lots_does() -> None:
    """Blocks that draw sectors at random: how many there are, and how many they all reach."""
    draw, sectors, each = np.random.default_rng(3), 4000, 900
    blocks = [np.unique(draw.integers(0, sectors, each)) for _ in range(40)]
    common = len(np.intersect1d(blocks[0], blocks[1]))
    there = gpu_bounds.sectors_to_reach(
        first_sectors=len(blocks[0]), second_sectors=len(blocks[1]), common_sectors=common
    )
    assert there == pytest.approx(sectors, rel=0.1)
    for number in (1, 3, 10, 40):
        reached = len(np.unique(np.concatenate(blocks[:number])))
        given = {"sampled_sectors": len(blocks[0]), "sample_times": number}
        found = gpu_bounds.expected_sectors(reachable_sectors=sectors, **given)
        assert found == pytest.approx(reached, rel=0.02)


def test_a_launch_of_nothing_takes_its_overhead() -> None:
    none = dict.fromkeys(TIMES, 0.0)
    assert gpu_bounds.time_bounds(launch_overhead=3e-6, **none) == 3e-6
    alone = gpu_bounds.time_bounds(launch_overhead=3e-6, **(none | {"time_l1": 2e-3}))
    assert alone == pytest.approx(2.003e-3, rel=1e-14)
