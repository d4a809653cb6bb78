"""What the explanation says, read back and held against the model."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from effort import examples
from exact_model import LATENCIES, Exact, parameters, powers
from hypothesis import assume, given
from hypothesis import strategies as st

from logca.common.sizes import parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import UnreachableError

AES = Accelerator(o=29_000, L=1500, C=90, A=19)
APU_SEARCH = Accelerator(o=4e8, L=15, C=116, A=7, beta=0.14, latency="linear")
ACCELERATORS = st.builds(
    lambda found, latency: Accelerator(**found, latency=latency), parameters(free=True), LATENCIES
)
SIZES = powers(0, 9)
NUMBER = r"[0-9.]+(?:e[+-]\d+)?"
CHANGE = re.compile(rf"(?:^|needs |, or )[a-z ]+ ([oLCA]) at (most|least) ({NUMBER})")


def exact(accelerator: Accelerator) -> Exact:
    given_ = {name: getattr(accelerator, name) for name in ("o", "L", "C", "A", "beta")}
    return Exact.of(**given_, latency=accelerator.latency)


@examples(60)
@given(accelerator=ACCELERATORS, g=SIZES)
def test_the_verdict_is_right(accelerator: Accelerator, g: float) -> None:
    speedup = float(exact(accelerator).speedup(g))
    assume(abs(speedup - 1) > 1e-12)
    verdict, times, *_, last = accelerator.explain(g).splitlines()
    assert (" pays: " in verdict) is (speedup > 1)
    assert (" does not pay: " in verdict) is (speedup < 1)
    assert ("needs" in last) is (speedup < 1)
    there = re.search(rf"({NUMBER}) times as (fast|long)", verdict)
    assert there is not None
    factor = speedup if there[2] == "fast" else 1 / speedup
    assert float(there[1]) == pytest.approx(factor, rel=1e-3)
    printed = re.fullmatch(
        rf"It takes ({NUMBER}) cycles offloaded, and ({NUMBER}) cycles on the host\.",
        times.replace(",", "").replace("offloaded", "offloaded,"),
    )
    assert printed is not None
    offloaded, host = map(float, printed.groups())
    assert host / offloaded == pytest.approx(speedup, rel=2e-3)


@given(accelerator=ACCELERATORS, step=powers(-9, -1))
def test_the_verdict_is_right_next_to_break_even(accelerator: Accelerator, step: float) -> None:
    model = exact(accelerator)
    for root in accelerator.break_even():
        for g in (root * (1 - step), root * (1 + step)):
            speedup = model.speedup(g)
            if abs(speedup - 1) > 1e-12:
                pays = " pays: " in accelerator.explain(g).splitlines()[0]
                assert pays is bool(speedup > 1)


@examples(60)
@given(accelerator=ACCELERATORS, g=SIZES)
def test_where_it_pays_is_what_the_model_says(accelerator: Accelerator, g: float) -> None:
    """The line about the range, read back, holds at the size that was asked for."""
    line = accelerator.explain(g).splitlines()[0].partition("; ")[2]
    pays = bool(exact(accelerator).speedup(g) > 1)
    sizes = [parse_size(each) for each in re.findall(rf"{NUMBER} (?:[KMGTPE]i)?B", line)]
    if any(abs(g / size - 1) < 2e-3 for size in sizes):
        return
    if line.startswith("it pays between"):
        assert pays is (sizes[0] < g < sizes[1])
    elif line.startswith("it pays from"):
        assert pays is (g > sizes[0])
    elif line.startswith("it pays up to"):
        assert pays is (g < sizes[0])
    elif "at every granularity" in line:
        assert pays
    elif "outside the range" not in line:
        assert "never reached" in line
        assert not pays


@examples(60)
@given(accelerator=ACCELERATORS, g=SIZES)
def test_the_bottleneck_and_what_is_gained(accelerator: Accelerator, g: float) -> None:
    model, lines = exact(accelerator), accelerator.explain(g).splitlines()
    parts = dict(zip(("overhead", "latency", "computation"), model.parts(g), strict=True))
    total = sum(parts.values())
    for percent, name in re.findall(rf"({NUMBER}) % (\w+)", lines[2]):
        assert float(percent) == pytest.approx(100 * float(parts[name] / total), rel=6e-3, abs=1e-9)
    bottleneck = re.match(r"The bottleneck is (\w+);", lines[2])
    assert bottleneck is not None
    assert parts[bottleneck[1]] == pytest.approx(max(parts.values()), rel=1e-12)
    improved, index = lines[3].split(". A tenfold C raises the speedup ")
    assert float(index.partition("x, by ")[0]) == pytest.approx(
        float(model.gain("C", 10, g)), rel=6e-3
    )
    gains = re.findall(rf"([oLCA]) ({NUMBER})x", improved)
    assert sorted(name for name, _ in gains) == sorted("oLA")
    values = [float(model.gain(name, 10, g)) for name, _ in gains]
    assert values == pytest.approx([float(each) for _, each in gains], rel=6e-3)
    assert all(left >= right * (1 - 1e-9) for left, right in pairwise(values))


@examples(60)
@given(accelerator=ACCELERATORS, g=SIZES)
def test_the_change_it_names_gives_break_even(accelerator: Accelerator, g: float) -> None:
    """As printed: who lowers the overhead to "at most 969.8" must not miss it by a rounding."""
    assume(exact(accelerator).speedup(g) < 1 - 1e-9)
    *_, last = accelerator.explain(g).splitlines()
    possible, _, impossible = re.sub(r"(?<=\d),(?=\d)", "", last).partition("; changing only the ")
    named = CHANGE.findall(possible)
    assert bool(named) or "more than one parameter" in possible
    for name, word, value in named:
        changed = replace(accelerator, **{name: float(value)})
        assert word == ("most" if name in "oL" else "least")
        assert float(exact(changed).speedup(g)) == pytest.approx(1, abs=2e-3)
    too_little = [
        name
        for name, _, value in named
        if exact(replace(accelerator, **{name: float(value)})).speedup(g) < 1 - 1e-12
    ]
    assert too_little == []
    for name in re.findall(r"\b([oLCA])\b", impossible):
        best = {"o": 0.0, "L": 0.0, "C": 1e200, "A": 1e200}[name]
        assert exact(replace(accelerator, **{name: best})).speedup(g) < 1 + 1e-9
        assert name not in {each for each, _, _ in named}


def test_an_example_in_full() -> None:
    lines = AES.explain(100).splitlines()
    # 9000 cycles on the host; 30500 + 9000/19 = 30973.7 offloaded
    assert lines[0] == (
        "Offloading 100 B does not pay: it takes 3.442 times as long; it pays from 357.7 B on."
    )
    assert lines[1] == "It takes 30,974 cycles offloaded, and 9,000 cycles on the host."
    assert lines[2] == (
        "The bottleneck is overhead; of the accelerated time 93.6 % overhead, 4.84 % latency, "
        "1.53 % computation."
    )
    assert "o 6.36x" in lines[3]
    assert "overhead o at most 7,02" in lines[4]  # 9000*18/19 - 1500 = 7026.3
    assert lines[4].endswith("latency L or the acceleration A is not enough.")


def test_where_nothing_helps_it_says_so() -> None:
    text = APU_SEARCH.explain("1 KiB")
    assert "does not pay" in text
    assert "never reached" in text
    last = text.splitlines()[-1]
    assert [name for name, _, _ in CHANGE.findall(last)] == ["C"]
    assert "overhead o or the latency L or the acceleration A is not enough" in last


@pytest.mark.parametrize(
    ("accelerator", "line"),
    [
        (
            Accelerator(o=0, L=0, C=1, A=2),
            "break-even is reached or exceeded at every granularity.",
        ),
        (Accelerator(o=0, L=1, C=9, A=3, beta=0.5, latency="linear"), "it pays up to 36 B."),
        (Accelerator(o=4, L=1, C=8, A=2, beta=0.5, latency="linear"), "just reached"),
        (Accelerator(o=1, L=1e-10, C=10, A=2, beta=0.99, latency="linear"), "it pays from"),
        (Accelerator(o=1, L=0, C=1, A=2, beta=5e-4), "outside the range of floating point"),
    ],
    ids=["everywhere", "up to", "just", "from", "far"],
)
def test_every_kind_of_range_has_a_sentence(accelerator: Accelerator, line: str) -> None:
    assert line in accelerator.explain(10)


@pytest.mark.parametrize("free", ["o", "L"])
@pytest.mark.parametrize(
    ("C", "A", "g"), [(69, 31, 1), (3, 3, 1), (90, 19, 4), (49, 49, 2), (7, 29, 3)]
)
def test_at_break_even_itself(free: str, C: int, A: int, g: int) -> None:
    """Where all that an offload pays is the overhead, or the latency, and the speedup is one."""
    cost = C * g * (1 - 1 / A)
    accelerator = Accelerator(o=cost, L=cost, C=C, A=A)
    accelerator = replace(accelerator, **{free: 0})
    assert float(accelerator.speedup(g)) == pytest.approx(1, rel=1e-15)
    assert accelerator.explain(g)


@pytest.mark.parametrize(
    "extreme",
    [
        Accelerator(o=1e300, L=0, C=1e308, A=2),
        Accelerator(o=1, L=0, C=1, A=1e308),
        Accelerator(o=1e300, L=0, C=1e-300, A=2),
    ],
    ids=["index", "acceleration", "speedup"],
)
def test_at_the_ends_of_floating_point(extreme: Accelerator) -> None:
    """A tenfold improvement, or a gain, may be out of range: the rest is said all the same."""
    assert extreme.explain(1).partition("1 B")[0] in ("Offloading ", "Whether offloading ")


def test_why_a_parameter_cannot_do_it() -> None:
    def why(parameter: str, speedup: float, g: float, accelerator: Accelerator = AES) -> str:
        with pytest.raises(UnreachableError) as raised:
            accelerator.solve_for(parameter, speedup=speedup, g=g)
        return str(raised.value)

    assert "only a larger A helps" in why("o", 19, 4096)
    assert "A = 19" in why("C", 40, 4096)
    best = float(replace(AES, o=0).speedup(100))
    assert f"even at 0 it is {best:.4g}" in why("o", 10, 100)
    assert "even an infinite one gives no more than 12.09" in why("A", 13, 4096)
    assert "must be greater than 1" in why("A", 0.5, 4096)
    assert "exponent beta" in why("beta", 2, 1)
    assert math.isfinite(AES.solve_for("A", speedup=12, g=4096))
