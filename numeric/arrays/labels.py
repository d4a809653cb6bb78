"""Arguments with labels or masks: results have them too, or the arguments are refused.

xarray and pandas are looked at only where somebody has imported them already.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from logca.common.errors import ArgumentError, ArgumentTypeError

__all__ = ["has_labels", "refuse_labels", "with_labels"]


def _of(argument: Any, library: str, *names: str) -> bool:
    """True if an argument is of one of these classes of a library that is imported."""
    module = sys.modules.get(library)
    # another thread may be importing it: then nobody has an array of it yet
    kinds = (getattr(module, name, None) for name in names)
    return isinstance(argument, tuple(kind for kind in kinds if isinstance(kind, type)))


def has_labels(arguments: Sequence[Any]) -> bool:
    """True if an argument has labels or a mask, which a plain array would lose."""
    return any(
        isinstance(each, np.ma.MaskedArray)
        or _of(each, "xarray", "DataArray", "Dataset", "Variable")
        or _of(each, "pandas", "Series", "DataFrame")
        for each in arguments
    )


def refuse_labels(argument: Any) -> None:
    """Refuse labels and masks where results could not have them, also those in a list."""
    inside = argument if isinstance(argument, list | tuple) else ()
    if has_labels((argument, *inside)):
        kind = type(argument).__name__
        raise ArgumentTypeError(
            f"a {kind} has labels or a mask, which this function does not keep: give its values, "
            "such as numpy.asarray(x), and of a masked array x.filled(numpy.nan)"
        )


def with_labels(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """A function of arrays, at arguments with labels or masks; all of them of one kind.

    Arrays of xarray are broadcast by the names of their axes, and their coordinates must be equal;
    so must the indices of several Series of pandas. What is masked in one array is in the result.
    """
    if any(_of(each, "xarray", "Dataset", "Variable") for each in arguments) or any(
        _of(each, "pandas", "DataFrame") for each in arguments
    ):
        raise ArgumentTypeError(
            "a DataFrame, a Dataset or a Variable is no array with labels: give its columns or"
            " arrays one by one"
        )
    of_xarray = [each for each in arguments if _of(each, "xarray", "DataArray")]
    of_pandas = [each for each in arguments if _of(each, "pandas", "Series")]
    masked = [each for each in arguments if isinstance(each, np.ma.MaskedArray)]
    if sum(map(bool, (of_xarray, of_pandas, masked))) > 1:
        raise ArgumentTypeError("arrays of xarray, pandas and with masks do not mix: convert them")
    if of_xarray:
        return _of_xarray(function, arguments)
    if of_pandas:
        return _of_pandas(function, arguments, of_pandas)
    mask = np.ma.nomask
    for each in masked:
        # at least one axis, since a mask of no axis would be forgotten
        mask = np.logical_or(mask, np.ma.getmaskarray(each))
    plain = [each.filled(np.nan) if _is_float(each) else np.ma.getdata(each) for each in arguments]
    return np.ma.MaskedArray(function(*plain), mask=mask)


def _is_float(argument: Any) -> bool:
    return isinstance(argument, np.ma.MaskedArray) and argument.dtype.kind == "f"


def _of_xarray(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    xarray: Any = sys.modules["xarray"]
    arrays = [each for each in arguments if _of(each, "xarray", "DataArray")]
    try:
        xarray.align(*arrays, join="exact")
    except ValueError as error:
        raise ArgumentError(f"coordinates differ: {str(error).splitlines()[0]}") from None
    found = xarray.apply_ufunc(function, *arguments, dask="allowed", keep_attrs=False)
    # name, unit and description are those of the argument
    return found.rename(None)


def _of_pandas(
    function: Callable[..., Any], arguments: Sequence[Any], series: Sequence[Any]
) -> Any:
    pandas: Any = sys.modules["pandas"]
    index = series[0].index
    if not all(each.index.equals(index) for each in series):
        raise ArgumentError("the Series have different indices: align them first")
    if any(each.dtype.kind not in "iuf" for each in series):
        raise ArgumentTypeError("a Series holds real numbers here, and neither times nor texts")
    plain = [
        each.to_numpy(np.float64, na_value=np.nan) if _of(each, "pandas", "Series") else each
        for each in arguments
    ]
    if any(np.ndim(each) > 1 or np.size(each) not in (1, len(index)) for each in plain):
        raise ArgumentError(f"beside a Series of {len(index)} values stand numbers, or as many")
    return pandas.Series(function(*plain), index=index)
