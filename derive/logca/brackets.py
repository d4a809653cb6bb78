"""Closed-form brackets of the granularity for a target speedup.

Dropping the latency per byte, or the overhead, from ``a_s*g**beta = o + L0 + L1*g`` gives one
bound. At the peak overhead and latency are in the proportion (1 - beta) : beta; putting the term
that was dropped at the value it has there gives the other.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import BYTES
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, beta, g, o, s
from logca.derive.logca.granularity import EFFECTIVE_INDEX, EQUATION
from logca.derive.logca.peak_and_existence import G_PEAK

__all__ = [
    "FORMULAS",
    "LATENCY_ROOT",
    "LOWER_ROOT_CEILING",
    "LOWER_ROOT_FLOOR",
    "OVERHEAD_ROOT",
    "ROOT_CEILING",
    "ROOT_FLOOR",
    "UPPER_ROOT_CEILING",
    "UPPER_ROOT_FLOOR",
]

_POWER = EFFECTIVE_INDEX.expr * g**beta
_OVERHEAD = o + L0
_LATENCY = L1 * g
_COST = sp.Symbol("cost", positive=True)


def _power_of_overhead(start: Derivation) -> Derivation:
    """Solve ``a_s*g**beta = cost`` for the granularity [B]."""
    return start.scale("divide by the effective index", 1 / EFFECTIVE_INDEX.expr).raise_to(
        "take the root", 1 / beta
    )


def _power_of_latency(start: Derivation) -> Derivation:
    """Solve ``a_s*g**beta = factor*L1*g`` for the granularity [B]."""
    return (
        start.scale("divide by index and granularity", 1 / (EFFECTIVE_INDEX.expr * g))
        .rewrite("collect the power", lhs=g ** (beta - 1))
        .raise_to("take the root", 1 / (beta - 1))
    )


OVERHEAD_ROOT = Formula(
    name="overhead_root",
    meaning="granularity with speedup s if there were no latency per byte",
    source="logca2026 (altaf2017, Eqs. 5 and 6 for every target)",
    unit=BYTES,
    latex="u",
    domain=(s < A,),
    derivation=_power_of_overhead(EQUATION.substitute("no latency per byte", L1=0)).rename(
        "name it", sp.Symbol("overhead_root")
    ),
)

LATENCY_ROOT = Formula(
    name="latency_root",
    meaning="granularity with speedup s if there were neither overhead nor latency per offload",
    source="logca2026 (altaf2017, Eq. 8 set equal to s)",
    unit=BYTES,
    latex="v",
    domain=(s < A, L1 > 0, sp.Ne(beta, 1)),
    derivation=_power_of_latency(EQUATION.substitute("no overhead", o=0, L0=0)).rename(
        "name it", sp.Symbol("latency_root")
    ),
)

LOWER_ROOT_FLOOR = Formula(
    name="lower_root_floor",
    meaning="below the lower granularity with speedup s, for beta < 1",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex="u",
    domain=(s < A, beta < 1),
    derivation=begin(
        "the latency per byte is positive: without it the target is reached earlier",
        "lower_root_floor",
        OVERHEAD_ROOT.expr,
    ),
)

LOWER_ROOT_CEILING = Formula(
    name="lower_root_ceiling",
    meaning="above the lower granularity with speedup s, for beta < 1; equal to it at the peak",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex=r"u\,(1-\beta)^{-1/\beta}",
    domain=(s < A, beta < 1),
    derivation=_power_of_overhead(
        begin("overhead and latency", _COST, _OVERHEAD + _LATENCY)
        .substitute("up to the peak they are at most what they are there", g=G_PEAK.expr)
        .simplify("together")
        .rename("the target is reached at the latest where the power equals that", _POWER)
    )
    .rewrite(
        "without minus signs", rhs=(_OVERHEAD / ((1 - beta) * EFFECTIVE_INDEX.expr)) ** (1 / beta)
    )
    .rename("name it", sp.Symbol("lower_root_ceiling")),
)

UPPER_ROOT_FLOOR = Formula(
    name="upper_root_floor",
    meaning="below the upper granularity with speedup s, for beta < 1; equal to it at the peak",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex=r"v\,\beta^{1/(1-\beta)}",
    domain=(s < A, beta < 1, L1 > 0),
    derivation=_power_of_latency(
        begin("the granularity of the peak", g, G_PEAK.expr)
        .scale("latency and overhead are in proportion there", (1 - beta) / beta * L1)
        .add("beyond the peak overhead and latency are at most this multiple", _LATENCY)
        .swap("exchange the sides")
        .rewrite("together", rhs=_LATENCY / beta)
        .rename("the target is held at least until the power equals that", _POWER)
    )
    .rewrite("without minus signs", rhs=(beta * EFFECTIVE_INDEX.expr / L1) ** (1 / (1 - beta)))
    .rename("name it", sp.Symbol("upper_root_floor")),
)

UPPER_ROOT_CEILING = Formula(
    name="upper_root_ceiling",
    meaning="above the upper granularity with speedup s, for beta < 1",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex="v",
    domain=(s < A, beta < 1, L1 > 0),
    derivation=begin(
        "the overhead is positive: without it the target is held longer",
        "upper_root_ceiling",
        LATENCY_ROOT.expr,
    ).rewrite("without minus signs", rhs=(EFFECTIVE_INDEX.expr / L1) ** (1 / (1 - beta))),
)

ROOT_FLOOR = Formula(
    name="root_floor",
    meaning="below the granularity with speedup s, for beta > 1",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex=r"\max(u, v)",
    domain=(s < A, beta > 1),
    derivation=begin(
        "either cost alone is reached earlier than both",
        "root_floor",
        sp.Max(OVERHEAD_ROOT.expr, LATENCY_ROOT.expr),
    ),
)

ROOT_CEILING = Formula(
    name="root_ceiling",
    meaning="above the granularity with speedup s, for beta > 1",
    source="logca2026",
    unit=BYTES,
    status=Exactness.BOUND,
    latex=r"\max(2^{1/\beta}u, 2^{1/(\beta-1)}v)",
    domain=(s < A, beta > 1),
    derivation=begin(
        "both costs are at most twice the larger one",
        "root_ceiling",
        sp.Max(
            _power_of_overhead(begin("twice the overhead", _POWER, 2 * _OVERHEAD)).expr,
            _power_of_latency(begin("twice the latency", _POWER, 2 * _LATENCY)).expr,
        ),
    ).rewrite(
        "as multiples of the floor's two parts",
        rhs=sp.Max(2 ** (1 / beta) * OVERHEAD_ROOT.expr, 2 ** (1 / (beta - 1)) * LATENCY_ROOT.expr),
    ),
)

FORMULAS = (
    OVERHEAD_ROOT,
    LATENCY_ROOT,
    LOWER_ROOT_FLOOR,
    LOWER_ROOT_CEILING,
    UPPER_ROOT_FLOOR,
    UPPER_ROOT_CEILING,
    ROOT_FLOOR,
    ROOT_CEILING,
)
