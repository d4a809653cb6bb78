"""Granularities in every form in which people have them."""

from math import inf

import numpy as np
from array_api_compat import is_array_api_obj

from logca.numeric.arrays import Array
from logca.numeric.sizes import SizeError, parse_size

__all__ = ["sizes"]


def sizes(g: Array) -> Array:
    """Granularities from numbers, texts or arrays, checked to be positive and finite [B].

    Arrays of other libraries than NumPy pass unchecked: their values may not be known yet.

    Raises
    ------
    SizeError
        If one is no size.

    Examples
    --------
    >>> sizes(["16 B", "4 KiB"]).tolist()
    [16.0, 4096.0]
    """
    if isinstance(g, list | tuple):
        return np.array([parse_size(each) for each in g])
    if not hasattr(g, "shape") or getattr(g, "shape", None) == ():
        return g if is_array_api_obj(g) and not isinstance(g, np.generic) else parse_size(g)
    if isinstance(g, np.ndarray):
        if g.dtype.kind not in "fiu":
            raise SizeError(f"{g!r} is no array of sizes; they are numbers of bytes")
        wrong = ~((g > 0) & (g < inf))
        if wrong.any():
            parse_size(g[wrong].flat[0])
    return g
