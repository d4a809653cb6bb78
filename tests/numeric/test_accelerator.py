"""The checked entrance: what goes in, what comes out, and Table 5 of the paper."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest
from exact_model import Exact, off
from rich.pretty import pretty_repr

import logca
from logca.numeric.accelerator import Accelerator
from logca.numeric.domain import DomainError
from logca.numeric.kernels import kernels
from logca.numeric.sizes import SizeError
from logca.numeric.status import RootStatus

AES = Accelerator(o=29_000, L=1500, C=90, A=19, name="UltraSPARC T2 AES")
RADIX = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear")


def exact(accelerator: Any) -> Exact:
    given = {name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta")}
    return Exact.of(**given, latency=accelerator.latency)


ROWS = [pytest.param(row, id=f"{row.device}-{row.kernel}") for row in logca.devices()]


@pytest.mark.parametrize("latency", ["constant", "linear"])
@pytest.mark.parametrize("row", ROWS)
def test_table_5(row: Any, latency: str) -> None:
    accelerator = row.accelerator(latency=latency)
    model = exact(accelerator)
    for found, s in ((accelerator.break_even(), 1), (accelerator.half_peak(), accelerator.A / 2)):
        roots = model.roots(s)
        assert len(found) == len(roots)
        assert (found.status is RootStatus.NEVER) is (roots == [])
        for each, root in zip(found, roots, strict=True):
            assert off(each, root) <= 8 * (1 + float(model.condition(s, root)))


def test_what_the_papers_say_of_table_5() -> None:
    t2 = logca.device("ultrasparc-t2", "aes")
    assert t2.break_even()[0] == pytest.approx(357.7, abs=0.05)
    assert t2.half_peak()[0] == pytest.approx(6438.9, abs=0.05)
    for device in ("apu", "discrete-gpu"):
        search = logca.device(device, "binary-search")
        assert search.break_even() == ()
        assert search.break_even().status is RootStatus.NEVER
        assert search.peak().speedup < 3e-6
    # altaf2017, §5.3 has none for the discrete GPU: it is far beyond any memory
    assert 1e12 < logca.device("discrete-gpu", "fft").half_peak()[0] < 1e13
    assert logca.device("apu", "fft").half_peak()[0] == pytest.approx(675_598, abs=0.5)


def test_the_published_exponents_are_taken_as_they_are_printed() -> None:
    """`device` says that it takes those of Table 4, which are decimals."""
    for kernel in kernels():
        if kernel.kernel in ("aes", "radix-sort"):
            found = logca.device("apu", kernel.kernel, beta=kernel.beta_table4)
            assert found.beta == float(kernel.beta_table4)


def test_numbers_of_every_kind() -> None:
    same = Accelerator(
        o=Fraction(29_000), L=np.float64(1500), C=np.int64(90), A=19.0, beta=True + 0
    )
    assert same == replace(AES, name="")
    assert {type(getattr(same, each)) for each in ("o", "L", "C", "A", "beta")} == {float}


BAD = [
    ({"o": -1}, ["o = -1", "at least 0", "[cycles]", "overhead", "altaf2017, Table 1"]),
    ({"L": -1e-9}, ["L = -1e-09", "at least 0", "latency"]),
    ({"C": 0}, ["C = 0", "greater than 0", "[cycles/B**beta]", "computational index"]),
    ({"A": 1}, ["A = 1", "greater than 1", "[1]", "acceleration", "Eq. 5"]),
    ({"A": 0.5}, ["A = 0.5", "greater than 1"]),
    ({"A": math.inf}, ["A = inf", "finite"]),
    ({"beta": 0}, ["beta = 0", "greater than 0", "exponent", "Table 4"]),
    ({"o": math.nan}, ["o = nan", "finite"]),
    ({"C": "90"}, ["C = '90'"]),
    ({"C": None}, ["C = None"]),
    ({"o": True}, ["o = True"]),
    ({"o": 1 + 2j}, ["o = (1+2j)"]),
    ({"o": [1.0, 2.0]}, ["o = [1.0, 2.0]"]),
    ({"latency": "Linear"}, ["latency = 'Linear'", "'constant'", "'linear'", "Eq. 2", "Eq. 8"]),
    ({"latency": None}, ["latency = None"]),
    ({"unit": "ms"}, ["unit = 'ms'", "cycles, seconds"]),
    ({"name": 3}, ["name = 3", "text"]),
]


@pytest.mark.parametrize(("wrong", "words"), BAD, ids=[str(row[0]) for row in BAD])
def test_bad_parameters_are_named_with_range_and_source(
    wrong: dict[str, Any], words: list[str]
) -> None:
    good = {"o": 29_000, "L": 1500, "C": 90, "A": 19}
    for make in (lambda: Accelerator(**good | wrong), lambda: replace(AES, **wrong)):
        with pytest.raises(DomainError) as raised:
            make()
        for word in words:
            assert word in str(raised.value)


def test_sizes_are_numbers_texts_lists_or_arrays() -> None:
    four = AES.speedup(4096)
    assert four == AES.speedup("4 KiB") == AES.speedup(4096.0) == AES.speedup(np.int64(4096))
    assert AES.speedup(["4 KiB", 4096, "4.096 kB"]).tolist() == [four] * 3
    assert AES.speedup(np.array([[4096], [4096]])).tolist() == [[four], [four]]
    assert AES.speedup([]).shape == (0,)
    assert AES.time_host("1 B") == 90
    assert AES.time_accelerated(19) == 29_000 + 1500 + 90


def test_sizes_in_arrays_of_other_libraries() -> None:
    """Either they stay such arrays, or what is no size in them is an error as in NumPy's."""
    found = AES.speedup(strict.asarray([512.0, 4096.0]))
    assert np.asarray(found).tolist() == AES.speedup([512, 4096]).tolist()
    if not isinstance(found, strict.asarray([1.0]).__class__):
        with pytest.raises(SizeError, match="-5"):
            AES.speedup(strict.asarray([1.0, -5.0]))


