"""CGPredict's equations: what the paper prints, its worked numbers, and our corollaries."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy as sp
from cgpredict_oracle import ORACLE, Given
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import logca
from logca.cli.app import app
from logca.derive.algebra.dimension import Dimension, DimensionError, dimension_of
from logca.derive.core.catalogue import (
    CGPREDICT,
    GPU_BOUNDS,
    LOGCA,
    PAPER_NAMES,
    PARTITION,
    SHAPES,
    all_formulas,
    check_dimension,
    formula,
    names,
)
from logca.derive.core.cgpredict_symbols import (
    ENTRIES,
    active_warps,
    cwp,
    cycles_memory,
    cycles_total,
    frequency,
    instructions_memory,
    instructions_total,
    latency_mean,
    mwp,
)
from logca.derive.core.formula import FormulaError
from logca.derive.core.symbols import TABLE, UNITS

SUMS = {"block_hits", "set_hits", "trace_hits"}
OUR_OWN = {
    "access_latency_mean",
    "combining_cycles",
    "contended_cycles",
    "crossover_delay",
    "crossover_drop",
    "departure_bound_cycles",
    "departure_delay_slope",
    "launch_time",
    "reduction_time",
    "second_launch_cycles",
    "tiled_execution_cycles",
    "tree_cycles",
    "tree_instructions",
    "tree_steps",
}
SYMBOLS = {entry.symbol.name: entry.symbol for entry in ENTRIES}
NUMBERS = st.fractions(Fraction(1, 12), 50, max_denominator=12)
EQUATIONS = list(all_formulas(CGPREDICT))
SOME = settings(max_examples=50)


def point(seed: int) -> dict[str, Fraction]:
    """A value for every symbol; each may be the greater of any two."""
    rng = random.Random(seed)
    return {name: Fraction(rng.randint(1, 99), rng.randint(1, 12)) for name in SYMBOLS}


POINTS = st.integers(0, 10**9).map(point)


@cache
def exactly(name: str) -> Callable[..., Any]:
    """The formula on Fractions: it has no numbers but integers, and no functions but these."""
    modules = [{"Min": min, "Max": max}, "math"]
    return sp.lambdify([SYMBOLS[each] for each in SYMBOLS], formula(name).expr, modules)


def at(name: str, values: dict[str, Fraction]) -> Any:
    return exactly(name)(**values)


def test_every_equation_is_here_by_its_number() -> None:
    numbers = [key for key in PAPER_NAMES if key.startswith("cgpredict-")]
    assert numbers == [f"cgpredict-eq{number}" for number in range(1, 26)]
    for key in numbers:
        assert re.search(rf"wang2017, Eqs?\. .*\b{key[12:]}\b", formula(key).source)
    for key in ("hong2009-eq23", "hong2009-eq24"):
        assert formula(key).source.startswith(f"hong2009, Eq. {key[11:]};")
    assert not set(PAPER_NAMES) & set(names())


def test_a_number_is_as_good_as_a_name_in_python() -> None:
    by_number = logca.formula("cgpredict-eq15")
    assert by_number == logca.formula("batches")
    assert by_number.text() == "batches = blocks/active_blocks"
    assert by_number.latex() == r"R = \frac{b}{B}"


def test_a_number_is_as_good_as_a_name_on_the_command_line() -> None:
    words = ["formula", "cgpredict-eq16", "--as", "latex"]
    assert CliRunner().invoke(app, words).output.strip() == (
        r"c_{\mathrm{exec}} = R \, \left(\frac{N_{\mathrm{w}} \, c_{\mathrm{mem}}}{\mathrm{MWP}}"
        r" + \frac{\mathrm{MWP} \, c_{\mathrm{comp}}}{n_{\mathrm{mem}}}\right)"
    )
    assert "also     cgpredict-eq16" in repr(logca.formula("memory_bound_cycles_printed"))


def test_a_sum_is_printed_over_its_sequence() -> None:
    assert logca.formula("cgpredict-eq11").text() == "trace_hits = ∑_(i = 1)^sets set_hits(i)"
    assert logca.formula("cgpredict-eq9").latex() == (
        r"h_{\mathrm{block}} = \sum_{j = 1}^{J} \, \begin{cases} 1 & \mathrm{if}\ "
        r"j > 1\ \mathrm{and}\ a > D\left(j\right) \\ 0 & \mathrm{otherwise} \end{cases}"
    )


def test_what_is_long_goes_by_name() -> None:
    shown = logca.formula("execution_time").text()
    assert "active_warps·memory_cycles / memory_warp_parallelism" in shown
    assert "latency_coalesced" not in shown


def test_an_unknown_number_is_refused_with_its_neighbours() -> None:
    with pytest.raises(FormulaError, match=r"'cgpredict-eq26'; did you mean cgpredict-eq"):
        formula("cgpredict-eq26")


def test_every_formula_has_an_oracle_or_a_test_of_its_own() -> None:
    found = {entry.name for entry in EQUATIONS}
    assert found == set(ORACLE) | SUMS | OUR_OWN
    others = (LOGCA | GPU_BOUNDS | PARTITION | SHAPES).values()
    assert set(names()) == found.union(*others)


@pytest.mark.parametrize("name", ORACLE)
@SOME
@given(values=POINTS)
def test_the_formula_is_the_equation_of_the_paper(name: str, values: dict[str, Fraction]) -> None:
    assert at(name, values) == ORACLE[name](Given(values))


def test_the_dimensions_are_cycles_seconds_and_numbers() -> None:
    units = {str(entry.unit) for entry in EQUATIONS}
    assert units == {"cycles", "s", "1"}
    assert str(TABLE["frequency"].unit) == "cycles/s"
    assert str(Dimension(seconds=sp.Integer(1)).bytes_as_numbers()) == "s"


@pytest.mark.parametrize(
    "wrong",
    [
        cycles_memory + instructions_memory,
        cycles_total + cycles_total / frequency,
        sp.Min(latency_mean, active_warps),
        sp.Piecewise((cycles_memory, cwp >= mwp), (instructions_total, True)),
        sp.Piecewise((1, latency_mean < active_warps), (0, True)),
        sp.Sum(latency_mean + sp.Symbol("j"), (sp.Symbol("j"), 1, active_warps)),
    ],
    ids=str,
)
def test_unlike_quantities_are_not_joined(wrong: sp.Expr) -> None:
    with pytest.raises(DimensionError):
        dimension_of(wrong, UNITS)


@pytest.mark.parametrize("name", sorted(set(ORACLE) - {"hit", "batches", "memory_instructions"}))
def test_a_wrong_unit_is_noticed(name: str) -> None:
    entry = formula(name)
    with pytest.raises((DimensionError, FormulaError)):
        check_dimension(entry.mutated(entry.expr * frequency))
    with pytest.raises((DimensionError, FormulaError)):
        check_dimension(replace(entry, unit=Dimension(watts=sp.Integer(1))))


def test_an_equation_with_instructions_for_cycles_is_noticed() -> None:
    entry = formula("cgpredict-eq14")
    wrong = entry.expr.subs(cycles_memory, instructions_memory)
    with pytest.raises(DimensionError, match="instructions_memory"):
        check_dimension(entry.mutated(wrong))


@pytest.mark.parametrize(
    ("parallelism", "memory_periods", "computation_periods"), [(2, 4, 2), (8, 1, 8)]
)
def test_periods_of_figure_3(
    parallelism: int, memory_periods: int, computation_periods: int
) -> None:
    found = formula("period_cycles").at(active_warps=8, cwp=4, mwp=parallelism)
    memory, computation = SYMBOLS["period_memory"], SYMBOLS["period_computation"]
    assert found == memory_periods * memory + computation_periods * computation


def test_both_readings_of_the_execution_cycles() -> None:
    """They differ by the computation before one memory instruction, and by latencies."""
    kinds = ("memory_bound_cycles", "computation_bound_cycles")
    apart = [formula(f"{kind}_printed").expr - formula(kind).expr for kind in kinds]
    batch, computation = SYMBOLS["batch"], SYMBOLS["cycles_computation"]
    assert sp.simplify(apart[0] - batch * computation / instructions_memory) == 0
    assert sp.simplify(apart[1] - latency_mean * (1 - batch)) == 0


@SOME
@given(values=POINTS)
def test_memory_binds_from_the_crossover_on(values: dict[str, Fraction]) -> None:
    values = values | {"active_warps": Fraction(10**6)}
    p = Given(values)
    memory, computation = (
        ORACLE[f"{kind}_warp_parallelism"](p) for kind in ("memory", "computation")
    )
    assert (computation >= memory) == (p.departure_delay >= at("crossover_delay", values))


TRANSACTIONS = st.tuples(st.integers(1, 32), st.integers(0, 32)).map(
    lambda both: (max(both), both[1])
)


@SOME
@given(values=POINTS, instructions=st.lists(TRANSACTIONS, min_size=1, max_size=9))
def test_the_mean_latency_is_that_of_single_memory_instructions(
    values: dict[str, Fraction], instructions: list[tuple[int, int]]
) -> None:
    """One after the other by the paper's equations, eq. 2 where main memory is needed at all."""
    single = [
        ORACLE["access_latency_dram" if dram else "access_latency_L2"](
            Given(values | {"transactions": Fraction(every), "dram_transactions": Fraction(dram)})
        )
        for every, dram in instructions
    ]
    hits = [every for every, dram in instructions if not dram]
    number = len(instructions)
    means = {
        "share_dram": 1 - Fraction(len(hits), number),
        "transactions_hit": Fraction(sum(hits), len(hits) or 1),
        "dram_transactions": Fraction(sum(dram for _, dram in instructions), number),
    }
    assert at("access_latency_mean", values | means) == sum(single) / number


