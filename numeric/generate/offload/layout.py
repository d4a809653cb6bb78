"""Comments as text."""

from collections.abc import Iterable
from textwrap import wrap

__all__ = ["beyond", "commented", "uint64", "wrapped"]


def commented(mark: str, lines: Iterable[str]) -> str:
    """Lines of a comment, each after a mark [text].

    Parameters
    ----------
    mark : str
        What begins a comment [text].
    lines : iterable of str
        What it says [text].
    """
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)


def wrapped(mark: str, text: str, width: int) -> str:
    """A sentence as a comment [text].

    Parameters
    ----------
    mark : str
        What begins a comment [text].
    text : str
        What it says [text].
    width : int
        Columns of a line [1].
    """
    return commented(mark, wrap(text, width - len(mark) - 1, break_on_hyphens=False))


def beyond(end: int | None) -> bool:
    """Whether no 64-bit number is so large, or there is no end at all."""
    return end is None or end >= 2**64


def uint64(end: int | None) -> str:
    """A size as a constant of C and C++, the largest if it is beyond [text].

    Parameters
    ----------
    end : int or None
        The size; None if there is no end [B].
    """
    return "UINT64_MAX" if beyond(end) else f"UINT64_C({end})"
