"""The paper's kernels for GPUs: what they compute, and how many bytes that is (altaf2017, table 4).

A kernel is written once, for any namespace of the array API standard.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from scipy.fft import prev_fast_len

__all__ = ["FFT", "GEMM", "SEARCH", "SORT", "Arrays", "GpuKernel"]

_FLOAT, _COMPLEX = 4, 8
_KEYS = 4096

Arrays = tuple[Any, ...]
"""What a kernel takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuKernel:
    """A computation on arrays.

    Parameters
    ----------
    title : str
        What it computes [text].
    granularity : str
        What its size in bytes is, and how a size becomes a number of elements [text].
    inputs : callable
        Makes the arrays of NumPy for a size [B].
    compute : callable
        Computes the result, given a namespace and the arrays.
    sizes : tuple of int
        Least and largest size [B].
    step : int
        What sizes are multiples of [B].
    tolerance : float
        How far results may differ, over the largest: 0 where nothing is rounded [1].
    """

    title: str
    granularity: str
    inputs: Callable[[int], Arrays]
    compute: Callable[..., Any]
    sizes: tuple[int, int]
    step: int
    tolerance: float = 0.0


def _matrices(size: int) -> Arrays:
    order = max(1, isqrt(size // (2 * _FLOAT)))
    random = np.random.default_rng(size)
    return tuple(random.standard_normal((order, order), dtype=np.float32) for _ in range(2))


def _signal(size: int) -> Arrays:
    count = prev_fast_len(max(1, size // _COMPLEX), real=True)
    parts = np.random.default_rng(size).standard_normal((2, count), dtype=np.float32)
    return ((parts[0] + 1j * parts[1]).astype(np.complex64),)


def _numbers(size: int) -> Arrays:
    count = max(1, size // _FLOAT)
    return (np.random.default_rng(size).standard_normal(count, dtype=np.float32),)


def _sorted_and_keys(size: int) -> Arrays:
    keys = np.random.default_rng(0).standard_normal(_KEYS, dtype=np.float32)
    return np.sort(_numbers(size)[0]), keys


GEMM = GpuKernel(
    title="product of two square matrices of 4 B numbers",
    granularity="granularity is that of both matrices; their order is the root of size / 8 B, "
    "rounded down, so that sizes of small matrices are inexact",
    inputs=_matrices,
    compute=lambda functions, left, right: functions.matmul(left, right),
    sizes=(2048, 32 << 20),
    step=2 * _FLOAT,
    tolerance=1e-2,  # some devices multiply with 10 bits of fraction (TF32)
)
"""Matrix product; the larger the matrices the more computation for each byte."""

FFT = GpuKernel(
    title="Fourier transform of complex numbers of 8 B",
    granularity="granularity is that of the numbers; their count is size / 8 B, rounded down to "
    "one that has no prime factor above 5",
    inputs=_signal,
    compute=lambda functions, signal: functions.fft.fft(signal),
    sizes=(1024, 32 << 20),
    step=_COMPLEX,
    tolerance=1e-4,
)
"""Fourier transform."""

SORT = GpuKernel(
    title="sorting random numbers of 4 B",
    granularity="granularity is that of the numbers, size / 4 B of them",
    inputs=_numbers,
    compute=lambda functions, numbers: functions.sort(numbers, stable=False),
    sizes=(1024, 32 << 20),
    step=_FLOAT,
)
"""Sorting."""

SEARCH = GpuKernel(
    title=f"binary search for {_KEYS} keys among sorted numbers of 4 B",
    granularity="granularity is that of the sorted numbers, size / 4 B of them",
    inputs=_sorted_and_keys,
    compute=lambda functions, numbers, keys: functions.searchsorted(numbers, keys),
    sizes=(1024, 32 << 20),
    step=_FLOAT,
)
"""Binary search: the time grows with the logarithm of the size."""
