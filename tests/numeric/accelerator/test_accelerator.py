"""The checked entrance: what goes in, what comes out, Table 5 of the paper, laws of the model."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest
from exact_model import EPS, LATENCIES, Exact, off, parameters, powers, real
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.pretty import pretty_repr

import logca
from logca import numeric
from logca.common.sizes import SizeError
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import UnreachableError
from logca.numeric.accelerator.parameter_ranges import DomainError
from logca.numeric.paper.platforms import kernels
from logca.numeric.roots.status import RootStatus

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
    ({"A": 1}, ["A = 1", "greater than 1", "acceleration", "Eq. 5"]),
    ({"A": 0.5}, ["A = 0.5", "greater than 1"]),
    ({"A": math.inf}, ["A = inf", "finite"]),
    ({"beta": 0}, ["beta = 0", "greater than 0", "exponent", "Table 4"]),
    ({"o": math.nan}, ["o = nan", "finite"]),
    ({"C": "ninety"}, ["C = 'ninety' is not a number; write one such as 90 or 36ns/B"]),
    ({"o": "12us"}, ["o = '12us' is in seconds", "give unit='seconds', and all of o, L and C"]),
    ({"L": "3 cycles/B"}, ["L = '3 cycles/B' is a time of a byte: give latency='linear'"]),
    ({"C": "-1"}, ["C = -1", "greater than 0"]),
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
        with pytest.raises(DomainError, match=r"s = .* greater than 0: target speedup"):
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


SPAN = np.timedelta64(5)
SPANS = [SPAN, [SPAN], np.array(SPAN), np.array([SPAN]), np.array([SPAN], dtype=object)]
TEXT = bytearray(b"ab")
OCTETS = [TEXT, [TEXT], memoryview(TEXT), memoryview(np.ones(2, np.int8)), b"4", [b"4"]]


@pytest.mark.parametrize("wrong", [*SPANS, *OCTETS], ids=lambda wrong: type(wrong).__name__)
def test_spans_of_time_and_bytes_are_no_sizes(wrong: Any) -> None:
    accelerator = Accelerator(o=1000, L=1, C=10, A=5)
    with pytest.raises(SizeError, match="no size"):
        accelerator.speedup(wrong)


def test_memory_that_holds_numbers_has_sizes() -> None:
    accelerator = Accelerator(o=1000, L=1, C=10, A=5)
    for numbers in (np.array([512.0, 4096.0]), np.array([100, 200], np.uint8)):
        whole = numbers.astype(np.int32)
        expected = accelerator.speedup(numbers.astype(float))
        assert np.array_equal(accelerator.speedup(memoryview(whole)), expected)
        assert np.array_equal(accelerator.speedup(numbers), expected)
        assert np.array_equal(accelerator.speedup(list(numbers)), expected)


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
    assert "It takes 32.92 µs offloaded" in seconds.explain("1 KiB")
    assert "cycles" not in seconds.explain("1 KiB")


SIZES = powers(-2, 9)
FREE = st.builds(
    lambda found, latency: Accelerator(**found, latency=latency), parameters(free=True), LATENCIES
)
"""Also with nothing to pay for overhead or latency."""
DEAR = st.builds(
    lambda found, latency: Accelerator(**found, latency=latency), parameters(), LATENCIES
)
ROUNDING = 16 * EPS


def exact_accelerator_laws(accelerator: Accelerator) -> Exact:
    given_ = {name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta")}
    return Exact.of(**given_, latency=accelerator.latency)


def close(found: Any, wanted: Any, tolerance: float = ROUNDING) -> bool:
    return bool(abs(real(found) - real(wanted)) <= tolerance * abs(real(wanted)))


@given(accelerator=FREE, g=SIZES)
def test_times_and_speedup(accelerator: Accelerator, g: float) -> None:
    model = exact_accelerator_laws(accelerator)
    tolerance = ROUNDING * (1 + accelerator.beta * abs(math.log(g)))
    assert close(accelerator.time_host(g), model.host(g), tolerance)
    assert close(accelerator.time_accelerated(g), sum(model.parts(g)), tolerance)
    assert close(accelerator.speedup(g), model.speedup(g), tolerance)
    assert 0 < accelerator.speedup(g) <= accelerator.A * (1 + EPS)


@given(accelerator=FREE, g=SIZES, factor=powers(0.01, 4))
def test_the_speedup_grows_with_every_improvement(
    accelerator: Accelerator, g: float, factor: float
) -> None:
    before = float(accelerator.speedup(g))
    for name in ("o", "L", "C", "A"):
        better = accelerator.improve(**{name: factor})
        after = float(better.speedup(g))
        assert after >= before * (1 - ROUNDING)
        assert after <= before * factor * (1 + ROUNDING)
        assert close(
            after / before, exact_accelerator_laws(accelerator).gain(name, factor, g), 1e-12
        )
    if g > 1:
        assert replace(accelerator, beta=accelerator.beta * 1.1).speedup(g) >= before * (1 - 1e-12)


@given(accelerator=FREE, g=SIZES)
def test_shares_add_up_to_one_and_elasticities_to_their_sums(
    accelerator: Accelerator, g: float
) -> None:
    shares, slopes = accelerator.shares(g), accelerator.elasticity(g)
    assert sum(shares) == pytest.approx(1, rel=ROUNDING)
    assert all(0 <= share <= 1 + EPS for share in shares)
    assert slopes.o + slopes.L + slopes.C == pytest.approx(0, abs=ROUNDING)
    assert pytest.approx(1, rel=ROUNDING) == slopes.A + slopes.C
    assert sum(map(abs, slopes[:4])) == pytest.approx(2 - accelerator.speedup(g) / accelerator.A)
    assert (slopes.o, slopes.L, slopes.A) == pytest.approx(
        (-shares.overhead, -shares.latency, shares.computation), rel=ROUNDING
    )
    per_byte = slopes.L if accelerator.latency == "linear" else 0.0
    assert slopes.g == pytest.approx(accelerator.beta * slopes.C + per_byte, abs=1e-12)
    assert slopes.beta == pytest.approx(math.log(g) * slopes.C, rel=1e-12, abs=1e-300)


@settings(max_examples=60)
@given(accelerator=DEAR, g=SIZES)
def test_elasticities_are_derivatives(accelerator: Accelerator, g: float) -> None:
    model, slopes = exact_accelerator_laws(accelerator), accelerator.elasticity(g)
    for name in ("o", "L", "C", "A", "g"):
        wanted = float(model.elasticity(name, g))
        assert getattr(slopes, name) == pytest.approx(wanted, rel=1e-11, abs=1e-14)
    # of the exponent the absolute change counts
    wanted = float(model.elasticity("beta", g) / model.beta)
    assert slopes.beta == pytest.approx(wanted, rel=1e-11, abs=1e-14)


@given(accelerator=DEAR, g=SIZES, power=st.integers(-60, 60))
def test_the_unit_of_time_does_not_matter(accelerator: Accelerator, g: float, power: int) -> None:
    factor = 2.0**power
    changes = {name: getattr(accelerator, name) * factor for name in ("o", "L", "C")}
    other = replace(accelerator, **changes)
    assert other.speedup(g) == accelerator.speedup(g)
    assert other.shares(g) == accelerator.shares(g)
    assert other.limit() == accelerator.limit()
    assert other.time_host(g) == accelerator.time_host(g) * factor


@given(accelerator=DEAR, g=SIZES, power=st.integers(-10, 10))
def test_the_unit_of_granularity_does_not_matter(
    accelerator: Accelerator, g: float, power: int
) -> None:
    scale = 2.0**power
    changes = {"C": accelerator.C * scale**accelerator.beta}
    if accelerator.latency == "linear":
        changes["L"] = accelerator.L * scale
    other = replace(accelerator, **changes)
    assert other.speedup(g / scale) == pytest.approx(accelerator.speedup(g), rel=1e-13)
    assert other.peak().speedup == pytest.approx(accelerator.peak().speedup, rel=1e-12)


@settings(max_examples=200)
@given(
    accelerator=FREE,
    g=SIZES,
    share=st.floats(0.01, 1.2),
    name=st.sampled_from(["o", "L", "C", "A", "beta"]),
)
def test_what_is_solved_for_gives_the_speedup(
    accelerator: Accelerator, g: float, share: float, name: str
) -> None:
    assume(abs(share - 1) > 1e-6)
    s = share * accelerator.A
    if reachable(accelerator, name, s, g) is False:
        with pytest.raises(UnreachableError):
            accelerator.solve_for(name, speedup=s, g=g)
    elif reachable(accelerator, name, s, g):
        found = accelerator.solve_for(name, speedup=s, g=g)
        reached = exact_accelerator_laws(replace(accelerator, **{name: found})).speedup(g)
        noise = 2 + 2 / abs(1 - share) + accelerator.beta * abs(math.log(g))
        assert abs(reached / real(s) - 1) <= 16 * EPS * noise


def reachable(accelerator: Accelerator, name: str, s: float, g: float) -> bool | None:
    """Whether a value of the parameter gives the speedup; None if that is a matter of rounding."""
    if name != "A" and s >= accelerator.A:
        return False
    ends = {"o": (0.0, 1e200), "L": (0.0, 1e200), "C": (1e-200, 1e200), "A": (1 + 1e-9, 1e200)}
    ends["beta"] = (1e-9, 200 / max(abs(math.log10(g)), 1e-9))
    reached = [
        exact_accelerator_laws(replace(accelerator, **{name: end})).speedup(g) for end in ends[name]
    ]
    if min(reached) * (1 + 1e-6) < s < max(reached) * (1 - 1e-6):
        return True
    return None if min(reached) * (1 - 1e-6) < s < max(reached) * (1 + 1e-6) else False


@given(accelerator=FREE, share=st.floats(0.001, 1.2))
def test_granularities_for_a_speedup_have_it(accelerator: Accelerator, share: float) -> None:
    s = share * accelerator.A
    found = accelerator.granularity_for(s)
    assert list(found) == sorted(set(found))
    wanted = {"ONE": 1, "TWO": 2, "DOUBLE": 1, "UPPER_ONLY": 1, "UPPER_OUT_OF_RANGE": 1}
    assert len(found) == wanted.get(found.status.name, 0)
    model = exact_accelerator_laws(accelerator)
    for each in found:
        condition = float(model.condition(s, each)) if share < 1 else 0
        if condition < 1e6:
            slope = max(accelerator.beta, 1)
            assert close(model.speedup(each), s, 16 * EPS * (1 + condition) * slope)
    if found.status is RootStatus.NEVER:
        assert accelerator.peak().speedup <= s * (1 + 1e-9)
    if share >= 1:
        assert found.status is RootStatus.BEYOND_ACCELERATION
    assert accelerator.break_even() == accelerator.granularity_for(1)
    assert accelerator.half_peak() == accelerator.granularity_for(accelerator.A / 2)


@given(accelerator=FREE)
def test_the_peak_is_the_greatest_speedup(accelerator: Accelerator) -> None:
    peak, sizes = accelerator.peak(), np.geomspace(1e-12, 1e15, 400)
    curve = accelerator.speedup(sizes)
    assert curve.max() <= peak.speedup * (1 + ROUNDING)
    assert peak.speedup <= accelerator.A * (1 + EPS)
    if peak.attained and math.isfinite(peak.granularity):
        assert close(accelerator.speedup(peak.granularity), peak.speedup, 1e-12)
        assert close(peak.granularity, exact_accelerator_laws(accelerator).peak())
        for side in (0.999, 1.001):
            assert accelerator.speedup(peak.granularity * side) <= peak.speedup * (1 + ROUNDING)
    if not peak.attained:
        assert peak.granularity in (0, math.inf)
        assert close(peak.speedup, limit_by_hand(accelerator, peak.granularity), 1e-12)


def limit_by_hand(accelerator: Accelerator, end: float) -> float:
    """Limit of the speedup where the size tends to zero, or grows without bound."""
    o, L, C, A = accelerator.o, accelerator.L, accelerator.C, accelerator.A
    if (
        accelerator.latency == "constant"
        or L == 0
        or (end == 0 and o == 0 and accelerator.beta < 1)
    ):
        return A
    if accelerator.beta == 1:
        return 1 / (1 / A + L / C)
    return A if accelerator.beta > 1 else 0.0


@given(accelerator=FREE)
def test_the_limit_and_what_bounds(accelerator: Accelerator) -> None:
    limit, bound = accelerator.limit(), accelerator.bound()
    assert limit == pytest.approx(limit_by_hand(accelerator, math.inf), rel=1e-14)
    assert bound.limit == limit
    assert bound.kind == ("compute" if limit == accelerator.A else "latency")
    assert str(bound) == f"{bound.kind}-bound: {bound.reason}"
    if accelerator.latency == "linear" and accelerator.beta < 1 and accelerator.L:
        assert "falls in the end" in bound.reason
    elif limit == accelerator.A:
        assert "tends to" in bound.reason


@given(accelerator=FREE, low=powers(-1, 6), width=powers(0, 6))
def test_what_a_window_reaches(accelerator: Accelerator, low: float, width: float) -> None:
    high = low * width
    window = accelerator.window(low, high)
    sizes = np.clip(np.geomspace(low, high, 101), low, high)
    curve = accelerator.speedup(sizes)
    assert window.greatest >= curve.max() * (1 - ROUNDING)
    assert window.least == pytest.approx(curve.min(), rel=1e-12)
    assert window.reaches(window.greatest)
    assert not window.reaches(window.greatest * (1 + 1e-9))
    assert close(accelerator.speedup(window.best), window.greatest, 1e-12)
    assert all(low <= each <= high for each in window.break_even)
    assert set(window.break_even) <= set(accelerator.break_even())
    crosses = (curve > 1 + 1e-9).any() and (curve < 1 - 1e-9).any()
    assert bool(window.break_even) or not crosses


@pytest.mark.parametrize("high", [49.0, 98.0, 103.0, 107.0, 1e6 / 3])
def test_the_best_size_of_a_window_is_in_it(high: float) -> None:
    """1/(1/49) is above 49."""
    accelerator = Accelerator(o=1e9, L=1e-3, C=800, A=12, beta=0.5, latency="linear")
    assert accelerator.window(1, high).best == high
    falling = Accelerator(o=1e-9, L=1e3, C=800, A=12, beta=0.5, latency="linear")
    assert falling.window(high, 1e9).best == high


@given(accelerator=FREE, factor=powers(-2, 2))
def test_improvements_compose(accelerator: Accelerator, factor: float) -> None:
    assume(accelerator.A * min(factor, 1) > 1.01)
    better = accelerator.improve(o=factor, L=factor, C=factor, A=factor)
    assert (better.o, better.L) == (accelerator.o / factor, accelerator.L / factor)
    assert (accelerator.C * factor, accelerator.A * factor) == (better.C, better.A)
    assert accelerator.improve() == accelerator
    assert better.beta == accelerator.beta
    assert better.latency == accelerator.latency


@given(accelerator=DEAR, g=SIZES)
def test_the_functions_say_the_same(accelerator: Accelerator, g: float) -> None:
    given_: dict[str, Any] = {
        name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta", "latency")
    }
    assert accelerator.speedup(g) == numeric.speedup(g, **given_)
    assert numeric.e_C(g, **given_) == accelerator.elasticity(g).C
    assert accelerator.shares(g).latency == numeric.share_L(g, **given_)
    assert accelerator.time_accelerated(g) == numeric.T1(g, **given_)
