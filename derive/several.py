"""Several accelerators: fed by one host in a pipeline, or sharing the work of one offload."""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import ONE, Dimension
from logca.derive.formula import Formula
from logca.derive.speedup import SPEEDUP_INFINITE, T0, T1
from logca.derive.symbols import L0, L1, A, C, beta, g, n, o

__all__ = [
    "ACCELERATORS_SATURATING",
    "FORKJOIN_OPTIMAL",
    "FORKJOIN_TIME",
    "FORKJOIN_TIME_OPTIMAL",
    "FORMULAS",
    "SPEEDUP_SEVERAL",
]

_CYCLES = Dimension(cycles=sp.Integer(1))
_SOURCE = "logca2026; altaf2015, §5, leaves several accelerators to further work"
_ONCE = o + L0
_COMPUTATION = T0.expr / A
_PREPARATION = _ONCE + L1 * g
_SOME = (_ONCE + L1 > 0,)

SPEEDUP_SEVERAL = Formula(
    name="speedup_several",
    meaning="speedup of a stream of offloads dealt out to n accelerators, steady state",
    source=_SOURCE,
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
    source=_SOURCE,
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
    source=_SOURCE,
    unit=_CYCLES,
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
    source=_SOURCE,
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
    source=_SOURCE,
    unit=_CYCLES,
    latex="T_{m^*}",
    domain=(_ONCE > 0,),
    derivation=begin("number of parts", n, FORKJOIN_OPTIMAL.expr)
    .into("insert it", sp.Symbol("forkjoin_time_optimal"), FORKJOIN_TIME.expr)
    .rewrite(
        "the computation of a part takes 1/beta times as long as the dispatching",
        rhs=L1 * g + (1 + 1 / beta) * _ONCE * FORKJOIN_OPTIMAL.expr,
    ),
)

FORMULAS = (
    SPEEDUP_SEVERAL,
    ACCELERATORS_SATURATING,
    FORKJOIN_TIME,
    FORKJOIN_OPTIMAL,
    FORKJOIN_TIME_OPTIMAL,
)
