"""Work in parallel: several accelerators, and a host that keeps a share of the work."""

import sympy as sp

from logca.derive.algebra.derivation import begin, by_cases
from logca.derive.algebra.dimension import BYTES, CYCLES, ONE
from logca.derive.core.formula import Formula
from logca.derive.core.symbols import (
    L0,
    L1,
    A,
    C,
    beta,
    g,
    n,
    o,
)
from logca.derive.logca.speedup import SPEEDUP, SPEEDUP_INFINITE, T0, T1

__all__ = [
    "ACCELERATORS_SATURATING",
    "COEXECUTED_TIME",
    "COEXECUTION_GAIN",
    "COEXECUTION_RATE",
    "COEXECUTION_SHARE",
    "FORKJOIN_OPTIMAL",
    "FORKJOIN_TIME",
    "FORKJOIN_TIME_OPTIMAL",
    "FORMULAS",
    "G1_COEXECUTED",
    "HOST_SHARE",
    "SPEEDUP_COEXECUTED",
    "SPEEDUP_COEXECUTED_ASYNC",
    "SPEEDUP_SEVERAL",
    "SPEEDUP_SHARED",
]

_SEVERAL_SOURCE = "logca2026; altaf2015, §5, leaves several accelerators to further work"
_ONCE = o + L0
_COMPUTATION = T0.expr / A
_PREPARATION = _ONCE + L1 * g
_SOME = (_ONCE + L1 > 0,)

SPEEDUP_SEVERAL = Formula(
    name="speedup_several",
    meaning="speedup of a stream of offloads dealt out to n accelerators, steady state",
    source=_SEVERAL_SOURCE,
    latex="S_n",
    domain=_SOME,
    derivation=begin(
        "host time over period: host and link in turn, n accelerators side by side",
        "speedup_several",
        T0.expr / sp.Max(_PREPARATION, _COMPUTATION / n),
    ).distribute("the longer stage is the smaller ceiling"),
)

ACCELERATORS_SATURATING = Formula(
    name="accelerators_saturating",
    meaning="number of accelerators that one host keeps busy; more are of no use",
    source=_SEVERAL_SOURCE,
    unit=ONE,
    latex=r"n_{\mathrm{sat}}",
    domain=_SOME,
    derivation=begin("the two ceilings meet", n * A, SPEEDUP_INFINITE.expr)
    .solve("solve for the number of accelerators", n)
    .rename("name it", sp.Symbol("accelerators_saturating")),
)

FORKJOIN_TIME = Formula(
    name="forkjoin_time",
    meaning="time of one offload cut into n parts of equal size on n accelerators, dispatched one "
    "after the other",
    source=_SEVERAL_SOURCE,
    unit=CYCLES,
    latex="T_n",
    derivation=begin("accelerated time", "T1", T1.expr - _COMPUTATION)
    .substitute("every part is dispatched", o=n * o, L0=n * L0)
    .add("computation of the part dispatched last", _COMPUTATION.subs(g, g / n))
    .rename("name it", sp.Symbol("forkjoin_time"))
    .rewrite("collect", rhs=n * _ONCE + L1 * g + C * (g / n) ** beta / A),
)

FORKJOIN_OPTIMAL = Formula(
    name="forkjoin_optimal",
    meaning="number of parts with least time, as a real number; below 1 there is nothing to gain",
    source=_SEVERAL_SOURCE,
    unit=ONE,
    latex="m^*",
    domain=(_ONCE > 0,),
    derivation=FORKJOIN_TIME.derivation.differentiate(
        "differentiate with respect to n", n, sp.Derivative(sp.Symbol("T_n"), n)
    )
    .balance(
        "it changes sign once, from minus to plus",
        n ** (1 + beta),
        beta * _COMPUTATION / _ONCE,
    )
    .raise_to("take the root", 1 / (1 + beta))
    .rename("name it", sp.Symbol("forkjoin_optimal")),
)

FORKJOIN_TIME_OPTIMAL = Formula(
    name="forkjoin_time_optimal",
    meaning="time of one offload cut into the number of parts with least time",
    source=_SEVERAL_SOURCE,
    unit=CYCLES,
    latex="T_{m^*}",
    domain=(_ONCE > 0,),
    derivation=begin("number of parts", n, FORKJOIN_OPTIMAL.expr)
    .into("insert it", sp.Symbol("forkjoin_time_optimal"), FORKJOIN_TIME.expr)
    .rewrite(
        "the computation of a part takes 1/beta times as long as the dispatching",
        rhs=L1 * g + (1 + 1 / beta) * _ONCE * FORKJOIN_OPTIMAL.expr,
    ),
)

