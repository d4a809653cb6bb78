"""The runtime of a partitioned program: the paper by instruction, units, derivations, laws."""

from dataclasses import replace
from fractions import Fraction

import partition_oracle as oracle
import pytest
import sympy as sp
from effort import examples
from hypothesis import given
from hypothesis import strategies as st
from partition_chain import (
    NUMBERS,
    at,
    control,
    execution,
    machines,
    memory,
    pairwise,
    programs,
    registers,
)
from partition_oracle import ACC, CPU, Machine, Program
from sympy.core.function import AppliedUndef
from typer.testing import CliRunner

import logca
from logca.cli.app import app
from logca.derive.algebra.derivation import DerivationError
from logca.derive.algebra.dimension import DimensionError, dimension_of
from logca.derive.core.catalogue import (
    PAPER_NAMES,
    PARTITION,
    all_formulas,
    check_dimension,
    formula,
)
from logca.derive.core.formula import Formula, FormulaError
from logca.derive.core.partition_symbols import ENTRIES
from logca.derive.core.symbols import UNITS
from logca.numeric.partition.problem.platform import platform
from logca.proofs.engine.ask import ask

FORMULAS = list(all_formulas(PARTITION))
SOME = examples(25)
POSITIVE = st.fractions(Fraction(1, 6), 40, max_denominator=6)


@SOME
@given(both=programs(), machine=machines())
def test_the_runtime_is_that_of_the_paper(
    both: tuple[Program, list[str]], machine: Machine
) -> None:
    program, p = both
    parts = {
        "cycles_program_execution": execution(program, machine, p),
        "cycles_program_memory": memory(program, machine),
        "cycles_control_transfer": control(program, machine, p),
        "cycles_register_transfer": registers(program, machine, p),
    }
    wanted = (
        oracle.te(program, machine, p),
        oracle.tm(program, machine),
        oracle.tc(program, machine, p),
        oracle.tr_value(program, machine, p),
    )
    assert tuple(parts.values()) == wanted
    assert at("program_cycles", **parts) == sum(wanted)
    assert pairwise(program, machine, p) == oracle.tr_pair(program, machine, p)


@SOME
@given(both=programs(), machine=machines())
def test_one_push_for_all_never_costs_more_than_one_for_each_pair(
    both: tuple[Program, list[str]], machine: Machine
) -> None:
    program, p = both
    assert registers(program, machine, p) <= pairwise(program, machine, p)
    single = replace(program, registers=[(l, users[:1]) for l, users in program.registers])
    assert registers(single, machine, p) == pairwise(single, machine, p)


def test_the_two_readings_differ_where_a_push_serves_two() -> None:
    program = Program(n=[1, 5, 5], operations=[], accesses=[], registers=[(0, [1, 2])])
    table_one = Machine(
        eps={},
        lambda_m={},
        lambda_c=Fraction(2),
        push=Fraction(1),
        pull=Fraction(3),
        shared=Fraction(1),
        write_back=Fraction(15),
    )
    p = [CPU, ACC, ACC]
    assert (registers(program, table_one, p), pairwise(program, table_one, p)) == (1, 2)


USE = "cycles_program_memory"
"""Any symbol for a number of cycles that is not negative: those of one more consumer."""
READINGS = {
    "value_transfer_cycles(cycles_pull=0) == 0": "proved",
    f"value_transfer_cycles(cycles_pull=cycles_pull + {USE})"
    f" <= value_transfer_cycles + value_transfer_cycles(cycles_pull={USE})": "proved",
    f"value_transfer_cycles(cycles_pull=cycles_pull + {USE})"
    f" == value_transfer_cycles + value_transfer_cycles(cycles_pull={USE})": "refuted",
    f"value_transfer_cycles <= value_transfer_cycles(cycles_pull=cycles_pull + {USE})": "proved",
}


@pytest.mark.parametrize(("claim", "verdict"), READINGS.items())
def test_that_value_is_at_most_pair_is_proved_consumer_by_consumer(
    claim: str, verdict: str
) -> None:
    """Beginning and step of an induction over the consumers that are apart from the producer."""
    assert ask(claim).verdict == verdict


