"""The part of a sweep that is nearest to given values of some parameters."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from logca.numeric.change import same
from logca.numeric.sweeping.errors import SweepError

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["nearest"]


def nearest(dataset: "xr.Dataset", values: Mapping[str, float]) -> "xr.Dataset":
    """A sweep with some parameters fixed at the values that are nearest, by their ratio.

    Parameters
    ----------
    dataset : Dataset
        The sweep.
    values : mapping of str to float
        Parameters and their values [unit of each].

    Raises
    ------
    SweepError
        If the sweep does not have a parameter, or at one other value only.
    """
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
