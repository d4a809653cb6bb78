"""The compiled loop against NumPy, and the text that is compiled."""

from typing import Any

import numpy as np
import pytest

from logca.common import extras
from logca.common.extras import MissingLibraryError
from logca.numeric.arrays.blocks import remaining
from logca.numeric.arrays.tape import record
from logca.numeric.evaluation import compiled
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.evaluation.compiled import evaluate_compiled, is_compilable
from logca.numeric.generated.sensitivity import _CURVATURE, _E_BETA
from logca.numeric.generated.speedup import _SPEEDUP

SHAPES = {
    "every axis its own": [
        (5, 1, 1, 1, 1, 1),
        (4, 1, 1, 1, 1),
        (3, 1, 1, 1),
        (3, 1, 1),
        (2, 1),
        (6,),
    ],
    "merged axes": [(5, 4, 1), (3,), (3,), (1,), (5, 4, 1), ()],
    "axes of one": [(1, 7, 1), (1, 1, 1), (9,), (1,), (1, 1), ()],
    "all in one": [(8, 1), (), (5,), (), (), ()],
}


def grid(shapes: list[Any], seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    ranges = [(1, 1e6), (1, 1e5), (0.1, 20), (1, 300), (1.1, 40), (0.1, 3)]
    names = ("g", "o", "L", "C", "A", "beta")
    return {
        name: rng.uniform(low, high, shape)
        for name, (low, high), shape in zip(names, ranges, shapes, strict=True)
    }


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("workers", [1, 3])
def test_compiled_gives_what_numpy_gives(shapes: list[Any], workers: int) -> None:
    arrays = grid(shapes)
    wanted = evaluate("speedup", latency="linear", **arrays)
    found = evaluate("speedup", latency="linear", engine="compiled", workers=workers, **arrays)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=4e-16)


@pytest.mark.parametrize("name", ["curvature", "e_g", "gain_C", "e_L", "share_C"])
def test_every_arithmetic_operation(name: str) -> None:
    arrays = grid([(5, 1, 1, 1, 1), (4, 1, 1, 1), (3, 1, 1), (2, 1), (6,), (1,)])
    if name == "gain_C":
        arrays["r"] = np.array(10.0)
    for latency in ("constant", "linear"):
        wanted = evaluate(name, latency=latency, **arrays)
        found = evaluate(name, latency=latency, engine="compiled", **arrays)
        np.testing.assert_allclose(found, wanted, rtol=4e-16)


def test_infinities_and_what_is_no_number_are_the_same() -> None:
    arrays = grid([(4, 1), (), (3,), (), (), ()])
    arrays["g"] = np.array([[0.0], [np.inf], [np.nan], [1e200]])
    arrays["L"] = np.array([0.0, np.inf, np.nan])
    for name in ("speedup", "share_o", "e_C"):
        wanted = evaluate(name, latency="linear", **arrays)
        found = evaluate(name, latency="linear", engine="compiled", **arrays)
        np.testing.assert_array_equal(found, wanted)


def test_arrays_that_are_not_contiguous() -> None:
    arrays = grid([(6, 1, 1), (4, 1), (5,), (), (), ()])
    wanted = evaluate("e_C", **arrays)
    arrays["g"] = np.repeat(arrays["g"], 3, axis=0)[::3]
    arrays["L"] = arrays["L"][::-1].copy()[::-1]
    np.testing.assert_allclose(evaluate("e_C", engine="compiled", **arrays), wanted, rtol=4e-16)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("shapes", [[(0, 1), (5,)], [(5, 1), (0,)], [(1, 1), (0,)], [(0, 1), (0,)]])
def test_a_grid_without_points(shapes: list[Any], workers: int) -> None:
    arrays = grid([shapes[0], shapes[1], (), (), (), ()])
    found = evaluate("speedup", engine="compiled", workers=workers, **arrays)
    assert found.shape == np.broadcast_shapes(*shapes)


def test_a_single_point() -> None:
    """Nothing but arithmetic is left to do for one point either."""
    arrays = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
    found = evaluate("gA2_newton", engine="compiled", **arrays)
    assert found == evaluate("gA2_newton", **arrays)


def rest_of(function: Any, shapes: list[Any]) -> Any:
    tape = record(function)
    assert tape is not None
    return remaining(tape, list(grid(shapes).values()))


def test_what_is_compilable_is_arithmetic() -> None:
    apart, together = SHAPES["every axis its own"], [(5,), (), (), (), (), (5,)]
    assert is_compilable(rest_of(_SPEEDUP["linear"], apart))
    assert is_compilable(rest_of(_CURVATURE["linear"], apart))
    assert is_compilable(rest_of(_E_BETA["linear"], apart))
    assert not is_compilable(rest_of(_SPEEDUP["linear"], together))  # the power is left


def test_what_is_not_compilable_is_done_by_numpy() -> None:
    arrays = grid([(5,), (), (), (), (), (5,)])
    found = evaluate("speedup", engine="compiled", **arrays)
    np.testing.assert_array_equal(found, evaluate("speedup", **arrays))


def test_workers_share_the_first_axis() -> None:
    rest = rest_of(_SPEEDUP["linear"], SHAPES["every axis its own"])
    one = evaluate_compiled(rest)
    for workers in (2, 5, 64):
        np.testing.assert_array_equal(evaluate_compiled(rest, workers=workers), one)


def test_without_numba_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    compiled._kernel.cache_clear()
    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(MissingLibraryError, match=r"numba.*pip install 'logca\[fast\]'"):
        evaluate("speedup", engine="compiled", **grid(SHAPES["all in one"]))
