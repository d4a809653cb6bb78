"""The point of a sweep that is the cheapest change from given parameters."""

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from logca.numeric.change import Change, Costs, factors_between, same
from logca.numeric.domain import MODEL
from logca.numeric.evaluation import evaluate
from logca.numeric.sweeping.errors import SweepError
from logca.numeric.sweeping.grid import cut

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["cheapest_point"]


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
    """The cheapest change among the points of a sweep, see `logca.cheapest_change`.

    Parameters
    ----------
    dataset : Dataset
        The sweep.
    old : mapping of str to float
        o, L, C, A and beta before the change [cycles, cycles or cycles/B, cycles/B**beta, 1, 1].
    latency : str
        Form of latency [text].
    target : float
        Speedup to be reached [1].
    g : float
        Granularity [B].
    costs : mapping of str to float, or callable
        As in `logca.cheapest_change` [1].

    Raises
    ------
    SweepError
        If the sweep lacks a parameter or has another form of latency, or if every point of it
        changes what may not change.
    """
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
            found = stored.isel(at).values[None]
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
    """What each point costs; infinite where it changes what may not change [1]."""
    if callable(costs):
        return np.asarray(costs(new, old), dtype=np.float64)
    weights = dict.fromkeys(MODEL, 1.0) if costs is None else costs
    for name, weight in weights.items():
        if name not in MODEL:
            raise SweepError(f"{name} has a weight; weights go with {', '.join(MODEL)}")
        if not 0 <= weight < inf:
            raise SweepError(f"the weight of {name} is {weight}; it must be finite, at least 0")
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
