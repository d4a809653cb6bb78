"""When a target speedup is reached: peak, thresholds and the universal form of the trinomial.

For beta < 1 and a latency per byte the speedup has one peak. A target is reached if and only if
the peak is at least as high, and then on an interval between two granularities.
"""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, CYCLES, CYCLES_PER_BYTE, Dimension
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import L0, L1, UNITS, A, C, beta, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE, T0, T1

__all__ = [
    "ENTROPY",
    "FORMULAS",
    "G_PEAK",
    "G_SAVING",
    "INDEX_THRESHOLD",
    "INTENSITY_THRESHOLD",
    "KAPPA",
    "KAPPA_THRESHOLD",
    "LATENCY_BUDGET",
    "OVERHEAD_BUDGET",
    "SAVING_PEAK",
    "SPEEDUP_INFINITE_PEAK",
    "SPEEDUP_PEAK",
]

_SUBLINEAR = (beta < 1, L1 > 0, o + L0 > 0)
_XI = sp.Symbol("xi", positive=True)
_INDEX = sp.Symbol(EFFECTIVE_INDEX.name, positive=True)
_SAVED = sp.Symbol("T0") - sp.Symbol("T1")


KAPPA = Formula(
    name="kappa",
    meaning="scaled index: with xi = g*L1/(o + L0) the trinomial is kappa*xi**beta = 1 + xi",
    source="logca2026 (altaf2017, Eq. 8 set equal to s, without units)",
    latex=r"\kappa",
    domain=(s < A, L1 > 0, o + L0 > 0),
    derivation=EQUATION.substitute(
        "measure the granularity in units of (o + L0)/L1", g=_XI * (o + L0) / L1
    )
    .scale("divide by the overhead and the latency per offload", 1 / (o + L0))
    .rewrite(
        "collect the powers",
        lhs=EFFECTIVE_INDEX.expr * (o + L0) ** (beta - 1) * L1**-beta * _XI**beta,
        rhs=1 + _XI,
    )
    .scale("divide by the power of xi", _XI**-beta)
    .swap("exchange the sides")
    .rename("name it", sp.Symbol("kappa")),
)

_STATIONARY = (
    begin("kappa as a function of the solution", sp.Symbol("kappa"), (1 + _XI) * _XI**-beta)
    .differentiate("it is least where its derivative vanishes", _XI, sp.S.Zero)
    .rewrite(
        "the derivative is negative below one xi and positive above",
        rhs=((1 - beta) * _XI - beta) * _XI ** (-beta - 1),
    )
    .multiply("multiply by a power of xi", _XI ** (beta + 1))
    .solve("solve for xi", _XI)
    .rewrite("share of the latency over share of the overhead", rhs=beta / (1 - beta))
)

KAPPA_THRESHOLD = Formula(
    name="kappa_threshold",
    meaning="least scaled index for which a solution exists, for beta < 1",
    source="logca2026; weighted means as in hardy1934, §2.5",
    latex=r"\kappa_{\min}",
    domain=(beta < 1,),
    derivation=_STATIONARY.into(
        "insert it", sp.Symbol("kappa_threshold"), (1 + _XI) * _XI**-beta
    ).rewrite("collect the powers", rhs=beta**-beta * (1 - beta) ** (beta - 1)),
)

ENTROPY = Formula(
    name="entropy",
    meaning="natural binary entropy of the exponent: logarithm of the least scaled index",
    source="logca2026",
    latex=r"H(\beta)",
    domain=(beta < 1,),
    derivation=begin("logarithm of the threshold", "entropy", sp.log(KAPPA_THRESHOLD.expr)).rewrite(
        "expand", rhs=-beta * sp.log(beta) - (1 - beta) * sp.log(1 - beta)
    ),
)

