"""Evaluation in blocks gives the very bits of evaluation at once, and does nothing twice."""

from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.arrays import blocks
from logca.numeric.arrays.blocks import evaluate_in_blocks, remaining
from logca.numeric.arrays.tape import Tape, record
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.generated.sensitivity import _CURVATURE, _E_BETA, _GAIN_C
from logca.numeric.generated.speedup import _SPEEDUP, _SPEEDUP_INFINITE

FUNCTIONS = {
    "speedup": (_SPEEDUP["constant"], 6),
    "speedup with latency per byte": (_SPEEDUP["linear"], 6),
    "curvature": (_CURVATURE["linear"], 6),
    "elasticity": (_E_BETA["linear"], 6),
    "gain": (_GAIN_C["constant"], 7),
    "with a condition": (_SPEEDUP_INFINITE["linear"], 5),
}
RANGES = ((1.0, 1e6), (1.0, 1e5), (0.1, 20.0), (1.0, 300.0), (1.1, 40.0), (0.1, 3.0), (2.0, 9.0))
BETA = 5
SMALL = 16
"""Elements in a block, so that small arrays have many."""


def at_once(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    with np.errstate(all="ignore"):
        return function(np, *arguments)


def arranged(array: Any, how: str) -> Any:
    """The same values with the same shape, elsewhere in memory."""
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "reversed":
        return array[..., ::-1].copy()[..., ::-1] if array.ndim else array
    if how == "strided":
        return np.repeat(array, 2, axis=-1)[..., ::2] if array.ndim else array
    return array


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """A function and arguments with shapes that fit together, of any memory layout."""
    name = draw(st.sampled_from(sorted(FUNCTIONS)))
    full = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3, 5, 8, 40]), min_size=0, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    arguments = []
    for place in range(FUNCTIONS[name][1]):
        axes = draw(st.integers(0, len(full)))
        shape = [n if draw(st.booleans()) else 1 for n in full[len(full) - axes :]]
        low, high = RANGES[place]
        array = rng.uniform(low, high, shape)
        if place == BETA and array.size == 1:
            array[...] = draw(st.sampled_from([0.5, 1.0, 2.0, 3.0, 1.7]))
        arguments.append(
            arranged(array, draw(st.sampled_from(["", "transposed", "strided", "reversed"])))
        )
    return name, arguments


@given(case=cases(), workers=st.sampled_from([1, 1, 3]))
def test_blocks_and_workers_give_the_same_bits(case: tuple[str, list[Any]], workers: int) -> None:
    name, arguments = case
    function = FUNCTIONS[name][0]
    with patch.object(blocks, "BLOCK", SMALL):
        found = evaluate_in_blocks(function, arguments, workers=workers)
    wanted = at_once(function, arguments)
    assert np.shape(found) == np.broadcast_shapes(*(each.shape for each in arguments))
    np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_blocks_of_the_usual_size(workers: int) -> None:
    rng = np.random.default_rng(1)
    arguments = [rng.uniform(*RANGES[place], size) for place, size in enumerate([(90, 1, 1)] * 6)]
    arguments[1] = rng.uniform(1, 1e5, (70, 1))
    arguments[3] = rng.uniform(1, 300, 61)
    found = evaluate_in_blocks(_SPEEDUP["linear"], arguments, workers=workers)
    assert found.size > blocks.BLOCK
    np.testing.assert_array_equal(found, at_once(_SPEEDUP["linear"], arguments))


def test_the_arguments_are_not_written_to() -> None:
    rng = np.random.default_rng(1)
    arguments = [rng.uniform(low, high, 100_000) for low, high in RANGES[:6]]
    before = [each.copy() for each in arguments]
    evaluate_in_blocks(_SPEEDUP["constant"], arguments)
    for each, copy in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(each, copy)


def test_a_huge_grid_of_little_work_per_axis_has_every_operation_once_per_combination(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In six dimensions the power is taken once for each pair of granularity and exponent."""
    elements: list[int] = []
    power = np.power

    def counted(*operands: Any, **keywords: Any) -> Any:
        result = power(*operands, **keywords)
        elements.append(result.size)
        return result

    monkeypatch.setattr(np, "power", counted)
    lengths = {"g": 12, "o": 11, "L": 10, "C": 9, "A": 8, "beta": 7}
    axes = {
        name: np.linspace(1, 2, length).reshape([-1] + [1] * (len(lengths) - place - 1))
        for place, (name, length) in enumerate(lengths.items())
    }
    result = evaluate("speedup", latency="linear", **axes)
    assert result.shape == tuple(lengths.values())
    assert sum(elements) == lengths["g"] * lengths["beta"]


def test_what_remains_for_every_point_of_a_grid_is_little() -> None:
    lengths = (12, 11, 10, 9, 8, 7)
    axes = [
        np.linspace(1, 2, length).reshape([-1] + [1] * (len(lengths) - place - 1))
        for place, length in enumerate(lengths)
    ]
    tape = record(_SPEEDUP["linear"])
    assert tape is not None
    rest = remaining(tape, axes)
    assert rest is not None
    assert rest.shape == lengths
    assert [each.name for each in rest.tape.operations] == ["add", "divide"]
    assert sum(leaf.size for leaf in rest.leaves) == 12 * 11 * 10 * 9 * 7 + 8


def test_axes_along_which_the_same_leaves_vary_are_one() -> None:
    def function(xp: Any, x: Any, y: Any) -> Any:
        return x + y

    tape = record(function)
    assert tape is not None
    rest = remaining(tape, [np.ones((4, 1, 5, 1)), np.ones((4, 1, 5, 6))])
    assert rest is not None
    assert rest.merged == (20, 6)
    assert [leaf.shape for leaf in rest.leaves] == [(20, 1), (20, 6)]


@given(shape=st.lists(st.integers(1, 20), min_size=1, max_size=3))
def test_blocks_cover_an_array_once_and_in_order(shape: list[int]) -> None:
    counts = np.zeros(shape, dtype=int)
    places = np.arange(counts.size).reshape(shape)
    seen = []
    with patch.object(blocks, "BLOCK", SMALL):
        for index in blocks._blocks(tuple(shape)):
            counts[index] += 1
            seen.append(places[index].reshape(-1))
            assert places[index].size <= SMALL
    assert (counts == 1).all()
    np.testing.assert_array_equal(np.concatenate(seen), np.arange(counts.size))


@pytest.mark.parametrize("block", [SMALL, blocks.BLOCK])
def test_an_argument_that_is_not_used_counts_for_the_shape(block: int) -> None:
    def function(xp: Any, x: Any, y: Any) -> Any:
        return x * 2.0

    arguments = [np.arange(5.0), np.ones((40, 1))]
    with patch.object(blocks, "BLOCK", block):
        found = evaluate_in_blocks(function, arguments)
    assert found.shape == (40, 5)
    assert (found == 2.0 * arguments[0]).all()
    found[0, 0] = 7.0
    assert found[1, 0] == 0.0


def test_an_error_in_a_worker_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(blocks, "execute", broken)
    arguments = [np.ones(200_000) for _ in range(6)]
    with pytest.raises(MemoryError, match="no more"):
        evaluate_in_blocks(_SPEEDUP["constant"], arguments, workers=2)


def test_a_tape_with_one_value_for_the_whole_grid() -> None:
    tape: Tape | None = record(lambda xp, x, y: x * x)
    assert tape is not None
    rest = remaining(tape, [np.full((), 3.0), np.ones(10)])
    assert rest is not None
    assert rest.shape == ()
