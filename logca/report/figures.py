"""The figures of a report: pictures as elements of the page, wide and narrow, with captions."""

import re
from html import escape

from logca.numeric.fit.fit import Fit
from logca.plots.drawing import Drawing, accelerator_drawing
from logca.plots.fit import FitPicture, shown_sizes
from logca.plots.offload import OffloadPicture
from logca.plots.render import picture
from logca.plots.shapes import ShapePicture

__all__ = [
    "curves_figure",
    "figure",
    "regions_figure",
    "residuals_figure",
]

_ID = re.compile(r'\bid="')
_REFERENCE = re.compile(r'(\bxlink:href="|url\()#')
_UNSEEN = re.compile(r"<metadata>.*?</metadata>|<title>.*?</title>", re.DOTALL)
_BLANK = re.compile(r'<path (id="[^"]*" transform="[^"]*")/>')
_SIZE = re.compile(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ')


_Drawn = Drawing | FitPicture | ShapePicture | OffloadPicture


def figure(name: str, label: str, caption: str, drawn: _Drawn) -> str:
    """Both pictures with a caption, as markup."""
    wide, narrow = (
        f'<div class="{shape}">{_inline(_svg(drawn, width), f"{name}-{shape}", label)}</div>'
        for shape, width in (("wide", "page"), ("narrow", "column"))
    )
    return (
        f'<figure class="picture">{wide}{narrow}<figcaption>{escape(caption)}</figcaption></figure>'
    )


def _svg(drawn: _Drawn, width: str) -> str:
    return picture(drawn, ".svg", width=width).decode()


def _inline(svg: str, prefix: str, label: str) -> str:
    """A picture's element; its ids are its own, and it is as wide as there is room."""
    found = _UNSEEN.sub("", svg[svg.index("<svg") :].strip())
    found = _BLANK.sub(r'<path \1 d=""/>', found)  # the letter that is a space
    found = _ID.sub(f'id="{prefix}-', found)
    found = _REFERENCE.sub(rf"\1#{prefix}-", found)
    named = f'<svg role="img" aria-label="{escape(label)}" '
    return _SIZE.sub(lambda match: named + (match[1] or ""), found, count=1)


def curves_figure(fit: Fit) -> str:
    """Times and speedup, measured and fitted, as markup."""
    drawn = FitPicture(title="Times and speedup", fit=fit, panels=("times", "speedup"))
    return figure(
        "curves",
        "Times of host and accelerated path over granularity, and the speedup with its break-even",
        "Medians and quartiles of what was measured, and the curves that were fitted. Above "
        "the line of speedup 1 offloading pays.",
        drawn,
    )


def residuals_figure(fit: Fit) -> str:
    """Residuals of the curves, as markup."""
    drawn = FitPicture(title="Residuals", fit=fit, panels=("residuals",))
    return figure(
        "residuals",
        "Measured over fitted times of both paths over granularity",
        "Measured over fitted times: medians and quartiles. Where they leave 1 together, "
        "the time is no power law there.",
        drawn,
    )


def regions_figure(fit: Fit) -> str:
    """The speedup with each parameter improved, as markup."""
    low, high = shown_sizes(fit)
    drawn = accelerator_drawing([fit.accelerator], "regions", low=low, high=high, fits=[fit])
    return figure(
        "regions",
        "Speedup as it is and with each parameter ten times better, and where that pays",
        "Letters name the parameters whose tenfold improvement gains 20 % or more there "
        "(altaf2017, §3.2).",
        drawn,
    )
