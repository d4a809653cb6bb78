"""Exploring: each setting solved once, sweeps as the paper has them, conclusions as computed."""

import json
from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest
from small_problems import lines, problem

from logca.numeric.partition.exploration import explorer as exploring
from logca.numeric.partition.exploration.explorer import Explorer, Setting, points_of
from logca.numeric.partition.exploration.sweeps import SWEEPS, settings_of, steps_of
from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.files import saved
from logca.numeric.partition.problem.platform import Platform, PlatformError, platform
from logca.numeric.partition.program.tracing import traced

for library in ("numba", "ortools"):
    pytest.importorskip(library)

KENTER = platform("kenter2010")


def test_points_are_the_least_of_all_partitions() -> None:
    given = problem(11)
    explorer = Explorer({"small": given})
    for area in (20, 60, 200):
        setting = Setting(program="small", changes=(("area", area),))
        point = explorer.at(setting)
        every = lines(given, explorer.platform_of(setting))
        assert point.total == min(a + b for a, b in every)
        assert point.proven
        assert point.area <= area
        assert point.gains == (point.total < every[0][0])


def test_greedy_is_never_better_than_the_optimum() -> None:
    explorer = Explorer({"small": problem(12), "other": problem(13, name="other")})
    steps = steps_of("latency", KENTER)
    points = points_of(explorer, settings_of(steps, ["small", "other"]))
    for setting, point in points.items():
        if setting.method == "greedy":
            twin = Setting(program=setting.program, changes=setting.changes)
            assert points[twin].total <= point.total


def test_each_setting_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer({"small": problem(14)})
    calls = []
    solved = exploring.solve
    monkeypatch.setattr(exploring, "solve", lambda *a, **k: calls.append(a) or solved(*a, **k))
    told = []
    steps = steps_of("default", KENTER)
    for _ in range(2):
        points_of(explorer, settings_of([*steps, *steps], ["small"]), done=told.append)
    assert len(calls) == 2  # greedy and optimal
    assert len(told) == 4


def test_the_order_of_changes_does_not_matter() -> None:
    ways = [(("push", 3), ("area", 9)), (("area", 9), ("push", 3))]
    assert len({Setting(program="a", changes=each) for each in ways}) == 1


def test_side_by_side_is_the_same(tmp_path: Path) -> None:
    programs = {}
    for name in ("left", "right"):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(saved(problem(len(name), name=name))), encoding="utf-8")
        programs[name] = [path]
    steps = steps_of("area", KENTER, values=[Fraction(30), Fraction(90)])
    wanted = settings_of(steps, programs, ["optimal"])
    alone = points_of(Explorer(programs), wanted)
    beside = points_of(Explorer(programs), wanted, processes=2)
    assert {s: p.mapped for s, p in alone.items()} == {s: p.mapped for s, p in beside.items()}


@pytest.mark.parametrize("name", SWEEPS)
def test_steps_change_what_they_say(name: str) -> None:
    steps = steps_of(name, KENTER)
    assert len({step.label for step in steps}) == len(steps)
    keys = {key for step in steps for key, _ in step.changes}
    wanted = {
        "area": {"area"},
        "efficiency": {"accelerator_cycles"},
        "latency": {"control", "push", "pull"},
        "link": {"control", "push", "pull"},
    }
    assert keys == wanted.get(name, set())


def test_one_factor_multiplies_all_three_latencies() -> None:
    """kenter2010, section III-E: a factor of 64 is a control latency of 128 cycles."""
    step = next(each for each in steps_of("latency", KENTER) if each.value == 64)
    assert dict(step.changes) == {"control": 128, "push": 64, "pull": 192}


def test_designs_come_with_and_without_the_penalty() -> None:
    steps = steps_of("design", KENTER)
    assert [(s.design, s.penalised) for s in steps[:4]] == [
        ("SL1", False), ("SL1", True), ("SL2+", False), ("SL2+", True),
    ]  # fmt: skip
    assert len(steps) == 10


def test_bad_values_are_refused() -> None:
    with pytest.raises(PlatformError, match="whole numbers"):
        steps_of("area", KENTER, values=[Fraction(1, 2)])
    with pytest.raises(PlatformError, match="must not be negative"):
        steps_of("latency", KENTER, values=[Fraction(-1)])
    with pytest.raises(PlatformError, match="no sweep 'size'"):
        steps_of("size", KENTER)
    explorer = Explorer({"small": problem(1)})
    with pytest.raises(PlatformError, match="area must be a whole number"):
        explorer.at(Setting(program="small", changes=(("area", 0),)))
    with pytest.raises(ProblemError, match="method must be one of"):
        explorer.at(Setting(program="small", method="best"))


def test_a_trace_depends_on_what_tracing_reads_of_a_platform(tmp_path: Path) -> None:
    """A key that is missing would let a program keep the trace of other caches."""
    for library in ("llvmlite", "ziglang"):
        pytest.importorskip(library)
    source = tmp_path / "loop.c"
    source.write_text("int main(int n, char **a) { while (n++ < 9) ; return 0; }", "utf-8")
    read: set[str] = set()

    class Watched:
        def __getattr__(self, name: str) -> object:
            read.add(name)
            return getattr(KENTER, name)

    traced(source, cast(Platform, Watched()))
    assert read == set(exploring.TRACED)