BAD_SIZES: list[tuple[Any, str]] = [
    ("32 Mb", "bits"),
    ("32 KB", "ambiguous"),
    (0, "more than 0"),
    (-4096, "-4096"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    ("", "''"),
    ([1, "32 Mb"], "bits"),
    ([1, -2], "-2"),
    (np.array([1.0, -5.0]), "-5"),
    (np.array([1.0, math.nan]), "nan"),
    (np.array([1.0, math.inf]), "inf"),
]


@pytest.mark.parametrize(("wrong", "word"), BAD_SIZES, ids=[repr(row[0]) for row in BAD_SIZES])
@pytest.mark.parametrize("method", ["speedup", "elasticity"])
def test_bad_sizes_are_named(method: str, wrong: Any, word: str) -> None:
    with pytest.raises((SizeError, DomainError)) as raised:
        getattr(AES, method)(wrong)
    assert word in str(raised.value)


@pytest.mark.parametrize("wrong", [None, 1j, {"g": 1}, np.array(["x"])], ids=repr)
def test_what_is_no_size_at_all_is_said_to_be_none(wrong: Any) -> None:
    with pytest.raises((SizeError, DomainError, TypeError)) as raised:
        AES.speedup(wrong)
    assert "size" in str(raised.value) or "granularity" in str(raised.value)


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf, "2", None, True, [1, 2]], ids=repr)
def test_bad_targets(wrong: Any) -> None:
    for ask in (lambda: AES.granularity_for(wrong), lambda: AES.solve_for("o", speedup=wrong, g=1)):
        with pytest.raises(DomainError, match=r"s = .* greater than 0 \[1\]: target speedup"):
            ask()


def test_bad_questions() -> None:
    with pytest.raises(DomainError, match="'beta' cannot be improved by a factor; o, L, C and A"):
        AES.improve(beta=2)
    for factor in (0, -1, math.nan, math.inf, "2", None, True):
        with pytest.raises(DomainError, match="must be a positive, finite factor"):
            AES.improve(o=factor)
    with pytest.raises(DomainError, match=r"A = 0\.95\d* must be a finite number greater"):
        AES.improve(A=0.05)
    with pytest.raises(DomainError, match="cannot solve for 'g'; choose one of o, L, C, A, beta"):
        AES.solve_for("g", speedup=1, g=1)
    with pytest.raises(DomainError, match="from '2 KiB' to '1 KiB' must be ascending"):
        AES.window("2 KiB", "1 KiB")
    with pytest.raises(SizeError, match="bits"):
        AES.explain("1 Mb")
    with pytest.raises(SizeError, match="ambiguous"):
        AES.regions(low="1 KB")


@pytest.mark.parametrize("factor", [np.int64(10), np.float32(10), Fraction(10)], ids=type)
def test_factors_are_numbers_of_every_kind(factor: Any) -> None:
    assert AES.improve(o=factor) == AES.improve(o=10)


def test_an_accelerator_is_an_immutable_value() -> None:
    twin = Accelerator(o=29_000, L=1500, C=90, A=19, name="UltraSPARC T2 AES")
    assert twin == AES
    assert hash(twin) == hash(AES)
    assert len({twin, AES, RADIX}) == 2
    assert replace(AES, beta=1.01) != AES
    for field in fields(AES):
        with pytest.raises(FrozenInstanceError):
            setattr(AES, field.name, 1.0)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        AES.other = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="positional"):
        Accelerator(1, 2, 3, 4)  # type: ignore[misc]


@pytest.mark.parametrize("accelerator", [AES, RADIX])
def test_copies_and_pickles_are_equal(accelerator: Accelerator) -> None:
    for again in (pickle.loads(pickle.dumps(accelerator)), copy.deepcopy(accelerator)):
        assert again == accelerator
        assert again.break_even() == accelerator.break_even()
    assert eval(repr(accelerator)) == accelerator


def test_it_is_shown_in_notebooks_and_terminals() -> None:
    latex = RADIX._repr_latex_()
    assert latex.startswith("$")
    assert latex.endswith("$")
    assert latex.count("{") == latex.count("}")
    assert "L \\, g" in latex
    assert "L \\, g" not in AES._repr_latex_()
    for text in ("o = 4e+08", "L = 15", "C = 290", "A = 7", "\\beta = 0.94"):
        assert text in latex
    shown = pretty_repr(RADIX)
    assert "beta=0.94" in shown
    assert "latency='linear'" in shown
    assert "unit" not in shown  # as it is by default
    assert eval(pretty_repr(AES)) == AES


def test_seconds_in_place_of_cycles() -> None:
    frequency = 2.0**30
    seconds = Accelerator(
        o=29_000 / frequency, L=1500 / frequency, C=90 / frequency, A=19, unit="seconds"
    )
    sizes = np.geomspace(1, 1e9, 30)
    np.testing.assert_array_equal(seconds.speedup(sizes), AES.speedup(sizes))
    np.testing.assert_array_equal(seconds.time_host(sizes) * frequency, AES.time_host(sizes))
    assert seconds.break_even()[0] == pytest.approx(AES.break_even()[0], rel=1e-14)
    assert [each.label for each in seconds.regions().regions] == [
        each.label for each in AES.regions().regions
    ]
    assert "seconds" in seconds.explain("1 KiB")
    assert "cycles" not in seconds.explain("1 KiB")
