"""Labels and masks of arguments are in results, or refused; never dropped."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from logca import numeric
from logca.common.errors import ArgumentError, ArgumentTypeError

MODEL = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
SIZES = [16.0, 1024.0, 2.0**20]
VALUES = [numeric.speedup(size, **MODEL) for size in SIZES]


def test_what_is_masked_stays_masked() -> None:
    sizes = np.ma.MaskedArray(SIZES, mask=[False, True, False])
    found = numeric.speedup(sizes, **MODEL)
    assert isinstance(found, np.ma.MaskedArray)
    assert found.mask.tolist() == [False, True, False]
    assert found[0] == VALUES[0]
    assert found.filled(-1.0).tolist() == [VALUES[0], -1.0, VALUES[2]]


def test_masks_of_several_arrays_join() -> None:
    sizes = np.ma.MaskedArray([16, 1024], mask=[True, False])
    peaks = np.ma.MaskedArray([[2.0], [3.0]], mask=[[False], [True]])
    found = numeric.speedup(sizes, **{**MODEL, "A": peaks})
    assert found.mask.tolist() == [[True, False], [True, True]]


def test_a_series_keeps_its_index() -> None:
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Series(SIZES, index=["a", "b", "c"])
    found = numeric.speedup(sizes, **MODEL)
    pandas.testing.assert_series_equal(found, pandas.Series(VALUES, index=sizes.index))
    other = pandas.Series([2.0, 3.0, 4.0], index=["a", "b", "x"])
    with pytest.raises(ArgumentError, match="different indices: align them"):
        numeric.speedup(sizes, **{**MODEL, "A": other})
    with pytest.raises(ArgumentError, match="stand numbers, or as many"):
        numeric.speedup(sizes, **{**MODEL, "A": [2.0, 3.0]})
    with pytest.raises(ArgumentTypeError, match="columns or arrays one by one"):
        numeric.speedup(pandas.DataFrame({"g": SIZES}), **MODEL)


def test_a_missing_value_is_no_number() -> None:
    pandas = pytest.importorskip("pandas")
    found = numeric.speedup(pandas.Series([16, None], dtype="Int64"), **MODEL)
    assert found[0] == VALUES[0]
    assert np.isnan(found[1])


def test_axes_with_names_are_broadcast_by_them() -> None:
    xarray = pytest.importorskip("xarray")
    sizes = xarray.DataArray(SIZES, dims="g", coords={"g": SIZES})
    peaks = xarray.DataArray([2.0, 19.0], dims="A", coords={"A": [2.0, 19.0]})
    found = numeric.speedup(sizes, **{**MODEL, "A": peaks})
    assert found.dims == ("g", "A")
    assert found.sel(A=19.0).values.tolist() == VALUES
    with pytest.raises(ArgumentError, match="coordinates differ"):
        numeric.speedup(sizes, **{**MODEL, "o": sizes.assign_coords(g=[1.0, 2.0, 3.0])})


def test_a_result_is_not_called_like_its_argument() -> None:
    xarray = pytest.importorskip("xarray")
    sizes = xarray.DataArray(SIZES, dims="g", coords={"g": SIZES}, name="g", attrs={"units": "B"})
    found = numeric.speedup(sizes, **MODEL)
    assert found.name is None
    assert found.attrs == {}
    assert found.g.values.tolist() == list(SIZES)


FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    lambda o: numeric.granularity_for(1, **{**MODEL, "o": o}),
    lambda o: numeric.as_logca("application", o=o, L=1, C=1, A=2, f=0.5),
    lambda o: numeric.evaluate("speedup", g=1, **{**MODEL, "o": o}),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_would_drop_labels_refuses_them(function: Callable[[Any], Any]) -> None:
    xarray, pandas = pytest.importorskip("xarray"), pytest.importorskip("pandas")
    for given in (np.ma.MaskedArray([1.0]), pandas.Series([1.0]), xarray.DataArray([1.0])):
        with pytest.raises(ArgumentTypeError, match="labels or a mask"):
            function(given)


@pytest.mark.parametrize("library", ["numpy", "jax.numpy"])
def test_half_precision_is_refused(library: str) -> None:
    xp = pytest.importorskip(library)
    with pytest.raises(ArgumentTypeError, match="end at 65504"):
        numeric.speedup(xp.asarray([16, 1024], dtype=xp.float16), **MODEL)


@pytest.mark.parametrize("given", [10**400, {1, 2}, "1 KiB", None, np.array(["x"]), [[1, 2], [3]]])
def test_no_number_is_refused_in_a_short_message(given: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="is not a real number") as caught:
        numeric.speedup(given, **MODEL)
    assert len(str(caught.value)) < 200
