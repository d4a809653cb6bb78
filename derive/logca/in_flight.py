"""Requests in flight: a stream of requests, of which several are on the way at a time."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, CYCLES, ONE
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import (
    L0,
    L1,
    A,
    C,
    beta,
    g,
    growth,
    n,
    o,
    s,
    u_accelerator,
    u_host,
    u_link,
    u_shared,
)
from logca.derive.logca.speedup import T0, T1

__all__ = [
    "FORMULAS",
    "GAIN_IN_FLIGHT",
    "GS_IN_FLIGHT",
    "HOST_PERIOD_IN_FLIGHT",
    "OVERHEAD_IN_FLIGHT",
    "PERIOD_IN_FLIGHT",
    "SATURATION_IN_FLIGHT",
    "SPEEDUP_IN_FLIGHT",
    "SPEEDUP_SATURATED",
]

_SOURCE = "logca2026; after denning1978, asymptotic bounds of closed networks of queues"
_COMPUTATION = T0.expr / A
_PREPARATION = o + L0 + L1 * g
_SERVED = sp.Min(n, u_host)
_ABREAST = sp.Min(n, u_shared)
_STAGES = sp.Max(_PREPARATION / u_link, _COMPUTATION / u_accelerator)
_LONGEST = sp.Max(T1.expr / u_shared, _STAGES)

OVERHEAD_IN_FLIGHT = Formula(
    name="overhead_in_flight",
    meaning="overhead of one of n requests in flight: with others on the way, dispatching and "
    "waking take longer, or shorter, by a power of n",
    source="logca2026, requests in flight",
    unit=CYCLES,
    latex=r"o_n",
    derivation=begin(
        "each doubling of the requests changes it by the same factor",
        "overhead_in_flight",
        o * growth ** (sp.log(n) / sp.log(2)),
    ),
)

HOST_PERIOD_IN_FLIGHT = Formula(
    name="host_period_in_flight",
    meaning="time from one request to the next on the host with n requests in flight",
    source=_SOURCE,
    unit=CYCLES,
    latex=r"T_{0,n}",
    derivation=begin(
        "as many side by side as there are, and as the host computes",
        "host_period_in_flight",
        T0.expr / _SERVED,
    ),
)

PERIOD_IN_FLIGHT = Formula(
    name="period_in_flight",
    meaning="time from one offload to the next with n requests in flight",
    source=_SOURCE,
    unit=CYCLES,
    latex=r"T_{1,n}",
    derivation=begin(
        "as many abreast as there are, and as what all stages share serves; or the longer stage: "
        "host and link, or accelerators",
        "period_in_flight",
        sp.Max(T1.expr / _ABREAST, _STAGES),
    ),
)

SPEEDUP_IN_FLIGHT = Formula(
    name="speedup_in_flight",
    meaning="speedup of a stream with n requests in flight on either path, steady state",
    source=_SOURCE,
    latex="S_{n}",
    derivation=begin(
        "host period over period",
        "speedup_in_flight",
        HOST_PERIOD_IN_FLIGHT.expr / PERIOD_IN_FLIGHT.expr,
    ),
)

GAIN_IN_FLIGHT = Formula(
    name="gain_in_flight",
    meaning="factor by which n requests in flight shorten the time between offloads",
    source=_SOURCE,
    latex=r"\Gamma_{n}",
    derivation=begin(
        "time of one offload over period", "gain_in_flight", T1.expr / PERIOD_IN_FLIGHT.expr
    ),
)

SATURATION_IN_FLIGHT = Formula(
    name="saturation_in_flight",
    meaning="requests in flight that keep the busiest stage, or what all share, busy; more are of "
    "no use",
    source=_SOURCE,
    unit=ONE,
    latex=r"n_{\mathrm{full}}",
    derivation=begin("the n requests take as long as the busiest", T1.expr / n, _LONGEST)
    .invert("invert both sides")
    .scale("multiply by the time of one offload", T1.expr)
    .rewrite("the left side is the number in flight", lhs=n)
    .rename("name it", sp.Symbol("saturation_in_flight")),
)

SPEEDUP_SATURATED = Formula(
    name="speedup_saturated",
    meaning="limit of the speedup of a stream for ever more requests in flight",
    source=_SOURCE,
    status=Exactness.LIMIT,
    latex=r"S_{n\to\infty}",
    derivation=begin(
        "both paths at the rate of what is busiest",
        "speedup_saturated",
        T0.expr / (u_host * _LONGEST),
    ),
)

_INDEX = C * sp.Min(_ABREAST / (s * _SERVED) - 1 / A, u_link / (s * _SERVED))

GS_IN_FLIGHT = Formula(
    name="g_s_in_flight",
    meaning="least granularity for which a stream with n requests in flight has speedup s",
    source=_SOURCE,
    unit=BYTES,
    latex=r"g_{s,n}",
    domain=(s * _SERVED < u_accelerator * A,),
    derivation=begin(
        "the longer of one offload over those abreast and of host and link reaches the target",
        _INDEX * g**beta,
        _PREPARATION,
    ).root("where the left side rises above the right side", g, sp.Symbol("g_s_in_flight")),
)

FORMULAS = (
    OVERHEAD_IN_FLIGHT,
    HOST_PERIOD_IN_FLIGHT,
    PERIOD_IN_FLIGHT,
    SPEEDUP_IN_FLIGHT,
    GAIN_IN_FLIGHT,
    SATURATION_IN_FLIGHT,
    SPEEDUP_SATURATED,
    GS_IN_FLIGHT,
)
