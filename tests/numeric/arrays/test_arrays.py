"""The array functions on every kind of array that they take, and on what they do not take."""

from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from logca import numeric
from logca.numeric.evaluation.by_name import evaluate, form_of, parameters_of

AES = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}
SIZES = [512, 4096]
SPEEDUPS = [90 * g / (29_000 + 1500 + 90 * g / 19) for g in SIZES]

NEEDED = {
    "speedup": ("o", "L", "C", "A", "beta"),
    "share_o": ("o", "L", "C", "A", "beta"),
    "e_beta": ("o", "L", "C", "A", "beta"),
    "roofline": ("o", "L", "C", "A", "beta"),
    "speedup_log": ("o", "L", "C", "A"),
    "latency_ceiling": ("L", "C", "beta"),
}


@pytest.fixture(autouse=True)
def _double() -> Any:
    with jax.enable_x64(True):
        yield


LIBRARIES: dict[str, Callable[[Any], Any]] = {
    "numpy": np.asarray,
    "array_api_strict": strict.asarray,
    "jax": jnp.asarray,
    "dask": lambda values: da.from_array(np.asarray(values), chunks=1),
}
EACH_LIBRARY = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
FOREIGN = pytest.mark.parametrize("make", list(LIBRARIES.values())[1:], ids=list(LIBRARIES)[1:])


@EACH_LIBRARY
@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", NEEDED)
def test_an_array_of_a_library_comes_back_as_one(
    make: Callable[[Any], Any], name: str, latency: str
) -> None:
    parameters = {each: AES[each] for each in NEEDED[name]}
    choice = {} if name == "latency_ceiling" else {"latency": latency}
    function = getattr(numeric, name)
    sizes = make(np.asarray(SIZES, dtype=np.float64))
    found = function(sizes, **parameters, **choice)
    assert type(found) is type(sizes)
    wanted = [float(function(each, **parameters, **choice)) for each in SIZES]
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-14)


@EACH_LIBRARY
def test_arrays_of_integers_become_floating_point(make: Callable[[Any], Any]) -> None:
    found = numeric.speedup(make(SIZES), **AES)
    np.testing.assert_allclose(np.asarray(found), SPEEDUPS, rtol=1e-14)
    parameters = AES | {"o": make([29_000, 29_000]), "beta": make(1)}
    found = numeric.speedup(4096, **parameters)
    np.testing.assert_allclose(np.asarray(found), [SPEEDUPS[1]] * 2, rtol=1e-14)


@EACH_LIBRARY
def test_single_precision_stays_single_precision_beside_python_numbers(
    make: Callable[[Any], Any],
) -> None:
    sizes = make(np.asarray(SIZES, dtype=np.float32))
    found = numeric.speedup(sizes, **AES)
    assert found.dtype == sizes.dtype
    np.testing.assert_allclose(np.asarray(found), SPEEDUPS, rtol=1e-6)


@EACH_LIBRARY
def test_parameters_may_be_arrays_and_are_broadcast(make: Callable[[Any], Any]) -> None:
    parameters = AES | {"A": make(np.array([[2.0], [19.0], [1e9]])), "o": make(np.float64(29_000))}
    found = np.asarray(numeric.speedup(make(np.array([512.0, 4096.0])), **parameters))
    assert found.shape == (3, 2)
    np.testing.assert_allclose(found[1], SPEEDUPS, rtol=1e-14)


@EACH_LIBRARY
@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_what_does_not_matter_is_broadcast_as_well(
    make: Callable[[Any], Any], latency: str
) -> None:
    A, L = make(np.array([[2.0], [3.0]])), make(np.array([0.0, 0.0, 0.0]))
    found = numeric.limit_large(L=L, C=90, A=A, beta=1, latency=latency)
    assert np.asarray(found).tolist() == [[2.0] * 3, [3.0] * 3]


@EACH_LIBRARY
def test_arrays_without_axes_and_without_elements(make: Callable[[Any], Any]) -> None:
    assert float(numeric.speedup(make(np.float64(4096)), **AES)) == pytest.approx(SPEEDUPS[1])
    assert np.asarray(numeric.speedup(make(np.empty((3, 0))), **AES)).shape == (3, 0)


@pytest.mark.parametrize(
    "given",
    [[512, 4096], (512.0, 4096.0), [[512], [4096]], np.array([512, 4096], dtype=np.uint16)],
    ids=repr,
)
def test_nested_sequences(given: Any) -> None:
    found = numeric.speedup(given, **AES)
    assert found.shape == np.shape(given)
    np.testing.assert_allclose(found.reshape(-1), SPEEDUPS, rtol=1e-14)


