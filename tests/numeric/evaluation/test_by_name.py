"""Quantities by name: the same as the functions, and clear errors."""

import inspect
from typing import Any

import numpy as np
import pytest

import logca
from logca import numeric
from logca.numeric.evaluation.by_name import defaults_of, evaluate, parameters_of
from logca.numeric.generated import HOMES
from logca.numeric.generated.units import ENTRIES

AES: dict[str, Any] = {"o": 29_000, "L": 1500, "C": 90, "A": 19, "beta": 1}


@pytest.mark.parametrize("name", HOMES)
def test_the_parameters_are_those_of_the_function(name: str) -> None:
    signature = inspect.signature(getattr(numeric, name))
    assert list(parameters_of(name)) == [each for each in signature.parameters if each != "latency"]


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("workers", [1, 2])
def test_by_name_is_the_same_as_the_function(latency: str, engine: str, workers: int) -> None:
    sizes = np.geomspace(1, 1e9, 7)
    arguments = AES | {"beta": 1.2}
    wanted = numeric.share_L(sizes, **arguments, latency=latency)
    found = evaluate(
        "share_L", latency=latency, engine=engine, workers=workers, g=sizes, **arguments
    )
    np.testing.assert_array_equal(found, wanted)


def test_evaluate_is_at_hand_in_the_package() -> None:
    assert numeric.evaluate is evaluate
    assert "evaluate" in dir(numeric)


def test_lists_and_numbers_are_taken() -> None:
    assert evaluate("speedup", g=[[512], [4096]], **AES).shape == (2, 1)
    assert isinstance(evaluate("speedup", g=4096, **AES), float)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "speedups"}, r"no quantity is named 'speedups'"),
        ({"latency": "affine"}, r"unknown latency 'affine'; speedup exists for 'constant' or"),
        ({"engine": "gpu"}, r"unknown engine 'gpu'; choose one of numpy, compiled"),
        ({"workers": 0}, r"0 workers; there must be at least 1"),
        ({"workers": -1}, r"-1 workers"),
        ({"r": 10}, r"speedup takes the arguments g, o, L, C, A, beta, not .*r"),
    ],
    ids=lambda value: next(iter(value), "") if isinstance(value, dict) else "",
)
def test_a_bad_call_is_named(changes: dict[str, Any], message: str) -> None:
    call = {"name": "speedup", "g": 4096, **AES} | changes
    with pytest.raises(ValueError, match=message):
        evaluate(**call)


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(ValueError, match=r"takes the arguments g, o, L, C, A, beta, not g, o"):
        evaluate("speedup", g=1, o=1)
    with pytest.raises(ValueError, match="not none"):
        evaluate("speedup")


def test_the_exponent_is_that_of_an_accelerator_if_it_is_left_out() -> None:
    given = {name: value for name, value in AES.items() if name != "beta"}
    host = logca.Accelerator(**given)
    assert evaluate("speedup", g=4096, **given) == host.speedup(4096)
    assert numeric.speedup(4096, **given) == host.speedup(4096)
    assert numeric.granularity_for(1, **given).lower == host.break_even()[0]
    found = logca.sweep(("speedup", "g1_upper"), g=[512, 4096], **given)
    assert found.speedup.values.tolist() == host.speedup([512, 4096]).tolist()
    assert found.beta == 1


@pytest.mark.parametrize("name", [each for each in HOMES if "beta" in parameters_of(each)])
def test_the_exponent_must_be_given_where_nothing_exists_for_one(name: str) -> None:
    """A default that always gave NaN would hide that the argument is missing."""
    usual = defaults_of(name)
    assert usual in ({}, {"beta": 1.0})
    given = {"g": 4096, "s": 1.5, "o": 9, "C": 32, "A": 8, "r": 10, "q": 1.2}
    given |= {"L": np.array([1 / 64, 2, 1500])}
    given |= {"g_low": 16, "g_high": 2**25, "beta": 1}
    given |= {"m": 8, "n": 4, "N": 2**20, "f": 0.5, "rho": 1.25, "p_host": 90, "p_overhead": 80}
    given |= {"p_link": 60, "p_accelerator": 150, "u_host": 2, "u_link": 1.5, "u_accelerator": 3}
    given |= {"u_shared": 2, "growth": 1.25, "deviation": 0.8}
    given |= {"spread_o": 0.5, "spread_L": 0.25, "spread_C": 0.125}
    forms = [form for form in ("constant", "linear") if name in ENTRIES[form]]
    at_one = {each: value for each, value in given.items() if each in parameters_of(name)}
    exists = any(np.isfinite(evaluate(name, latency=form, **at_one)).any() for form in forms)
    assert exists or not usual


def test_a_quantity_of_one_latency_is_not_evaluated_under_the_other() -> None:
    with pytest.raises(ValueError, match=r"unknown latency 'constant'; g_peak exists for 'linear'"):
        evaluate("g_peak", o=1, L=1, beta=0.5)
    with pytest.raises(TypeError, match="is not a real number"):
        evaluate("g_peak", latency="linear", o="1", L=1, beta=0.5)
