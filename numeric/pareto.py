"""The best compromises of a sweep: points that no other point beats in everything."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from logca.numeric.dominance import non_dominated, not_dominated_by
from logca.numeric.missing import require
from logca.numeric.sweeping.errors import SweepError
from logca.numeric.sweeping.grid import cut

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["pareto"]


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
        Names of parameters or quantities of the data set [text].

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
    index, costs = _front(dataset, signs, axes)
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


def _front(
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
    values = array.transpose(*(axis for axis in axes if axis in array.dims)).values
    return values.reshape([array.sizes[axis] if axis in array.dims else 1 for axis in axes])
