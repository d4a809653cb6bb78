"""What a file says in every language: comments and sizes, for its template."""

from collections.abc import Callable

from logca.numeric.generate.offload.comments import HYSTERESIS, LIKELY, STATE, head
from logca.numeric.generate.offload.layout import commented, wrapped
from logca.numeric.generate.offload.shipped import Shipped

__all__ = ["pieces"]


def pieces(
    what: Shipped,
    command: str,
    *,
    mark: str,
    doc: str,
    width: int,
    end: Callable[[int | None], str],
    read: str = "at the first question",
) -> dict[str, str]:
    """The pieces by their names in the templates [text].

    Parameters
    ----------
    what : Shipped
        What goes into the file.
    command : str
        How it was asked for [text].
    mark, doc : str
        What begins a line of a comment, and of one about a function [text].
    width : int
        Columns of a line [1].
    end : callable
        How the language writes a size, or that there is none [text].
    read : str
        When the environment is read [text].
    """
    ranges = {"likely": what.likely, "staying": what.staying, "starting": what.starting}
    return {
        "head": commented(mark, head(what, command, width - len(mark) - 1, read)),
        "variable": what.variable,
        "likely": wrapped(doc, LIKELY, width),
        "hysteresis": wrapped(doc, f"{STATE} {HYSTERESIS}", width),
    } | {
        f"{name}_sizes": ", ".join(map(end, (sizes.above, sizes.last)))
        for name, sizes in ranges.items()
    }
