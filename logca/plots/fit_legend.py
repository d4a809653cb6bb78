"""How a picture of a fit shows measured times, curves and intervals, and what its legend says."""

from typing import Any

from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.observed import observed
from logca.numeric.fitting.threshold_words import percent
from logca.plots.style import BLACK, LINES

__all__ = ["BAND", "BEYOND", "MEASURED", "PATHS", "SPIKE", "fit_handles"]

PATHS: dict[str, dict[str, Any]] = {
    "host": {"color": LINES[0]["color"], "marker": "o"},
    "accelerated": {"color": LINES[1]["color"], "marker": "s", "markerfacecolor": "white"},
}
"""Each path has its colour and marker."""

MEASURED: dict[str, Any] = {"color": BLACK, "marker": "o", "markerfacecolor": "white"}
SPIKE: dict[str, Any] = {"marker": "x", "linestyle": "none", "markersize": 3.2}
BEYOND: dict[str, Any] = {"linestyle": (0, (2.2, 1.6)), "linewidth": 0.9}
BAND: dict[str, Any] = {"color": "#BFDDF2", "linewidth": 0, "zorder": 0}


def fit_handles(fit: Fit, panels: tuple[str, ...]) -> list[Artist]:
    """What the legend of a picture is made of.

    Parameters
    ----------
    fit : Fit
        What is drawn.
    panels : tuple of str
        Which panels [text].
    """
    estimate = fit.estimates[fit.latency]
    handles: list[Artist] = []
    if panels != ("speedup",):
        handles += [_line(path, markersize=3.0, **style) for path, style in PATHS.items()]
    if "times" in panels and any(observed(estimate, path).spike.size for path in PATHS):
        handles.append(_line("spikes, which do not count", color=BLACK, **SPIKE))
    if set(panels) & {"times", "speedup"}:
        handles.append(_line("beyond what was measured", color=BLACK, **BEYOND))
    lower, upper, _ = fit.intervals["g1"]
    if "speedup" in panels and upper > lower:
        handles.append(Patch(label=f"{percent(fit.level)} interval of break-even", **_patch()))
    return handles


def _line(label: str, **style: Any) -> Line2D:
    return Line2D([], [], label=label, **style)


def _patch() -> dict[str, Any]:
    return {"color": BAND["color"], "linewidth": 0}