@pytest.mark.parametrize("given", [4096, 4096.0, np.float64(4096), np.int32(4096), np.array(4096)])
def test_a_number_gives_a_number(given: Any) -> None:
    found = numeric.speedup(given, **AES)
    assert isinstance(found, float)
    assert found == pytest.approx(SPEEDUPS[1], rel=1e-14)


@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_the_result_is_new_memory(latency: str) -> None:
    """Who writes into a result must not change a parameter."""
    A = np.array([19.0, 12.0])
    limit = numeric.limit_large(L=1500, C=90, A=A, beta=1, latency=latency)
    limit[:] = 0
    assert A.tolist() == [19.0, 12.0]


WRONG = ["4096", None, 4096j, b"4096", [512, None], ["512"], [512, 1j], {"g": 1}, object()]
OCTETS = [bytearray(b"ab"), memoryview(b"ab"), [bytearray(b"ab")], (memoryview(b"ab"), b"cd")]
SPANS = [np.timedelta64(5), np.timedelta64(5, "s"), [np.timedelta64(5)]]
WRONG_ARRAYS = [np.array([512 + 1j]), np.array(["512"]), np.array([object()])]


@pytest.mark.parametrize(
    "wrong", [*WRONG, *WRONG_ARRAYS, *OCTETS, *SPANS], ids=lambda wrong: type(wrong).__name__
)
@pytest.mark.parametrize("place", ["g", "o", "beta"])
def test_what_is_no_number_is_a_clear_type_error(wrong: Any, place: str) -> None:
    given = AES | {"g": 4096.0, place: wrong}
    with pytest.raises(TypeError, match="is not a real number"):
        numeric.speedup(given.pop("g"), **given)


@FOREIGN
@pytest.mark.parametrize(
    "wrong", ["29000", None, 29_000j, [None, 1.0], bytearray(b"ab"), np.timedelta64(5)], ids=repr
)
def test_what_is_no_number_is_one_beside_any_array_too(
    make: Callable[[Any], Any], wrong: Any
) -> None:
    with pytest.raises(TypeError, match="is not a real number"):
        numeric.speedup(make(np.array([512.0, 4096.0])), **AES | {"o": wrong})


@FOREIGN
def test_complex_arrays_of_any_library_are_a_type_error(make: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"real number|complex"):
        numeric.speedup(make(np.array([512 + 1j, 4096])), **AES)


@pytest.mark.parametrize("latency", ["Linear", "", "affine", None, 1])
def test_an_unknown_latency_is_named_and_so_are_those_that_exist(latency: Any) -> None:
    with pytest.raises(ValueError, match=r"unknown latency .*'constant' or 'linear'") as raised:
        numeric.speedup(4096, **AES, latency=latency)
    assert repr(latency) in str(raised.value)


def test_arrays_of_two_libraries_do_not_mix() -> None:
    with pytest.raises(TypeError, match="namespace"):
        numeric.speedup(jnp.asarray([1.0]), **AES | {"o": strict.asarray([1.0])})


def test_arrays_that_do_not_fit_together_are_an_error() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        numeric.speedup([1, 2, 3], **AES | {"o": [1, 2]})


OUTSIDE = [
    ("entropy", {"beta": 1.5}),
    ("g_peak", {"o": 4.0, "L": 2.0, "beta": 1.0}),
    ("root_half_lower", {"s": 2.0, "o": 9.0, "L": 9.0, "C": 1.0, "A": 7.0, "beta": 0.5}),
    ("cutoff_L", {**{k: float(v) for k, v in AES.items()}, "beta": 0.5, "r": 10.0, "q": 1.2}),
]


@pytest.mark.parametrize("make", [np.asarray, strict.asarray, jnp.asarray])
@pytest.mark.parametrize(("name", "values"), OUTSIDE)
def test_outside_of_the_domain_is_nan_without_a_warning(
    make: Callable[[Any], Any], name: str, values: dict[str, float]
) -> None:
    arrays = {each: make(np.array([value])) for each, value in values.items()}
    first = [arrays.pop("s")] if "s" in arrays else []
    assert np.isnan(np.asarray(getattr(numeric, name)(*first, **arrays))).all()


