"""Verdicts on sections 3.2, 4 and 5 of ISCA 2017, fixed from the paper and from Table 5 by hand.

The numbers below are computed with mpmath from a table typed in here; no formula of the package
takes part. The verdicts follow from them.
"""

from collections.abc import Callable

import mpmath
import pytest

from logca.proofs.claims.catalogue import all_claims
from logca.proofs.claims.isca2017.tables import ROWS
from logca.proofs.engine.judge import judge

TABLE5 = {
    ("Discrete GPU", "AES"): (2e8, 0, 3000, 174, 30),
    ("Discrete GPU", "Radix Sort"): (2e8, 0, 3000, 290, 30),
    ("Discrete GPU", "GEMM"): (2e8, 0, 3000, 2, 30),
    ("Discrete GPU", "FFT"): (2e8, 0, 3000, 290, 30),
    ("Discrete GPU", "Binary Search"): (2e8, 0, 3000, 116, 30),
    ("APU", "AES"): (4e8, 0, 15, 174, 7),
    ("APU", "Radix Sort"): (4e8, 0, 15, 290, 7),
    ("APU", "GEMM"): (4e8, 0, 15, 2, 7),
    ("APU", "FFT"): (4e8, 0, 15, 290, 7),
    ("APU", "Binary Search"): (4e8, 0, 15, 116, 7),
    ("UltraSPARC T2", "AES"): (29e3, 1500, 0, 90, 19),
    ("UltraSPARC T2", "SHA"): (10.5e3, 1500, 0, 72, 12),
    ("SPARC T3", "AES"): (27e3, 1500, 0, 90, 12),
    ("SPARC T3", "SHA"): (10.5e3, 1500, 0, 72, 10),
    ("SPARC T4", "AES"): (435, 500, 0, 32, 12),
    ("SPARC T4", "SHA"): (16e3, 500, 0, 32, 10),
    ("SPARC T4 instr.", "AES"): (111, 4, 0, 32, 12),
    ("SPARC T4 instr.", "SHA"): (1638, 4, 0, 32, 10),
    ("Sandy Bridge", "AES"): (10, 3, 0, 35, 6),
}
"""o, L0, L1, C, A."""

Curve = Callable[[mpmath.mpf], mpmath.mpf]


def speedup(device: str, kernel: str, beta: float, better: str = "") -> Curve:
    """The model, with one parameter ten times better."""
    o, l0, l1, index, a = map(mpmath.mpf, TABLE5[device, kernel])
    factor = {parameter: mpmath.mpf(10 if parameter == better else 1) for parameter in "oLCA"}

    def curve(g: mpmath.mpf) -> mpmath.mpf:
        host = index * factor["C"] * mpmath.mpf(g) ** mpmath.mpf(str(beta))
        return host / (o / factor["o"] + (l0 + l1 * g) / factor["L"] + host / (a * factor["A"]))

    return curve


def crossing(curve: Curve, level: float, low: float, high: float) -> float:
    """Where a curve that crosses a level once between two granularities does so."""
    ends = [curve(mpmath.mpf(x)) - mpmath.mpf(str(level)) for x in (low, high)]
    assert ends[0] * ends[1] < 0
    a, b = mpmath.log(low), mpmath.log(high)
    for _ in range(160):
        middle = (a + b) / 2
        inside = curve(mpmath.exp(middle)) - mpmath.mpf(str(level))
        a, b = (middle, b) if inside * ends[0] > 0 else (a, middle)
    return float(mpmath.exp(a))


def gain(device: str, kernel: str, beta: float, parameter: str) -> Curve:
    base, better = speedup(device, kernel, beta), speedup(device, kernel, beta, parameter)
    return lambda g: better(g) / base(g)


@pytest.fixture(autouse=True)
def fifty_digits() -> object:
    with mpmath.workdps(50):
        yield


def test_table_is_the_one_typed_here() -> None:
    assert {(row.device, row.kernel) for row in ROWS} == set(TABLE5)
    for row in ROWS:
        latency = (row.L, 0) if row.latency == "constant" else (0, row.L)
        assert (row.o, *latency, row.C, row.A) == TABLE5[row.device, row.kernel]