G_PEAK = Formula(
    name="g_peak",
    meaning="granularity of the greatest speedup, for beta < 1; the same for every C and A",
    source="logca2026 (altaf2017, Implication 4 made exact)",
    unit=BYTES,
    latex="g^{*}",
    domain=_SUBLINEAR,
    derivation=begin("speedup", sp.Symbol("speedup"), SPEEDUP.expr)
    .invert("its reciprocal is least where the speedup is greatest")
    .differentiate("where the derivative by granularity vanishes", g, sp.S.Zero)
    .rewrite(
        "the derivative is negative below one granularity and positive above",
        rhs=((1 - beta) * L1 * g - beta * (o + L0)) / (C * g ** (beta + 1)),
    )
    .multiply("multiply by the index and a power of granularity", C * g ** (beta + 1))
    .solve("solve for the granularity", g)
    .rewrite("without minus signs", rhs=beta * (o + L0) / ((1 - beta) * L1)),
)

SPEEDUP_INFINITE_PEAK = Formula(
    name="speedup_infinite_peak",
    meaning="greatest speedup over all granularities if the accelerator computed in no time",
    source="logca2026 (altaf2017, Implication 7 made exact)",
    latex="P",
    domain=_SUBLINEAR,
    derivation=begin("infinite acceleration", "speedup_infinite", SPEEDUP_INFINITE.expr)
    .substitute("at the granularity of the greatest speedup", g=G_PEAK.expr)
    .rewrite(
        "collect the powers",
        rhs=C * beta**beta * (1 - beta) ** (1 - beta) * (o + L0) ** (beta - 1) * L1**-beta,
    )
    .rename("name it", sp.Symbol("speedup_infinite_peak")),
)

SPEEDUP_PEAK = Formula(
    name="speedup_peak",
    meaning="greatest speedup over all granularities, for beta < 1",
    source="logca2026 (altaf2017, Implication 4 made exact)",
    latex=r"S_{\max}",
    domain=_SUBLINEAR,
    derivation=begin("speedup", "speedup", SPEEDUP.expr)
    .substitute("at the granularity of the greatest speedup", g=G_PEAK.expr)
    .rewrite(
        "it saturates like the peak without computation time",
        rhs=A * SPEEDUP_INFINITE_PEAK.expr / (A + SPEEDUP_INFINITE_PEAK.expr),
    )
    .rename("name it", sp.Symbol("speedup_peak")),
)

INDEX_THRESHOLD = Formula(
    name="index_threshold",
    meaning="least effective index with which a target is reached, for beta < 1",
    source="logca2026 (in place of the condition below altaf2017, Eq. 11); hardy1934, §2.5",
    unit=UNITS[C],
    latex=r"a_{\min}",
    domain=_SUBLINEAR,
    derivation=begin("g reaches the target", _INDEX * g**beta, EQUATION.expr)
    .scale("divide by the power of the granularity", g**-beta)
    .substitute("the index is least at the peak", g=G_PEAK.expr)
    .rewrite(
        "collect the powers: the bound of weighted means on overhead and latency",
        rhs=((o + L0) / (1 - beta)) ** (1 - beta) * (L1 / beta) ** beta,
    )
    .rename("name it", sp.Symbol("index_threshold")),
)

INTENSITY_THRESHOLD = Formula(
    name="intensity_threshold",
    meaning="least computational intensity C/L1 with which a target is reached, for beta < 1",
    source="logca2026 (in place of C/L > 1/beta below altaf2017, Eq. 11)",
    unit=Dimension(bytes=1 - beta),
    latex=r"(C/L_1)_{\min}",
    domain=(s < A, *_SUBLINEAR),
    derivation=begin("the scaled index is as small as it may be", KAPPA.expr, KAPPA_THRESHOLD.expr)
    .rewrite("its logarithm is the entropy", rhs=sp.exp(ENTROPY.expr))
    .solve("solve for the index", C)
    .scale("divide by the latency per byte", 1 / L1)
    .rewrite(
        "collect the powers",
        rhs=s
        * A
        / (A - s)
        * ((o + L0) / L1) ** (1 - beta)
        * beta**-beta
        * (1 - beta) ** (beta - 1),
    )
    .rename("name it", sp.Symbol("intensity_threshold")),
)

