"""Host co-execution: the host keeps a share of the data for itself; linear complexity.

The host is busy during the overhead and free during the latency. The accelerator gets the part x
of the data for which both finish together.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.speedup import SPEEDUP, T0
from logca.derive.symbols import L0, L1, A, C, beta, g, o

__all__ = [
    "COEXECUTED_TIME",
    "COEXECUTION_GAIN",
    "COEXECUTION_RATE",
    "COEXECUTION_SHARE",
    "FORMULAS",
    "G1_COEXECUTED",
    "SPEEDUP_COEXECUTED",
    "SPEEDUP_COEXECUTED_ASYNC",
]

_SOURCE = "logca2026; altaf2015, §5, considers synchronous execution only"
_LINEAR = sp.Eq(beta, 1)
_HOST = T0.at(beta=1)
_PART = sp.Symbol("x", positive=True)
_RATE = sp.Symbol("sigma", positive=True)

COEXECUTION_RATE = Formula(
    name="coexecution_rate",
    meaning="bytes that link and accelerator finish while the host computes one",
    source=_SOURCE,
    latex=r"\sigma",
    domain=(_LINEAR,),
    derivation=begin("speedup, linear complexity", "S", SPEEDUP.at(beta=1))
    .substitute("nothing paid once", o=0, L0=0)
    .simplify("the granularity cancels")
    .rename("name it", sp.Symbol("coexecution_rate")),
)

_INDEX = C / _RATE
_SUM = A * C + A * L1 + C
_TOGETHER = o + (C * g * (A * L1 + C) + A * C * L0) / _SUM
_SHARED = begin(
    "link and accelerator, while the host computes the rest: both finish together",
    L0 + _INDEX * _PART * g,
    (1 - _PART) * C * g,
).solve("solve for the part of the data that is sent", _PART)

COEXECUTION_SHARE = Formula(
    name="coexecution_share",
    meaning="part of the data that is sent to the accelerator so that both finish together",
    source=_SOURCE,
    latex="x^*",
    domain=(_LINEAR, C * g >= L0),
    derivation=_SHARED.rewrite(
        "host time less latency, split by the rates",
        rhs=(C * g - L0) / (C * g) * _RATE / (1 + _RATE),
    )
    .substitute("insert the rate", sigma=COEXECUTION_RATE.expr)
    .rewrite("collect", rhs=A * (C * g - L0) / (g * _SUM))
    .rename("name it", sp.Symbol("coexecution_share")),
)

_TIME = _SHARED.into(
    "overhead, then the host computes what it kept", sp.Symbol("T"), o + (1 - _PART) * C * g
).rewrite("collect", rhs=o + (C * g + _RATE * L0) / (1 + _RATE))

COEXECUTED_TIME = Formula(
    name="coexecuted_time",
    meaning="time if host and accelerator share the data and finish together",
    source=_SOURCE,
    unit=Dimension(cycles=sp.Integer(1)),
    latex=r"T_{\mathrm{co}}",
    domain=COEXECUTION_SHARE.domain,
    derivation=_TIME.substitute("insert the rate", sigma=COEXECUTION_RATE.expr)
    .rewrite("collect", rhs=_TOGETHER)
    .rename("name it", sp.Symbol("coexecuted_time")),
)

SPEEDUP_COEXECUTED = Formula(
    name="speedup_coexecuted",
    meaning="speedup if host and accelerator share the data and finish together",
    source=_SOURCE,
    latex=r"S_{\mathrm{co}}",
    domain=COEXECUTION_SHARE.domain,
    derivation=begin("host time over time", "speedup_coexecuted", _HOST / COEXECUTED_TIME.expr),
)

G1_COEXECUTED = Formula(
    name="g1_coexecuted",
    meaning="break-even with host co-execution: it exists for every latency and acceleration",
    source=_SOURCE,
    unit=Dimension(bytes=sp.Integer(1)),
    latex=r"g_{1,\mathrm{co}}",
    domain=(_LINEAR, o + L0 > 0),
    derivation=begin("the time equals the host time", _TIME.expr, _HOST)
    .solve("solve for the granularity", g)
    .rewrite("collect", rhs=(o * (1 + 1 / _RATE) + L0) / C)
    .substitute("insert the rate", sigma=COEXECUTION_RATE.expr)
    .rewrite("reciprocal of the rate in two parts", rhs=(o * (1 + 1 / A + L1 / C) + L0) / C)
    .rename("name it", sp.Symbol("g1_coexecuted")),
)

_ALONE = o + L0 + _INDEX * g
_ASYNC = (
    begin(
        "the host computes from the start: both finish together",
        o + L0 + _INDEX * _PART * g,
        (1 - _PART) * C * g,
    )
    .solve("solve for the part of the data that is sent", _PART)
    .into("the host computes what it kept", sp.Symbol("T"), (1 - _PART) * C * g)
)

COEXECUTION_GAIN = Formula(
    name="coexecution_gain",
    meaning="factor by which co-execution raises the speedup if the host computes from the start",
    source=_SOURCE,
    latex=r"\Gamma_{\mathrm{co}}",
    domain=(_LINEAR, C * g >= o + L0),
    derivation=_ASYNC.invert("invert both sides")
    .scale("multiply by the time without the host", _ALONE)
    .rewrite("overhead, latency and granularity cancel", rhs=1 + 1 / _RATE)
    .substitute("insert the rate", sigma=COEXECUTION_RATE.expr)
    .rewrite("reciprocal of the rate in two parts", rhs=1 + 1 / A + L1 / C)
    .rename("name it", sp.Symbol("coexecution_gain")),
)

SPEEDUP_COEXECUTED_ASYNC = Formula(
    name="speedup_coexecuted_async",
    meaning="speedup if the host shares the data and overhead does not keep it from computing",
    source=_SOURCE,
    latex=r"S_{\mathrm{async}}",
    domain=COEXECUTION_GAIN.domain,
    derivation=begin(
        "gain times speedup",
        "speedup_coexecuted_async",
        COEXECUTION_GAIN.expr * SPEEDUP.at(beta=1),
    ),
)

FORMULAS = (
    COEXECUTION_RATE,
    COEXECUTION_SHARE,
    COEXECUTED_TIME,
    SPEEDUP_COEXECUTED,
    G1_COEXECUTED,
    COEXECUTION_GAIN,
    SPEEDUP_COEXECUTED_ASYNC,
)