_SEVERAL_FORMULAS = (
    SPEEDUP_SEVERAL,
    ACCELERATORS_SATURATING,
    FORKJOIN_TIME,
    FORKJOIN_OPTIMAL,
    FORKJOIN_TIME_OPTIMAL,
)


_COEXECUTION_SOURCE = "logca2026; altaf2015, §5, considers synchronous execution only"
_LINEAR = sp.Eq(beta, 1)
_HOST = T0.at(beta=1)
_PART = sp.Symbol("x", positive=True)
_RATE = sp.Symbol("sigma", positive=True)

COEXECUTION_RATE = Formula(
    name="coexecution_rate",
    meaning="bytes that link and accelerator finish while the host computes one",
    source=_COEXECUTION_SOURCE,
    latex=r"r_{\mathrm{co}}",
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
    source=_COEXECUTION_SOURCE,
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
    source=_COEXECUTION_SOURCE,
    unit=CYCLES,
    latex=r"T_{\mathrm{co}}",
    domain=COEXECUTION_SHARE.domain,
    derivation=_TIME.substitute("insert the rate", sigma=COEXECUTION_RATE.expr)
    .rewrite("collect", rhs=_TOGETHER)
    .rename("name it", sp.Symbol("coexecuted_time")),
)

SPEEDUP_COEXECUTED = Formula(
    name="speedup_coexecuted",
    meaning="speedup if host and accelerator share the data and finish together",
    source=_COEXECUTION_SOURCE,
    latex=r"S_{\mathrm{co}}",
    domain=COEXECUTION_SHARE.domain,
    derivation=begin("host time over time", "speedup_coexecuted", _HOST / COEXECUTED_TIME.expr),
)

G1_COEXECUTED = Formula(
    name="g1_coexecuted",
    meaning="break-even with host co-execution: it exists for every latency and acceleration",
    source=_COEXECUTION_SOURCE,
    unit=BYTES,
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
    source=_COEXECUTION_SOURCE,
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
    source=_COEXECUTION_SOURCE,
    latex=r"S_{\mathrm{async}}",
    domain=COEXECUTION_GAIN.domain,
    derivation=begin(
        "gain times speedup",
        "speedup_coexecuted_async",
        COEXECUTION_GAIN.expr * SPEEDUP.at(beta=1),
    ),
)

_WORK = T0.expr
_KEPT = (
    begin(
        "link and accelerator, while the host computes the rest: both finish together",
        L0 + (L1 * g + _WORK / A) * _PART,
        (1 - _PART) * _WORK,
    )
    .solve("solve for the part of the work that is sent", _PART)
    .into("the host keeps the rest", sp.Symbol("host_share"), 1 - _PART)
    .rewrite(
        "collect",
        rhs=(L0 + L1 * g + _WORK / A) / (L1 * g + _WORK + _WORK / A),
    )
)
# over the host's time: a square of that leaves a double's range long before a share does
_TOGETHER = o / _WORK + _KEPT.expr
_TOGETHER_PAYS = _TOGETHER < 1

HOST_SHARE = Formula(
    name="host_share",
    meaning="part of the work that the host keeps so that all is done soonest: all of it below "
    "the break-even of co-execution",
    source=_COEXECUTION_SOURCE,
    latex=r"h^*",
    derivation=by_cases(
        "if that takes less time than the host alone",
        "host_share",
        (_KEPT, _TOGETHER_PAYS),
        (begin("the host does all of it", "host_share", sp.S.One), sp.true),
    ),
)

SPEEDUP_SHARED = Formula(
    name="speedup_shared",
    meaning="greatest speedup if the host keeps the best part of the work",
    source=_COEXECUTION_SOURCE,
    latex=r"S_{\mathrm{share}}",
    derivation=by_cases(
        "if that takes less time than the host alone",
        "speedup_shared",
        (
            begin(
                "host time over overhead and what the host keeps",
                "speedup_shared",
                1 / _TOGETHER,
            ),
            _TOGETHER_PAYS,
        ),
        (begin("the host does all of it", "speedup_shared", sp.S.One), sp.true),
    ),
)

_COEXECUTION_FORMULAS = (
    HOST_SHARE,
    SPEEDUP_SHARED,
    COEXECUTION_RATE,
    COEXECUTION_SHARE,
    COEXECUTED_TIME,
    SPEEDUP_COEXECUTED,
    G1_COEXECUTED,
    COEXECUTION_GAIN,
    SPEEDUP_COEXECUTED_ASYNC,
)


FORMULAS = (*_SEVERAL_FORMULAS, *_COEXECUTION_FORMULAS)
