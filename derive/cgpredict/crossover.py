"""CGPredict: where memory begins to bind, and what it then depends on (our own corollaries).

At the crossover the model jumps: where memory hides the computation it takes less time, by the drop
derived here. So the time is monotone in latencies and departure delays within each case only.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import CYCLES, ONE, SECONDS
from logca.derive.cgpredict.execution import (
    COMPUTATION_BOUND_CYCLES,
    COMPUTATION_WARP_PARALLELISM_FULL,
    MEMORY_BOUND_CYCLES,
    MEMORY_WARP_PARALLELISM_FULL,
    TIME_OF_CYCLES,
)
from logca.derive.cgpredict.memory import MEMORY_LATENCY
from logca.derive.core.cgpredict_symbols import (
    active_warps,
    bandwidth,
    batch,
    cycles_computation,
    cycles_memory,
    delay_mean,
    dram_bytes,
    instructions_memory,
    latency_mean,
    launch_overhead,
    mwp,
)
from logca.derive.core.formula import Formula

__all__ = [
    "CROSSOVER_DELAY",
    "CROSSOVER_DROP",
    "DEPARTURE_BOUND_CYCLES",
    "DEPARTURE_DELAY_SLOPE",
    "FORMULAS",
    "LAUNCH_TIME",
]

_FEWER_THAN_ACTIVE = (latency_mean <= active_warps * delay_mean,)

CROSSOVER_DELAY = Formula(
    name="crossover_delay",
    meaning="departure delay from which on memory binds: MWP is at most CWP exactly from there on",
    source="logca2026; wang2017, Eqs. 13 and 14 without the bound by the active warps",
    unit=CYCLES,
    latex=r"d^*",
    derivation=begin(
        "the parallelisms are equal",
        MEMORY_WARP_PARALLELISM_FULL.expr,
        COMPUTATION_WARP_PARALLELISM_FULL.expr,
    )
    .scale("multiply by the departure delay", delay_mean)
    .solve("solve for the departure delay", delay_mean)
    .rename("name it", sp.Symbol("crossover_delay")),
)

CROSSOVER_DROP = Formula(
    name="crossover_drop",
    meaning="execution cycles by which a kernel drops where memory begins to hide the computation, "
    "MWP = CWP",
    source="logca2026; hong2009, Eqs. 23 and 24 with wang2017, Eqs. 7 and 14",
    unit=CYCLES,
    latex=r"\Delta_{\mathrm{exec}}",
    derivation=begin(
        "one case less the other",
        "crossover_drop",
        COMPUTATION_BOUND_CYCLES.expr - MEMORY_BOUND_CYCLES.expr,
    )
    .substitute("the latency is the mean of the memory cycles", latency_mean=MEMORY_LATENCY.expr)
    .substitute(
        "the parallelisms are equal, so memory cycles are computation cycles times MWP - 1",
        cycles_memory=begin(
            "the parallelisms are equal", COMPUTATION_WARP_PARALLELISM_FULL.expr, mwp
        )
        .scale("multiply by the computation cycles", cycles_computation)
        .solve("solve for the memory cycles", cycles_memory)
        .expr,
    )
    .rewrite("collect", rhs=batch * cycles_computation * active_warps / mwp),
)

DEPARTURE_BOUND_CYCLES = Formula(
    name="departure_bound_cycles",
    meaning="execution cycles of a kernel where memory hides the computation: as many departure "
    "delays as memory instructions, no latencies, if MWP is at most the active warps",
    source="logca2026; hong2009, Eq. 23 with wang2017, Eqs. 7 and 13",
    unit=CYCLES,
    domain=_FEWER_THAN_ACTIVE,
    latex=r"c_{\mathrm{departure}}",
    derivation=MEMORY_BOUND_CYCLES.derivation.substitute(
        "memory cycles are latencies; MWP is not bounded by the active warps",
        cycles_memory=latency_mean * instructions_memory,
        mwp=MEMORY_WARP_PARALLELISM_FULL.expr,
    ).rename("name it", sp.Symbol("departure_bound_cycles")),
)

DEPARTURE_DELAY_SLOPE = Formula(
    name="departure_delay_slope",
    meaning="execution cycles per cycle of departure delay, where memory hides the computation and "
    "MWP is at most the active warps",
    source="logca2026; hong2009, Eq. 23 with wang2017, Eqs. 7 and 13",
    unit=ONE,
    domain=_FEWER_THAN_ACTIVE,
    latex=r"c_{\mathrm{departure}}^{\prime}",
    derivation=DEPARTURE_BOUND_CYCLES.derivation.differentiate(
        "differentiate with respect to the mean departure delay",
        delay_mean,
        sp.Symbol("departure_delay_slope"),
    ).rewrite(
        "collect",
        rhs=batch
        * (
            instructions_memory * active_warps
            - cycles_computation * latency_mean / (instructions_memory * delay_mean**2)
        ),
    ),
)

LAUNCH_TIME = Formula(
    name="launch_time",
    meaning="time of a launch: its overhead, then no less than main memory needs for its bytes",
    source="logca2026; the time of wang2017, Eq. 18",
    unit=SECONDS,
    latex=r"t_{\mathrm{l}}",
    derivation=begin(
        "the later of execution and transfer, after the overhead",
        "launch_time",
        launch_overhead + sp.Max(TIME_OF_CYCLES.expr, dram_bytes / bandwidth),
    ),
)

FORMULAS = (
    CROSSOVER_DELAY,
    CROSSOVER_DROP,
    DEPARTURE_BOUND_CYCLES,
    DEPARTURE_DELAY_SLOPE,
    LAUNCH_TIME,
)