@pytest.mark.parametrize(
    ("device", "kernel", "beta", "parameter", "low", "high", "cutoff"),
    [
        ("UltraSPARC T2", "AES", 1, "A", 1024, 2048, 144875 / 99),
        ("UltraSPARC T2", "AES", 1, "o", 16384, 32768, 239590 / 9),
        ("UltraSPARC T2", "AES", 1, "C", 16384, 32768, 254980 / 9),
        ("UltraSPARC T2", "AES", 1.01, "A", 1024, 2048, 1361.5),
        ("UltraSPARC T2", "AES", 1.01, "o", 16384, 32768, 24066.5),
        ("UltraSPARC T2", "AES", 1.01, "C", 16384, 32768, 25596.6),
        ("SPARC T4", "AES", 1, "o", 512, 1024, 2121 / 4),
        ("SPARC T4", "AES", 1.01, "o", 256, 512, 498.3),
        ("SPARC T4", "AES", 1, "L", 512, 1024, 5295 / 8),
        ("SPARC T4", "AES", 1, "A", 64, 128, 1275 / 16),
        ("SPARC T4 instr.", "AES", 1, "o", 128, 256, 3633 / 20),
        ("SPARC T4 instr.", "AES", 1, "C", 128, 256, 759 / 4),
        ("SPARC T4 instr.", "AES", 1.01, "o", 128, 256, 172.531),
        ("SPARC T4 instr.", "AES", 1, "A", 8, 16, 9.801),
        ("APU", "AES", 1, "L", 2**23, 2**24, 87500000 / 9),
        ("Discrete GPU", "GEMM", 1.7, "o", 2**17, 2**18, 258108.34),
        ("Discrete GPU", "GEMM", 1.7, "A", 2**19, 2**20, 618997.8),
        ("Discrete GPU", "GEMM", 1.7, "L", 2**13, 2**14, 15216.6),
        ("Discrete GPU", "GEMM", 1.5, "o", 2**18, 2**19, 289865),
        ("Discrete GPU", "GEMM", 1.5, "A", 2**26, 2**27, 1.0473e8),
        ("APU", "GEMM", 1.7, "A", 2**16, 2**17, 100585.54),
        ("APU", "GEMM", 1.7, "o", 2**19, 2**20, 571911),
        ("APU", "GEMM", 1.7, "C", 2**19, 2**20, 580874),
    ],
)
def test_cutoffs(
    device: str, kernel: str, beta: float, parameter: str, low: int, high: int, cutoff: float
) -> None:
    found = crossing(gain(device, kernel, beta, parameter), 1.2, low, high)
    assert found == pytest.approx(cutoff, rel=5e-5)


@pytest.mark.parametrize(
    ("device", "kernel", "beta", "target", "low", "high", "granularity"),
    [
        ("APU", "AES", 1, 1, 2**21, 2**22, 2800000000 / 939),
        ("APU", "AES", 1, 3.5, 2**25, 2**26, 2800000000 / 69),
        ("APU", "AES", 1.01, 3.5, 2**24, 2**25, 27581600),
        ("APU", "Radix Sort", 1, 3.5, 2**23, 2**24, 560000000 / 37),
        ("APU", "FFT", 1.2, 3.5, 2**19, 2**20, 675597.68),
        ("Discrete GPU", "FFT", 1.2, 15, 2**40, 2**42, 2.87887e12),
        ("SPARC T4 instr.", "AES", 1, 10.8, 256, 512, 3105 / 8),
    ],
)
def test_granularities(
    device: str,
    kernel: str,
    beta: float,
    target: float,
    low: int,
    high: int,
    granularity: float,
) -> None:
    found = crossing(speedup(device, kernel, beta), target, low, high)
    assert found == pytest.approx(granularity, rel=5e-6)


@pytest.mark.parametrize(
    ("device", "kernel", "beta", "ceiling"),
    [
        ("Discrete GPU", "AES", 1, 0.06),
        ("Discrete GPU", "Radix Sort", 1, 0.1),
        ("Discrete GPU", "Radix Sort", 0.94, 0.04),
        ("Discrete GPU", "Binary Search", 0.14, 2e-6),
        ("Discrete GPU", "Binary Search", 0.11, 2e-6),
        ("APU", "Binary Search", 0.14, 3e-6),
        ("APU", "Binary Search", 0.11, 3e-6),
        ("APU", "Radix Sort", 0.94, 3.5),
    ],
)
def test_what_is_never_reached(device: str, kernel: str, beta: float, ceiling: float) -> None:
    curve = speedup(device, kernel, beta)
    assert max(curve(mpmath.mpf(2) ** (n / mpmath.mpf(4))) for n in range(-80, 400)) < ceiling