@SOME
@given(both=programs(), machine=machines())
def test_without_a_partition_nothing_is_transferred(
    both: tuple[Program, list[str]], machine: Machine
) -> None:
    program, p = both
    for core in (CPU, ACC):
        alone = [core] * len(p)
        assert control(program, machine, alone) == 0
        assert registers(program, machine, alone) == pairwise(program, machine, alone) == 0
    parts = {
        "cycles_program_execution_cpu": execution(program, machine, [CPU] * len(p)),
        "cycles_program_memory_cpu": memory(program, machine),
    }
    cpu_only = oracle.te(program, machine, [CPU] * len(p)) + oracle.tm(program, machine)
    assert at("cpu_only_cycles", **parts) == cpu_only


@SOME
@given(both=programs(), machine=machines(), factor=POSITIVE)
def test_transfers_grow_with_the_latencies_of_the_interface(
    both: tuple[Program, list[str]], machine: Machine, factor: Fraction
) -> None:
    """As Figure 6 scales them: by one factor."""
    program, p = both
    slower = replace(
        machine,
        lambda_c=factor * machine.lambda_c,
        push=factor * machine.push,
        pull=factor * machine.pull,
    )
    for transfer in (control, registers, pairwise):
        assert transfer(program, slower, p) == factor * transfer(program, machine, p)


@given(source=st.booleans(), target=st.booleans())
def test_apart_is_exclusive_or(source: bool, target: bool) -> None:
    found = at("blocks_apart", mapped_source=int(source), mapped_target=int(target))
    assert found == (source != target)


@SOME
@given(cpu=POSITIVE, accelerator=POSITIVE, shared=NUMBERS, runtime=POSITIVE)
def test_speedups(
    cpu: Fraction, accelerator: Fraction, shared: Fraction, runtime: Fraction
) -> None:
    parts = {
        "cycles_program_execution_cpu": cpu,
        "cycles_program_execution_accelerator": accelerator,
        "cycles_program_memory_cpu": shared,
    }
    theoretical = at("theoretical_speedup", **parts)
    assert theoretical == (cpu + shared) / (accelerator + shared)
    ours = at("partition_speedup", cycles_cpu_only=cpu + shared, cycles_program=runtime)
    assert ours == (cpu + shared) / runtime
    if theoretical != 1:
        relative = at("relative_speedup", speedup_partition=ours, speedup_theoretical=theoretical)
        assert relative == (ours - 1) / (theoretical - 1)
        of_cycles = at(
            "relative_speedup_of_cycles",
            cycles_cpu_only=cpu + shared,
            cycles_program=runtime,
            cycles_theoretical=accelerator + shared,
        )
        assert of_cycles == relative


def test_relative_speedup_is_a_share_of_the_gain() -> None:
    given = {"speedup_theoretical": Fraction(3, 2)}
    for ours, share in ((1, 0), (Fraction(5, 4), Fraction(1, 2)), (Fraction(3, 2), 1)):
        assert at("relative_speedup", speedup_partition=ours, **given) == share


def test_the_area_is_that_of_the_blocks_on_the_accelerator() -> None:
    assert at("mapped_area", mapped=[0, 1, 1], block_area=[7, 20, 300]) == 320


@pytest.mark.parametrize("entry", FORMULAS, ids=lambda entry: entry.name)
def test_every_formula_names_its_section(entry: Formula) -> None:
    assert entry.source.startswith("kenter2010, §I")
    assert str(entry.unit) in ("cycles", "1")


@pytest.mark.parametrize("entry", FORMULAS, ids=lambda entry: entry.name)
def test_every_formula_is_typed_once(entry: Formula) -> None:
    assert [each.expr for each in FORMULAS].count(entry.expr) == 1


