"""Words that are spelt nearly as one that is not known."""

from collections.abc import Callable, Iterable

__all__ = [
    "did_you_mean",
]


def did_you_mean(
    word: str,
    known: Iterable[str],
    *,
    most: int = 1,
    cutoff: float = 0.6,
    quote: Callable[[str], str] = repr,
    joined: str = ", ",
    before: str = "",
) -> str:
    """A question with what is spelt nearly so, or nothing.

    Examples
    --------
    >>> did_you_mean("puhs", ["push", "pull"]), did_you_mean("x", ["push"])
    ("did you mean 'push'?", '')
    """
    from difflib import get_close_matches  # only a wrong word needs it

    near = get_close_matches(word, tuple(known), n=most, cutoff=cutoff)
    return f"{before}did you mean {joined.join(map(quote, near))}?" if near else ""
