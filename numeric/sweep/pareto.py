"""The best compromises of a sweep: points that no other point beats in everything."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.common.extras import require
from logca.numeric.accelerator.change import same
from logca.numeric.sweep.blocks import SweepError, cut
from logca.numeric.sweep.dataset import read_values

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "nearest",
    "non_dominated",
    "not_dominated_by",
    "pareto",
]

Rows = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

_FEW = 128
_PAIRS = 4_000_000
_SAMPLE = 1_000
_MANY = 20 * _SAMPLE
_STRONG = 16


def non_dominated(costs: Rows) -> Mask:
    """For each row of costs whether no other row is at most as dear in all and dearer in none.

    Rows that are the same do not dominate each other. Rows are sorted and halved again and again;
    a row of the first half is not dominated by one of the second, so that only the second half's
    survivors are compared with the first's, in one dimension less. For up to three costs that takes
    sorting only, even if all rows survive; for more, the time grows with the square of the rows
    that survive.

    Examples
    --------
    >>> non_dominated(np.array([[1.0, 5.0], [2.0, 2.0], [2.0, 3.0], [5.0, 1.0]])).tolist()
    [True, True, False, True]
    """
    if len(costs) == 0:
        return np.zeros(0, dtype=np.bool_)
    if len(costs) > _MANY and costs.shape[1] > 2:
        sample = _sample(costs)
        left = not_dominated_by(costs, sample[non_dominated(sample)])
        left[left] = _survivors(costs[left])
        return left
    return _survivors(costs)


def not_dominated_by(costs: Rows, by: Rows) -> Mask:
    """For each row of costs whether none of some other rows dominates it: of up to 32 of them.

    A few rows that lie apart dominate most of what is ever dominated, and are quickly tried.
    """
    columns, places = costs.T.copy(), np.arange(len(costs))
    for strong in by[np.lexsort(by.T[::-1])][:: max(1, len(by) // _STRONG)]:
        worse = np.ones(len(places), dtype=np.bool_)
        for column, value in zip(columns, strong, strict=True):
            worse &= column >= value
        worse[worse] = (strong < columns[:, worse].T).any(axis=1)
        if worse.any():
            columns, places = columns[:, ~worse], places[~worse]
    found = np.zeros(len(costs), dtype=np.bool_)
    found[places] = True
    return found


def _survivors(costs: Rows) -> Mask:
    # Costs with few values first: of rows that differ in the last one only, the first one is left.
    few_first = np.argsort([len(np.unique(column)) for column in _sample(costs).T], kind="stable")
    costs = costs[:, few_first]
    order = np.lexsort(costs.T[::-1])
    rows = costs[order]
    leads = np.ones(len(rows), dtype=np.bool_)
    leads[1:] = (rows[1:, :-1] != rows[:-1, :-1]).any(axis=1)
    leading, group = rows[leads], np.cumsum(leads) - 1
    survives = np.zeros(len(leading), dtype=np.bool_)
    survives[_front_of_rows(leading, np.arange(len(leading)))] = True
    found = np.empty(len(rows), dtype=np.bool_)
    found[order] = survives[group] & (rows[:, -1] == leading[group, -1])
    return found


def _sample(costs: Rows) -> Rows:
    """Some of many rows, the same ones every time."""
    if len(costs) <= _SAMPLE:
        return costs
    return costs[np.random.default_rng(0).integers(0, len(costs), _SAMPLE)]


def _front_of_rows(rows: Rows, places: Any) -> Any:
    """Of some places in sorted, distinct rows those of rows that no other of them dominates."""
    if rows.shape[1] == 2:
        second = rows[places, 1]
        least = np.minimum.accumulate(second)
        return places[np.concatenate([[True], second[1:] < least[:-1]])]
    if len(places) <= _FEW:
        few = rows[places]
        worse: Mask = np.triu(np.all(few[:, None, :] <= few[None, :, :], axis=2), 1)
        return places[~worse.any(axis=0)]
    half = len(places) // 2
    first, second = _front_of_rows(rows, places[:half]), _front_of_rows(rows, places[half:])
    # Sorted, the first cost of the first half's rows is never the larger one.
    return np.concatenate([first, second[~_dominated(rows[second, 1:], rows[first, 1:])]])


def _dominated(rows: Rows, by: Rows) -> Mask:
    """For each row whether one of the others is nowhere larger."""
    dimensions = rows.shape[1]
    if dimensions == 0:
        return np.ones(len(rows), dtype=np.bool_)
    if dimensions == 1:
        least: Mask = rows[:, 0] >= by[:, 0].min()
        return least
    if dimensions == 2:
        order = np.argsort(by[:, 0])
        below = np.minimum.accumulate(by[order, 1])
        count = np.searchsorted(by[order, 0], rows[:, 0], side="right")
        found: Mask = (count > 0) & (below[np.maximum(count, 1) - 1] <= rows[:, 1])
        return found
    step = max(1, _PAIRS // (len(by) * dimensions))
    parts = [
        np.any(np.all(by[None, :, :] <= rows[start : start + step, None, :], axis=2), axis=1)
        for start in range(0, len(rows), step)
    ]
    return np.concatenate(parts)


def pareto(
    dataset: "xr.Dataset", *, minimise: str | Sequence[str] = (), maximise: str | Sequence[str] = ()
) -> "xr.Dataset":
    """Points of a sweep that no other point dominates: at least as good in all, better in one.

    Points that are equal in all that is minimised and maximised are all kept; points where one of
    them is NaN never are. The sweep is read block by block and may be larger than memory.

    Parameters
    ----------
    dataset : Dataset
        Result of `logca.sweep` or `logca.open_sweep`.
    minimise, maximise : str or sequence of str
        Names of parameters or quantities of the data set.

    Returns
    -------
    Dataset
        With one dimension, `point`, in the order of the first name: the points' parameters as
        coordinates, and what is minimised and maximised.

    Raises
    ------
    SweepError
        If a name is unknown or there twice, or there is none.

    Examples
    --------
    >>> import logca
    >>> grid = logca.sweep(g=512, A=[2, 8, 64], L=[10, 1000], o=435, C=32, beta=1)
    >>> best = pareto(grid, minimise="A", maximise="speedup")
    >>> best.A.values.tolist(), best.L.values.tolist()
    ([2.0, 8.0, 64.0], [10.0, 10.0, 10.0])
    """
    xarray: Any = require("xarray", "sweep")
    signs = _signs(dataset, minimise, maximise)
    used = {axis for name in signs for axis in dataset[name].dims}
    axes = [axis for axis in dataset.dims if axis in used]
    index, costs = _front_of_sweep(dataset, signs, axes)
    along = dict(zip(axes, index, strict=True))
    coordinates = {
        axis: ("point", dataset[axis].values[places], dataset[axis].attrs)
        for axis, places in along.items()
    } | {name: each for name, each in dataset.coords.items() if not each.dims}
    columns = {
        name: ("point", sign * column, dataset[name].attrs)
        for column, (name, sign) in zip(costs.T, signs.items(), strict=True)
        if name not in coordinates
    }
    result: xr.Dataset = xarray.Dataset(columns, coords=coordinates, attrs=dataset.attrs)
    return result


def _front_of_sweep(
    dataset: "xr.Dataset", signs: dict[str, float], axes: list[Any]
) -> tuple[tuple[Any, ...], Any]:
    """Places of the points along each axis, and their costs, in the order of the costs."""
    shape = (1, *(dataset.sizes[axis] for axis in axes))  # one axis more: there may be none
    front, costs = np.empty(0, dtype=np.int64), np.empty((0, len(signs)))
    for place in cut(shape).places():
        part = dataset[list(signs)].isel(dict(zip(axes, place[1:], strict=True)))
        sizes = [each.stop - each.start for each in place]
        columns = [
            sign * np.broadcast_to(_along(part[name], axes), sizes).ravel()
            for name, sign in signs.items()
        ]
        fresh = np.stack(columns, axis=1)
        numbers = np.flatnonzero(~np.isnan(fresh).any(axis=1))
        if len(signs) > 2:
            numbers = numbers[not_dominated_by(fresh[numbers], costs)]
        inside = np.unravel_index(numbers, sizes)
        whole = tuple(each.start + within for each, within in zip(place, inside, strict=True))
        front = np.concatenate([front, np.ravel_multi_index(whole, shape)])
        costs = np.concatenate([costs, fresh[numbers]])
        kept = non_dominated(costs)
        front, costs = front[kept], costs[kept]
    order = np.lexsort([front, *costs.T[::-1]])
    return np.unravel_index(front[order], shape)[1:], costs[order]


def _signs(
    dataset: "xr.Dataset", minimise: str | Sequence[str], maximise: str | Sequence[str]
) -> dict[str, float]:
    """Of each name whether it is a cost or, with the sign changed, becomes one [1]."""
    down = (minimise,) if isinstance(minimise, str) else tuple(minimise)
    up = (maximise,) if isinstance(maximise, str) else tuple(maximise)
    if not down and not up:
        raise SweepError("nothing to minimise or maximise; name parameters or quantities")
    for name in (*down, *up):
        if name not in dataset.variables:
            known = ", ".join(map(str, dataset.variables))
            raise SweepError(f"the sweep has no {name!r}; it has {known}")
        if (*down, *up).count(name) > 1:
            raise SweepError(f"{name} is to be minimised or maximised, once, not both or twice")
    return dict.fromkeys(down, 1.0) | dict.fromkeys(up, -1.0)


def _along(array: "xr.DataArray", axes: Sequence[Any]) -> Any:
    """Values with one axis for each of the names, of length one where they do not vary."""
    ordered = array.transpose(*(axis for axis in axes if axis in array.dims))
    return read_values(ordered).reshape(
        [array.sizes[axis] if axis in array.dims else 1 for axis in axes]
    )


def nearest(dataset: "xr.Dataset", values: Mapping[str, float]) -> "xr.Dataset":
    """A sweep with some parameters fixed at the values that are nearest, by their ratio."""
    for name, value in values.items():
        if name not in dataset.coords:
            raise SweepError(
                f"the sweep has no {name}; it has {', '.join(map(str, dataset.coords))}"
            )
        there = np.atleast_1d(dataset[name].values)
        if name not in dataset.dims:
            if not same(there[0], value):
                raise SweepError(f"the sweep is at {name} = {there[0]:g} only, not at {value:g}")
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.abs(np.log(there / value))
        place = int(np.argmin(np.where(same(there, value), -1.0, distance)))
        dataset = dataset.isel({name: place})
    return dataset
