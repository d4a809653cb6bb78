"""One printed symbol stands for one quantity: forms of a quantity share it, others do not."""

from collections import defaultdict

from logca.derive.core.catalogue import all_formulas
from logca.derive.core.symbols import TABLE

SPECIAL_CASES = {
    "speedup": {"speedup_hill"},
    "g_s": {
        "root_half_lower",
        "root_two",
        "root_third_lower",
        "root_two_thirds_lower",
        "root_three_halves",
        "root_three",
    },
    "g_s_upper": {"root_half_upper", "root_third_upper", "root_two_thirds_upper"},
    "overhead_root": {"lower_root_floor"},
    "latency_root": {"upper_root_ceiling"},
    "cutoff_o_general": {"cutoff_o", "cutoff_o_linear"},
    "cutoff_L_general": {"cutoff_L"},
    "cutoff_L_from": {"cutoff_L_linear"},
    "cutoff_C_general": {"cutoff_C", "cutoff_C_linear"},
    "cutoff_A_general": {"cutoff_A", "cutoff_A_linear"},
    "access_latency": {"access_latency_L2", "access_latency_dram"},
    "memory_latency": {"memory_latency_weighted"},
    "execution_cycles": {
        "execution_cycles_printed",
        "memory_bound_cycles",
        "memory_bound_cycles_printed",
        "computation_bound_cycles",
        "computation_bound_cycles_printed",
    },
    "execution_time": {"time_of_cycles"},
    "relative_speedup": {"relative_speedup_of_cycles"},
}


def test_a_symbol_is_shared_by_forms_of_one_quantity_only() -> None:
    printed: dict[str, set[str]] = defaultdict(set)
    for formula in all_formulas():
        printed[formula.latex].add(formula.name)
    shared = [names for names in printed.values() if len(names) > 1]
    assert sorted(map(sorted, shared)) == sorted(
        sorted({name, *forms}) for name, forms in SPECIAL_CASES.items()
    )


def test_no_quantity_is_printed_like_a_parameter() -> None:
    assert not {formula.latex for formula in all_formulas()} & TABLE.keys()
