"""The cheapest change of an accelerator that reaches a speedup at a granularity.

Exact by water filling, or the best point of a sweep.
"""

from collections.abc import Mapping
from math import inf, log
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.change import Change, Costs, factors_between, same
from logca.numeric.accelerator.parameter_ranges import MODEL, check, check_latency
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.sweep.blocks import SweepError, cut
from logca.numeric.sweep.dataset import read_values

if TYPE_CHECKING:
    import xarray as xr

    from logca.numeric.accelerator.accelerator import Accelerator

__all__ = [
    "cheapest_change",
    "cheapest_point",
    "cost_of",
    "shrunk",
]


def shrunk(
    terms: Mapping[str, float], weights: Mapping[str, float], total: float
) -> dict[str, float]:
    """Terms with the given sum for which `cost_of` is least [unit of the terms].

    In the logarithms of the terms the cost is linear and the sum convex, so where the least cost is
    reached, every term that shrinks is its weight times one level, and terms that are smaller than
    that stay. Seen from the terms, the level falls like water in connected vessels.

    Examples
    --------
    >>> shrunk({"o": 8.0, "L": 3.0, "A": 1.0}, {"o": 1.0, "L": 1.0, "A": 1.0}, 5.0)
    {'o': 2.0, 'L': 2.0, 'A': 1.0}
    """
    low = sorted(terms, key=lambda name: terms[name] / weights[name])
    left, weight = total, sum(weights[name] for name in terms)
    level = left / weight
    for name in low:
        level = left / weight
        if terms[name] >= weights[name] * level:
            break
        left -= terms[name]
        weight -= weights[name]
    return {name: min(term, weights[name] * level) for name, term in terms.items()}


