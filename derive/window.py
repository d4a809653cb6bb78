"""Bounded windows: what is reached for granularities between g_low and g_high.

The speedup rises up to one granularity, which may lie at infinity, and falls from there on. So its
maximum over a window is at that granularity or at the end of the window next to it, and its
minimum at one of the two ends.
"""

import sympy as sp

from logca.derive.derivation import begin
from logca.derive.dimension import Dimension
from logca.derive.existence import G_PEAK
from logca.derive.formula import Formula
from logca.derive.speedup import SPEEDUP
from logca.derive.symbols import L0, g, g_high, g_low, o

__all__ = ["FORMULAS", "SPEEDUP_WINDOW", "SPEEDUP_WINDOW_FLOOR", "WINDOW_BEST"]

_SOURCE = "logca2026; the plots of altaf2017, §5, end at 32 MB"
_ORDERED = g_low <= g_high

WINDOW_BEST = Formula(
    name="window_best",
    meaning="granularity with the greatest speedup in a window",
    source=_SOURCE,
    unit=Dimension(bytes=sp.Integer(1)),
    latex=r"g_{\mathrm{best}}",
    domain=(o + L0 > 0, _ORDERED),
    derivation=begin(
        "end of the rise: the peak, whose reciprocal is positive only if there is one, or the "
        "upper end",
        g,
        1 / sp.Max(1 / g_high, 1 / G_PEAK.expr),
    ).into("but not below the lower end", sp.Symbol("window_best"), sp.Max(g_low, g)),
)

SPEEDUP_WINDOW = Formula(
    name="speedup_window",
    meaning="greatest speedup in a window: targets up to it are reached there, others not",
    source=_SOURCE,
    latex=r"S_{\mathrm{best}}",
    domain=WINDOW_BEST.domain,
    derivation=begin("best granularity", g, WINDOW_BEST.expr).into(
        "speedup there", sp.Symbol("speedup_window"), SPEEDUP.expr
    ),
)

SPEEDUP_WINDOW_FLOOR = Formula(
    name="speedup_window_floor",
    meaning="least speedup in a window",
    source=_SOURCE,
    latex=r"S_{\mathrm{least}}",
    domain=(_ORDERED,),
    derivation=begin(
        "the lower of the speedups at the ends, since there is no dip between them",
        "speedup_window_floor",
        sp.Min(SPEEDUP.at(g=g_low), SPEEDUP.at(g=g_high)),
    ),
)

FORMULAS = (WINDOW_BEST, SPEEDUP_WINDOW, SPEEDUP_WINDOW_FLOOR)
