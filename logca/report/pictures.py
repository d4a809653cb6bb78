"""The figures of a report."""

from logca.numeric.fitting.fit import Fit
from logca.plots.fit import FitPicture, shown_sizes
from logca.plots.users import accelerator_drawing
from logca.report.figures import figure

__all__ = ["curves_figure", "regions_figure", "residuals_figure"]


def curves_figure(fit: Fit) -> str:
    """Times and speedup, measured and fitted, as markup [text].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    drawn = FitPicture(title="Times and speedup", fit=fit, panels=("times", "speedup"))
    return figure(
        "curves",
        "Times of host and accelerated path over granularity, and the speedup with its break-even",
        "Medians and quartiles of what was measured, and the curves that were fitted. Above "
        "the line of speedup 1 offloading pays.",
        drawn,
    )


def residuals_figure(fit: Fit) -> str:
    """What the curves miss, as markup [text].

    Parameters
    ----------
    fit : Fit
        The fit.
    """
    drawn = FitPicture(title="Residuals", fit=fit, panels=("residuals",))
    return figure(
        "residuals",
        "Measured over fitted times of both paths over granularity",
        "Measured over fitted times: medians and quartiles. Where they leave 1 together, "
        "the time is no power law there.",
        drawn,
    )


def regions_figure(fit: Fit) -> str:
    """The speedup with each parameter improved, as markup [text].

    Parameters
    ----------
    fit : Fit
        The fit; its acceleration is more than 1.
    """
    low, high = shown_sizes(fit)
    drawn = accelerator_drawing([fit.accelerator], "regions", low=low, high=high)
    return figure(
        "regions",
        "Speedup as it is and with each parameter ten times better, and where that pays",
        "Letters name the parameters whose tenfold improvement gains 20 % or more there "
        "(altaf2017, §3.2).",
        drawn,
    )