def test_latency_gains() -> None:
    sizes = [mpmath.mpf(2) ** n for n in range(-20, 60)]
    assert max(gain("UltraSPARC T2", "AES", 1, "L")(g) for g in sizes) < mpmath.mpf(610) / 583
    assert max(gain("APU", "GEMM", 1.7, "L")(g) for g in sizes) < 1.005
    assert max(gain("SPARC T4", "AES", 1, "L")(g) for g in sizes) > 1.9


def regions(device: str, kernel: str, beta: float, sizes: list[mpmath.mpf]) -> list[str]:
    """Which parameters gain 20 percent, each set once, from the smallest size on."""
    gains = {parameter: gain(device, kernel, beta, parameter) for parameter in "oLAC"}
    found = ["".join(p for p, curve in gains.items() if curve(g) >= 1.2) for g in sizes]
    return [region for n, region in enumerate(found) if n == 0 or found[n - 1] != region]


def test_regions() -> None:
    powers = [mpmath.mpf(2) ** n for n in range(4, 26)]
    bytes_ = [mpmath.mpf(n) for n in range(16, 4096)]
    assert regions("SPARC T4", "AES", 1, bytes_) == ["oLC", "oLAC", "LAC", "AC", "A"]
    assert regions("SPARC T4", "AES", 1, powers) == ["oLC", "oLAC", "AC", "A"]
    assert regions("SPARC T4", "AES", 1.01, powers) == ["oLC", "oLAC", "LAC", "AC", "A"]
    fine = [mpmath.mpf(2) ** (n / mpmath.mpf(96)) for n in range(384, 2400)]
    assert regions("APU", "GEMM", 1.7, powers) == ["oC", "oAC", "A"]
    assert regions("APU", "GEMM", 1.7, fine) == ["oC", "oAC", "AC", "A"]


def test_orders_of_speedup() -> None:
    gpu, apu = speedup("Discrete GPU", "AES", 1), speedup("APU", "AES", 1)
    assert gpu(mpmath.mpf(67432)) > apu(mpmath.mpf(67432))
    assert gpu(mpmath.mpf(67433)) < apu(mpmath.mpf(67433))
    t2, bridge = speedup("UltraSPARC T2", "AES", 1), speedup("Sandy Bridge", "AES", 1)
    assert t2(mpmath.mpf(2968)) < bridge(mpmath.mpf(2968))
    assert t2(mpmath.mpf(2969)) > bridge(mpmath.mpf(2969))


@pytest.mark.parametrize(("beta", "least", "most"), [("0.11", 0.24, 0.27), ("0.14", 0.26, 0.29)])
def test_how_well_a_power_follows_the_logarithm(beta: str, least: float, most: float) -> None:
    sizes = [mpmath.mpf(2) ** (n / mpmath.mpf(16)) for n in range(64, 401)]
    ratios = [g ** mpmath.mpf(beta) / mpmath.log(g) for g in sizes]
    spread = max(ratios) / min(ratios)
    assert least < (spread - 1) / (spread + 1) < most


def counterexample(name: str) -> dict[str, str]:
    judgement = judge(next(claim for claim in all_claims() if claim.id == name))
    assert judgement.counterexample is not None
    return judgement.counterexample


def test_counterexamples_hold_outside_the_package() -> None:
    above = counterexample("isca2017-fig6-overhead-32kb")
    g = mpmath.mpf(int(above["g"]))
    assert g <= 32768
    assert gain("UltraSPARC T2", "AES", 1, "o")(g) < 1.2
    less = counterexample("isca2017-sec5.3-intensity-necessary")
    o, latency, index, a, g = (
        mpmath.mpf(num) / den
        for num, _, den in (
            (int(n), "", int(d or 1))
            for n, _, d in (less[name].partition("/") for name in ("o", "L", "C", "A", "g"))
        )
    )
    host = index * g ** mpmath.mpf("0.14")
    assert index / latency <= 7
    assert host / (o + latency * g + host / a) > 1
