"""Every generated function against its derived formula, evaluated by mpmath to 50 digits."""

import inspect
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

import logca
from logca import numeric
from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import FORMS
from logca.numeric.generated import HOMES
from logca.numeric.generated.units import ENTRIES

OTHER_NAMES = {"L_for": {"constant": "L0_for", "linear": "L1_for"}}
"""Functions that are named unlike their formula."""

LINEAR = ("speedup_coexecuted", "speedup_coexecuted_async", "g1_coexecuted")
"""Functions, besides those that say so by their name, that exist for an exponent of one."""

POINTS = 40
ULPS = 8
"""Allowed error in units of 2**-53, for each unit of 1 + condition number."""

THIRDS = {1 / 3: 1, 2 / 3: 2}
CLOSED_FORMS = {
    "half": 1 / 2,
    "third": 1 / 3,
    "two_thirds": 2 / 3,
    "three_halves": 3 / 2,
    "two": 2.0,
    "three": 3.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A formula and its domain, as functions of mpmath's numbers."""

    names: tuple[str, ...]
    value: Callable[..., Any]
    domain: Callable[..., Any]
    unit: str


@cache
def reference(name: str, latency: str) -> Reference:
    found = formula(OTHER_NAMES.get(name, {}).get(latency, name))
    expr = found.in_form(latency)
    conditions = [each.subs(FORMS[latency], simultaneous=True) for each in found.domain]
    domain = sp.And(*conditions)
    symbols = sorted(expr.free_symbols | domain.free_symbols, key=str)
    return Reference(
        names=tuple(map(str, symbols)),
        value=sp.lambdify(symbols, expr, [{"Min": min, "Max": max}, "mpmath"]),
        domain=sp.lambdify(symbols, domain, "mpmath"),
        unit=str(found.unit),
    )


def arguments(name: str) -> list[str]:
    parameters = inspect.signature(getattr(numeric, name)).parameters
    return [each for each in parameters if each != "latency"]


def latencies(name: str) -> Iterator[str]:
    both = "latency" in inspect.signature(getattr(numeric, name)).parameters
    for latency in ("constant", "linear"):
        under = formula(OTHER_NAMES.get(name, {}).get(latency, name))
        false = any(each.subs(FORMS[latency]) == sp.false for each in under.domain)
        if both or (name in ENTRIES[latency] and not false):
            yield latency


FUNCTIONS = [
    pytest.param(name, latency, id=f"{name}-{latency}")
    for name in HOMES
    for latency in latencies(name)
]


def call(name: str, latency: str, values: dict[str, Any]) -> Any:
    function = getattr(numeric, name)
    choice = {"latency": latency} if "latency" in inspect.signature(function).parameters else {}
    first, *rest = arguments(name)
    named = {each: values[each] for each in rest} | choice
    if inspect.signature(function).parameters[first].kind is inspect.Parameter.KEYWORD_ONLY:
        return function(**{first: values[first]}, **named)
    return function(values[first], **named)


def draw(rng: random.Random, name: str) -> dict[str, float]:
    """Parameters within the domains of the symbols, every now and then at an end."""

    def decades(low: float, high: float, *special: float) -> float:
        return (
            rng.choice(special) if special and rng.random() < 0.1 else 10 ** rng.uniform(low, high)
        )

    acceleration = 1 + decades(-1, 2)
    targets = (1.0, acceleration / 2, acceleration * rng.random(), acceleration, 2 * acceleration)
    r = 1 + decades(-1, 2)
    exponent = rng.choice([0.14, 1 / 3, 0.5, 2 / 3, 0.94, 1.0, 1.2, 1.5, 1.7, 2.0, 3.0])
    kind = re.fullmatch(r"root_(.*?)(_lower|_upper)?", name)
    if kind and kind[1] in CLOSED_FORMS and rng.random() < 0.9:
        exponent = CLOSED_FORMS[kind[1]]
    linear = name.startswith(("cutoff_", "chunk", "coexec")) or name in LINEAR
    if linear and rng.random() < 0.9:
        exponent = 1.0
    return {
        "g": decades(-2, 8, 1.0),
        "s": rng.choice(targets),
        "g_low": decades(0, 6),
        "g_high": decades(1, 8),
        "o": decades(-3, 3, 0.0),
        "L": decades(-3, 3, 0.0),
        "C": decades(-1, 4),
        "A": acceleration,
        "beta": exponent,
        "r": r,
        "q": rng.choice([1 + decades(-2, 1), 1 + (r - 1) * rng.random(), r]),
    } | draw_extension(random.Random(f"{acceleration} {r}"))


def draw_extension(rng: random.Random) -> dict[str, float]:
    """Parameters of batches, chunks, several accelerators, applications, energy, streams."""
    return {
        "m": 10 ** rng.uniform(0, 4),
        "n": rng.choice([1.0, 10 ** rng.uniform(0, 3)]),
        "N": 10 ** rng.uniform(2, 9),
        "f": rng.choice([rng.random(), 1.0]),
        "rho": rng.choice([1.0, 1 + 10 ** rng.uniform(-3, 1)]),
        **{
            f"p_{part}": 10 ** rng.uniform(0, 3)
            for part in ("host", "overhead", "link", "accelerator")
        },
        **{
            f"u_{part}": 10 ** rng.uniform(0, 1.5)
            for part in ("host", "link", "accelerator", "shared")
        },
        "growth": 10 ** rng.uniform(-0.3, 0.5),
        **{f"spread_{name}": rng.choice([0.0, 10 ** rng.uniform(-2, 0.5)]) for name in "oLC"},
        "deviation": 10 ** rng.uniform(-1, 1),
    }


@pytest.mark.parametrize(("name", "latency"), FUNCTIONS)
def test_the_value_is_that_of_the_formula_and_nan_outside_its_domain(
    name: str, latency: str
) -> None:
    wanted, rng, inside = reference(name, latency), random.Random(name + latency), 0
    with mpmath.workdps(50):
        for _ in range(POINTS):
            values = draw(rng, name)
            exact = [exactly(values[each]) for each in wanted.names]
            found = float(call(name, latency, values))
            if not wanted.domain(*exact):
                assert math.isnan(found), values
                continue
            inside += 1
            value, condition = wanted.value(*exact), conditioning(wanted, exact)
            tolerance = ULPS * mpmath.mpf(2) ** -53 * (1 + condition) * abs(value)
            assert abs(mpmath.mpf(found) - value) <= tolerance, values
    assert inside >= POINTS / 10


def exactly(value: float) -> Any:
    """The number that is meant: formulas for an exponent of a third want exactly that."""
    return mpmath.mpf(THIRDS[value]) / 3 if value in THIRDS else mpmath.mpf(value)


def conditioning(wanted: Reference, exact: list[Any]) -> Any:
    """Relative changes of the value per relative change of each argument, added up."""
    value, step, total = wanted.value(*exact), mpmath.mpf(10) ** -25, mpmath.mpf(0)
    for place, (name, argument) in enumerate(zip(wanted.names, exact, strict=True)):
        changed = [*exact[:place], argument * (1 + step), *exact[place + 1 :]]
        if argument and value and (name != "beta" or wanted.domain(*changed)):
            total += abs(mpmath.re(wanted.value(*changed)) / value - 1) / step
    return total


@pytest.mark.parametrize(("name", "latency"), FUNCTIONS)
def test_not_a_number_in_not_a_number_out(name: str, latency: str) -> None:
    rng = random.Random(0)
    used = [each for each in reference(name, latency).names if each in arguments(name)]
    for _ in range(10):
        values = draw(rng, name) | {"g": 10 ** rng.uniform(-2, 8)}  # 1 to any power is 1,
        values["n"] += 1  # and any growth to the power of the logarithm of 1
        for each in used:
            assert math.isnan(call(name, latency, values | {each: math.nan})), each


@pytest.mark.parametrize(("name", "latency"), FUNCTIONS)
def test_all_arguments_are_broadcast(name: str, latency: str) -> None:
    """Whether or not the value depends on an argument under this form of latency."""
    names = arguments(name)
    values = draw(random.Random(1), name)
    shapes = [[1] * place + [2] + [1] * (len(names) - place - 1) for place in range(len(names))]
    grids = {each: np.full(shape, values[each]) for each, shape in zip(names, shapes, strict=True)}
    result = call(name, latency, grids)
    assert result.shape == (2,) * len(names)
    assert not any(np.shares_memory(result, each) for each in grids.values())


@pytest.mark.parametrize("name", HOMES)
def test_the_documentation_has_units(name: str) -> None:
    text = inspect.getdoc(getattr(numeric, name))
    assert text is not None
    summary = text.partition("\nParameters\n")[0]
    units = {reference(name, latency).unit for latency in latencies(name)}
    assert any(f"[{unit}]" in summary for unit in units), summary
    for each in arguments(name):
        entry = re.search(rf"^{each} : array\n((?:    .*\n)+)", text, re.M)
        assert entry is not None, each
        assert re.search(r"\[[^\]\n]+\]", entry[1]), each
    assert "Source:" in text
    assert f'>>> print(f"{{{name}(' in text


def test_all_functions_are_at_hand() -> None:
    assert set(HOMES) <= set(dir(numeric))
    with pytest.raises(AttributeError, match="has no attribute 'no_such_quantity'"):
        _ = numeric.no_such_quantity


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("name", ["host_share", "speedup_shared"])
def test_a_share_needs_no_square_of_the_host_time(name: str, latency: str) -> None:
    source = random.Random(7)
    found = getattr(numeric, name)
    exact = reference(name, latency)
    compared = 0
    for _ in range(300):
        point = {
            "g": 10 ** source.uniform(-250, 250),
            "o": 10 ** source.uniform(-280, 280),
            "L": 10 ** source.uniform(-280, 280),
            "C": 10 ** source.uniform(-30, 30),
            "A": 10 ** source.uniform(0.01, 20),
            "beta": source.uniform(0.9, 1.1),
        }
        value = float(found(**point, latency=latency))
        if math.isnan(value):
            continue
        with mpmath.workdps(50):
            wanted = exact.value(*(mpmath.mpf(point.get(each, 0)) for each in exact.names))
        # the exponent multiplies the logarithm of g, and its rounding with it
        assert value == pytest.approx(float(wanted), rel=1e-12)
        compared += 1
    assert compared > 200
    assert math.isnan(found(1e160, o=1, L=1, C=1, A=10, beta=2, latency=latency))


@pytest.mark.parametrize("A", [2.0, 1e6, 1e12, 1e15, 1e17])
@pytest.mark.parametrize("below_one", [0.0, 2.0**-53, 1e-12, 1e-3])
def test_the_ceiling_of_an_application_keeps_its_digits(A: float, below_one: float) -> None:
    f = 1 - below_one
    with mpmath.workdps(50):
        wanted = float(1 / (1 - mpmath.mpf(f) + mpmath.mpf(f) / mpmath.mpf(A)))
    assert numeric.application_ceiling(A=A, f=f) == pytest.approx(wanted, rel=4e-16)
    assert (
        pytest.approx(wanted, rel=4e-16) == logca.Accelerator(o=1, L=1, C=1, A=A).application(f).A
    )
