"""Figures inside an HTML file: a wide one, and a narrow one for phones."""

import re
from html import escape

from logca.plots.drawing import Drawing
from logca.plots.files import picture
from logca.plots.fit import FitPicture

__all__ = ["figure"]

_ID = re.compile(r'\bid="')
_REFERENCE = re.compile(r'(\bxlink:href="|url\()#')
_UNSEEN = re.compile(r"<metadata>.*?</metadata>|<title>.*?</title>", re.DOTALL)
_BLANK = re.compile(r'<path (id="[^"]*" transform="[^"]*")/>')
_SIZE = re.compile(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ')


def figure(name: str, label: str, caption: str, drawn: Drawing | FitPicture) -> str:
    """Both pictures with a caption, as markup [text].

    Parameters
    ----------
    name : str
        Name of the figure, unique in the file [text].
    label : str
        What there is to see, for those who do not see it [text].
    caption : str
        What stands below it [text].
    drawn : Drawing or FitPicture
        What to draw.
    """
    wide, narrow = (
        f'<div class="{shape}">{_inline(_svg(drawn, width), f"{name}-{shape}", label)}</div>'
        for shape, width in (("wide", "page"), ("narrow", "column"))
    )
    return (
        f'<figure class="picture">{wide}{narrow}<figcaption>{escape(caption)}</figcaption></figure>'
    )


def _svg(drawn: Drawing | FitPicture, width: str) -> str:
    return picture(drawn, ".svg", width=width).decode()


def _inline(svg: str, prefix: str, label: str) -> str:
    """A picture's element; its ids are its own, and it is as wide as there is room."""
    found = _UNSEEN.sub("", svg[svg.index("<svg") :].strip())
    found = _BLANK.sub(r'<path \1 d=""/>', found)  # the letter that is a space
    found = _ID.sub(f'id="{prefix}-', found)
    found = _REFERENCE.sub(rf"\1#{prefix}-", found)
    named = f'<svg role="img" aria-label="{escape(label)}" '
    return _SIZE.sub(lambda match: named + (match[1] or ""), found, count=1)