@SOME
@given(values=POINTS)
def test_the_model_jumps_at_the_crossover(values: dict[str, Fraction]) -> None:
    """Both cases, in the numbers of a kernel whose parallelisms are equal."""
    mwp_ = 1 + values["mwp"]
    memory = values["cycles_computation"] * (mwp_ - 1)
    values = values | {
        "mwp": mwp_,
        "cycles_memory": memory,
        "latency_mean": memory / values["instructions_memory"],
    }
    p = Given(values)
    fall = ORACLE["computation_bound_cycles"](p) - ORACLE["memory_bound_cycles"](p)
    assert at("crossover_drop", values) == fall > 0


@SOME
@given(values=POINTS)
def test_where_departures_bind_latency_leaves_the_memory_term(values: dict[str, Fraction]) -> None:
    memory = values["latency_mean"] * values["instructions_memory"]
    parallelism = values["latency_mean"] / values["delay_mean"]
    p = Given(values | {"cycles_memory": memory, "mwp": parallelism})
    found = at("departure_bound_cycles", values)
    assert found == ORACLE["memory_bound_cycles"](p)
    departures = p.no_mem_insts * p.N * p.departure_delay * p.batch
    assert found - departures == p.comp_cycles / p.no_mem_insts * (parallelism - 1) * p.batch


