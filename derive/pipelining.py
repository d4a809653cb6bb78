"""Pipelining: host and link prepare the next offload while the accelerator computes this one."""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.formula import Formula
from logca.derive.speedup import SPEEDUP, T0
from logca.derive.symbols import L0, L1, A, g, o

__all__ = ["FORMULAS", "PERIOD_PIPELINED", "PIPELINE_GAIN", "SPEEDUP_PIPELINED"]

_SOURCE = "logca2026; altaf2015, §2, subtracts the overlapped part of o and L instead"
_PREPARATION = o + L0 + L1 * g
_SOME = (o + L0 + L1 > 0,)

PERIOD_PIPELINED = Formula(
    name="period_pipelined",
    meaning="time from one offload to the next in a full pipeline of two stages",
    source=_SOURCE,
    unit=Dimension(cycles=sp.Integer(1)),
    latex=r"T_{\mathrm{pipe}}",
    derivation=begin(
        "the longer stage: host and link, or accelerator",
        "period_pipelined",
        sp.Max(_PREPARATION, T0.expr / A),
    ),
)

SPEEDUP_PIPELINED = Formula(
    name="speedup_pipelined",
    meaning="speedup of a stream of offloads whose stages overlap, in the steady state",
    source=_SOURCE,
    latex=r"S_{\mathrm{pipe}}",
    domain=_SOME,
    derivation=begin(
        "host time over period", "speedup_pipelined", T0.expr / PERIOD_PIPELINED.expr
    ).distribute("the longer stage is the smaller ceiling"),
)

PIPELINE_GAIN = Formula(
    name="pipeline_gain",
    meaning="factor by which overlapping the stages raises the speedup: between 1 and 2",
    source=_SOURCE,
    latex=r"\Gamma_{\mathrm{pipe}}",
    derivation=begin("speedup without overlap", SPEEDUP.symbol, SPEEDUP.expr)
    .invert("invert both sides")
    .scale("multiply by the host time over the period", T0.expr / PERIOD_PIPELINED.expr)
    .rewrite(
        "sum of the stages over the longer one",
        rhs=(_PREPARATION + T0.expr / A) / PERIOD_PIPELINED.expr,
    )
    .rename("name it", sp.Symbol("pipeline_gain")),
)

FORMULAS = (PERIOD_PIPELINED, SPEEDUP_PIPELINED, PIPELINE_GAIN)
