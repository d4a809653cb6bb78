"""A whole application of which the kernel takes a fraction f of the host time: LogCA again."""

import sympy as sp

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import BYTES, ONE
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.symbols import L0, L1, A, C, beta, f, g, o, s
from logca.derive.logca.speedup import SPEEDUP, T0, T1

__all__ = [
    "APPLICATION_CEILING",
    "APPLICATION_PARAMETERS",
    "FORMULAS",
    "G1_APPLICATION",
    "GS_APPLICATION",
    "SPEEDUP_APPLICATION",
]

_SOURCE = "logca2026; after amdahl1967"
_FRACTION = (f <= 1,)
_REST = (1 - f) * T0.expr / f

SPEEDUP_APPLICATION = Formula(
    name="speedup_application",
    meaning="speedup of an application of which the kernel takes a fraction f of the host time",
    source=_SOURCE,
    latex=r"S_{\mathrm{app}}",
    domain=_FRACTION,
    derivation=begin(
        "host time of the application over its time when the kernel is offloaded",
        "speedup_application",
        (_REST + T0.expr) / (_REST + T1.expr),
    ).rewrite("Amdahl's law", rhs=1 / (1 - f + f / SPEEDUP.expr)),
)

APPLICATION_CEILING = Formula(
    name="application_ceiling",
    meaning="acceleration of the application: its speedup without overhead and latency",
    source=_SOURCE,
    unit=ONE,
    status=Exactness.BOUND,
    latex=r"A_{\mathrm{app}}",
    domain=_FRACTION,
    derivation=SPEEDUP_APPLICATION.derivation.substitute(
        "neither overhead nor latency", o=0, L0=0, L1=0
    ).rename("name it", sp.Symbol("application_ceiling")),
)

_CEILING = APPLICATION_CEILING.expr
APPLICATION_PARAMETERS: dict[str, sp.Expr] = {"C": C / f, "A": _CEILING}
"""Parameters with which the speedup is that of the application [unit of each]."""

_SCALED = (
    begin("the speedup of the application reaches the target", SPEEDUP_APPLICATION.expr, s)
    .invert("invert both sides")
    .add("subtract the reciprocal of the ceiling", -1 / _CEILING)
    .scale("multiply by the host time of the application", T0.expr / f)
    .swap("exchange the sides")
    .rewrite(
        "collect by powers of the granularity",
        lhs=C / f * (1 / s - 1 / _CEILING) * g**beta,
        rhs=o + L0 + L1 * g,
    )
)

GS_APPLICATION = Formula(
    name="g_s_application",
    meaning="least granularity of the kernel for which the application has speedup s",
    source=_SOURCE,
    unit=BYTES,
    latex=r"g_{s,\mathrm{app}}",
    domain=(*_FRACTION, s < _CEILING),
    derivation=_SCALED.root(
        "where the left side rises above the right side", g, sp.Symbol("g_s_application")
    ),
)

G1_APPLICATION = Formula(
    name="g1_application",
    meaning="break-even of the application: that of its kernel, whatever the fraction",
    source=_SOURCE,
    unit=BYTES,
    latex=r"g_{1,\mathrm{app}}",
    domain=(*_FRACTION, A > 1),
    derivation=_SCALED.substitute("speedup one", s=1)
    .rewrite("the fraction cancels", lhs=C * (1 - 1 / A) * g**beta)
    .root("where the left side rises above the right side", g, sp.Symbol("g1_application")),
)

FORMULAS = (SPEEDUP_APPLICATION, APPLICATION_CEILING, GS_APPLICATION, G1_APPLICATION)
