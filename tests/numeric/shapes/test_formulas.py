"""Formulas of shapes: Python's own arithmetic is the oracle, and nothing else gets in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.shapes.formulas import KERNELS, ShapeError, kernel_formulas, shape_formula

NUMBERS = st.integers(1, 9).map(str) | st.sampled_from(["m", "n", "0.5", "2e3"])
FORMULAS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda each: f"({''.join(each)})"),
        inner.map(lambda each: f"-{each}"),
        inner.map(lambda each: f"sqrt(({each})*({each}))"),
        st.tuples(inner, inner).map(lambda each: f"min({each[0]}, {each[1]})"),
        st.tuples(inner, inner).map(lambda each: f"max({each[0]}, {each[1]})"),
        inner.map(lambda each: f"log2(1 + ({each})**2)"),
    ),
    max_leaves=8,
)


@given(FORMULAS, st.integers(1, 50), st.integers(1, 50))
def test_values_are_those_of_the_language(text: str, m: int, n: int) -> None:
    names = {"m": float(m), "n": float(n), "sqrt": math.sqrt, "log2": math.log2}
    found = float(shape_formula("work", text)({"m": m, "n": n}))
    try:
        wanted = eval(text, {"__builtins__": {"min": min, "max": max}}, names)
    except (ZeroDivisionError, OverflowError):
        return  # infinite here, where what follows may be finite again
    assert found == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the formula of work is empty"),
        ("m*", "work = 'm*' is no formula; it may have numbers, columns"),
        ("m^2", "write a power as **"),
        ("__import__('os')", "there is no function '__import__'"),
        ("m.real", "'m.real' is not allowed there"),
        ("m if n else k", "is not allowed there"),
        ("[m for m in n]", "is not allowed there"),
        ("m // n", "is not allowed there"),
        ("True*m", "is not allowed there"),
        ("m # bytes", "has something else beside numbers, columns"),
        ("m #\u2028process.exit()//", r"'m #\u2028process.exit()//' has something else beside"),
        ("\uff4d", "has something else beside"),
        ("m \\\n * 2", "has something else beside"),
        ("(lambda: m)()", "is not allowed there"),
        ("log(m)", "there is no function 'log'; did you mean 'log2'?"),
        ("log2(m, n)", "log2 has one argument, not 2"),
        ("min(m)", "min has two arguments, not 1"),
        ("-" * 300 + "m", "301 characters, more than 300"),
    ],
)
def test_nothing_else_is_a_formula(text: str, says: str) -> None:
    with pytest.raises(ShapeError) as told:
        shape_formula("work", text)
    assert says in str(told.value)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("9**9**9*m", "9 ** 9 ** 9"),  # with all of its digits it would never end
        ("m*10**10**10", "10 ** 10 ** 10"),
        ("((9**9)**9)**9**9 + m", "((9 ** 9) ** 9) ** 9 ** 9"),
        ("2**5000*m", "2 ** 5000"),
        ("m*2.0**5000", "2.0 ** 5000"),
        ("m*1e999", "1e309"),
        ("m*0x" + "f" * 290, str(16**290 - 1)[:60]),
        ("m*(1/0)", "1 / 0"),
        ("m*0**-1", "0 ** (-1)"),
        ("min(1/0, m)", "1 / 0"),
        ("(-8)**0.5*m", "(-8) ** 0.5"),
        ("(0-2)**0.5 + m", "(0 - 2) ** 0.5"),
        ("m*((-8)**0.5)**2", "(-8) ** 0.5"),
        ("sqrt(1 - 2)*m", "sqrt(1 - 2)"),
        ("m*log2(0)", "log2(0)"),
        ("m + 1e308*10", "1e+308 * 10"),
    ],
)
def test_numbers_that_no_double_holds_are_refused_at_once(text: str, part: str) -> None:
    with pytest.raises(ShapeError) as told:
        shape_formula("bytes", text)
    assert str(told.value).startswith(f"bytes = {text} has {part}, which is no finite real number")
    assert str(told.value).endswith("log2, sqrt, min, max, and its numbers are below 1.8e308")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2**0.5*m", math.sqrt(2) * 9),
        ("m**0.5", 3.0),
        ("m*(-8)**2", 576.0),
        ("m*2**1000/2**1000", 9.0),
        ("((9**9)**9)**3*m", 9.0**244),
        ("m*10**300/10**299", 90.0),
        ("9" * 290 + "*m", 9e290),
        ("-" * 298 + "m", 9.0),
        ("(" * 140 + "m" + ")" * 140, 9.0),
        ("m**1" + "**1" * 90, 9.0),
    ],
)
def test_numbers_are_doubles_whatever_they_are_made_of(text: str, value: float) -> None:
    found = shape_formula("bytes", text).checked({"m": np.array([9.0])})
    assert found == pytest.approx(value, rel=1e-14)


def test_values_that_no_amount_has_are_named() -> None:
    with pytest.raises(ShapeError, match=r"bytes = m - n is -1 at m = 2, n = 3; it must be a"):
        shape_formula("bytes", "m - n").checked({"m": [4.0, 2.0], "n": [1.0, 3.0]})
    with pytest.raises(ShapeError, match=r"work = n\*log2\(n\) is nan at n = 0"):
        shape_formula("work", "n*log2(n)").checked({"n": [0.0, 3.0]})
    with pytest.raises(ShapeError, match="items = 1 / n is inf at n = 0"):
        shape_formula("items", "1 / n").checked({"n": [0.0]})


def test_kernels_count_what_they_say() -> None:
    a, b = np.ones((3, 5), dtype=np.float32), np.ones((5, 7), dtype=np.float32)
    gemm = {role: shape_formula(role, text) for role, text in kernel_formulas("gemm").items()}
    shape = {"m": 3, "n": 7, "k": 5}
    assert gemm["bytes"](shape) == a.nbytes + b.nbytes + (a @ b).nbytes
    assert gemm["work"](shape) == 2 * 3 * 7 * 5
    assert set(KERNELS) == {"gemm", "gemv", "copy", "fft"}
    with pytest.raises(ShapeError, match="there is no kernel 'gem'; did you mean 'gem"):
        kernel_formulas("gem")
    with pytest.raises(ShapeError, match="an element has 0 bytes"):
        kernel_formulas("gemm", 0)
