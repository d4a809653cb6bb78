"""The cheapest change: against every point of a grid, and against a numeric optimiser."""

from math import inf, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

import logca
from logca.numeric.sweep.cheapest import shrunk

TODAY: dict[str, Any] = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}


def speedup(g: Any, o: Any, L: Any, C: Any, A: Any, beta: Any) -> Any:
    return C * g**beta / (o + L + C * g**beta / A)


positive = st.floats(1e-3, 1e6)


@examples(40)
@given(
    o=positive,
    L=positive | st.just(0.0),
    A=st.floats(1.01, 1e3),
    target=st.floats(0.01, 1e4),
    weights=st.dictionaries(st.sampled_from("oLA"), st.floats(0.1, 10), min_size=1),
    others=st.lists(st.tuples(*[st.floats(0, 8)] * 3), max_size=30),
)
def test_nothing_cheaper_is_enough(
    o: float,
    L: float,
    A: float,
    target: float,
    weights: dict[str, float],
    others: list[tuple[float, float, float]],
) -> None:
    old = {"o": o, "L": L, "C": 3.0, "A": A, "beta": 1.0}
    found = logca.cheapest_change(old, speedup=target, g=100, costs=weights)
    assert set(found.factors) <= set(weights)
    if found.reached:
        assert found.speedup >= target * (1 - 1e-9)
        assert found.speedup == pytest.approx(speedup(100, **found.parameters))
        cost = sum(weights[name] * abs(log(f)) for name, f in found.factors.items())
        assert found.cost == pytest.approx(cost, abs=1e-7)
    else:
        assert found.cost == inf
        assert found.speedup <= target * (1 + 1e-9)
    for steps in others:
        step = {n: s for n, s in zip("oLA", steps, strict=True) if n in weights}
        new = {**old, **{n: old[n] * np.exp(s if n == "A" else -s) for n, s in step.items()}}
        dear = sum(weights[name] * each for name, each in step.items())
        if speedup(100, **new) >= target * (1 + 1e-9):
            assert found.reached
            assert found.cost <= dear + 1e-9
        elif not found.reached:
            assert speedup(100, **new) <= found.speedup * (1 + 1e-9)


@pytest.mark.parametrize("target", [4, 8, 16, 40])
@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("weights", [{"o": 1, "L": 1, "A": 1}, {"o": 3, "L": 0.5, "A": 2}])
def test_as_an_optimiser_finds_it(target: float, latency: str, weights: dict[str, float]) -> None:
    old = {**TODAY, "L": 4.0} if latency == "linear" else TODAY
    once = 1024 if latency == "linear" else 1
    found = logca.cheapest_change(
        {**old, "latency": latency}, speedup=target, g="1 KiB", costs=weights
    )

    def reached(u: Any) -> Any:
        o, L, A = old["o"] * np.exp(-u[0]), old["L"] * np.exp(-u[1]), old["A"] * np.exp(u[2])
        return 1 / target - (o + L * once) / (90 * 1024) - 1 / A

    optimum = minimize(
        lambda u: sum(weights[name] * each for name, each in zip("oLA", u, strict=True)),
        x0=[9, 9, 9],
        bounds=[(0, 12)] * 3,
        constraints={"type": "ineq", "fun": reached},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert optimum.success
    assert found.cost == pytest.approx(optimum.fun, rel=1e-6)


@given(
    terms=st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=5),
    weights=st.lists(st.floats(1e-3, 1e3), min_size=5, max_size=5),
    part=st.floats(1e-6, 0.999),
)
def test_shrunk_terms_have_the_sum(terms: list[float], weights: list[float], part: float) -> None:
    named = {str(i): term for i, term in enumerate(terms)}
    weight = {str(i): each for i, each in enumerate(weights)}
    total = part * sum(terms)
    found = shrunk(named, weight, total)
    assert sum(found.values()) == pytest.approx(total, rel=1e-9)
    levels = [found[name] / weight[name] for name in named if found[name] < named[name]]
    assert max(levels) == pytest.approx(min(levels))
    assert all(found[n] / weight[n] <= max(levels) * (1 + 1e-9) for n in named)


@pytest.fixture(scope="module")
def grid() -> xr.Dataset:
    return logca.sweep(
        o=[29_000, 3000, 500],
        A=[4, 19.0, 60, 200],
        g=[512, 1024, 4096],
        L=[1500, 100],
        C=90,
        beta=1,
        block=7,
    )


def every_point(target: float, g: float, weights: dict[str, float]) -> list[tuple[float, float]]:
    found = []
    for o in (29_000, 3000, 500):
        for A in (4, 19, 60, 200):
            for L in (1500, 100):
                fast = speedup(g, o, L, 90, A, 1)
                changes = {"o": o / 29_000, "A": A / 19, "L": L / 1500}
                cost = sum(
                    weights.get(name, inf) * abs(log(change))
                    for name, change in changes.items()
                    if change != 1
                )
                if fast >= target and cost < inf:
                    found.append((cost, -fast))
    return sorted(found)


@pytest.mark.parametrize("g", [512, 1024.0, 4096, 777])
@pytest.mark.parametrize("target", [0.5, 2, 8, 20, 40])
@pytest.mark.parametrize("weights", [{"o": 1, "L": 1, "A": 1}, {"o": 3, "A": 2}, {"L": 0, "o": 1}])
def test_the_cheapest_point(
    grid: xr.Dataset, target: float, g: float, weights: dict[str, float]
) -> None:
    expected = every_point(target, g, weights)
    found = logca.cheapest_change(TODAY, speedup=target, g=g, among=grid, costs=weights)
    assert found.reached == bool(expected)
    if expected:
        assert (found.cost, -found.speedup) == pytest.approx(expected[0])
        assert found.speedup == pytest.approx(speedup(g, **found.parameters))
    else:
        cheapest = every_point(0, g, weights)
        assert found.speedup == pytest.approx(max(-slow for _, slow in cheapest))
        assert found.cost == inf
        assert "no point reaches" in str(found)


