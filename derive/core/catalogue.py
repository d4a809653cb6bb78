"""Formulas by name and by number in a paper; modules are imported only when one is asked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from logca.common.near_misses import near_misses

if TYPE_CHECKING:
    from logca.derive.core.formula import Formula

__all__ = [
    "CGPREDICT",
    "GPU_BOUNDS",
    "LOGCA",
    "MODULES",
    "PAPER_NAMES",
    "PARTITION",
    "SHAPES",
    "all_formulas",
    "check_dimension",
    "formula",
    "names",
    "near",
    "resolve",
    "unknown",
]

PAPER_NAMES = {
    "cgpredict-eq1": "access_latency_L2",
    "cgpredict-eq2": "access_latency_dram",
    "cgpredict-eq3": "access_delay",
    "cgpredict-eq4": "constant_access_latency",
    "cgpredict-eq5": "constant_access_delay",
    "cgpredict-eq6": "memory_cycles",
    "cgpredict-eq7": "memory_latency",
    "cgpredict-eq8": "departure_delay",
    "cgpredict-eq9": "block_hits",
    "cgpredict-eq10": "set_hits",
    "cgpredict-eq11": "trace_hits",
    "cgpredict-eq12": "computation_cycles",
    "cgpredict-eq13": "memory_warp_parallelism",
    "cgpredict-eq14": "computation_warp_parallelism",
    "cgpredict-eq15": "batches",
    "cgpredict-eq16": "memory_bound_cycles_printed",
    "cgpredict-eq17": "computation_bound_cycles_printed",
    "cgpredict-eq18": "time_of_cycles",
    "cgpredict-eq19": "shared_load_cycles",
    "cgpredict-eq20": "shared_memory_cycles",
    "cgpredict-eq21": "memory_cycles_with_shared",
    "cgpredict-eq22": "computation_cycles_with_shared",
    "cgpredict-eq23": "synchronisation_cycles",
    "cgpredict-eq24": "simple_access_latency",
    "cgpredict-eq25": "simple_access_delay",
    "hong2009-eq23": "memory_bound_cycles",
    "hong2009-eq24": "computation_bound_cycles",
    "kenter-t": "program_cycles",
    "kenter-te": "program_execution_cycles",
    "kenter-tm": "program_memory_cycles",
    "kenter-tc": "control_transfer_cycles",
    "kenter-tr": "pairwise_transfer_cycles",
    "break-even": "g1",
    "half-peak": "gA2",
}
"""Names of formulas by what papers call them or their equations."""


LOGCA: dict[str, tuple[str, ...]] = {
    "logca.speedup": (
        "T0",
        "T1",
        "speedup",
        "speedup_infinite",
        "limit_small",
        "limit_large",
        "speedup_one",
        "speedup_one_bound",
        "latency_ceiling",
        "computational_intensity",
        "accelerator_intensity",
        "speedup_reflected",
        "speedup_rescaled",
        "omega_invariant",
    ),
    "logca.granularity": (
        "effective_index",
        "trinomial",
        "g_s",
        "g_s_upper",
        "g1",
        "gA2",
        "g1_upper",
        "gA2_upper",
        "gA",
    ),
    "logca.peak_and_existence": (
        "kappa",
        "kappa_threshold",
        "entropy",
        "g_peak",
        "speedup_infinite_peak",
        "speedup_peak",
        "index_threshold",
        "intensity_threshold",
        "g_saving",
        "saving_peak",
        "overhead_budget",
        "latency_budget",
    ),
    "logca.brackets": (
        "overhead_root",
        "latency_root",
        "lower_root_floor",
        "lower_root_ceiling",
        "upper_root_floor",
        "upper_root_ceiling",
        "root_floor",
        "root_ceiling",
    ),
    "logca.newton": (
        "newton_step",
        "g1_newton",
        "gA2_newton",
        "gA_newton",
        "newton_residual",
        "newton_error_bound",
        "newton_unit_free",
    ),
    "logca.closed_forms": (
        "root_half_lower",
        "root_half_upper",
        "root_two",
        "root_third_lower",
        "root_third_upper",
        "root_two_thirds_lower",
        "root_two_thirds_upper",
        "root_three_halves",
        "root_three",
    ),
    "logca.series": (
        "epsilon",
        "omega",
        "epsilon_coefficient",
        "omega_coefficient",
        "epsilon_radius",
        "omega_radius",
    ),
    "logca.logarithmic": (
        "speedup_log",
        "speedup_glog",
        "g_log",
        "g_log_upper",
        "g_log_peak",
        "speedup_log_peak",
        "index_threshold_log",
        "g_glog",
    ),
    "logca.sensitivity": (
        "share_o",
        "share_L",
        "share_C",
        "e_o",
        "e_L",
        "e_C",
        "e_A",
        "e_beta",
        "e_g",
        "curvature",
        "gain_o",
        "gain_L",
        "gain_C",
        "gain_A",
        "e_gs_o",
        "e_gs_L1",
        "e_gs_C",
        "e_gs_A",
    ),
    "logca.cutoffs": (
        "theta",
        "cutoff_factor",
        "cutoff_o_general",
        "cutoff_o",
        "cutoff_o_linear",
        "cutoff_L_general",
        "cutoff_L_general_upper",
        "cutoff_L",
        "cutoff_L_from",
        "cutoff_L_from_upper",
        "cutoff_L_linear",
        "cutoff_C_general",
        "cutoff_C_general_upper",
        "cutoff_C",
        "cutoff_C_linear",
        "cutoff_A_general",
        "cutoff_A_general_upper",
        "cutoff_A",
        "cutoff_A_linear",
        "corner_ratio",
    ),
    "logca.bounds": (
        "reciprocal_speedup",
        "odds",
        "overhead_ceiling",
        "acceleration_ceiling",
        "roofline",
        "roofline_floor",
        "ridge",
        "slope_overhead",
        "slope_latency",
        "slope_acceleration",
        "corner_overhead_latency",
        "corner_overhead_acceleration",
        "corner_latency_acceleration",
        "compute_bound",
        "latency_bound",
        "speedup_hill",
        "inflection_log",
        "inflection",
        "rise_width",
    ),
    "logca.inverse": (
        "A_for",
        "C_for",
        "o_for",
        "L0_for",
        "L1_for",
        "beta_for",
    ),
    "logca.pipelining": (
        "speedup_batch",
        "speedup_batch_limit",
        "items_for",
        "period_pipelined",
        "speedup_pipelined",
        "pipeline_gain",
        "chunked_time",
        "chunks_stationary",
        "chunks_balanced",
        "chunks_optimal",
        "chunked_time_optimal",
        "chunked_time_stationary",
        "chunked_time_balanced",
        "chunk_size_optimal",
    ),
    "logca.parallel": (
        "speedup_several",
        "accelerators_saturating",
        "forkjoin_time",
        "forkjoin_optimal",
        "forkjoin_time_optimal",
        "host_share",
        "speedup_shared",
        "coexecution_rate",
        "coexecution_share",
        "coexecuted_time",
        "speedup_coexecuted",
        "g1_coexecuted",
        "coexecution_gain",
        "speedup_coexecuted_async",
    ),
    "logca.in_flight": (
        "overhead_in_flight",
        "host_period_in_flight",
        "period_in_flight",
        "speedup_in_flight",
        "gain_in_flight",
        "saturation_in_flight",
        "speedup_saturated",
        "g_s_in_flight",
    ),
    "logca.energy": (
        "energy_host",
        "energy_accelerated",
        "energy_gain",
        "energy_ceiling",
        "g1_energy",
        "average_power_accelerated",
        "edp_gain",
    ),
    "logca.application": (
        "speedup_application",
        "application_ceiling",
        "g_s_application",
        "g1_application",
    ),
    "logca.uncertainty": (
        "window_best",
        "speedup_window",
        "speedup_window_floor",
        "speedup_low",
        "speedup_high",
        "speedup_spread",
        "g_s_low",
        "g_s_high",
    ),
    "logca.chance": (
        "speedup_infinite_for",
        "margin",
        "spread_infinite",
        "chance_speedup",
        "speedup_quantile",
        "g_s_quantile",
        "margin_peak",
        "spread_peak",
        "chance_reached",
    ),
}
"""Formulas of LogCA by module, in the order of a textbook."""

CGPREDICT: dict[str, tuple[str, ...]] = {
    "cgpredict.memory": (
        "access_latency_L2",
        "access_latency_dram",
        "access_latency",
        "access_latency_mean",
        "access_delay",
        "constant_access_latency",
        "constant_access_delay",
        "memory_instructions",
        "memory_cycles",
        "memory_latency",
        "memory_latency_weighted",
        "departure_delay",
        "simple_access_latency",
        "simple_access_delay",
        "cache_sets",
        "hit",
        "block_hits",
        "set_hits",
        "trace_hits",
    ),
    "cgpredict.execution": (
        "computation_cycles",
        "memory_warp_parallelism_full",
        "memory_warp_parallelism",
        "computation_warp_parallelism_full",
        "computation_warp_parallelism",
        "batches",
        "memory_bound_cycles_printed",
        "memory_bound_cycles",
        "computation_bound_cycles_printed",
        "computation_bound_cycles",
        "execution_cycles_printed",
        "execution_cycles",
        "period_cycles",
        "time_of_cycles",
        "execution_time",
    ),
    "cgpredict.shared_memory": (
        "shared_load_cycles",
        "shared_memory_cycles",
        "memory_cycles_with_shared",
        "computation_cycles_with_shared",
        "synchronisation_cycles",
        "execution_cycles_with_synchronisation",
        "tiled_execution_cycles",
    ),
    "cgpredict.crossover": (
        "crossover_delay",
        "crossover_drop",
        "departure_bound_cycles",
        "departure_delay_slope",
        "launch_time",
    ),
    "cgpredict.reductions": (
        "tree_steps",
        "tree_instructions",
        "tree_cycles",
        "combining_cycles",
        "second_launch_cycles",
        "contended_cycles",
        "reduction_time",
    ),
}
"""Formulas of CGPredict by module, in the order of the paper."""

GPU_BOUNDS: dict[str, tuple[str, ...]] = {
    "gpu_bounds.main_memory": ("bound_main_memory", "share_of_main_memory"),
    "gpu_bounds.random_accesses": ("sectors_to_reach", "expected_sectors"),
    "gpu_bounds.l2": ("bound_l2", "bound_l2_slices", "bound_stores"),
    "gpu_bounds.l1_and_shared": ("access_cycles", "bound_l1"),
    "gpu_bounds.issue": ("bound_issue", "bound_pipes"),
    "gpu_bounds.latency": ("miss_latency", "exposed_latency", "bound_latency"),
    "gpu_bounds.waves": ("blocks_on_busiest", "waves_of_blocks"),
    "gpu_bounds.copies": ("time_copies",),
    "gpu_bounds.specifications": ("acceleration_by_peak_rates",),
    "gpu_bounds.together": (
        "time_slowest_unit",
        "time_bounds_sharp",
        "time_bounds_apart",
        "time_bounds",
    ),
}
"""Formulas of the model of bounds by module: unit by unit, then the blocks and all together."""

PARTITION: dict[str, tuple[str, ...]] = {
    "partition.runtime": (
        "block_execution_cycles",
        "program_execution_cycles",
        "block_memory_cycles",
        "program_memory_cycles",
        "blocks_apart",
        "flow_transfer_cycles",
        "control_transfer_cycles",
        "program_cycles",
        "mapped_area",
        "push_cycles",
        "use_pull_cycles",
        "pull_cycles",
        "value_transfer_cycles",
        "pair_transfer_cycles",
        "register_transfer_cycles",
        "pairwise_transfer_cycles",
    ),
    "partition.speedups": (
        "cpu_only_cycles",
        "theoretical_cycles",
        "partition_speedup",
        "theoretical_speedup",
        "relative_speedup",
        "relative_speedup_of_cycles",
    ),
}
"""Formulas of partitions between CPU and accelerator by module."""

SHAPES: dict[str, tuple[str, ...]] = {
    "logca.two_variables": (
        "shape_time_host",
        "shape_time_accelerated",
        "shape_speedup",
        "shape_loss",
        "work_boundary",
        "work_boundary_least",
        "bytes_boundary",
        "intensity_boundary",
        "shape_speedup_large_work",
        "shape_speedup_large_bytes",
    ),
}
"""Formulas of LogCA with bytes, work and items apart, by module."""

MODULES = LOGCA | CGPREDICT | GPU_BOUNDS | PARTITION | SHAPES
"""Formula names by module."""


def names() -> tuple[str, ...]:
    """Names of all formulas.

    Examples
    --------
    >>> "g1" in names()
    True
    """
    return tuple(name for group in MODULES.values() for name in group)


def resolve(name: str) -> str:
    """The name of the formula that goes by this name, or by this number in a paper.

    Examples
    --------
    >>> resolve("cgpredict-eq15"), resolve("g1"), resolve("Break even")
    ('batches', 'g1', 'g1')
    """
    squeezed = {key.replace("-", ""): value for key, value in PAPER_NAMES.items()}
    return squeezed.get(re.sub(r"[ _-]", "", name.casefold()), name)


@cache
def formula(name: str) -> "Formula":
    """The formula of that name, or of that number in a paper [its own unit].

    Raises
    ------
    FormulaError
        If there is none; the message names the nearest ones.

    Examples
    --------
    >>> formula("speedup").source
    'altaf2017, Eqs. 1, 2 and 8; altaf2015, Eqs. 1, 2 and 8'
    """
    wanted = resolve(name)
    for module, members in MODULES.items():
        if wanted in members:
            loaded: tuple[Formula, ...] = import_module(f"logca.derive.{module}").FORMULAS
            return next(entry for entry in loaded if entry.name == wanted)
    from logca.derive.core.formula import FormulaError

    raise FormulaError(unknown(name, {each: formula(each).meaning for each in near(name)}))


def unknown(name: str, meant: Mapping[str, str]) -> str:
    """Message about a name that no formula has, with those that may be meant and their meaning."""
    told = [f"{each} ({meaning})" for each, meaning in meant.items()]
    hint = f"did you mean {', or '.join(told)}?" if told else "`logca formula` lists all of them"
    return f"there is no formula '{name}'; {hint}"


def near(word: str) -> list[str]:
    """Names of formulas that may be meant by a word: of which it is a part, else spelt so."""
    wanted = {*re.findall(r"[^\W_]+", word.casefold())}
    if not wanted:
        return []
    parts = {name: {*re.split("[-_]", name.casefold())} for name in (*names(), *PAPER_NAMES)}
    found = sorted((each for each, own in parts.items() if wanted <= own), key=len)
    found = found or [*near_misses(word, parts, most=2)]
    return [*dict.fromkeys(found)][:2]


def all_formulas(modules: Iterable[str] = MODULES) -> "Iterator[Formula]":
    """Every formula of some modules, in order [their own units]."""
    for module in modules:
        yield from import_module(f"logca.derive.{module}").FORMULAS


def check_dimension(entry: "Formula") -> None:
    """Verify that a formula's expression is homogeneous and has the stated unit."""
    # SymPy is loaded here only: the shell completes names of formulas with this module
    from logca.derive.algebra.dimension import at_equalities, dimension_of, sequences
    from logca.derive.core.formula import FormulaError
    from logca.derive.core.symbols import UNITS

    known = sequences(entry.expr) & set(names())
    of_formulas = {formula(name).symbol: formula(name).unit for name in known}
    units, unit = at_equalities(entry.domain, UNITS | of_formulas), entry.unit
    if entry.instance_of:
        units = {symbol: dimension.bytes_as_numbers() for symbol, dimension in units.items()}
        unit = unit.bytes_as_numbers()
    actual = dimension_of(entry.expr, units)
    if not actual.equals(unit) and not entry.expr.is_number:
        raise FormulaError(f"{entry.name} has the unit {actual}, not {unit}")
