"""What an experiment's run measures, in a world where time passes only when something is timed."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest
from measuring_world import World

from logca.numeric.measure.experiment import ExperimentError, FailedRunError
from logca.numeric.measure.measure import Measured, measure_experiment
from logca.numeric.measure.resumable_file import read_samples
from logca.numeric.measure.sizes_and_precision import LEAST_REPEATS, Plan
from logca.numeric.timings.crossing import crossing_of


def repeats(found: Measured) -> Counter[tuple[int, str]]:
    """How many times there are of each path at each size."""
    return Counter((each.size, each.path) for each in found.recorded.samples)


def test_the_crossing_is_found_and_bracketed(linear: World, output: Path) -> None:
    found = linear.measure(output, Plan(budget=60))
    crossing = crossing_of(found.rows)
    low, high = crossing.bracket
    assert low < 20e-6 / 0.9e-9 < high < 2 * low
    assert crossing.size == pytest.approx(20e-6 / 0.9e-9, rel=0.05)
    assert not found.ended.coarse
    assert min(repeats(found).values()) >= LEAST_REPEATS
    assert linear.now < 60
    for row in found.rows:
        near = low / 4 <= row.size <= high * 4
        assert max(row.host.precision, row.accelerated.precision) <= (0.02 if near else 0.1)


def test_more_sizes_are_near_the_crossing(linear: World, output: Path) -> None:
    found = linear.measure(output, Plan(budget=60, points=13))
    planned = set(found.recorded.header.sizes)
    added = {row.size for row in found.rows} - planned
    below = max(size for size in planned if size < 22222)
    above = min(size for size in planned if size > 22222)
    assert len(planned) == 13
    assert added
    assert all(below < size < above for size in added)


def test_the_same_world_gives_the_same_file(output: Path, tmp_path: Path) -> None:
    def made(path: Path) -> list[str]:
        world = World(host=lambda g: 1e-9 * g, accelerated=lambda g: 1e-5, noise=0.1)
        world.measure(path, Plan(budget=2))
        return path.read_text().splitlines()

    assert made(output) == made(tmp_path / "other.jsonl")


@pytest.mark.parametrize("budget", [0.02, 0.2, 1.0, 5.0])
def test_the_budget_is_kept(linear: World, output: Path, budget: float) -> None:
    linear.noise = 0.0
    found = linear.measure(output, Plan(budget=budget, warm_up=0))
    assert linear.now <= budget * 1.001
    assert len(found.rows) >= 4
    left_out = {each.size for each in found.recorded.left_out}
    assert left_out | {row.size for row in found.rows} >= set(found.recorded.header.sizes)


def test_sizes_that_would_take_too_long_are_left_out_and_named(output: Path) -> None:
    cubic = World(host=lambda g: 1e-9 * (g / 100) ** 3, accelerated=lambda g: 1e-4)
    found = cubic.measure(output, Plan(budget=10))
    assert cubic.now <= 10
    assert max(seconds for *_, seconds in cubic.ran) < 5
    left_out = found.recorded.left_out
    assert left_out
    assert {each.size for each in left_out}.isdisjoint(row.size for row in found.rows)
    assert "of the budget of 10 s are left" in left_out[0].message
    assert crossing_of(found.rows).outcome == "crosses"
    assert min(repeats(found).values()) >= 3


def test_a_path_that_grows_unexpectedly_does_not_end_the_run(output: Path) -> None:
    jump = World(host=lambda g: 1e-6 if g < 1 << 20 else 30.0, accelerated=lambda g: 1e-4)
    found = jump.measure(output, Plan(budget=20))
    assert [calls for *_, calls, seconds in jump.ran if seconds > 1] == [1]
    assert "a call of host took 30 s" in found.recorded.left_out[0].message
    assert len(found.rows) >= 4


def test_something_is_measured_even_if_the_budget_is_far_too_small(output: Path) -> None:
    slow = World(host=lambda g: 100.0, accelerated=lambda g: 50.0)
    found = slow.measure(output, Plan(budget=1, warm_up=0))
    assert [each.size for each in found.recorded.samples] == [1024, 1024]


def test_a_size_that_seemed_too_long_is_measured_if_time_is_left(output: Path) -> None:
    tries: Counter[tuple[int, str]] = Counter()
    world = World(host=lambda g: 1e-3, accelerated=lambda g: 1e-3)

    def slow_at_first(size: int, path: str) -> None:
        tries[size, path] += 1
        world.host = lambda g: 2.0 if g == 41285 and tries[g, "host"] <= 2 else 1e-3

    world.before = slow_at_first
    found = world.measure(output, Plan(budget=20, points=13))
    assert found.recorded.left_out == ()
    assert {row.size for row in found.rows} == set(found.recorded.header.sizes)


def test_no_path_goes_on_alone_where_the_other_is_too_slow_for_the_rest(output: Path) -> None:
    slow = World(host=lambda g: 3.0, accelerated=lambda g: 1e-3, noise=0.2)
    found = slow.measure(output, Plan(budget=60), sizes=(1, 1000))
    for row in found.rows:
        assert row.host.repeats == row.accelerated.repeats
    assert len(found.rows) >= 4


def test_host_and_accelerated_run_by_turns(linear: World, output: Path) -> None:
    linear.measure(output, Plan(budget=1, warm_up=0))
    samples = read_samples(output).samples
    rounds = defaultdict(list)
    for each in samples:
        rounds[each.round].append(each)
    complete = [each for each in rounds.values() if len(each) == 2 * len({s.size for s in each})]
    assert len(complete) >= 3
    for each in complete:
        pairs = zip(each[::2], each[1::2], strict=True)
        assert all(a.size == b.size and a.path != b.path for a, b in pairs)
    orders = {tuple(s.size for s in each[::2]) for each in complete}
    assert len(orders) > 1


def test_warm_up_does_not_count(output: Path) -> None:
    seen: Counter[tuple[int, str]] = Counter()
    world = World(host=lambda g: 1e-2, accelerated=lambda g: 2e-2)

    def cold(size: int, path: str) -> None:
        seen[size, path] += 1
        world.now += 0.5 if seen[size, path] == 1 else 0

    world.before = cold
    found = world.measure(output, Plan(budget=60, warm_up=1, points=4))
    assert {each.seconds for each in found.recorded.samples} == {1e-2, 2e-2}
    assert sum(seen.values()) == len(found.recorded.samples) + len(seen)


def test_more_calls_to_warm_up_than_the_budget_has_are_not_begun(output: Path) -> None:
    world = World(host=lambda g: 1e-2 * g / 1024, accelerated=lambda g: 2e-2)
    with pytest.raises(ExperimentError, match=r"1000000 calls of host to warm up would take about"):
        world.measure(output, Plan(budget=60, warm_up=1_000_000, points=4))
    assert world.now < 60
    first, *others = read_samples(output).left_out
    assert "calls of host to warm up would take about 1e+04 s" in first.message
    assert all("not even the least size" in each.message for each in others)


@pytest.mark.parametrize("step", [1e-6, 1e-3, 0.0156])
def test_calls_are_timed_together_until_the_clock_can_tell(output: Path, step: float) -> None:
    world = World(host=lambda g: 1e-9 * g, accelerated=lambda g: 3e-6 + 1e-10 * g, step=step)
    found = world.measure(output, Plan(budget=120, points=8))
    for each in found.recorded.samples:
        assert each.calls * each.seconds >= 10 * step
        assert each.seconds == pytest.approx(getattr(world, each.path)(each.size), rel=0.1)
    assert found.ended.taken >= 8 * 2 * LEAST_REPEATS
    assert world.now <= 120


def test_a_clock_that_is_too_coarse_is_told_with_size_time_and_step(output: Path) -> None:
    world = World(host=lambda g: 1e-9 * g, accelerated=lambda g: 1e-9 * g, step=1.0)
    with pytest.raises(ExperimentError, match=r"clock is too coarse for 1 KiB: .* step is 1 s"):
        world.measure(output, Plan(budget=10), sizes=(1024, 65536))
    assert "clock is too coarse" in output.read_text()


def test_sizes_too_small_for_a_coarse_clock_are_left_out(output: Path) -> None:
    world = World(host=lambda g: 1e-6 * g, accelerated=lambda g: 1e-6 * g, step=1e-2)
    found = world.measure(output, Plan(budget=6, points=8), sizes=(1, 1 << 18))
    assert found.rows[-1].size == 1 << 18
    assert all(each.calls * each.seconds >= 10 * 1e-2 for each in found.recorded.samples)
    assert len(found.recorded.failed) > 3
    assert all("clock is too coarse" in each.message for each in found.recorded.failed)


def test_a_size_that_fails_is_left_out_and_the_rest_goes_on(linear: World, output: Path) -> None:
    def fail(size: int, path: str) -> None:
        if path == "accelerated" and size > 1 << 24:
            raise MemoryError("no room for it\nat all")

    linear.before = fail
    found = linear.measure(output, Plan(budget=5))
    assert {each.size for each in found.recorded.failed} == {26632170, 67108864}
    assert {each.message for each in found.recorded.failed} == {"MemoryError: no room for it"}
    assert {each.path for each in found.recorded.failed} == {"accelerated"}
    assert max(row.size for row in found.rows) == 10568984
    linear.before = lambda size, path: None
    again = linear.measure(output, Plan(budget=10))
    assert again.recorded.failed == ()
    assert max(row.size for row in again.rows) == 67108864


def test_a_path_that_fails_now_and_then_keeps_its_times(linear: World, output: Path) -> None:
    tries: Counter[tuple[int, str]] = Counter()

    def fail(size: int, path: str) -> None:
        tries[size, path] += 1
        if (size, path, tries[size, path]) == (67108864, "host", 5):
            raise OSError("link is down")

    linear.before = fail
    found = linear.measure(output, Plan(budget=20))
    assert [each.size for each in found.recorded.failed] == [67108864]
    assert repeats(found)[67108864, "host"] >= 2


def test_nothing_can_be_measured(linear: World, output: Path) -> None:
    def fail(size: int, path: str) -> None:
        raise RuntimeError("no device")

    linear.before = fail
    with pytest.raises(ExperimentError, match=r"no size .*: host at 1 KiB: RuntimeError: no dev"):
        linear.measure(output, Plan(budget=5))


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), inf, None, "1.0", 10**400])
def test_a_timer_that_gives_no_time(
    linear: World, output: Path, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(World, "timer", lambda self, path: lambda size, calls: seconds)
    with pytest.raises(ExperimentError, match="which is no time"):
        linear.measure(output, Plan(budget=5))


def interrupting(after: int, error: type[BaseException]) -> Callable[[int, str], None]:
    """Raises at a run."""
    count = 0

    def before(size: int, path: str) -> None:
        nonlocal count
        count += 1
        if count == after:
            raise error

    return before


@pytest.mark.parametrize("after", [1, 2, 7, 30, 60, 120])
def test_an_interrupted_run_goes_on_where_it_ended(linear: World, output: Path, after: int) -> None:
    linear.before = interrupting(after, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        linear.measure(output, Plan(budget=5))
    kept = output.read_text()
    already = {(each.size, each.path) for each in read_samples(output).samples}
    runs, spent = len(linear.ran), linear.now
    linear.before = lambda size, path: None
    found = linear.measure(output, Plan(budget=5))
    assert output.read_text().startswith(kept)
    assert linear.now <= 5 + 0.1 * spent
    assert not found.ended.coarse
    rounds = [each.round for each in found.recorded.samples]
    assert rounds == sorted(rounds)
    calls = defaultdict(set)
    for each in found.recorded.samples:
        calls[each.size, each.path].add(each.calls)
    assert all(len(each) == 1 for each in calls.values())
    # a pair that has a time is warmed up again, but its number of calls is not sought again
    for pair in already:
        again = [run for run in linear.ran[runs:] if run[:2] == pair]
        assert {run[2] for run in again} <= {1, *calls[pair]}


def test_a_finished_run_has_nothing_left_to_do(linear: World, output: Path) -> None:
    linear.measure(output, Plan(budget=30))
    kept, ran = output.read_text(), len(linear.ran)
    again = linear.measure(output, Plan(budget=30))
    assert (again.ended.taken, again.ended.coarse) == (0, ())
    assert (output.read_text(), len(linear.ran)) == (kept, ran)


def test_a_spent_budget_has_nothing_left_but_a_larger_one_goes_on(
    linear: World, output: Path
) -> None:
    first = linear.measure(output, Plan(budget=0.3))
    assert first.ended.coarse
    kept = output.read_text()
    assert linear.measure(output, Plan(budget=0.3)).ended.taken <= 1
    more = linear.measure(output, Plan(budget=3))
    assert more.ended.taken > 0
    assert output.read_text().startswith(kept)


def test_no_budget_is_spent_on_sizes_after_it_is_over(output: Path) -> None:
    world = World(host=lambda g: 1.0, accelerated=lambda g: 1.0)

    def hang(size: int, path: str) -> None:
        world.now += 5
        raise FailedRunError("ran longer than 5 s")

    world.before = hang
    with pytest.raises(ExperimentError, match=r"no size could be measured: host at 1 KiB: ran"):
        world.measure(output, Plan(budget=5))
    assert world.now == 5


@pytest.mark.parametrize("clock", ["stands still", "fails"])
def test_what_ends_everything_keeps_the_times_before(
    linear: World, output: Path, clock: str
) -> None:
    def end(size: int, path: str) -> None:
        if len(linear.ran) >= 80:
            if clock == "fails":
                raise OSError(5, "device lost")
            linear.host = linear.accelerated = lambda size: 0.0

    linear.before = end
    with pytest.raises(ExperimentError, match=r"every size fails by now: .* before that are kept"):
        linear.measure(output, Plan(budget=60))
    assert len(read_samples(output).samples) > 20


@pytest.mark.parametrize("kind", [np.float32, Fraction])
def test_a_time_of_any_kind_of_number_is_one(
    linear: World, output: Path, kind: Callable[[float], float]
) -> None:
    timer = linear.timer("host")
    experiment = replace(
        linear.experiment(1024, 4096), host=lambda size, calls: kind(timer(size, calls))
    )
    plan = Plan(budget=1, points=4)
    found = measure_experiment(experiment, output, plan, clock=lambda: linear.now)
    assert len(found.rows) == 4