def cost_of(factors: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Cost of multiplying things by factors: weight times |ln(factor)|, added up [1]."""
    return sum(weights[name] * abs(log(factor)) for name, factor in factors.items())


class _Point(NamedTuple):
    """A point; the smallest one is the best."""

    cost: float
    slowness: float
    parameters: tuple[float, ...] = ()


def cheapest_point(
    dataset: "xr.Dataset",
    old: Mapping[str, float],
    latency: str,
    *,
    target: float,
    g: float,
    costs: Costs | None,
) -> Change:
    """The cheapest change among the points of a sweep, see `logca.cheapest_change`."""
    _check(dataset, latency)
    stored = _stored(dataset, g)
    axes = [name for name in MODEL if dataset[name].dims]
    if stored is not None:
        stored = stored.transpose(*axes, missing_dims="ignore")
    cheapest, fastest = _Point(inf, inf), _Point(inf, inf)
    shape = (1, *(dataset.sizes[name] for name in axes))  # one axis more: there may be none
    for place in cut(shape).places():
        at = dict(zip(axes, place[1:], strict=True))
        new = {name: _along(dataset, name, axes, at.get(name)) for name in MODEL}
        if stored is None:
            found = evaluate("speedup", latency=latency, g=g, **new)
        else:
            found = read_values(stored.isel(at))[None]
        cost = _cost(new, dict(old), costs)
        sizes = [part.stop - part.start for part in place]
        flat = [np.broadcast_to(each, sizes).ravel() for each in (cost, found, *new.values())]
        cheapest = min(cheapest, _best(flat, flat[1] >= target, (0, 1)))
        fastest = min(fastest, _best(flat, ~np.isnan(flat[1]), (1, 0)), key=lambda p: p[1::-1])
    if not fastest.parameters:
        raise SweepError("every point of the sweep changes a parameter that has no cost")
    reached = bool(cheapest.parameters)
    best = cheapest if reached else fastest
    parameters = dict(zip(MODEL, best.parameters, strict=True))
    return Change(
        reached=reached,
        target=target,
        g=g,
        speedup=-best.slowness,
        cost=best.cost if reached else inf,
        parameters=parameters,
        factors=factors_between(old, parameters),
    )


def _check(dataset: "xr.Dataset", latency: str) -> None:
    there = dataset.attrs.get("latency", latency)
    if there != latency:
        raise SweepError(f"the sweep is under {there} latency, the parameters under {latency}")
    for name in MODEL:
        if name not in dataset.coords:
            raise SweepError(f"the sweep lacks {name}; sweep with it, fixed or as an axis")
        if dataset[name].dims not in ((), (name,)):
            raise SweepError(f"{name} is not an axis of the data set: {dataset[name].dims}")


def _stored(dataset: "xr.Dataset", g: float) -> "xr.DataArray | None":
    """The sweep's own speedups at a granularity, if it has them."""
    if "speedup" not in dataset or "g" not in dataset.coords:
        return None
    places = np.flatnonzero(same(np.atleast_1d(dataset["g"].values), g))
    if not places.size:
        return None
    at_g: dict[Any, Any] = {"g": int(places[0])} if "g" in dataset["speedup"].dims else {}
    return dataset["speedup"].isel(at_g)


def _along(dataset: "xr.Dataset", name: str, axes: list[str], place: slice | None) -> Any:
    """A parameter with an axis for each axis of the sweep, and one more in front."""
    values = np.asarray(dataset[name].values, dtype=np.float64)
    if place is None:
        return values.reshape([1] * (len(axes) + 1))
    return values[place].reshape([1, *(-1 if axis == name else 1 for axis in axes)])


def _cost(new: dict[str, Any], old: dict[str, float], costs: Costs | None) -> Any:
    """Cost of each point; infinite where it changes what may not change [1]."""
    if callable(costs):
        return np.asarray(costs(new, old), dtype=np.float64)
    weights = dict.fromkeys(MODEL, 1.0) if costs is None else costs
    for name, weight in weights.items():
        if name not in MODEL:
            raise SweepError(f"{name} has a weight; weights go with {', '.join(MODEL)}")
        if not 0 <= weight < inf:
            raise SweepError(f"weight {name}={weight:g} must be 0 or more, and finite")
    total: Any = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, values in new.items():
            change = np.abs(np.log(values / old[name]))
            dear = change * weights[name] if name in weights else np.full(values.shape, inf)
            total = total + np.where(same(values, old[name]), 0.0, dear)
    return total


def _best(flat: list[Any], chosen: Any, keys: tuple[int, int]) -> _Point:
    """Of the chosen points that may be had the first by cost and slowness, or the other way."""
    cost, speedup = flat[:2]
    numbers = np.flatnonzero(chosen & (cost < inf))
    if not numbers.size:
        return _Point(inf, inf)
    columns = (cost[numbers], -speedup[numbers])
    number = numbers[np.lexsort([columns[key] for key in reversed(keys)])[0]]
    return _Point(
        float(cost[number]),
        float(-speedup[number]),
        tuple(float(each[number]) for each in flat[2:]),
    )


_SHRINKING = {"o": "share_o", "L": "share_L", "A": "share_C"}


def cheapest_change(
    today: Union["Accelerator", Mapping[str, Any]],
    *,
    speedup: float,
    g: float | str,
    among: "xr.Dataset | None" = None,
    costs: Costs | None = None,
) -> Change:
    """The cheapest change that reaches a speedup at a granularity, exactly or among a sweep.

    A change costs the sum over the parameters of weight times `|ln(new/old)|`: what halves the
    overhead costs as much as what halves it again. Without a sweep o, L and A may take any value,
    and the change is the exact optimum. With one, it is the point of the sweep with the least cost
    (of equally cheap ones the fastest).

    Parameters
    ----------
    today : Accelerator or mapping
        The parameters o, L, C, A and beta before the change, by name; `latency` in a mapping is
        "constant" unless it says otherwise.
    speedup : float
        What is to be reached, positive [1].
    g : float or str
        Granularity, such as 4096 or "4 KiB" [B].
    among : Dataset, optional
        A sweep of the parameters. Its speedups are used if it has them at g, those of the model
        otherwise.
    costs : mapping of str to float, or callable
        Weights; a parameter without one stays as it is. By default 1 for each, without a sweep for
        o, L and A. Or, with a sweep, a function of the new parameters, as arrays that broadcast,
        and the old ones, that returns costs [1].

    Raises
    ------
    SweepError
        If parameters are missing, weights cannot be used, the sweep has another form of latency, or
        the speedup is too small for floating point.
    DomainError
        If a number is outside the domain.

    Examples
    --------
    >>> today = dict(o=29_000, L=1500, C=90, A=19, beta=1)
    >>> found = cheapest_change(today, speedup=5, g="1 KiB")
    >>> print(found)
    o = 1.208e+04 (×0.4166): speedup 5, cost 0.8756
    >>> print(cheapest_change(today, speedup=20, g="1 KiB", costs={"o": 1}))
    no change reaches a speedup of 20 at 1 KiB; it stays below 14.51
    """
    old, latency = _parameters(today)
    target, size = check("s", speedup), check("g", parse_size(g))
    if among is not None:
        return cheapest_point(among, old, latency, target=target, g=size, costs=costs)
    return _exact(old, latency, target, size, costs)


def _parameters(today: Any) -> tuple[dict[str, float], str]:
    """Parameters and form of latency, checked."""
    if isinstance(today, Mapping):
        given, latency = dict(today), check_latency(today.get("latency", "constant"))
    else:
        given = {name: getattr(today, name) for name in MODEL}
        latency = check_latency(today.latency)
    if missing := [name for name in MODEL if name not in given]:
        raise SweepError(f"the parameters before the change lack {', '.join(missing)}")
    return {name: check(name, given[name], latency) for name in MODEL}, latency


def _exact(
    old: dict[str, float], latency: str, target: float, g: float, costs: Costs | None
) -> Change:
    """Host time over accelerated time is one over a sum of shares, which shrink independently."""
    weights = _weights(costs)
    at: dict[str, Any] = {"g": g, "latency": latency, **old}
    now = float(evaluate("speedup", **at))
    if now >= target:
        return _change(old, old, latency, target=target, g=g, cost=0.0)
    if now == 0:
        raise SweepError(
            f"the speedup at {format_size(g)} is too small for floating point; take a larger size"
        )
    terms = {name: float(evaluate(share, **at)) / now for name, share in _SHRINKING.items()}
    rest = sum(term for name, term in terms.items() if name not in weights)
    if 1 / target <= rest:
        return Change(
            reached=False,
            target=target,
            g=g,
            speedup=1 / rest,
            cost=inf,
            parameters={},
            factors={},
        )
    free = {name: term for name, term in terms.items() if name in weights and term > 0}
    smaller = shrunk(free, weights, 1 / target - rest)
    factors = {
        name: term / free[name] if name != "A" else free[name] / term
        for name, term in smaller.items()
    }
    new = {name: value * factors.get(name, 1.0) for name, value in old.items()}
    return _change(old, new, latency, target=target, g=g, cost=cost_of(factors, weights))


def _weights(costs: Costs | None) -> dict[str, float]:
    if costs is None:
        return dict.fromkeys(_SHRINKING, 1.0)
    if not isinstance(costs, Mapping):
        raise SweepError("a function of costs goes with a sweep; without one, give weights")
    for name, weight in costs.items():
        if name not in _SHRINKING:
            raise SweepError(
                f"weight {name}={weight:g}: without a sweep only o, L and A can change; give one "
                "of them a weight"
            )
        if not 0 < weight < inf:
            raise SweepError(
                f"weight {name}={weight:g} must be more than 0, and finite; a parameter without a "
                "weight stays as it is"
            )
    if not costs:
        raise SweepError("no parameter may change; give a weight to o, L or A")
    return dict(costs)


def _change(
    old: dict[str, float],
    new: dict[str, float],
    latency: str,
    *,
    target: float,
    g: float,
    cost: float,
) -> Change:
    at: dict[str, Any] = {"g": g, "latency": latency, **new}
    found = float(evaluate("speedup", **at))
    return Change(
        reached=True,
        target=target,
        g=g,
        speedup=found,
        cost=cost,
        parameters=new,
        factors=factors_between(old, new),
    )