@EACH_LIBRARY
def test_a_number_out_of_the_range_of_single_precision_is_infinite(
    make: Callable[[Any], Any],
) -> None:
    """As everywhere out of range: without a warning."""
    sizes = make(np.asarray(SIZES, dtype=np.float32))
    assert np.asarray(numeric.speedup(sizes, **AES | {"o": 1e300})).tolist() == [0.0, 0.0]


def test_dask_arrays_of_unknown_length() -> None:
    """What a filter leaves is known only once it is computed."""
    sizes = da.from_array(np.array([1.0, 512.0, 4096.0]), chunks=2)
    found = numeric.speedup(sizes[sizes > 2], **AES)
    np.testing.assert_allclose(found.compute(), SPEEDUPS, rtol=1e-14)


def test_dask_is_not_computed_before_it_is_asked_for() -> None:
    def fail(block: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if block.size:
            raise AssertionError("computed")
        return block

    sizes = da.from_array(np.array([512.0, 4096.0])).map_blocks(fail, meta=np.empty(0))
    assert isinstance(numeric.speedup(sizes, **AES), da.Array)


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["o", "L", "C", "A", "beta"])
def test_derivatives_by_jax_are_the_elasticities(name: str, latency: str) -> None:
    parameters = {key: float(value) for key, value in AES.items()} | {"beta": 1.2, "L": 1.5}

    def log_speedup(value: Any) -> Any:
        return jnp.log(numeric.speedup(4096.0, **parameters | {name: value}, latency=latency))

    scale = 1.0 if name == "beta" else parameters[name]
    slope = float(jax.grad(log_speedup)(parameters[name])) * scale
    elasticity = getattr(numeric, f"e_{name}")(4096.0, **parameters, latency=latency)
    assert slope == pytest.approx(float(elasticity), rel=1e-12)


def test_jax_compiles_and_maps() -> None:
    def curve(sizes: Any) -> Any:
        return numeric.speedup(sizes, **AES)

    for transformed in (jax.jit(curve), jax.vmap(curve), jax.jit(jax.vmap(curve))):
        found = transformed(jnp.asarray([512.0, 4096.0]))
        np.testing.assert_allclose(np.asarray(found), SPEEDUPS, rtol=1e-14)


def test_jax_without_double_precision_takes_integers() -> None:
    """Single precision is what JAX has unless told otherwise."""
    with jax.enable_x64(False):
        found = numeric.speedup(jnp.asarray(SIZES), **AES)
        np.testing.assert_allclose(np.asarray(found), SPEEDUPS, rtol=1e-5)


QUICK_OR_NOT = {
    "numbers": (4096.0, 29_000.0),
    "whole numbers": (4096, 29_000),
    "NumPy's numbers": (np.float64(4096), np.float64(29_000)),
    "a division by zero": (0.0, 29_000.0),
    "no overhead": (4096.0, 0.0),
    "an array": (np.array([512.0, 4096.0]), 29_000),
    "two arrays": (np.array([512.0, 4096.0]), np.array([29_000.0, 0.0])),
    "a grid": (np.array([[512.0], [4096.0]]), np.array([29_000.0, 0.0, 3.0])),
    "an array that is not used": (np.ones(1), np.zeros(3)),
    "axes without elements": (np.ones((0, 2)), 29_000.0),
    "an array without axes": (np.array(4096.0), 29_000.0),
    "single precision": (np.array([512, 4096], dtype=np.float32), 29_000.0),
    "a list": ([512, 4096], 29_000.0),
}


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["T0", "speedup", "share_o", "e_beta", "speedup_infinite"])
@pytest.mark.parametrize("given", QUICK_OR_NOT.values(), ids=QUICK_OR_NOT)
def test_kinds_of_arguments_change_no_bit(given: tuple[Any, Any], name: str, latency: str) -> None:
    point = AES | {"g": given[0], "o": given[1], "beta": 0.75}
    wanted = parameters_of(name)
    found = evaluate(name, latency=latency, **{each: point[each] for each in wanted})
    arrays = np.broadcast_arrays(*(np.asarray(point[each]) for each in wanted))
    single = any(each.dtype == np.float32 for each in arrays)
    with np.errstate(all="ignore"):
        zero = [
            np.asarray(each, np.float32 if single else float) for each in map(point.get, wanted)
        ]
        plain = np.broadcast_to(form_of(name, latency)(np, *zero), arrays[0].shape)
    assert found.dtype == plain.dtype
    assert type(found) is (np.ndarray if plain.ndim else np.float64)
    np.testing.assert_array_equal(found, plain)
