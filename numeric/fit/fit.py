"""The result of a fit: an accelerator, intervals, and limits of the fit."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from math import isfinite, isnan
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

import numpy as np

from logca.common import results
from logca.common.errors import FileError, LogcaError
from logca.common.files import write_new
from logca.common.readable_numbers import probability
from logca.common.real_numbers import is_real
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator, sizes
from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.arrays.arrays import Array
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.fit.as_measured import contradictions
from logca.numeric.fit.break_evens import GRANULARITIES
from logca.numeric.fit.estimate import (
    Estimate,
    admitted,
    akaike_criteria,
    estimate,
    of_other_modes,
    simpler,
)
from logca.numeric.fit.intervals import (
    WhenAsked,
    call_cost,
    interval_of,
    likely_value,
    parameters,
)
from logca.numeric.fit.likelihood import predicted
from logca.numeric.fit.next_sizes import next_sizes
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, cutoff, least_sure
from logca.numeric.fit.segmented import SizeStretch, TimesBreak, factors, stretches, times_breaks
from logca.numeric.fit.storage import (
    other_modes_record,
    record_of,
    refuse_strange_intervals,
    restored,
    text_of,
)
from logca.numeric.fit.warnings import coarse_clock, hidden_call, warnings_of
from logca.numeric.in_flight.units import InFlight, OneAtATime, fit_units, read_in_flight
from logca.numeric.timings.reading import made_now
from logca.numeric.timings.timings import Samples, Timings, between, compared_timings, thinned

__all__ = ["Fit", "FitError", "fit"]

_ROUNDING = 1e-9
_KEPT = 64  # fits
_UNITS = {"o": "s", "C": "s/B**beta", "A": "1", "beta": "1"}


class FitError(LogcaError, ValueError):
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
    intervals : mapping of str to ConfidenceInterval
        Of o, L, C, A, beta, g1, g1_upper, gA2 and peak; each is found when it is first asked for.
    provenance : mapping of str to str
        Where it comes from: such as file and digest of the timings, machine, date.
    other_modes : tuple of Estimate
        Curves of the less frequent of two modes of the runs, where that may be chance: intervals
        hold both.
    in_flight : InFlight or None
        How many requests are served side by side, if times had several in flight.
    """

    timings: Timings
    estimates: Mapping[str, Estimate]
    level: float
    intervals: Mapping[str, ConfidenceInterval] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)
    other_modes: tuple[Estimate, ...] = ()
    in_flight: InFlight | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.intervals, WhenAsked):  # else they are those of another fit
            found = WhenAsked(self.intervals, lambda name: self._interval(name, self.level))
            object.__setattr__(self, "intervals", found)
        object.__setattr__(self, "estimates", MappingProxyType(dict(self.estimates)))
        object.__setattr__(self, "provenance", MappingProxyType(_texts(self.provenance)))

    def __reduce__(self) -> tuple[Callable[[], "Fit"], tuple[()]]:
        """A maker of a copy, for pickle and copy; it finds intervals that nobody asked for yet."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values["intervals"] = getattr(self.intervals, "found", {})
        return partial(Fit, **values), ()

    @property
    def models(self) -> dict[str, float]:
        """Akaike's criterion of each form of latency that was fitted [1]; see `akaike_criteria`."""
        deviances = {form: found.best.deviance for form, found in self.estimates.items()}
        return akaike_criteria(deviances, self.general.parameters, self.general.freedom)

    @property
    def latency(self) -> str:
        """Form of latency with the least criterion, of those that the level does not refute.

        So the most likely curve is one of those that the intervals allow.
        """
        most = self.general.best.deviance + cutoff(self.general, self.level)
        allowed = [form for form, each in self.estimates.items() if each.best.deviance <= most]
        return min(allowed, key=self.models.__getitem__)

    @property
    def general(self) -> Estimate:
        """Under the most general form of latency that was fitted: intervals come from it."""
        return self.estimates.get("linear") or self.estimates["constant"]

    @property
    def in_either_mode(self) -> tuple[tuple[Estimate, ...], ...]:
        """Estimates that intervals hold: the general one, and those of modes that may be main.

        Each is with a cost of a call as large as the times admit, and without it if that differs.
        """
        return _in_either_mode(self)

    @property
    def breaks(self) -> tuple[TimesBreak, ...]:
        """Steps and changes of slope that the times have, beside the curve of the parameters."""
        return times_breaks(self.general, self.level)

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters under that form of latency; A may be one or less [s, s/B, s/B**beta, 1].

        Where times have breaks, they are those of the curve up to the first.
        """
        return parameters(self.estimates[self.latency])

    @property
    def call_cost(self) -> float:
        """Cost of a call on both paths even for no data; no part of the parameters [s]."""
        return call_cost(self.estimates[self.latency])

    def times(self, g: Array) -> tuple[Samples, Samples]:
        """Fitted times of the host and of the accelerated path, with what a call costs [s].

        Parameters
        ----------
        g : array_like
            Granularity [B].

        Raises
        ------
        SizeError
            If one is no positive size.
        """
        found = self.estimates[self.latency]
        x = np.asarray(sizes(g), dtype=np.float64) / np.exp(found.data.log_size)
        own, other = predicted(found.data, found.best.curve, x, x)
        return np.exp(own + found.data.log_time), np.exp(other + found.data.log_time)

    def factors(self, g: Array) -> tuple[Samples, Samples]:
        """Fitted times of host and accelerated path over those of `parameters` [1].

        They are one up to the first break. What an improvement of a parameter gains does not
        depend on them, as they multiply the whole time of a path.

        Parameters
        ----------
        g : array_like
            Granularity [B].

        Raises
        ------
        SizeError
            If one is no positive size.
        """
        return factors(self.estimates[self.latency], sizes(g))

    def speedup(self, g: Array) -> Samples:
        """Fitted speedup with its breaks, without what a call costs [1].

        Parameters
        ----------
        g : array_like
            Granularity [B].

        Raises
        ------
        SizeError
            If one is no positive size.
        """
        host, accelerated = self.factors(g)
        given: dict[str, Any] = {**self.parameters, "g": np.asarray(sizes(g), dtype=np.float64)}
        wanted = {name: given[name] for name in parameters_of("speedup")}
        smooth = evaluate("speedup", latency=self.latency, **wanted)
        return np.asarray(smooth * host / accelerated)

    @property
    def stretches(self) -> tuple[SizeStretch, ...]:
        """The sizes between breaks, ascending, with the factors on the times of `parameters`."""
        return stretches(self.estimates[self.latency])

    @property
    def accelerator(self) -> Accelerator:
        """The most likely accelerator, in seconds; where times have breaks, that up to the first.

        Raises
        ------
        FitError
            If A is one or less, so that there is no accelerator.
        """
        where = "up to the first break" if self.breaks else "at any size"
        return self._accelerator(self.parameters, where)

    def accelerator_at(self, size: float | str) -> Accelerator:
        """The most likely accelerator whose times at a size are the fitted ones, with breaks.

        Parameters
        ----------
        size : float or str
            Granularity [B].

        Raises
        ------
        FitError, SizeError
            If A is one or less there, so that there is no accelerator; or it is no positive size.
        """
        g = parse_size(size)
        return self._accelerator(self.parameters_at(g), f"at {format_size(g)}")

    def parameters_at(self, size: float | str) -> dict[str, float]:
        """Parameters that give the fitted times at a size, with breaks [s, s/B, s/B**beta, 1]."""
        host, other = map(float, self.factors(parse_size(size)))
        of = {"o": other, "L": other, "C": host, "A": host / other, "beta": 1.0}
        return {name: value * of[name] for name, value in self.parameters.items()}

    def _accelerator(self, found: Mapping[str, float], where: str) -> Accelerator:
        if found["A"] <= 1:
            raise FitError(
                f"A = {found['A']:.4g}: the accelerated path does not compute faster than the "
                f"host {where}, so it is no accelerator"
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

    def interval(self, name: str, level: float | None = None) -> ConfidenceInterval:
        """Interval of a parameter or a granularity [unit of it].

        Parameters
        ----------
        name : str
            o, L, C, A, beta, g1, g1_upper, gA2 or peak.
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
        return self._interval(name, _checked(level))

    def _interval(self, name: str, level: float) -> ConfidenceInterval:
        """Interval with the most likely value in it, which a search may miss by rounding."""
        low, high, none = np.nan, np.nan, 0.0
        for mode in self.in_either_mode:
            ends = [interval_of(each, name, level) for each in mode]
            low = float(np.fmin.reduce([low, *(each.lower for each in ends)]))
            high = float(np.fmax.reduce([high, *(each.upper for each in ends)]))
            none += mode[0].chance * least_sure([each.none for each in ends])
        value = likely_value(self.estimates[self.latency], name)
        if isnan(value):
            return ConfidenceInterval(low, high, none)
        return ConfidenceInterval(float(np.fmin(low, value)), float(np.fmax(high, value)), none)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of what the timings cannot tell, the most important first."""
        sizes = (float(self.timings.granularity[0]), float(self.timings.granularity[-1]))
        chosen = self.estimates[self.latency]
        found = warnings_of(
            chosen, self.models, self.intervals, sizes, self.level, self.other_modes
        )
        found += hidden_call(self.general, self.in_either_mode[0][0], self.level)
        rows = compared_timings(self.timings, self.level)
        host, accelerated = self.times([row.size for row in rows])
        against = contradictions(rows, np.log(host / accelerated).tolist(), self.level)
        breaks = map(str, self.breaks)
        thin = f"sizes: {self.provenance['sizes']}" if "sizes" in self.provenance else ""
        return (*filter(None, [thin]), *against, *breaks, *found, *coarse_clock(self.timings))

    @property
    def next_sizes(self) -> tuple[float, ...]:
        """Sizes whose times would narrow the break-even most, the best first [B]."""
        return next_sizes(self.general)

    def with_flights(self, others: Mapping[int, Timings]) -> "Fit":
        """The fit with how many requests are served side by side.

        Parameters
        ----------
        others : mapping of int to Timings
            Times with two requests in flight or more, by their number.

        Raises
        ------
        TimingsError
            If there are none.
        """
        one = OneAtATime(
            self.timings,
            self.times,
            self.parameters_at,
            self.call_cost,
            self.latency,
            self.level,
        )
        return replace(self, in_flight=fit_units(one, others))

    def summary(self) -> str:
        """Parameters, break-evens, peak, intervals and warnings, a line each."""
        units = {**_UNITS, "L": "s/B" if self.general.latency == "linear" else "s"}
        lines = [f"latency: {self.latency}; intervals of {probability(self.level)}"]
        for name, value in self.parameters.items():
            low, high, _ = self.intervals[name]
            lines.append(f"{name:>8} = {value:.4g} [{low:.4g}, {high:.4g}] {units[name]}")
        for name in GRANULARITIES:
            low, high, none = self.intervals[name]
            within = f"[{_size(low)}, {_size(high)}]" if low == low else "no value is likely"
            lines.append(f"{name:>8} : {within}; none with {probability(none)}")
        low, high, _ = self.intervals["peak"]
        lines.append(f"    peak : [{low:.4g}, {high:.4g}] 1, the greatest speedup up to 1 EiB")
        lines += [f"note: {each}" for each in self.warnings]
        lines.append("measure next: " + ", ".join(map(format_size, self.next_sizes)))
        return "\n".join(lines)

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write timings, weights, curves and intervals to a JSON file; see `records`.

        Parameters
        ----------
        path : path
            Where.
        force : bool
            Whether a file that is there is replaced.

        Raises
        ------
        FitError
            If a file is there, or nothing can be written there.
        """
        record = record_of(
            self.timings, self.estimates, self.level, self.intervals, self.provenance
        )
        if self.other_modes:
            record["other_modes"] = other_modes_record(self.other_modes)
        if self.in_flight is not None:
            record["in_flight"] = self.in_flight.record()
        try:
            write_new(json.dumps(record, indent=1) + "\n", path, force=force)
        except FileExistsError:
            raise FitError(f"{fspath(path)} is there already; force=True replaces it") from None
        except OSError as error:
            raise FitError(f"cannot write {fspath(path)}: {error.strerror}") from None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Fit":
        """Read what `save` has written.

        Parameters
        ----------
        path : path
            Where.

        Raises
        ------
        FileError
            If it is no such file, or what it holds does not fit together.
        """
        found = cls(**restored(text_of(path), fspath(path)))
        chosen = found.estimates[found.latency]
        sure = 1.0 - _ROUNDING if found.other_modes else 1 - (1 - found.level) / 2
        try:
            with np.errstate(all="ignore"):
                values = {name: likely_value(chosen, name) for name in found.intervals}
            refuse_strange_intervals(found.intervals, values, sure)
        except ValueError as error:
            raise FileError(f"{fspath(path)} is no saved fit: {error}") from None
        return found