def test_no_symbol_is_idle() -> None:
    used: set[str] = set()
    for entry in FORMULAS:
        used |= {symbol.name for symbol in entry.expr.free_symbols}
        used |= {each.func.__name__ for each in entry.expr.atoms(AppliedUndef)}
    assert {entry.symbol.name for entry in ENTRIES} <= used


SUMS = [entry for entry in FORMULAS if isinstance(entry.expr, sp.Sum)]


@pytest.mark.parametrize("entry", SUMS, ids=lambda entry: entry.name)
def test_units_of_sequences_are_checked(entry: Formula) -> None:
    first = min(entry.expr.atoms(AppliedUndef), key=str)
    ((index, _, _),) = entry.expr.limits
    spoilt, strange = (
        entry.mutated(entry.expr.xreplace({first: factor * sp.Function(name)(index)}))
        for factor, name in ((first, "control_latency"), (1, "nothing"))
    )
    with pytest.raises((DimensionError, FormulaError)):
        check_dimension(spoilt)
    with pytest.raises(DimensionError, match="neither a symbol nor a formula"):
        check_dimension(strange)


def test_cycles_and_counts_are_not_added() -> None:
    index = sp.Symbol("k", integer=True, positive=True)
    cycles, area = (sp.Function(each)(index) for each in ("block_cycles_cpu", "block_area"))
    with pytest.raises(DimensionError, match="joins"):
        dimension_of(cycles + area, UNITS)


def test_a_wrong_step_is_noticed() -> None:
    entry = formula("relative_speedup_of_cycles")
    *before, last = entry.derivation.steps
    wrong = replace(last, relation=sp.Eq(last.relation.lhs, 2 * last.relation.rhs, evaluate=False))
    with pytest.raises(DerivationError, match="collect"):
        replace(entry.derivation, steps=(*before, wrong)).check()


def test_the_paper_names_its_parts() -> None:
    numbers = {key: name for key, name in PAPER_NAMES.items() if key.startswith("kenter-")}
    assert list(numbers) == ["kenter-t", "kenter-te", "kenter-tm", "kenter-tc", "kenter-tr"]
    for key, name in numbers.items():
        part = key.removeprefix("kenter-t")
        assert f"§II-A, t{part and '_'}{part}" in formula(name).source
    assert logca.formula("kenter-t").text() == (
        "program_cycles = cycles_program_execution + cycles_program_memory + "
        "cycles_control_transfer + cycles_register_transfer"
    )


def test_sums_are_printed_over_their_sequences() -> None:
    words = ["formula", "kenter-tc", "--as", "latex"]
    assert CliRunner().invoke(app, words).output.strip() == (
        r"t_{\mathrm{c}} = \sum_{i = 1}^{N_{\mathrm{flow}}} \, \delta\left(i\right) \, "
        r"c_{\mathrm{flow}}\left(i\right)"
    )
    assert logca.formula("kenter-te").text() == (
        "program_execution_cycles = ∑_(k = 1)^basic_blocks ((1 − mapped(k))·block_cycles_cpu(k) + "
        "block_cycles_accelerator(k)·mapped(k))"
    )
    drawn = logca.formula("kenter-tr").pretty().splitlines()
    place = drawn[1].index("∑")
    assert drawn[0].strip() == "register_pairs"
    assert drawn[0].index("register_pairs") <= place < len(drawn[0])
    assert drawn[1].endswith(" blocks_apart(i)·pair_transfer_cycles(i)")
    assert drawn[2].strip() == "i = 1"
    assert "\u2062" not in logca.formula("trace_hits").mathml()  # nothing is multiplied


def test_the_readings_of_tr_point_to_each_other() -> None:
    default = platform("kenter2010").values
    readings = {"value": "register_transfer_cycles", "pair": "pairwise_transfer_cycles"}
    for reading, name in readings.items():
        meaning = logca.formula(name).meaning
        assert f"reading `{reading}`" in meaning
        assert (f"`{reading}`, the default" in meaning) == (reading == default)
        (other,) = {*readings.values()} - {name}
        assert other in meaning
        assert name in logca.formula("kenter-t").meaning
