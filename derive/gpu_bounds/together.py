"""Model of bounds: the bounds together.

Units overlap, but not fully: while one is short of work, the slowest may be, too. With full overlap
the slowest unit would be the time, with none the sum. In between lies a soft maximum, a norm of the
times: never below the slowest unit, never above the sum, and with five units at most
5**(1/sharpness) times the slowest. The sharpness, 5/2, is fitted. Bounds within a unit, such as
ports, slices and stores of L2, queue in one stream of requests: of these the longest counts.
"""

import sympy as sp

from logca.derive.algebra.derivation import Derivation, begin
from logca.derive.algebra.dimension import SECONDS
from logca.derive.core.cgpredict_symbols import launch_overhead
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    sharpness,
    time_issue,
    time_l1,
    time_l2,
    time_l2_slices,
    time_latency,
    time_main_memory,
    time_pipes,
    time_stores,
)

__all__ = [
    "FORMULAS",
    "TIME_BOUNDS",
    "TIME_BOUNDS_APART",
    "TIME_BOUNDS_SHARP",
    "TIME_SLOWEST_UNIT",
]

_SHARPNESS = sp.Rational(5, 2)
_UNITS = (
    time_main_memory,
    sp.Max(time_l2, time_l2_slices, time_stores),
    time_l1,
    sp.Max(time_issue, time_pipes),
    time_latency,
)
_SOURCE = "logca2026"


def _at(value: sp.Expr, name: str, why: str) -> Derivation:
    return TIME_BOUNDS_SHARP.derivation.substitute(why, sharpness=value).rename(
        "name it", sp.Symbol(name)
    )


TIME_SLOWEST_UNIT = Formula(
    name="time_slowest_unit",
    meaning="time of a launch whose units all work at once: the slowest bounds it",
    source=f"{_SOURCE}; Williams and others, Roofline (CACM 2009), with more roofs",
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_{\infty}",
    derivation=begin(
        "the slowest unit, after the launch",
        "time_slowest_unit",
        launch_overhead + sp.Max(*_UNITS),
    ),
)

TIME_BOUNDS_SHARP = Formula(
    name="time_bounds_sharp",
    meaning="time of a launch whose units overlap so well",
    source=f"{_SOURCE}; a norm of the bounds",
    unit=SECONDS,
    status=Exactness.APPROXIMATION,
    latex=r"t_{\eta}",
    derivation=begin(
        "a soft maximum over the units, after the launch",
        "time_bounds_sharp",
        launch_overhead + sp.Add(*(each**sharpness for each in _UNITS)) ** (1 / sharpness),
    ),
)

TIME_BOUNDS_APART = Formula(
    name="time_bounds_apart",
    meaning="time of a launch whose units work one after the other",
    source=_SOURCE,
    unit=SECONDS,
    status=Exactness.BOUND,
    latex=r"t_1",
    derivation=_at(sp.S.One, "time_bounds_apart", "nothing overlaps"),
)

TIME_BOUNDS = Formula(
    name="time_bounds",
    meaning="time of a launch by the model of bounds",
    source=f"{_SOURCE}; exponent fitted (5/2)",
    unit=SECONDS,
    status=Exactness.APPROXIMATION,
    latex=r"t_{5/2}",
    derivation=_at(_SHARPNESS, "time_bounds", "as units were found to overlap"),
)

FORMULAS = (TIME_SLOWEST_UNIT, TIME_BOUNDS_SHARP, TIME_BOUNDS_APART, TIME_BOUNDS)