def fit(
    timings: Timings | str | PathLike[str],
    *,
    latency: str = "auto",
    level: float = 0.95,
    least: float | str | None = None,
    most: float | str | None = None,
    provenance: Mapping[str, str] | None = None,
) -> Fit:
    """Fit an accelerator to timings.

    Parameters
    ----------
    timings : Timings or path
        Times of host and accelerator, or a file that has them.
    latency : str
        "constant", "linear", or "auto" to fit both and compare them.
    level : float
        Confidence of the intervals [1].
    least, most : float or str or None
        Smallest and largest size to be fitted, such as 4096 or "4 KiB" [B].
    provenance : mapping of str to str or None
        Where it comes from, besides the file, the range of sizes, the date and the version.

    Raises
    ------
    TimingsError
        If the timings cannot be fitted, or too few sizes lie in the range. Of more than 3,000
        sizes so many are taken, by equal factors apart, and `Fit.warnings` says so.
    FitError
        If the level is no confidence, or the provenance no text.

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
    level, told = _checked(level), _texts(provenance or {})
    if latency not in ("auto", *LATENCIES):
        raise FitError(f"latency = {latency!r} must be one of auto, {', '.join(LATENCIES)}")
    known = made_now()
    others: dict[int, Timings] = {}
    if not isinstance(timings, Timings):
        readings = read_in_flight(timings)
        known |= readings[1].provenance
        others = {n: each.timings for n, each in readings.items() if n > 1}
        timings = readings[1].timings
    timings = between(timings, least, most)
    given, timings = len(timings), thinned(timings)
    if given > len(timings):
        known["sizes"] = f"{len(timings):,} of {given:,} were fitted, by equal factors apart"
    known |= {name: str(end) for name, end in (("least", least), ("most", most)) if end is not None}
    general = estimate(timings, "linear" if latency == "auto" else latency)
    estimates = {general.latency: general}
    if latency == "auto":
        estimates["constant"] = simpler(general)
    found = Fit(
        timings=timings,
        estimates=estimates,
        level=level,
        provenance={**known, **told},
        other_modes=of_other_modes(general, (1 - level) / 2),
    )
    return found.with_flights(others) if others else found


@lru_cache(maxsize=_KEPT)
def _in_either_mode(found: Fit) -> tuple[tuple[Estimate, ...], ...]:
    main = 1 - sum(each.chance for each in found.other_modes)
    every = found.general._replace(chance=main), *found.other_modes
    return tuple(map(admitted, every))


def _checked(level: float) -> float:
    if not is_real(level) or not 0 < level < 1:
        raise FitError(f"level = {level!r} must be a confidence between 0 and 1, such as 0.95")
    return float(level)


def _texts(given: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise FitError(f"provenance = {given!r} must be a mapping of texts to texts")
    for key, value in given.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise FitError(f"provenance {key!r}: {value!r} must be a text")
    return dict(given)


def _size(size: float) -> str:
    return format_size(size) if isfinite(size) else "inf"
