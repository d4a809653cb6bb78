"""Extensions that are LogCA again: their speedups and roots against the derived formulas."""

import random
from typing import Any

import mpmath
import numpy as np
import pytest

from logca import numeric
from logca.common.errors import ArgumentError
from logca.derive.core.catalogue import formula
from logca.derive.core.symbols import TABLE
from logca.numeric.generated.extensions import PARAMETERS, ROOTS
from logca.numeric.roots.extensions import as_logca, roots_of

SPEEDUPS = {
    "application": "speedup_application",
    "batch": "speedup_batch",
    "better": "speedup_high",
    "energy": "energy_gain",
    "worse": "speedup_low",
}
LATENCIES = ("constant", "linear")


def draw(rng: random.Random) -> dict[str, float]:
    """An accelerator, and what all extensions take."""
    drawn = {
        name: 10 ** rng.uniform(-1, 3)
        for name in ("o", "L", "C", "m", "p_host", "p_overhead", "p_link", "p_accelerator")
    }
    exponent = rng.choice([0.6, 1.0, 1.4])
    return drawn | {
        "A": 1 + 10 ** rng.uniform(0, 2),
        "beta": exponent,
        "f": rng.uniform(0.05, 1),
        "rho": 1 + rng.random(),
        "s": rng.uniform(0.3, 2),
    }


def taken(extension: str, drawn: dict[str, float]) -> dict[str, float]:
    return {name: drawn[name] for name in ("o", "L", "C", "A", *PARAMETERS[extension])}


@pytest.mark.parametrize("latency", LATENCIES)
@pytest.mark.parametrize("extension", SPEEDUPS)
def test_the_speedup_with_its_parameters_is_that_of_the_extension(
    extension: str, latency: str
) -> None:
    rng, sizes = random.Random(extension), np.geomspace(1, 1e8, 9)
    for _ in range(20):
        drawn = draw(rng)
        again: dict[str, Any] = as_logca(extension, **taken(extension, drawn), latency=latency)
        found = numeric.speedup(sizes, **again, beta=drawn["beta"], latency=latency)
        wanted = getattr(numeric, SPEEDUPS[extension])(
            sizes, **taken(extension, drawn), beta=drawn["beta"], latency=latency
        )
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("latency", LATENCIES)
@pytest.mark.parametrize("name", ROOTS)
def test_a_root_is_that_of_the_derived_formula(name: str, latency: str) -> None:
    """SymPy's own root, evaluated to 50 digits."""
    rng, found, stated = random.Random(name), 0, formula(name)
    extension, target = ROOTS[name]
    for _ in range(12):
        drawn = draw(rng)
        given = taken(extension, drawn) | ({"s": drawn["s"]} if target is None else {})
        lower = roots_of(name, **given, beta=drawn["beta"], latency=latency).lower
        per = {"constant": ("L", 0.0), "linear": (0.0, "L")}[latency]
        values = drawn | {
            key: drawn[each] if isinstance(each, str) else each
            for key, each in zip(("L0", "L1"), per, strict=True)
        }
        exact = {TABLE[key].symbol: mpmath.mpf(value) for key, value in values.items()}
        wanted = stated.expr.subs(exact).evalf(50)
        real = wanted.is_real and wanted > 0 and stated_holds(stated.domain, exact)
        assert np.isnan(lower) == (not real)
        if real:
            found += 1
            assert lower == pytest.approx(float(wanted), rel=1e-9)
    assert found > 3


@pytest.mark.parametrize("latency", LATENCIES)
def test_a_stream_reaches_its_target_between_the_roots(latency: str) -> None:
    """The speedup of the stream at sizes on a grid says on which side of the roots they are."""
    rng, found, sizes = random.Random(latency), 0, np.geomspace(1e-3, 1e9, 60)
    for _ in range(40):
        drawn = draw(rng)
        units = {
            f"u_{part}": rng.uniform(1, 4) for part in ("host", "link", "accelerator", "shared")
        }
        model = {name: drawn[name] for name in ("o", "L", "C", "A", "beta")} | units
        model["n"] = rng.choice([1, 2, 3.5, 8])
        roots = roots_of("g_s_in_flight", s=drawn["s"], **model, latency=latency)
        reached = numeric.speedup_in_flight(sizes, **model, latency=latency) > drawn["s"]
        upper = np.inf if np.isnan(roots.upper) else roots.upper
        inside = (sizes > roots.lower) & (sizes < upper)
        np.testing.assert_array_equal(inside, reached, err_msg=f"{drawn} {model}")
        found += bool(inside.any())
    assert found > 10


def stated_holds(domain: tuple[Any, ...], exact: dict[Any, Any]) -> bool:
    return all(bool(each.subs(exact)) for each in domain)


def test_arrays_are_taken() -> None:
    aes = {"o": 29_000, "L": 1500, "C": 90, "A": 19}
    found = roots_of("g1_application", **aes, f=[0.2, 0.6, 1.0])
    np.testing.assert_allclose(found.lower, numeric.granularity_for(1, **aes).lower)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: as_logca("power", o=1, L=1, C=1, A=2), "unknown extension 'power'; choose one of"),
        (lambda: as_logca("batch", o=1, L=1, C=1, A=2), "batch takes m besides .*, not nothing"),
        (
            lambda: as_logca("batch", o=1, L=1, C=1, A=2, m=2, latency="affine"),
            "unknown latency 'affine'",
        ),
        (lambda: roots_of("g1", o=1, L=1, C=1, A=2), "unknown root 'g1'; choose one of"),
        (lambda: roots_of("g_s_low", o=1, L=1, C=1, A=2, rho=2), "g_s_low needs a target s"),
        (
            lambda: roots_of("g1_application", s=2, o=1, L=1, C=1, A=2, f=0.5),
            "g1_application has no target s",
        ),
    ],
)
def test_a_bad_call_is_named(call: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        call()
