"""The ledger of kenter2010's conclusions, on points that are made up, and on a small problem."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from small_problems import problem

from logca.numeric.partition.exploration.assumptions import ASSUMPTIONS
from logca.numeric.partition.exploration.conclusions import (
    CONCLUSIONS,
    conclusion,
    needed,
    verdicts,
)
from logca.numeric.partition.exploration.explorer import Explorer, Point, Setting
from logca.numeric.partition.exploration.kenter_flips import (
    AXES,
    FLIPS,
    assumptions,
    rows_of,
    tally,
)

PROGRAMS = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")
DEFAULTS = ASSUMPTIONS[:1]

Relative = Callable[[Setting], float]


def explorer() -> Explorer:
    return Explorer({name: problem(k, name=name) for k, name in enumerate(PROGRAMS)})


def made_up(relative: Relative, **more: object) -> Callable[[Setting], Point]:
    def look(setting: Setting) -> Point:
        share = relative(setting)
        point = Point(
            setting=setting, speedup=1 + share / 2, theoretical=1.5, relative=share, gap=0.0,
            proven=True, traced=True,
            area=1, te=Fraction(1), tm=Fraction(1), tc=Fraction(0), tr=Fraction(0),
            cpu_te=Fraction(1), cpu_tm=Fraction(1), mapped=(1, 2), elapsed_s=0.0,
        )  # fmt: skip
        return replace(point, **more)  # type: ignore[arg-type]

    return look


def decided(name: str, relative: Relative) -> bool | None:
    found = verdicts(explorer(), made_up(relative), [conclusion(name)], DEFAULTS, ["greedy"])
    return found[0].holds


def in_design(**shares: float) -> Relative:
    names = {key.replace("p", "+").replace("m", "-"): value for key, value in shares.items()}
    return lambda setting: names[setting.design]


def test_every_conclusion_of_sections_3_and_4_is_there() -> None:
    places = {place for each in CONCLUSIONS for place in each.place.split(", ")}
    assert places == {"III-A", "III-B", "III-C", "III-D", "III-E", "IV"}
    assert len({each.id for each in CONCLUSIONS}) == len(CONCLUSIONS)


def test_shared_memory_is_no_better_only_if_it_is_like_no_cache() -> None:
    name = "smm-no-better"
    assert decided(name, in_design(SL2p=0.5, SL2m=0.05, SMMp=0.05, SMMm=0.04))
    assert not decided(name, in_design(SL2p=0.5, SL2m=0.05, SMMp=0.2, SMMm=0.04))
    assert decided(name, in_design(SL2p=0.5, SL2m=0.0, SMMp=0.01, SMMm=0.0))
    assert decided("smm-low", in_design(SL2p=0.5, SMMp=0.24))
    assert not decided("smm-low", in_design(SL2p=0.5, SMMp=0.26))


def by_control(near: float, far: float) -> Relative:
    return lambda setting: far if dict(setting.changes).get("control", 2) > 2 else near


def test_fft_needs_a_low_latency_only_if_nothing_is_left() -> None:
    assert decided("fft-latency", by_control(0.4, 0.0))
    assert not decided("fft-latency", by_control(0.4, 0.3))
    assert not decided("fft-latency", by_control(0.0, 0.0))


def by_efficiency(**shares: float) -> Relative:
    """Of JPEG: slow and fast with free casts, and slow and fast where they cost."""

    def relative(setting: Setting) -> float:
        changes = dict(setting.changes)
        speed = "slow" if changes["accelerator_cycles"] == Fraction(9, 10) else "fast"
        return shares[f"{speed}_none" if changes.get("free_casts") == "none" else speed]

    return relative


def test_casts_explain_a_fall_only_if_there_is_one() -> None:
    name = "casts-why"
    rise = by_efficiency(slow=0.1, fast=0.3, slow_none=0.1, fast_none=0.3)
    assert decided(name, rise) is None
    assert decided("jpeg-falls", rise) is False
    gone = by_efficiency(slow=0.5, fast=0.3, slow_none=0.4, fast_none=0.4)
    assert decided(name, gone) is True
    more = by_efficiency(slow=0.5, fast=0.3, slow_none=0.3, fast_none=0.4)
    assert decided(name, more) is True
    same = by_efficiency(slow=0.5, fast=0.3, slow_none=0.5, fast_none=0.3)
    assert decided(name, same) is False
    found = verdicts(
        explorer(),
        made_up(by_efficiency(slow=0.5, fast=0.3, slow_none=0.45, fast_none=0.40)),
        [conclusion(name)],
        DEFAULTS,
        ["optimal"],
    )
    assert found[0].holds
    assert found[0].found.endswith("casts explain 75.0 % of the fall")


def test_casts_are_asked_about_under_every_assumption_with_free_casts_too() -> None:
    wanted = needed(explorer(), [conclusion("casts-why")], ASSUMPTIONS[-1:], ["greedy"])
    assert {dict(each.changes).get("free_casts") for each in wanted} == {None, "none"}


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("optimism-latency", "control", Fraction(1, 8)),
        ("optimism-efficiency", "accelerator_cycles", Fraction(1, 10)),
        ("optimism-area", "area", 4096),
    ],
)
def test_each_optimistic_parameter_is_looked_at_alone(
    name: str, key: str, value: Fraction | int
) -> None:
    def better(share: float) -> Relative:
        return lambda setting: share if dict(setting.changes).get(key) == value else 0.2

    assert decided(name, better(0.4))
    assert not decided(name, better(0.25))
    others = {"control", "accelerator_cycles", "area"} - {key}
    wanted = needed(explorer(), [conclusion(name)], DEFAULTS, ["greedy"])
    assert {dict(each.changes).get(key) for each in wanted} == {None, value}
    assert not any(others & set(dict(each.changes)) for each in wanted)


def test_the_best_design_is_the_best() -> None:
    assert decided("sl1-best", lambda s: 0.9 if s.design == "SL1" else 0.8)
    assert not decided("sl1-best", lambda s: 0.7 if s.design == "SL1" else 0.8)
    assert decided("sl2-best", lambda s: 0.9 if s.design == "SL2+" and s.penalised else 0.8)


@pytest.mark.parametrize("entry", CONCLUSIONS, ids=lambda entry: entry.id)
def test_every_conclusion_can_hold_and_can_fail(
    entry: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    one = explorer()
    for seed in range(400):
        rng = random.Random(seed)
        scale = {name: rng.choice([0.0, 0.001, 0.02, 0.5]) for name in PROGRAMS}
        tilt = rng.choice([-1, 0, 1])

        def relative(setting: Setting, rng: random.Random = rng, scale: object = scale) -> float:
            return scale[setting.program] * rng.uniform(0.2, 2)  # type: ignore[index]

        def look(setting: Setting, rng: random.Random = rng, tilt: int = tilt) -> Point:
            crypto = setting.program in ("aes", "md5")
            busy = Fraction(rng.randint(1, 9) + (20 * tilt if crypto and tilt > 0 else 0))
            keep = (1, 2) if rng.random() < 0.7 else (3,)
            return made_up(relative, cpu_tm=busy, mapped=keep)(setting)

        found = verdicts(one, look, [entry], DEFAULTS, ["optimal"])  # type: ignore[list-item]
        seen.add(found[0].holds)
        if {True, False} <= seen:
            return
    raise AssertionError(f"always {seen}")


def test_what_is_needed_is_what_is_asked_for() -> None:
    one = explorer()
    known = set(needed(one, assumptions=ASSUMPTIONS[:2]))

    def look(setting: Setting) -> Point:
        assert setting in known
        return made_up(lambda _setting: 0.5)(setting)

    found = verdicts(one, look, assumptions=ASSUMPTIONS[:2])
    assert len(found) == 4 * len(CONCLUSIONS)


def test_points_without_a_proof_are_counted() -> None:
    look = made_up(lambda _setting: 0.5, proven=False)  # though no gap is known
    found = verdicts(explorer(), look, [conclusion("sl1-best")], DEFAULTS)
    assert {each.method: each.unproven for each in found} == {"greedy": 0, "optimal": 30}


def test_assumptions_change_the_settings() -> None:
    wanted = needed(explorer(), [conclusion("smm-low")], ASSUMPTIONS, ["greedy"])
    backs = {(s.design, dict(s.changes).get("write_back")) for s in wanted}
    assert ("SMM+", Fraction(800)) in backs  # 4 times lambda(MEM) of Table I
    assert ("SL2+", Fraction(60)) in backs  # 4 times lambda(L2)
    assert {dict(s.changes).get("dirty") for s in wanted} == {None, "resident"}


def test_flips_are_tallied_over_all_combinations() -> None:
    for library in ("numba", "ortools"):
        pytest.importorskip(library)
    held = {("line", 64), ("dirty", "dirty")}
    over = [
        each
        for each in assumptions()
        if held < {*each.values} and each.write_back == 1 and dict(each.values)["area"] in (32, 64)
    ]
    assert len(over) == 4  # two areas, and both readings of values
    rows = rows_of(explorer(), over)
    assert len(rows) == 2 * len(over)
    for name in FLIPS:
        cells = tally(rows, name)
        for method in ("greedy", "optimal"):
            whole = next(c for c in cells if c.axis == "all" and c.method == method)
            assert whole.number == len(over)
            for axis in AXES:
                own = [c for c in cells if c.axis == axis and c.method == method]
                assert sum(c.holds for c in own) == whole.holds
                assert sum(c.number for c in own) == whole.number
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first.method, second.method) == ("greedy", "optimal")
        assert all(b >= a for (_, a), (_, b) in zip(first.means, second.means, strict=True))
    assert len(assumptions()) == 8 * 4 * 3 * 2 * 2
