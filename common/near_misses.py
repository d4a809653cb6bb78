"""Words that are spelt nearly as one that is not known."""

from collections.abc import Callable, Iterable

__all__ = [
    "did_you_mean",
    "near_misses",
]


def near_misses(
    word: str, known: Iterable[str], *, most: int = 1, cutoff: float = 0.6
) -> tuple[str, ...]:
    """Words that are spelt nearly so, in capitals or small letters, the nearest first."""
    from difflib import get_close_matches  # only a wrong word needs it

    spellings: dict[str, list[str]] = {}
    for name in known:
        spellings.setdefault(name.casefold(), []).append(name)
    near = get_close_matches(word.casefold(), spellings, n=most, cutoff=cutoff)
    return tuple(name for folded in near for name in spellings[folded])[:most]


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
    """A question with what is spelt nearly so, in capitals or small letters, or nothing.

    Examples
    --------
    >>> did_you_mean("puhs", ["push", "pull"]), did_you_mean("x", ["push"])
    ("did you mean 'push'?", '')
    >>> did_you_mean("--a", ["--o", "--A"])
    "did you mean '--A'?"
    """
    near = near_misses(word, known, most=most, cutoff=cutoff)
    return f"{before}did you mean {joined.join(map(quote, near))}?" if near else ""
