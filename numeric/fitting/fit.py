"""The result of a fit: an accelerator, intervals, and what the data cannot tell."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType

from logca.numeric.accelerator import Accelerator
from logca.numeric.domain import check_latency
from logca.numeric.fitting.derived import (
    GRANULARITIES,
    PARAMETERS,
    granularity_interval,
    parameter_interval,
    parameters,
)
from logca.numeric.fitting.design import next_sizes
from logca.numeric.fitting.estimate import Estimate, estimate
from logca.numeric.fitting.intervals import Interval
from logca.numeric.fitting.reading import read_timings
from logca.numeric.fitting.records import record_of, restored
from logca.numeric.fitting.timings import Timings
from logca.numeric.fitting.warnings import warnings_of
from logca.numeric.sizes import format_size

__all__ = ["Fit", "FitError", "fit"]

_UNITS = {"o": "s", "C": "s/B**beta", "A": "1", "beta": "1"}


class FitError(ValueError):
    """A fit does not have what was asked for; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """An accelerator fitted to timings.

    Intervals come from the more general of the forms of latency that were fitted, so that they do
    not pretend that the form is known.

    Parameters
    ----------
    timings : Timings
        What was measured.
    estimates : mapping of str to Estimate
        The most likely curve for each form of latency that was fitted.
    level : float
        Confidence of the intervals [1].
    intervals : mapping of str to Interval
        Of o, L, C, A, beta, g1, g1_upper and gA2.
    """

    timings: Timings
    estimates: Mapping[str, Estimate]
    level: float
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = dict(self.intervals)
        for name in (*PARAMETERS, *GRANULARITIES):
            if name not in found:
                found[name] = _interval(self._general, name, self.level)
        object.__setattr__(self, "intervals", MappingProxyType(found))
        object.__setattr__(self, "estimates", MappingProxyType(dict(self.estimates)))

    @property
    def models(self) -> dict[str, float]:
        """Akaike's criterion, corrected for small samples, of each form of latency [1]."""
        return {latency: found.aicc for latency, found in self.estimates.items()}

    @property
    def latency(self) -> str:
        """Form of latency with the least criterion [text]."""
        return min(self.models, key=self.models.__getitem__)

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters under that form of latency; A may be one or less [s, s/B, s/B**beta, 1]."""
        return parameters(self.estimates[self.latency])

    @property
    def accelerator(self) -> Accelerator:
        """The most likely accelerator, in seconds.

        Raises
        ------
        FitError
            If A is one or less, so that there is no accelerator.
        """
        found = self.parameters
        if found["A"] <= 1:
            raise FitError(
                f"A = {found['A']:.4g}: the accelerated path does not compute faster than the "
                "host at any size, so it is no accelerator"
            )
        return Accelerator(
            o=found["o"],
            L=found["L"],
            C=found["C"],
            A=found["A"],
            beta=found["beta"],
            latency=self.latency,
            unit="seconds",
        )

    def interval(self, name: str, level: float | None = None) -> Interval:
        """Interval of a parameter or a granularity [unit of it].

        Parameters
        ----------
        name : str
            o, L, C, A, beta, g1, g1_upper or gA2 [text].
        level : float or None
            Confidence; that of the fit if left out [1].

        Raises
        ------
        FitError
            If there is no such quantity, or the level is no confidence.
        """
        if name not in self.intervals:
            raise FitError(f"{name!r} has no interval; {', '.join(self.intervals)} have")
        if level is None or level == self.level:
            return self.intervals[name]
        return _interval(self._general, name, _checked(level))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the timings cannot tell, the most important first [text]."""
        sizes = (float(self.timings.granularity[0]), float(self.timings.granularity[-1]))
        chosen = self.estimates[self.latency]
        return warnings_of(chosen, self.models, self.intervals, sizes, self.level)

    @property
    def next_sizes(self) -> tuple[float, ...]:
        """Sizes whose times would narrow the break-even most, the best first [B]."""
        return next_sizes(self._general)

    def summary(self) -> str:
        """Parameters, break-evens, intervals and warnings, a line each [text]."""
        units = {**_UNITS, "L": "s/B" if self._general.latency == "linear" else "s"}
        lines = [f"latency: {self.latency}; intervals of {self.level:.0%}"]
        for name, value in self.parameters.items():
            low, high, _ = self.intervals[name]
            lines.append(f"{name:>8} = {value:.4g} [{low:.4g}, {high:.4g}] {units[name]}")
        for name in GRANULARITIES:
            low, high, none = self.intervals[name]
            within = f"[{_size(low)}, {_size(high)}]" if low == low else "no value is likely"
            lines.append(f"{name:>8} : {within}; none with {none:.1%}")
        lines += [f"note: {each}" for each in self.warnings]
        lines.append("measure next: " + ", ".join(map(format_size, self.next_sizes)))
        return "\n".join(lines)

    def save(self, path: str | PathLike[str]) -> None:
        """Write timings, weights, curves and intervals to a JSON file; see `records`.

        Parameters
        ----------
        path : path
            Where [text].
        """
        record = record_of(self.timings, self.estimates, self.level, self.intervals)
        Path(fspath(path)).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Fit":
        """Read what `save` has written.

        Parameters
        ----------
        path : path
            Where [text].

        Raises
        ------
        RecordError
            If it is no such file.
        """
        text = Path(fspath(path)).read_text(encoding="utf-8")
        timings, estimates, level, intervals = restored(text, fspath(path))
        return cls(timings=timings, estimates=estimates, level=level, intervals=intervals)

    @property
    def _general(self) -> Estimate:
        return self.estimates.get("linear", self.estimates[self.latency])


def fit(
    timings: Timings | str | PathLike[str], *, latency: str = "auto", level: float = 0.95
) -> Fit:
    """Fit an accelerator to timings.

    Parameters
    ----------
    timings : Timings or path
        Times of host and accelerator, or a file that has them.
    latency : str
        "constant", "linear", or "auto" to fit both and compare them [text].
    level : float
        Confidence of the intervals [1].

    Raises
    ------
    TimingsError
        If the timings cannot be fitted.
    FitError
        If the level is no confidence.

    Examples
    --------
    >>> timings = Timings(
    ...     granularity=[1024, 4096, 16384, 65536, 262144],
    ...     host=[1.01e-6, 4.02e-6, 16.1e-6, 63.9e-6, 256.3e-6],
    ...     accelerated=[9.13e-6, 9.27e-6, 10.6e-6, 15.4e-6, 34.6e-6],
    ... )
    >>> found = fit(timings, latency="constant")
    >>> print(found.accelerator.break_even())
    9.911 KiB
    """
    if not isinstance(timings, Timings):
        timings = read_timings(timings)
    forms = ("constant", "linear") if latency == "auto" else (check_latency(latency),)
    general = estimate(timings, forms[-1])
    estimates = {forms[-1]: general}
    for other in forms[:-1]:
        estimates[other] = estimate(timings, other, general.data)
    return Fit(timings=timings, estimates=estimates, level=_checked(level))


def _interval(general: Estimate, name: str, level: float) -> Interval:
    found = parameter_interval if name in PARAMETERS else granularity_interval
    return found(general, name, level)


def _checked(level: float) -> float:
    if not 0 < level < 1:
        raise FitError(f"level = {level!r} must be a confidence between 0 and 1, such as 0.95")
    return float(level)


def _size(size: float) -> str:
    return format_size(size) if isfinite(size) else "inf"