@examples(40)
@given(
    target=st.floats(1, 60), weights=st.fixed_dictionaries(dict.fromkeys("oLA", st.floats(1, 9)))
)
def test_no_point_is_cheaper_than_the_exact_optimum(
    target: float, weights: dict[str, float]
) -> None:
    grid = logca.sweep(
        o=np.geomspace(10, 29_000, 9), A=np.geomspace(19, 999, 9), L=[15, 1500], C=90, beta=1, g=512
    )
    exact = logca.cheapest_change(TODAY, speedup=target, g=512, costs=weights)
    point = logca.cheapest_change(TODAY, speedup=target, g=512, costs=weights, among=grid)
    assume(point.reached)
    assert exact.reached
    assert exact.cost <= point.cost + 1e-9


def test_stored_speedups_count(grid: xr.Dataset, tmp_path: Path) -> None:
    masked = grid.where(grid.A < 60)
    found = logca.cheapest_change(TODAY, speedup=20, g=4096, among=masked)
    assert not found.reached
    assert found.parameters["A"] == 19
    parameters = {str(name): each.values for name, each in grid.coords.items()}
    expected = logca.cheapest_change(TODAY, speedup=20, g=4096, among=grid)
    for suffix in (".zarr", ".nc", ".parquet"):
        output = tmp_path / f"grid{suffix}"
        with logca.sweep(**parameters, output=output, block=4) as stored:
            again = logca.cheapest_change(TODAY, speedup=20, g=4096, among=stored)
        assert again == expected


def test_a_cost_of_ones_own(grid: xr.Dataset) -> None:
    found = logca.cheapest_change(
        TODAY,
        speedup=20,
        g="4 KiB",
        among=grid,
        costs=lambda new, old: np.where(new["o"] < 3000, 100, 0) + new["A"] - old["A"],
    )
    assert found.parameters == {"o": 3000, "L": 100, "C": 90, "A": 60, "beta": 1}
    assert found.cost == 41


def test_parameters_of_zero() -> None:
    grid = logca.sweep(o=[0, 5], L=[0, 7], C=90, A=[2, 19], beta=1, g=64)
    found = logca.cheapest_change({**TODAY, "o": 0, "L": 7}, speedup=15, g=64, among=grid)
    assert found.cost == 0
    found = logca.cheapest_change({**TODAY, "o": 5, "L": 7}, speedup=18.9, g=64, among=grid)
    assert not found.reached


def test_in_words(grid: xr.Dataset) -> None:
    accelerator = logca.Accelerator(**TODAY)
    same = logca.cheapest_change(accelerator, speedup=1, g="1 KiB")
    assert str(same) == "no change: speedup 2.607, cost 0"
    never = logca.cheapest_change(accelerator, speedup=60, g="1 KiB", costs={"o": 1, "L": 1})
    assert str(never) == "no change reaches a speedup of 60 at 1 KiB; it stays below 19"
    point = logca.cheapest_change(accelerator, speedup=30, g="4 KiB", among=grid)
    assert str(point) == "o = 3000 (×0.1034), A = 60 (×3.158): speedup 34.63, cost 3.419"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"today": {"o": 1}}, "lack L, C, A, beta"),
        ({"today": {**TODAY, "A": 0.5}}, "A = 0.5"),
        ({"today": {**TODAY, "latency": "affine"}}, "latency = 'affine'"),
        ({"speedup": -1}, "s = -1"),
        ({"g": "1 KB"}, "ambiguous"),
        ({"costs": {"C": 1}}, "weight C=1: without a sweep only o, L and A can change"),
        ({"costs": {"o": 0}}, "weight o=0 must be more than 0"),
        ({"costs": {}}, "no parameter may change"),
        ({"costs": lambda new, old: 0}, "goes with a sweep"),
    ],
)
def test_bad_questions(question: dict[str, Any], message: str) -> None:
    asked = {"today": TODAY, "speedup": 5, "g": 1024, **question}
    with pytest.raises(ValueError, match=message):
        logca.cheapest_change(asked.pop("today"), **asked)


def test_bad_questions_about_a_sweep(grid: xr.Dataset) -> None:
    def ask(among: xr.Dataset, **changes: Any) -> logca.numeric.accelerator.change.Change:
        return logca.cheapest_change(
            **{"today": TODAY, "speedup": 5, "g": 1024, "among": among, **changes}
        )

    with pytest.raises(logca.SweepError, match="under constant latency, the parameters under li"):
        ask(grid, today={**TODAY, "latency": "linear"})
    with pytest.raises(logca.SweepError, match="lacks C"):
        ask(grid.drop_vars("C"))
    with pytest.raises(logca.SweepError, match="weights go with o, L, C, A, beta"):
        ask(grid, costs={"g": 1})
    with pytest.raises(logca.SweepError, match="weight o=-1 must be 0 or more"):
        ask(grid, costs={"o": -1})
    with pytest.raises(logca.SweepError, match="every point of the sweep changes"):
        ask(grid, today={**TODAY, "C": 91}, costs={"o": 1})


def test_a_speedup_too_small_for_floating_point_is_told() -> None:
    with pytest.raises(logca.SweepError, match="too small for floating point"):
        logca.cheapest_change({**TODAY, "beta": 3}, speedup=1, g=1e-150)
