"""Theorems of ours: what each bound of a GPU's unit does with its rates and with its counts."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, model of bounds"
_OF_CLOCK = (
    "bound_l2",
    "bound_l2_slices",
    "bound_stores",
    "bound_l1",
    "bound_issue",
    "bound_pipes",
    "bound_latency",
)
_LANES = ("fp32_lanes", "int_lanes", "fp64_lanes", "conversion_lanes", "special_lanes")
_COUNTS = {
    "bound_main_memory": {"read_bytes": "x", "written_bytes": "x"},
    "bound_l2": dict.fromkeys(("missed_sectors", "stored_sectors", "busiest_blocks"), "m"),
    "bound_l2_slices": dict.fromkeys(("missed_sectors", "stored_sectors"), "m"),
    "bound_stores": dict.fromkeys(("stored_sectors", "busiest_blocks"), "m"),
    "bound_l1": {
        **dict.fromkeys(("load_wavefronts", "store_wavefronts", "shared_wavefronts"), "L0"),
        "busiest_blocks": "m",
    },
    "bound_issue": dict.fromkeys(("instructions", "busiest_blocks"), "m"),
}


def _more(bound: str, symbol: str, by: str) -> str:
    return f"{bound}({symbol}={symbol} + {by}) >= {bound}"


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-bounds-rates",
        source=_SOURCE,
        statement="A unit that is r times as fast needs an r-th of the time.",
        asserts=(
            "bound_main_memory(bandwidth=r*bandwidth) == bound_main_memory/r",
            "bound_l2(l2_bandwidth=r*l2_bandwidth) == bound_l2/r",
            "bound_l2_slices(l2_slices=r*l2_slices) == bound_l2_slices/r",
            "bound_issue(schedulers=r*schedulers) == bound_issue/r",
            f"bound_pipes({', '.join(f'{each}=r*{each}' for each in _LANES)}) == bound_pipes/r",
        ),
    ),
    Claim(
        id="ext-bounds-frequency",
        source=_SOURCE,
        statement="All bounds but main memory's are cycles: with r times the clock they are an "
        "r-th.",
        asserts=tuple(f"{each}(frequency=r*frequency) == {each}/r" for each in _OF_CLOCK),
    ),
    Claim(
        id="ext-bounds-lanes",
        source=_SOURCE,
        statement="More lanes of one kind never lengthen the bound.",
        given=("r >= 1",),
        asserts=tuple(f"bound_pipes({each}=r*{each}) <= bound_pipes" for each in _LANES),
    ),
    Claim(
        id="ext-bounds-multiprocessors",
        source=_SOURCE,
        statement="If blocks spread evenly, what a multiprocessor needs falls with their number.",
        given=("r >= 1", "missed_groups <= load_groups"),
        asserts=(
            *(
                f"{each}(busiest_blocks=blocks/(r*multiprocessors))"
                f" <= {each}(busiest_blocks=blocks/multiprocessors)"
                for each in ("bound_l2", "bound_stores", "bound_l1", "bound_issue", "bound_pipes")
            ),
            "bound_latency(waves=blocks/(r*multiprocessors*resident_blocks))"
            " <= bound_latency(waves=blocks/(multiprocessors*resident_blocks))",
        ),
    ),
    Claim(
        id="ext-bounds-counts",
        source=_SOURCE,
        statement="More bytes, sectors, accesses or instructions, or more blocks with them, never "
        "shorten a bound.",
        asserts=tuple(
            _more(bound, symbol, by)
            for bound, counts in _COUNTS.items()
            for symbol, by in counts.items()
        ),
    ),
    Claim(
        id="ext-bounds-pipes-counts",
        source=_SOURCE,
        statement="Nor do more instructions in single precision or of integers, or more blocks, "
        "that of the pipes.",
        asserts=(
            *(_more("bound_pipes", each, "m") for each in ("fp32", "integer")),
            "bound_pipes(busiest_blocks=r*busiest_blocks) == r*bound_pipes",
        ),
    ),
    Claim(
        id="ext-bounds-pipes-rare",
        source=_SOURCE,
        statement="Nor do more of the rarer instructions.",
        asserts=tuple(
            _more("bound_pipes", each, "m") for each in ("fp64", "conversions", "special")
        ),
    ),
    Claim(
        id="ext-bounds-partial-lines",
        source=_SOURCE,
        statement="Lines that are written in part never cost less than whole ones; more of "
        "them, or more blocks, never shorten the bound of the slices.",
        given=("partial_store >= 1",),
        asserts=(
            "bound_l2_slices >= bound_l2_slices(partial_lines=0)",
            "bound_l2_slices(partial_lines=partial_lines + m) >= bound_l2_slices",
            "bound_l2_slices(blocks=blocks + m) >= bound_l2_slices",
        ),
    ),
    Claim(
        id="ext-bounds-latency",
        source=_SOURCE,
        statement="Waiting never gets shorter with a latency, with more groups of loads or more of "
        "them that miss, with barriers or waves.",
        given=("missed_groups <= load_groups", "latency_L1 <= latency_L2"),
        asserts=(
            *(
                _more("bound_latency", each, "L0")
                for each in ("latency_L1", "latency_L2", "latency_dram", "dependent_cycles")
            ),
            *(
                _more("bound_latency", each, "m")
                for each in ("load_groups", "missed_groups", "barriers", "waves")
            ),
            "bound_latency(barrier_cycles=barrier_cycles + L0) >= bound_latency",
        ),
    ),
    Claim(
        id="ext-bounds-latency-warp",
        source=_SOURCE,
        statement="In each wave a mean warp waits at least the latency of L1 for each of its "
        "groups of loads.",
        given=("latency_L1 <= latency_L2",),
        asserts=("bound_latency >= waves*load_groups*latency_L1/(warps_of_block*frequency)",),
    ),
    Claim(
        id="ext-bounds-latency-exposed",
        source=_SOURCE,
        statement="What all warps of a block wait for together is at most all of the waiting, and "
        "all of it where no arithmetic is waited for.",
        asserts=(
            "exposed_latency <= bound_latency",
            "exposed_latency == bound_latency(dependent_cycles=0)",
        ),
    ),
    Claim(
        id="ext-bounds-miss-latency",
        source=_SOURCE,
        statement="The latency of a miss lies between that of L2 and that of main memory.",
        given=("main_memory_share <= 1",),
        asserts=("latency_L2 <= miss_latency", "miss_latency <= latency_L2 + latency_dram"),
    ),
    Claim(
        id="ext-bounds-share",
        source=_SOURCE,
        statement="The share of misses that main memory is waited for is one: between 0 and 1.",
        given=("fresh_sectors <= missed_sectors", "first_bytes <= wave_bytes", "waves >= 1"),
        asserts=("share_of_main_memory >= 0", "share_of_main_memory <= 1"),
    ),
    Claim(
        id="ext-bounds-access",
        source=_SOURCE,
        statement="An access of a warp takes the pipe no less than the least that it takes, and no "
        "less with more passes or lines.",
        asserts=(
            "access_cycles >= load_cycles",
            "access_cycles >= bank_passes*wavefront_cycles",
            "access_cycles(bank_passes=bank_passes + m) >= access_cycles",
            "access_cycles(lines=lines + m) >= access_cycles",
        ),
    ),
)
