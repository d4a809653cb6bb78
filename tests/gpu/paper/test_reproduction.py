"""The rows of wang2017 from C through the compiler, against what the paper prints."""

from dataclasses import replace
from functools import cache
from math import isnan, log, nan
from typing import Any

import numpy as np
import pytest
from rooms import ROOT

from logca.gpu.devices.parameters import device
from logca.gpu.paper.arithmetic import checks
from logca.gpu.paper.calibration import ROWS, Calibration, CalibrationError, calibrated, retimed
from logca.gpu.paper.comparisons import (
    agreement,
    both_columns,
    choices,
    memory_instructions,
    printed_columns,
)
from logca.gpu.paper.reproduction import Job, Outcome, jobs_for, mean_error, outcomes_of, reproduced
from logca.gpu.paper.table_rows import entries, entry_of

# wang2017, Table 4: rows whose estimate follows from the printed equations, with MWP where the
# text has it (section 4.1); time in ms.
ESTIMATES = {"2MM": 15518.11, "3MM": 5819.73, "GEMM": 242.53, "SYR2K": 5204.73, "SYRK": 2605.45}
PARALLELISM = {"GEMM": 54.45, "SYRK": 5.97}
UNDEFINED = {"FDTD-2D", "GRAMSCHM"}
TK1 = device("jetson-tk1")


@pytest.fixture(scope="module")
def defined() -> dict[str, dict[str, Outcome]]:
    """By model the rows of Table 4 whose workload the paper defines; compiled once for both."""
    names = [entry.name for entry in entries("table4") if not entry.undefined]
    models = ("paper", "logca")
    found = outcomes_of(
        [Job(table="table4", name=name, model=model) for model in models for name in names]
    )
    return {
        model: {job.name: outcome for job, outcome in found.items() if job.model == model}
        for model in models
    }


@cache
def documented(model: str) -> dict[str, float]:
    """Times of Table 4 by a model that `make reproduce` wrote into the documentation [ms]."""
    lines = (ROOT / "docs" / "cgpredict-tables.md").read_text(encoding="utf-8").splitlines()
    head, _, *rows = (line.strip("| ").split(" | ") for line in lines[2:19])
    column = head.index(f"model {model}: ms")
    return {row[0]: float(row[column].replace(",", "")) for row in rows}


def made_up(name: str, time_s: float, model: str = "paper", table: str = "table7") -> Outcome:
    return Outcome(
        entry=entry_of(table, name),
        model=model,
        scale=1,
        time_s=time_s,
        prediction=None,
        failure="made up" if isnan(time_s) else "",
    )


def test_table_4_as_the_paper_models_it(defined: dict[str, dict[str, Outcome]]) -> None:
    found = defined["paper"]
    assert len(found) == 13
    assert all(not outcome.failure for outcome in found.values())
    for name, printed in ESTIMATES.items():
        assert 1e3 * found[name].time_s == pytest.approx(printed, rel=1e-4), name
    for name, printed in PARALLELISM.items():
        longest = found[name].longest
        assert longest is not None
        assert round(longest.mwp, 2) == printed
        assert longest.cwp == 64
    assert mean_error(found.values()) <= 0.125
    # Section 4.4.1: 2048 memory instructions of each of SYRK's threads, half of them uncoalesced.
    assert memory_instructions(found["SYRK"]) == 2048 * 1024**2
    assert found["SYRK"].longest is not None
    kinds = [each.pattern for each in found["SYRK"].longest.accesses if each.executions > 1]
    assert sorted(kinds) == ["constant", "uncoalesced"]


def test_table_4_as_we_model_it_and_its_constant(
    defined: dict[str, dict[str, Outcome]],
) -> None:
    found = defined["logca"]
    assert mean_error(found.values()) <= 0.09
    rows = [found[name] for name in ROWS]
    own = calibrated(rows, TK1)
    assert own.value == TK1.delay_dram_uncoalesced
    check_minimum(own, rows)
    check_leave_one_out(own, rows)
    check_known_constant(rows)
    times = {name: outcome.time_s for name, outcome in found.items()}
    for name, error in own.errors_without.items():
        times[name] = found[name].entry.actual_s * (1 + error)
    held_out = agreement(list(times.values()), [each.entry.actual_s for each in found.values()])
    assert mean_error(found.values()) < held_out.mean_error <= 0.09
    for name in ROWS:
        assert retimed(found[name], TK1, TK1.delay_dram_uncoalesced) == pytest.approx(
            found[name].time_s, rel=1e-12
        )
    # What has no uncoalesced accesses does not depend on it.
    assert retimed(found["GEMM"], TK1, 99.0) == found["GEMM"].time_s


def test_the_documentation_has_the_table_of_today(
    defined: dict[str, dict[str, Outcome]],
) -> None:
    for model, found in defined.items():
        for name, outcome in found.items():
            assert 1e3 * outcome.time_s == pytest.approx(documented(model)[name], abs=0.006), name


