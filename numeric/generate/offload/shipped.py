"""What is shipped of a fit: whole sizes, a name, and where all of it comes from."""

import re
from dataclasses import dataclass
from math import ceil, floor, inf

from logca.numeric.fitting.fit import Fit
from logca.numeric.fitting.threshold_words import percent, words
from logca.numeric.fitting.thresholds import Range, thresholds

__all__ = ["OffloadError", "Shipped", "Sizes", "printable", "shipped"]

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_UNITS = {"o": " s", "C": " s/B^beta", "A": "", "beta": ""}


class OffloadError(ValueError):
    """Thresholds cannot be made source code; the message says why, and what can be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Whole sizes that are larger than one, and at most another.

    Parameters
    ----------
    above : int or None
        None if there is no such size [B].
    last : int or None
        None if there is no end [B].
    """

    above: int | None
    last: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """What goes into a source file.

    Parameters
    ----------
    name : str
        Of the kernel; empty if it has none [text].
    variable : str
        Environment variable that overrides the thresholds [text].
    likely, staying, starting : Sizes
        Where it most likely pays; where who offloads goes on, and who does not begins [B].
    facts : mapping of str to str
        Thresholds, parameters and provenance, in the order in which they are told [text].
    notes : tuple of str
        What the timings cannot tell [text].
    """

    name: str
    variable: str
    likely: Sizes
    staying: Sizes
    starting: Sizes
    facts: dict[str, str]
    notes: tuple[str, ...]


def shipped(fit: Fit, name: str = "", *, most_likely: bool = False) -> Shipped:
    """What is shipped of a fit.

    Parameters
    ----------
    fit : Fit
        The fit.
    name : str
        Of the kernel: lower case letters, digits and underscores; empty if it needs none [text].
    most_likely : bool
        Whether thresholds are shipped though it cannot be told if there is a break-even.

    Raises
    ------
    OffloadError
        If the name is no name, or the timings cannot tell whether there is a break-even.
    """
    if name and not _NAME.fullmatch(name):
        raise OffloadError(
            f"{name!r} is no name of a kernel: lower case letters and digits, words joined by one "
            "underscore, such as aes_128"
        )
    ranges = thresholds(fit)
    if not ranges.told and not most_likely:
        raise OffloadError(
            "the timings cannot tell whether there is a break-even: none with "
            f"{percent(ranges.none)}; measure more (`logca fit` names the sizes), or generate what "
            f"is most likely, that it pays {ranges.likely}, with --most-likely"
        )
    told = {**words(ranges, fit.level), "latency": fit.latency, **_parameters(fit)}
    origin = {printable(key): printable(value) for key, value in fit.provenance.items()}
    return Shipped(
        name=name,
        variable="_".join(["LOGCA_OFFLOAD", *([name.upper()] if name else [])]),
        likely=_whole(ranges.likely),
        staying=_whole(ranges.staying),
        starting=_whole(ranges.starting),
        facts=told | {key: value for key, value in origin.items() if key not in told},
        notes=fit.warnings,
    )


def _whole(sizes: Range) -> Sizes:
    return Sizes(
        above=None if sizes.above == inf else floor(sizes.above),
        last=None if sizes.below == inf else ceil(sizes.below) - 1,
    )


def _parameters(fit: Fit) -> dict[str, str]:
    units = {**_UNITS, "L": " s/B" if "linear" in fit.estimates else " s"}
    found = {}
    for name, value in fit.parameters.items():
        low, high, _ = fit.interval(name)
        found[name] = f"{value:.4g}{units[name]} ({percent(fit.level)}: {low:.4g} to {high:.4g})"
    return found


def printable(text: str) -> str:
    """One line for a comment, without what ends a comment or a line in any language [text].

    Parameters
    ----------
    text : str
        What is to stand in a comment [text].

    Examples
    --------
    >>> print(printable("Xeon */ ??/"))
    Xeon * / ? ?/
    """
    plain = "".join(each if each.isprintable() else " " for each in text)
    for special, harmless in (("\\", "/"), ('"', "'"), ("*/", "* /")):
        plain = plain.replace(special, harmless)
    plain = re.sub(r"\?(?=\?)", "? ", plain)  # trigraphs
    return " ".join(plain.split())