@SOME
@given(values=POINTS)
def test_the_slope_over_the_departure_delay(values: dict[str, Fraction]) -> None:
    """It is negative only where few warps wait for little memory."""
    p = Given(values)
    slope = p.batch * p.no_mem_insts * p.N
    slope -= p.batch * p.comp_cycles * p.mem_l / p.no_mem_insts / p.departure_delay**2
    found = at("departure_delay_slope", values)
    assert found == slope
    squared = (p.mem_l / p.departure_delay) ** 2
    rising = p.comp_cycles * squared <= p.no_mem_insts**2 * p.N * p.mem_l
    assert (found >= 0) == rising


CASES = {
    "memory": ("memory_bound_cycles", "cycles_memory"),
    "computation": ("computation_bound_cycles", "latency_mean"),
    "printed": ("memory_bound_cycles_printed", "cycles_memory"),
}
RISING = [
    *((name, latency) for name in ("access_latency", "constant_access_latency")
      for latency in ("latency_L2", "latency_dram")),
    *((name, delay) for name in ("access_delay", "constant_access_delay")
      for delay in ("delay_L2", "delay_dram")),
    *(("memory_cycles", f"latency_{kind}") for kind in ("coalesced", "uncoalesced", "constant")),
    *(("departure_delay", f"delay_{kind}") for kind in ("coalesced", "uncoalesced", "constant")),
    ("memory_warp_parallelism", "latency_mean"),
    ("shared_memory_cycles", "latency_shared"),
    ("shared_load_cycles", "latency_load_shared"),
    ("synchronisation_cycles", "delay_mean"),
    *CASES.values(),
]  # fmt: skip


@pytest.mark.parametrize(("name", "argument"), RISING)
@SOME
@given(values=POINTS, more=NUMBERS)
def test_monotone_in_latencies_and_delays(
    name: str, argument: str, values: dict[str, Fraction], more: Fraction
) -> None:
    values = values | {"mwp": 1 + values["mwp"]}
    slower = values | {argument: values[argument] + more}
    assert at(name, slower) >= at(name, values)
