"""Estimates and intervals against an independent search with SciPy, the model written out again.

At an end of an interval the best curve that has this value must fit worse than the best of all by
just the quantile that belongs to the level.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES, Known
from scipy.optimize import curve_fit, minimize
from scipy.stats import f as fisher
from scipy.stats import t as student

from logca.numeric.fit.estimate import Estimate, estimate
from logca.numeric.fit.intervals import interval_of, parameters

LEVEL = 0.9
NAMES = ("o", "L", "C", "A", "beta")
Vector = Any
FLAT = Known(o=2e-6, L=6e-11, C=3e-8, A=9.0, beta=0.7)


@pytest.fixture(scope="module")
def linear() -> Estimate:
    return estimate(FLAT.timings(0.03, seed=5, sizes=SIZES[::2]), "linear")


def log_times(logs: Vector, g: Vector) -> tuple[Vector, Vector]:
    o, L, C, A, beta = np.exp(logs)
    return np.log(C * g**beta), np.log(o + L * g + C * g**beta / A)


def deviance(found: Estimate, logs: Vector) -> float:
    """Sum of squared errors of the mean logarithms of the times, with their weights."""
    total = 0.0
    for place, arm in enumerate(found.data[:2]):
        predicted = log_times(logs, arm.x * np.exp(found.data.log_size))[place]
        mean = np.bincount(arm.place, arm.weight * arm.y) / np.bincount(arm.place, arm.weight)
        total += float((((predicted - found.data.log_time - mean) * arm.root) ** 2).sum())
    return total


def least(found: Estimate, condition: Callable[[Vector], float], near: Vector) -> float:
    """The least deviance of curves that meet a condition; C is searched for at the mean size."""
    apart = np.zeros((5, 5))
    apart[2, 4] = found.data.log_size

    def logs(at: Vector) -> Vector:
        return at - apart @ np.exp(at)

    start = near + apart @ np.exp(near)
    best = np.inf
    for seed in range(2):
        done = minimize(
            lambda at: deviance(found, logs(at)),
            start + 0.05 * seed * np.random.default_rng(seed).standard_normal(5),
            method="SLSQP",
            bounds=[(each - 1.5, each + 1.5) for each in start],
            constraints={"type": "eq", "fun": lambda at: condition(logs(at))},
            options={"maxiter": 300, "ftol": 1e-8},
        )
        if abs(condition(logs(done.x))) < 1e-6:
            best = min(best, float(done.fun))
    return best


def log_speedup(logs: Vector, log_g: Vector) -> Vector:
    host, accelerated = log_times(logs, np.exp(log_g))
    return host - accelerated


def condition_of(name: str, value: float) -> Callable[[Vector], float]:
    grid = np.linspace(np.log(1e3), np.log(1e12), 4001)
    if name in NAMES:
        return lambda logs: float(logs[NAMES.index(name)] - np.log(value))
    if name == "peak":
        return lambda logs: float(log_speedup(logs, grid).max() - np.log(value))
    if name == "gA2":
        return lambda logs: float(log_speedup(logs, np.log(value)) - logs[3] + np.log(2))
    return lambda logs: float(log_speedup(logs, np.log(value)))


@pytest.mark.parametrize("name", ["o", "L", "C", "A", "beta", "g1", "gA2", "peak", "g1_upper"])
def test_at_the_ends_of_an_interval_the_best_curve_is_worse_by_the_quantile(
    linear: Estimate, name: str
) -> None:
    found = np.log([parameters(linear)[each] for each in NAMES])
    allowed = float(fisher.ppf(LEVEL, 1, linear.freedom))
    interval = interval_of(linear, name, LEVEL)
    assert 0 < interval.lower < interval.upper < np.inf
    for end in interval[:2]:
        excess = least(linear, condition_of(name, end), found) - deviance(linear, found)
        assert excess == pytest.approx(allowed, rel=0.03)


def test_the_best_curve_is_that_of_curve_fit() -> None:
    timings = CONSTANT.timings(0.02, seed=3)
    found = estimate(timings, "constant")
    host, accelerated = found.data.host, found.data.accelerated
    g = np.exp(found.data.log_size) * np.concatenate(
        [host.x[host.place], accelerated.x[accelerated.place]]
    )
    y = np.concatenate([host.y, accelerated.y]) + found.data.log_time
    sigma = np.concatenate([np.full(arm.y.size, arm.spread) for arm in (host, accelerated)])

    def model(g: Vector, o: float, C: float, A: float, beta: float) -> Vector:
        logs = np.array([o, -np.inf, C, A, beta])
        times = log_times(logs, g)
        return np.concatenate([times[0][: host.y.size], times[1][host.y.size :]])

    start = np.log([1e-5, 1e-9, 5.0, 1.0])
    oracle, covariance = curve_fit(model, g, y, start, sigma, absolute_sigma=True)
    ours = np.log([parameters(found)[name] for name in ("o", "C", "A", "beta")])
    # weights of samples far out are a little less than one, which curve_fit does not know
    assert ours == pytest.approx(oracle, abs=0.2 * float(np.sqrt(covariance.diagonal().min())))


def test_spreads_are_those_of_the_noise() -> None:
    timings = LINEAR.timings(0.04, seed=6, repeats=20, spikes=0.02)
    found = estimate(timings, "linear")
    for arm in found.data[:2]:
        assert arm.spread == pytest.approx(0.04, rel=0.1)
        assert arm.spikes == pytest.approx(0.02, abs=0.015)


@pytest.mark.parametrize("seed", [13, 18])
def test_an_acceleration_that_latency_may_mask_leaves_its_half_without_an_upper_end(
    seed: int,
) -> None:
    """Latency per byte does what a finite acceleration does; 1 EiB is the farthest looked for."""
    few = Known(o=1.8e-5, C=2e-8, A=7.0).timings(
        0.03, seed=seed, repeats=5, sizes=(64, 256, 1024, 4096, 16384)
    )
    found = estimate(few, "linear")
    numbers, farthest = parameters(found), 2.0**60
    L = numbers["L"] + numbers["C"] / numbers["A"]
    A = numbers["C"] * farthest ** numbers["beta"] / (numbers["o"] + L * farthest)
    masked = {**numbers, "L": L, "A": A}
    best, near = (np.log([max(x[name], 1e-99) for name in NAMES]) for x in (numbers, masked))
    excess = least(found, condition_of("gA2", farthest), near) - deviance(found, best)
    interval = interval_of(found, "gA2", LEVEL)
    assert excess < fisher.ppf(LEVEL, 1, found.freedom)
    assert interval.upper == np.inf
    assert interval.none == pytest.approx(student.cdf(-np.sqrt(excess), found.freedom), abs=0.01)
