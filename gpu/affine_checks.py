"""A nest extended to a larger size, against the program that was really run there."""

from collections.abc import Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from logca.gpu.affine import AffineError, AffineNest, extents_of
from logca.gpu.nest import NestTrace
from logca.gpu.running import Columns
from logca.gpu.synthesis import synthesise

__all__ = ["Compared", "check_compared", "compared_in", "rows_in"]

Compared = Mapping[int, NDArray[np.int64]]
"""For each launch that is compared its outermost iterations that are [1]."""


def compared_in(nest: AffineNest, share: float) -> Compared:
    """What is compared: of three launches outermost iterations from the first to the last.

    Parameters
    ----------
    nest : AffineNest
        The nest at the size of the run.
    share : float
        Share of all its accesses that there is room for [1].
    """
    first, end = nest.launches
    launches = sorted({first, (first + end) // 2, end - 1})
    step = max(1, round(len(launches) / (share * (end - first))))
    compared = {}
    for launch in launches:
        last = extents_of(nest, launch)[0] - 1
        compared[launch] = np.unique(np.append(np.arange(0, last, step), last))
    return compared


def rows_in(compared: Compared, columns: Columns) -> NDArray[np.bool_]:
    """Which accesses of a run are compared.

    Parameters
    ----------
    compared : mapping
        What is compared.
    columns : Columns
        Accesses.
    """
    found = np.zeros(len(columns.launch), np.bool_)
    for launch, outer in compared.items():
        found |= (columns.launch == launch) & np.isin(columns.iterations[:, 0], outer)
    return found


def check_compared(nest: AffineNest, compared: Compared, real: NestTrace | None) -> None:
    """Compare access by access; arrays may lie elsewhere, each as a whole.

    Parameters
    ----------
    nest : AffineNest
        The nest at the size of the run.
    compared : mapping
        What is compared.
    real : NestTrace or None
        What the run did there.

    Raises
    ------
    AffineError
        If the run did something else.
    """
    moved: dict[tuple[str, str | int], int] = {}
    for launch, outer in compared.items():
        inner = (np.arange(each) for each in extents_of(nest, launch)[1:])
        threads = np.array(list(product(outer, *inner)), np.int64)
        try:
            made = synthesise(nest, threads, launch=launch)
        except AffineError:
            made = None
        there = None if real is None else np.flatnonzero(real.launch == launch)
        count = 0 if there is None else len(there)
        if real is None or there is None or made is None or len(made.access) != count:
            number = 0 if made is None else len(made.access)
            if number != count:
                raise AffineError(
                    f"the nest makes {count:,} accesses in threads in which smaller sizes lead to "
                    f"{number:,}"
                )
            continue
        for mine, own in (
            (made.access, real.access[there]),
            (made.size, real.size[there]),
            (made.iterations, real.iterations[there]),
        ):
            if not np.array_equal(mine, own):
                raise AffineError("the nest makes other accesses than smaller sizes lead to")
        distance = real.address[there].astype(np.int64) - made.address.astype(np.int64)
        for number in np.unique(made.access).tolist():
            access = nest.accesses[number]
            own = distance[made.access == number]
            name = access.function, access.array or number
            if not np.all(own == moved.setdefault(name, int(own[0]))):
                raise AffineError(
                    f"addresses in {access.array or 'memory'} are others than smaller sizes lead "
                    "to",
                    access=access,
                )
