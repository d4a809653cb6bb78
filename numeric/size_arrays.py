"""Granularities in every form in which people have them."""

from math import inf

import numpy as np
from array_api_compat import array_namespace, is_jax_array, is_lazy_array

from logca.numeric.arrays import Array, is_foreign
from logca.numeric.sizes import SizeError, parse_size

__all__ = ["sizes"]


def sizes(g: Array) -> Array:
    """Granularities from numbers, texts or arrays, checked to be positive and finite [B].

    Arrays of other libraries keep their kind. Those whose values are not known yet, as in Dask or
    while JAX traces a function, pass unchecked.

    Raises
    ------
    SizeError
        If one is no size.

    Examples
    --------
    >>> sizes(["16 B", "4 KiB"]).tolist()
    [16.0, 4096.0]
    """
    if is_foreign(g):
        return _checked(g)
    if isinstance(g, np.ma.MaskedArray):
        raise SizeError("a masked array is no array of sizes: take the sizes that are not masked")
    if isinstance(g, str) or np.ndim(g) == 0:
        return parse_size(g.item() if isinstance(g, np.ndarray) else g)
    array = np.asarray(g)
    if array.dtype.kind not in "fiu":
        return np.vectorize(parse_size, otypes=[float])(np.asarray(g, dtype=object))
    wrong = ~((array > 0) & (array < inf))
    if wrong.any():
        parse_size(array[wrong].flat[0])
    return array


def _checked(g: Array) -> Array:
    if is_lazy_array(g) and not is_jax_array(g):
        return g
    try:
        good = bool(array_namespace(g).all((g > 0) & (g < inf)))
    except TypeError:  # a traced array of JAX has no truth value
        return g
    if not good:
        raise SizeError(f"{g!r} is no array of sizes: each is more than 0 bytes, and finite")
    return g
