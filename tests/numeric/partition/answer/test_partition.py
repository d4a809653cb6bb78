"""`logca.partition`: from a source to an answer that can be checked."""

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import logca
from logca.numeric.partition.answer.breakdown import account_of, with_levels
from logca.numeric.partition.answer.case import case_of
from logca.numeric.partition.answer.methods import METHODS
from logca.numeric.partition.answer.partition import open_source, solve
from logca.numeric.partition.answer.result import Partition
from logca.numeric.partition.memory.caches import CacheError
from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.files import FORMAT, saved
from logca.numeric.partition.problem.platform import PlatformError, changed, platform
from logca.numeric.partition.program.locations import lines_of, regions_of
from logca.numeric.partition.program.tracing import Traced
from logca.numeric.partition.solvers.certificates.tree import CertificateError

for library in ("numba", "ortools"):
    pytest.importorskip(library)

KENTER = platform("kenter2010")
TWO: dict[str, Any] = {
    "format": FORMAT,
    "blocks": [
        {"name": name, "executions": 900, "operations": 4, "accesses": {"L1": 300}}
        for name in ("left", "right")
    ],
    "flows": [{"from": "left", "to": "right", "executions": 900}],
    "values": [{"producer": "left", "consumers": ["right"]}],
}
PROGRAM = """
static double a[1 << 10];
static double square(double x) { return x * x; }
int main(void) {
    double s = 0;
    for (int n = 0; n < 8; n++)
        for (int i = 0; i < 1 << 10; i++)
            s += square(a[i]);
    return s != 0;
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(TWO), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    pytest.importorskip("ziglang")
    path = tmp_path_factory.mktemp("program") / "squares.c"
    path.write_text(PROGRAM, encoding="utf-8")
    found = open_source(path, KENTER)
    assert isinstance(found, Traced)
    return found


def test_the_arithmetic_of_a_small_problem(file: Path) -> None:
    """By hand: 900 x 4 instructions, 900 passes of control for 2, a push of a register for 1."""
    both = logca.partition(file, area=8)
    assert [block.name for block in both.blocks] == ["left", "right"]
    assert both.time.te == 900 * 8 / 2
    assert (both.time.tm, both.time.tc, both.time.tr) == (600 * 3, 0, 0)
    assert both.speedup == pytest.approx((7200 + 1800) / (3600 + 1800))
    assert both.relative_speedup == pytest.approx(1)
    assert (both.gap, both.bound, both.area) == (0, 5400, 8)
    assert both.check()
    one = logca.partition(file, area=7)
    assert not one.blocks  # passing control and a register costs 2,700, and a block saves 1,800
    assert one.speedup == 1
    pinned = logca.partition(file, area=7, pins={"right": "accelerator"})
    assert (pinned.time.tc, pinned.time.tr) == (1800, 900)
    assert pinned.speedup == pytest.approx(9000 / (9000 - 1800 + 2700))


def test_latencies_that_are_no_whole_numbers(file: Path) -> None:
    machine = changed(KENTER, {"control": 0.25, "push": 1e-3, "accelerator_cycles": 0.125})
    found = logca.partition(file, platform=machine, area=7)
    assert (found.time.tc, found.time.tr) == (225, Fraction(9, 10))
    assert found.check()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_and_is_checked(file: Path, method: str) -> None:
    found = logca.partition(file, area=8, method=method)
    assert found.method == method
    assert found.bound <= found.time.total
    assert found.speedup >= 1
    found.check()
    assert bool(found.frontier) == (method == "frontier")


def test_frontier_from_nothing_to_everything(file: Path) -> None:
    found = logca.partition(file, method="frontier", area=8)
    assert (found.frontier[0].area, found.frontier[0].time) == (0, 9000)
    assert (found.frontier[-1].area, found.frontier[-1].time) == (8, 5400)


def test_an_answer_does_not_change(file: Path) -> None:
    found = logca.partition(file, area=8)
    with pytest.raises(FrozenInstanceError):
        found.speedup = 3.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        found.case.problem.blocks[0].executions = 1  # type: ignore[misc]


def other_side(found: Partition) -> dict[str, Any]:
    mapped = found.mapped.copy()
    mapped[0] = not mapped[0]
    return {"mapped": mapped}


TAMPERED: list[Callable[[Partition], dict[str, Any]]] = [
    other_side,
    lambda found: {"cost": found.found.cost - 1, "bound": found.found.bound - 1},
    lambda found: {"cost": found.found.cost + 1},
    lambda found: {"bound": found.found.bound + 1},
    lambda found: {
        "bound": found.found.bound + 1,
        "certificate": replace(found.found.certificate, bound=found.found.certificate.bound + 1),
    },
    lambda found: {"certificate": replace(found.found.certificate, nodes=())},
    lambda found: {"mapped": np.ones_like(found.mapped)},
]


@pytest.mark.parametrize("tamper", TAMPERED)
def test_what_was_tampered_with_is_refused(
    file: Path, tamper: Callable[[Partition], dict[str, Any]]
) -> None:
    """On the problem whose right block alone is on the accelerator, and fills it."""
    found = logca.partition(file, area=7, pins={"right": "accelerator"})
    assert found.check()
    wrong = replace(found, found=replace(found.found, **tamper(found)))
    with pytest.raises(CertificateError):
        wrong.check()


@pytest.mark.parametrize("tamper", TAMPERED)
def test_what_was_tampered_with_is_refused_with_memory(
    program: Traced, tamper: Callable[[Partition], dict[str, Any]]
) -> None:
    found = solve(case_of(program, KENTER, "SL2+", area=12))
    assert found.check()
    wrong = replace(found, found=replace(found.found, **tamper(found)))
    with pytest.raises(CertificateError):
        wrong.check()


@pytest.mark.parametrize("name", ["speedup", "relative_speedup", "theoretical_speedup", "time"])
def test_what_is_told_of_a_partition_is_checked(file: Path, name: str) -> None:
    found = logca.partition(file, area=7)
    told = replace(found.time, te=Fraction(1)) if name == "time" else float("nan")
    with pytest.raises(CertificateError, match=f"^{name} is "):
        replace(found, **{name: told}).check()


def test_the_times_of_the_blocks_add_up(program: Traced) -> None:
    for design in ("SL1", "SL2+", "SL2-", "SMM+", "SMM-"):
        for penalty in (False, True):
            case = case_of(program, KENTER, design, area=20, penalty=penalty)
            found = solve(case)
            account = account_of(program, found)
            assert sum(account.cpu_only) == case.baseline.te + case.baseline.tm
            assert sum(account.partitioned) == found.time.te + found.time.tm
            assert sum(each.cycles for each in account.crossings) == found.time.tc


def test_a_program_keeps_the_levels_of_its_accesses_when_saved(program: Traced) -> None:
    """8 KiB fit into L1: each of the 128 lines misses once, and then no more."""
    problem = with_levels(program)
    levels = np.array([block.accesses for block in problem.blocks]).sum(axis=0)
    assert levels.tolist() == [8192 - 128, 0, 128]
    again = logca.numeric.partition.problem.files.problem_from(saved(problem), "again.json")
    assert again == problem
    case = case_of(program, KENTER, "SL1")
    assert case_of(again, KENTER).baseline == case.baseline
    assert solve(case_of(again, KENTER)).time == solve(case).time  # caches are all shared


def test_where_blocks_are(program: Traced) -> None:
    regions = {(each.function, each.loop, each.first_line) for each in regions_of(program)}
    assert {("main", True, 6), ("main", True, 7), ("square", False, 3)} <= regions
    every = sorted(each for region in regions_of(program) for each in region.blocks)
    blocks = program.problem.blocks
    assert every == [n for n, block in enumerate(blocks) if block.executions]
    lines = {place[1] for places in lines_of(program) for place in places}
    assert {3, 5, 6, 7, 8, 9} - {5} <= lines <= set(range(3, 11))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"area": 0}, ProblemError, "area = 0 must be at least 1"),
        ({"method": "best"}, ProblemError, "method must be one of optimal, greedy"),
        ({"time_limit": 0}, ProblemError, "time_limit = 0 must be more than 0 s"),
        ({"time_limit": float("inf")}, ProblemError, "time_limit = inf"),
        ({"design": "SL9"}, CacheError, "design 'SL9'"),
        ({"platform": "kenter"}, PlatformError, "did you mean 'kenter2010'"),
        ({"pins": {"up": "cpu"}}, ProblemError, "no such block or function"),
        ({"pins": {"left": 3}}, ProblemError, "the core must be cpu or accelerator, not 3"),
        ({"pins": {3: "cpu"}}, ProblemError, "pins are names of blocks or functions"),
        ({"pins": "left=cpu"}, ProblemError, "pins are names of blocks or functions"),
        ({"time_limit": "a"}, ProblemError, "time limit must be a number of seconds, not 'a'"),
        ({"time_limit": True}, ProblemError, "time limit must be a number of seconds"),
        ({"platform": 3}, PlatformError, "a platform is the name of one, .*, not 3"),
        ({"area": "a"}, ProblemError, "area must be a whole number"),
    ],
)
def test_what_is_no_request_is_refused(
    file: Path, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        logca.partition(file, **options)


def test_what_can_be_seen_before_is_refused_before_anything_runs(tmp_path: Path) -> None:
    for options in ({"area": 0}, {"design": "SL9"}, {"method": "best"}, {"time_limit": -1.0}):
        with pytest.raises(ValueError, match=r"area|design|method|time"):
            logca.partition(tmp_path / "missing.c", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [None, 3, [], [None], b"two.json", {"a": 1}])
def test_what_is_no_source_is_refused(source: Any) -> None:
    with pytest.raises(ProblemError, match=r"a source is a C file, several of them, .*, not "):
        logca.partition(source)


def test_a_problem_stands_alone(file: Path) -> None:
    with pytest.raises(ProblemError, match="is a whole problem: give it alone"):
        logca.partition([file, "more.c"])


def test_a_trace_is_for_its_caches(program: Traced) -> None:
    other = changed(KENTER, {"size_L1": "1 KiB"})
    with pytest.raises(CacheError, match="trace it again"):
        case_of(program, other)


def test_steps_are_told(file: Path) -> None:
    told: list[str] = []
    logca.partition(file, tell=lambda step, _: told.append(step))
    assert told == ["partitioning"]
