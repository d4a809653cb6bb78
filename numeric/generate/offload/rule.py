"""Part of a fit or an accelerator that is shipped: whole sizes, a name, where they come from."""

import re
from dataclasses import dataclass
from math import ceil, floor, inf

from logca.common.errors import LogcaError
from logca.common.readable_numbers import probability
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import thresholds, words
from logca.numeric.fit.size_ranges import Ranges, ranges_text
from logca.numeric.streams.thresholds import thresholds_in_flight, units_of

__all__ = [
    "OffloadError",
    "OffloadRule",
    "SizeRange",
    "check_kernel_name",
    "offload_rule",
    "printable",
]

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SHORT = {"seconds": "s", "cycles": "cycles"}


class OffloadError(LogcaError, ValueError):
    """Thresholds cannot be made source code; the message says why, and what can be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeRange:
    """Whole sizes that are larger than one, and at most another, in bytes or of another kind."""

    above: int | None  # none if there is no such size [unit of the sizes]
    last: int | None  # none if there is no end [unit of the sizes]


@dataclass(frozen=True, slots=True, kw_only=True)
class OffloadRule:
    """Thresholds and facts that go into a source file."""

    name: str  # of the kernel; empty if it has none
    origin: str  # sentence on where the thresholds come from
    variable: str  # environment variable that overrides the thresholds
    # likely, staying, starting: where it most likely pays; where who offloads goes on, and who
    # does not begins [unit of the sizes]
    likely: tuple[SizeRange, ...]
    staying: tuple[SizeRange, ...]
    starting: tuple[SizeRange, ...]
    # thresholds, parameters and provenance, in the order in which they are told
    facts: dict[str, str]
    notes: tuple[str, ...]  # what the timings cannot tell
    macro: str = ""  # what a size is a value of; empty if sizes are bytes

    @property
    def so_many(self) -> str:
        """A size, in words."""
        return f"{self.macro} = size" if self.macro else "so many bytes"

    @property
    def number(self) -> str:
        """A size that takes the place of the break-even, in words."""
        return f"a value of {self.macro}" if self.macro else "a number of bytes"


def offload_rule(
    basis: Fit | Accelerator,
    name: str = "",
    *,
    most_likely: bool = False,
    in_flight: int | None = None,
) -> OffloadRule:
    """Whole sizes, a name, and where all of it comes from, of a fit or an accelerator."""
    check_kernel_name(name)
    ranges = thresholds(basis) if in_flight is None else thresholds_in_flight(basis, in_flight)
    if not ranges.told and not most_likely:
        raise OffloadError(
            "it is uncertain whether there is a break-even: with "
            f"{probability(ranges.none)} confidence there is none; measure more "
            "(`logca fit` names the sizes), or generate "
            f"the most likely answer, that it pays {ranges_text(ranges.likely)}, with --most-likely"
        )
    level: float | None = None
    notes: tuple[str, ...] = ()
    told: dict[str, str] = {}
    origin = "Thresholds of an accelerator whose parameters are given."
    found: dict[str, str] = {}
    if isinstance(basis, Fit):
        level, notes, origin = (
            basis.level,
            basis.warnings,
            "Thresholds that LogCA fitted to timings.",
        )
        found = {printable(key): printable(value) for key, value in basis.provenance.items()}
    elif basis.name:
        told = {"accelerator": printable(basis.name)}
    told |= {**words(ranges, level), "latency": basis.latency, **_parameters(basis)}
    if in_flight is not None:
        told = {"in flight": f"{in_flight} requests"} | told | _units(basis)
    return OffloadRule(
        name=name,
        variable="_".join(["LOGCA_OFFLOAD", *([name.upper()] if name else [])]),
        likely=_whole(ranges.likely),
        staying=_whole(ranges.staying),
        starting=_whole(ranges.starting),
        origin=origin,
        facts=told | {key: value for key, value in found.items() if key not in told},
        notes=notes,
    )


def check_kernel_name(name: str) -> None:
    """Refuse what is no name of a kernel; it may have none."""
    if name and not _NAME.fullmatch(name):
        raise OffloadError(
            f"{name!r} is no name of a kernel: lower case letters and digits, words joined by one "
            "underscore, such as aes_128"
        )


def _whole(ranges: Ranges) -> tuple[SizeRange, ...]:
    """At least one range, which has no size if there is none."""
    found = (
        SizeRange(above=floor(each.above), last=None if each.below == inf else ceil(each.below) - 1)
        for each in ranges
    )
    return tuple(found) or (SizeRange(above=None, last=None),)


def _units(basis: Fit | Accelerator) -> dict[str, str]:
    """Requests that are served side by side, but for what does not limit."""
    found = units_of(basis)
    return {name: f"{each:.4g}" for name, each in found.units.items() if each < inf}


def _parameters(basis: Fit | Accelerator) -> dict[str, str]:
    unit = "s" if isinstance(basis, Fit) else _SHORT[basis.unit]
    # Intervals of a fit are of its more general form, in which the latency is one of a byte.
    per_byte = "linear" in (basis.estimates if isinstance(basis, Fit) else (basis.latency,))
    units = {"o": f" {unit}", "L": f" {unit}{'/B' if per_byte else ''}", "C": f" {unit}/B^beta"}
    if isinstance(basis, Accelerator):
        return {name: f"{getattr(basis, name):.6g}{units.get(name, '')}" for name in MODEL}
    found = {}
    for name, value in basis.parameters.items():
        low, high, _ = basis.interval(name)
        interval = f"({probability(basis.level)}: {low:.4g} to {high:.4g})"
        found[name] = f"{value:.4g}{units.get(name, '')} {interval}"
    return found


def printable(text: str) -> str:
    """One line for a comment, without what ends a comment or a line in any language.

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