def check_minimum(own: Calibration, rows: list[Outcome]) -> None:
    """No other constant does better."""

    def mean(value: float) -> float:
        return sum(abs(log(retimed(row, TK1, value) / row.entry.actual_s)) for row in rows)

    best = min(mean(float(value)) for value in np.linspace(3, 40, 150))
    assert mean(own.exact) <= best + 1e-9


def check_leave_one_out(own: Calibration, rows: list[Outcome]) -> None:
    left_out = rows[0]
    others = calibrated(rows[1:], TK1)
    assert own.values_without[left_out.entry.name] == others.value
    again = retimed(left_out, TK1, others.value) / left_out.entry.actual_s - 1
    assert own.errors_without[left_out.entry.name] == pytest.approx(again)


def check_known_constant(rows: list[Outcome]) -> None:
    """Rows that would have been measured with a constant of 14 cycles lead back to it."""
    measured = [
        replace(row, entry=replace(row.entry, actual_s=retimed(row, TK1, 14.0))) for row in rows
    ]
    again = calibrated(measured, TK1)
    assert again.exact == pytest.approx(14.0, rel=1e-5)
    assert again.value == 14.0
    assert set(again.values_without.values()) == {14.0}
    assert max(map(abs, again.errors_without.values())) < 1e-9


def test_other_models_and_few_rows_cannot_be_calibrated_on() -> None:
    with pytest.raises(CalibrationError, match="at least two rows, not 1"):
        calibrated([made_up("MVT", nan)], TK1)
    with pytest.raises(
        CalibrationError, match='MVT: calibrating takes predictions of model "logca"'
    ):
        calibrated([made_up("MVT", nan), made_up("MM", nan)], TK1)


def test_all_rows_of_the_tables_are_there() -> None:
    assert [len(entries(f"table{number}")) for number in range(4, 8)] == [15, 5, 2, 5]
    assert {entry.name for entry in entries("table4") if entry.undefined} == UNDEFINED
    assert entry_of("table4", "SYRK").actual_s == 2.7625
    assert entry_of("table7", "MVT").actual_s == pytest.approx(0.042371)
    assert entry_of("table5", "SYR2K").others["shared_memory"] == 16384


def test_a_row_that_cannot_be_predicted_says_why() -> None:
    broken = replace(entry_of("table4", "GEMM"), trace_size={"N": 0})
    found = reproduced(broken)
    assert isnan(found.time_s)
    assert found.prediction is None
    assert found.failure
    assert found.kernels == ()
    assert isnan(mean_error([found]))


def test_what_the_paper_computed_is_right_and_what_it_says_contradicts_itself() -> None:
    by = {check.what: check for check in checks()}
    wrong = [check.where for check in checks() if not check.agrees]
    assert wrong == ["section 4.5", "section 4.4.1", "section 4.1"]
    assert by["mean error of 15 rows"].found == "9.00 %"
    assert by["improvement of SYRK by memory access coalescing"].found == "11.03 times"


@pytest.mark.parametrize(
    ("times", "chosen"),
    [((242.51, 48.31, 2.61, 0.95, 2697.75), "GPU FPGA GPU GPU FPGA"), ((2e3,) * 5, "FPGA " * 5)],
)
def test_the_faster_platform_is_chosen(times: tuple[float, ...], chosen: str) -> None:
    names = [entry.name for entry in entries("table7")]
    found = {
        Job(table="table7", name=name, model="paper"): made_up(name, time / 1e3)
        for name, time in zip(names, times, strict=True)
    }
    rows = choices(found, ("paper",))
    assert [row.ours["paper"] for row in rows] == chosen.split()
    assert [row.printed for row in rows] == ["GPU", "FPGA", "GPU", "GPU", "FPGA"]
    assert all(row.printed == row.measured == row.estimated for row in rows)
    if chosen.startswith("GPU"):  # these times are the paper's own
        assert both_columns(found, "paper") == printed_columns()[2]


def test_agreement_by_hand() -> None:
    found = agreement([1.1, 1.0, 4.0, nan], [1.0, 2.0, 4.0, 8.0])
    assert found.rows == 3
    assert found.mean_error == pytest.approx((0.1 + 0.5) / 3)
    assert found.rank_correlation == pytest.approx(1 / 3)  # of three pairs one is the other way
    assert isnan(agreement([], []).mean_error)


def test_what_tables_and_figures_need() -> None:
    everything = jobs_for([f"table{n}" for n in range(4, 8)], (8, 9), ("paper", "logca"))
    assert len(everything) == len(set(everything)) == 2 * (15 + 5 + 2 + 5 + 2 * 13) + 13
    assert {job.model for job in jobs_for((), (9,), ("paper",))} == {"paper", "baseline"}


def test_processes_find_what_one_finds(capfd: Any) -> None:
    jobs = [
        Job(table="table7", name="DERICHE1", model="paper"),
        Job(table="table4", name="2DCONV", model="paper"),
    ]
    told: list[Job] = []
    apart = outcomes_of(jobs, processes=2, done=told.append)
    together = outcomes_of(jobs)
    assert list(apart) == jobs
    assert set(told) == set(jobs)
    assert [each.time_s for each in apart.values()] == [each.time_s for each in together.values()]
    assert capfd.readouterr().err == ""
