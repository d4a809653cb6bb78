"""Shortened nests: fewer accesses, the same addresses in the first iterations."""

import numpy as np
import pytest

from logca.gpu.affine.affine_nest import AffineNest
from logca.gpu.affine.fit import fit
from logca.gpu.affine.synthesis import synthesise
from logca.gpu.bounds.first_iterations import shortened

pytest.importorskip("numba")


@pytest.fixture
def product(handmade) -> AffineNest:
    """Threads that go through 600 iterations with two accesses each."""
    return fit(
        handmade.rectangular(
            (8, 8),
            [("A", False, lambda i, j, k: 8 * i + k), ("B", False, lambda i, j, k: 8 * k + j)],
            inner=600,
        )
    )


def test_a_short_nest_stays_whole(product: AffineNest) -> None:
    threads = np.array(list(np.ndindex(8, 8)))
    assert shortened(product, threads, launch=0, most=64 * 1200) == (product, 0)


def test_a_long_one_makes_the_first_accesses_of_each_thread(product: AffineNest) -> None:
    threads = np.array([[0, 0], [3, 5]])
    short, longest = shortened(product, threads, launch=0, most=2 * 2 * 100)
    assert longest == 64
    some, all_of_them = (synthesise(nest, threads, launch=0) for nest in (short, product))
    first = all_of_them.iterations[:, 2] < longest
    assert np.array_equal(some.address, all_of_them.address[first])
    assert np.array_equal(some.iterations, all_of_them.iterations[first])


def test_loops_that_are_to_stay_whole_do(product: AffineNest) -> None:
    threads = np.array([[0, 0]])
    inner = product.sites[0].loops[-1]
    short, _ = shortened(product, threads, launch=0, most=10, whole=[inner])
    assert short.sites == product.sites
