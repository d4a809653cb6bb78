"""The rule that a program has now: which sizes it offloads, such as those from a threshold on."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nextafter

from logca.common.errors import LogcaError
from logca.common.sizes import SizeError, format_size, parse_size
from logca.numeric.fit.size_ranges import Ranges, SizesBetween

__all__ = ["PresentRule", "RuleError", "threshold_rule"]


class RuleError(LogcaError, ValueError):
    """A threshold or a file does not say which sizes are offloaded; the message says what would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentRule:
    """Sizes that a program offloads now, and where that is said."""

    name: str  # in a sentence, such as "the threshold of 32 KiB"
    ranges: Ranges  # sizes that are offloaded [B]
    below: bool = False  # whether sizes below its threshold are offloaded, not those from there on

    def offloads(self, size: float) -> bool:
        """True if a size is offloaded."""
        return any(size in each for each in self.ranges)


_ALWAYS = SizesBetween(above=0.0, below=inf)
_WORDS: dict[str, Ranges] = {"always": (_ALWAYS,), "never": ()}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def threshold_rule(
    threshold: float | str,
    *,
    below: bool = False,
    environment: Mapping[str, str] | None = None,
) -> PresentRule:
    """The rule of a threshold: a size, NAME=VALUE, or env:NAME for what a variable says now.

    Sizes from the threshold on are offloaded, or those below it; "always" and "never" will do, too.

    Examples
    --------
    >>> rule = threshold_rule("MIN_BYTES=4096")
    >>> rule.name, rule.offloads(4095), rule.offloads(4096)
    ('the threshold of 4 KiB (MIN_BYTES)', False, True)
    """
    text, variable = (threshold.strip() if isinstance(threshold, str) else threshold), ""
    if isinstance(text, str) and text.startswith("env:"):
        variable = text.removeprefix("env:")
        known = os.environ if environment is None else environment
        if variable not in known:
            raise RuleError(
                f"threshold {threshold!r}: the environment has no variable {variable!r}; set it, "
                f"or write its value, such as {variable or 'NAME'}=32768"
            )
        text = known[variable].strip()
    elif isinstance(text, str) and "=" in text:
        variable, _, text = (part.strip() for part in text.partition("="))
        if not _VARIABLE.fullmatch(variable):
            raise RuleError(f"threshold {threshold!r}: write NAME=VALUE, such as MIN_BYTES=32768")
    of = f" ({variable})" if variable else ""
    if isinstance(text, str) and text in _WORDS:
        return PresentRule(name=f"the rule to offload {text}{of}", ranges=_WORDS[text])
    if _is_zero(text):
        return PresentRule(
            name=f"the threshold of 0 B{of}", ranges=() if below else (_ALWAYS,), below=below
        )
    try:
        size = parse_size(text)
    except SizeError as error:
        more = f"; {variable} says so" if variable else ""
        raise RuleError(f"threshold: {error}, or always or never{more}") from None
    kept = (
        SizesBetween(above=0.0, below=size)
        if below
        else SizesBetween(above=nextafter(size, 0), below=inf)
    )
    return PresentRule(
        name=f"the threshold of {format_size(size)}{of}", ranges=(kept,), below=below
    )


def _is_zero(threshold: float | str) -> bool:
    """True if a threshold is zero bytes: no size is, and yet it leaves all sizes on one side."""
    try:
        return float(threshold) == 0
    except (TypeError, ValueError):
        return False