G_SAVING = Formula(
    name="g_saving",
    meaning="granularity with which offloading saves the most time, for beta < 1",
    source="logca2026",
    unit=BYTES,
    latex=r"\hat g",
    domain=(A > 1, beta < 1, L1 > 0),
    derivation=begin("time saved by offloading", _SAVED, T0.expr - T1.expr)
    .differentiate("where the derivative by granularity vanishes", g, sp.S.Zero)
    .multiply("multiply by a power of the granularity", g ** (1 - beta))
    .rewrite("collect", rhs=beta * C * (1 - 1 / A) - L1 * g ** (1 - beta))
    .add("bring the latency to the left", L1 * g ** (1 - beta))
    .scale("divide by the latency per byte", 1 / L1)
    .raise_to("take the root", 1 / (1 - beta)),
)

SAVING_PEAK = Formula(
    name="saving_peak",
    meaning="most time that offloading saves, for beta < 1",
    source="logca2026",
    unit=CYCLES,
    latex=r"(T_0 - T_1)_{\max}",
    domain=(A > 1, beta < 1, L1 > 0),
    derivation=begin("time saved by offloading", _SAVED, T0.expr - T1.expr)
    .substitute("at the granularity that saves most", g=G_SAVING.expr)
    .rewrite(
        "collect the powers",
        rhs=(1 - beta) / beta * L1 * G_SAVING.expr - o - L0,
    )
    .rename("name it", sp.Symbol("saving_peak")),
)

OVERHEAD_BUDGET = Formula(
    name="overhead_budget",
    meaning="largest o + L0 with which a target is still reached, for beta < 1",
    source="logca2026",
    unit=CYCLES,
    latex=r"(o + L_0)_{\max}",
    domain=(s < A, beta < 1, L1 > 0),
    derivation=begin(
        "the effective index is as small as it may be", INDEX_THRESHOLD.expr, EFFECTIVE_INDEX.expr
    )
    .raise_to("take the root", 1 / (1 - beta))
    .rewrite("simplify the power", lhs=(L1 / beta) ** (beta / (1 - beta)) * (o + L0) / (1 - beta))
    .solve("solve for the overhead", o)
    .add("with the latency per offload", L0)
    .rewrite(
        "collect the powers",
        rhs=(1 - beta) * (EFFECTIVE_INDEX.expr * (beta / L1) ** beta) ** (1 / (1 - beta)),
    )
    .rename("name it", sp.Symbol("overhead_budget")),
)

LATENCY_BUDGET = Formula(
    name="latency_budget",
    meaning="largest latency per byte with which a target is still reached, for beta < 1",
    source="logca2026",
    unit=CYCLES_PER_BYTE,
    latex=r"L_{1,\max}",
    domain=(s < A, beta < 1, o + L0 > 0),
    derivation=begin(
        "the effective index is as small as it may be", INDEX_THRESHOLD.expr, EFFECTIVE_INDEX.expr
    )
    .raise_to("take the root", 1 / beta)
    .rewrite("simplify the power", lhs=L1 / beta * ((o + L0) / (1 - beta)) ** ((1 - beta) / beta))
    .solve("solve for the latency per byte", L1)
    .rewrite(
        "collect the powers",
        rhs=beta * (EFFECTIVE_INDEX.expr * ((1 - beta) / (o + L0)) ** (1 - beta)) ** (1 / beta),
    )
    .rename("name it", sp.Symbol("latency_budget")),
)

FORMULAS = (
    KAPPA,
    KAPPA_THRESHOLD,
    ENTROPY,
    G_PEAK,
    SPEEDUP_INFINITE_PEAK,
    SPEEDUP_PEAK,
    INDEX_THRESHOLD,
    INTENSITY_THRESHOLD,
    G_SAVING,
    SAVING_PEAK,
    OVERHEAD_BUDGET,
    LATENCY_BUDGET,
)
