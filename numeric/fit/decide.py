"""Decision to offload a size: how sure it is, what the bottleneck is, what would have to change."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from logca.common import results
from logca.common.errors import ArgumentTypeError
from logca.common.readable_numbers import duration, probability, time_text
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Shares, UnreachableError
from logca.numeric.accelerator.change import Change
from logca.numeric.accelerator.explain import answer
from logca.numeric.accelerator.parameter_ranges import MODEL, RANGES
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.fit.constrained_curves import NEVER, at_speedup
from logca.numeric.fit.estimate import Estimate
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import measured_times, pays_where, thresholds
from logca.numeric.fit.likelihood import log_times
from logca.numeric.fit.profile_likelihood import ConfidenceInterval, LikelihoodProfile, cutoff
from logca.numeric.fit.segmented import band
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, Thresholds
from logca.numeric.sweep.cheapest import cheapest_change

__all__ = [
    "Decision",
    "call_excluded",
    "decide",
    "extrapolated",
    "speedup_band",
    "speedup_interval",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Decision for a size, and its reasons; see `decide`.

    Parameters
    ----------
    size : float
        Granularity [B].
    offloading : bool or None
        Whether the caller offloads now; None if it has no such state.
    offload : bool
        What to do.
    certainty : str
        "pays", "does not pay" or "cannot be told".
    speedup : float
        The most likely one [1].
    time_host, time_accelerated : float
        Times of both ways [s], of an accelerator in its own unit.
    unit : str
        "seconds" or "cycles".
    shares : Shares
        Parts of the accelerated time [1].
    thresholds : Thresholds
        Between which sizes it pays [B].
    basis : Fit or Accelerator
        What it follows from.
    """

    size: float
    offloading: bool | None
    offload: bool
    certainty: str
    speedup: float
    time_host: float
    time_accelerated: float
    unit: str
    shares: Shares
    thresholds: Thresholds = field(repr=False)
    basis: Fit | Accelerator = field(repr=False)

    @property
    def accelerator(self) -> Accelerator | None:
        """The accelerator, the most likely one of a fit; None if A is one or less."""
        if isinstance(self.basis, Accelerator):
            return self.basis
        found = self.basis.parameters_at(self.size)
        return self.basis.accelerator_at(self.size) if found["A"] > 1 else None

    @property
    def parameters(self) -> dict[str, float]:
        """o, L, C, A and beta, of which A may be one or less in a fit [unit of each]."""
        return _model(self.basis, self.size).parameters

    @property
    def binds(self) -> str:
        """Largest part of the accelerated time: overhead, latency or computation."""
        return max(zip(self.shares, self.shares._fields, strict=True))[1]

    @property
    def bottlenecks(self) -> str:
        """Which of o, L, C and A are worth improving tenfold here; empty if none is."""
        found = self.accelerator
        return found.regions().at(self.size) if found else "A"

    @property
    def _as_measured(self) -> bool:
        """True if speedup and times are those measured, which contradict the curve here."""
        return isinstance(self.basis, Fit) and measured_times(self.basis, self.size) is not None

    @property
    def speedup_interval(self) -> ConfidenceInterval | None:
        """Which speedups the timings do not refute; None of an accelerator, or as measured [1]."""
        if isinstance(self.basis, Accelerator) or self._as_measured:
            return None
        low, high, _ = speedup_interval(self.basis, self.size, self.basis.level)
        return ConfidenceInterval(min(low, self.speedup), max(high, self.speedup))

    @property
    def break_even_with(self) -> dict[str, float | None]:
        """For each parameter the value with which the speedup is one [unit of the parameter].

        If it pays, it does so until the parameter is that; if not, from there on. None if with
        every value of that parameter alone it pays, or with none.
        """
        found = self.accelerator
        values: dict[str, float | None] = dict.fromkeys(MODEL)
        if found is None:
            values["A"] = _acceleration(_model(self.basis, self.size), self.size)
            return values
        for name in MODEL:
            with suppress(UnreachableError):
                values[name] = found.solve_for(name, speedup=1, g=self.size)
        return values

    @property
    def host_share(self) -> float:
        """Part of the work that the host keeps so that all is done soonest; 1 if it does all [1].

        Host and accelerator then compute at the same time; the work can be cut anywhere, and each
        part moves its share of the data.
        """
        return _model(self.basis, self.size).value("host_share", g=self.size)

    @property
    def speedup_shared(self) -> float:
        """Speedup if the host keeps that part [1]."""
        return _model(self.basis, self.size).value("speedup_shared", g=self.size)

    @property
    def cheapest(self) -> Change | None:
        """The least change of o, L and A with which it would pay; None if it does or none does."""
        if not 0 < self.speedup <= 1:
            return None
        found = self.accelerator
        return cheapest_change(found, speedup=1, g=self.size) if found else None

    def answer(self, name: str = "") -> str:
        """Sentence that says if it pays, how much, and at which sizes it does.

        Parameters
        ----------
        name : str
            What the fit or the accelerator is called.

        Examples
        --------
        >>> decide(Accelerator(o=29_000, L=1500, C=90, A=19), "4 KiB").answer("the T2")
        'Offloading 4 KiB to the T2 pays: 7.387 times as fast; it pays from 357.7 B on.'
        """
        where, told = pays_where(self.basis), self.certainty != CANNOT_BE_TOLD
        if isinstance(self.basis, Accelerator):
            return answer(self.size, self.speedup, where, to=name)
        within, level = self.speedup_interval, probability(self.basis.level)
        ends = None if within is None else (within.lower, within.upper)
        return answer(self.size, self.speedup, where, by=name, told=told, within=ends, level=level)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Sentences on times, what binds, what improvements gain, and what it takes to pay."""
        found = self.accelerator
        if found is not None:
            times, *others = found.explain(self.size).splitlines()[1:]
            if self._as_measured:
                host, offloaded = (
                    time_text(each, self.unit) for each in (self.time_host, self.time_accelerated)
                )
                times = f"As measured, it takes {offloaded} offloaded, and {host} on the host."
            return (times, *others)
        now = _model(self.basis, self.size).parameters["A"]
        return (f"A = {now:.4g}: the accelerated path does not compute faster than the host.",)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on this answer."""
        if isinstance(self.basis, Accelerator):
            return ()
        found = []
        if self._as_measured:
            found.append(
                "the times contradict the curve here: speedup and times are those measured, or "
                "between those of the sizes beside it; the bottleneck and what it breaks even with "
                "are the curve's"
            )
        found += call_excluded(self.basis)
        beyond = extrapolated(self.basis, self.size)
        within = None if beyond else self.speedup_interval
        if within and self.certainty != CANNOT_BE_TOLD and within.lower < 1 < within.upper:
            found.append(
                f"the curve alone leaves open whether {format_size(self.size)} pays: the times of "
                "the sizes measured there tell"
            )
        if not self.thresholds.told:
            found.append(
                "it is uncertain whether there is a break-even: with "
                f"{probability(self.thresholds.none)} confidence there is none; "
                f"measure {_listed(self.basis.next_sizes)}"
            )
        elif self.certainty == CANNOT_BE_TOLD and not self.thresholds.contradicted:
            found.append(
                f"{format_size(self.size)} is inside the {probability(self.basis.level)} interval "
                f"of a break-even; to narrow it, measure {_listed(self.basis.next_sizes)}"
            )
        found += beyond
        if beyond and self.thresholds.contradicted and self.offload != (self.speedup > 1):
            found.append(
                f"{format_size(self.size)}: speedup and times are the curve's, which the times "
                "contradict at the nearest size measured: the answer is the one there"
            )
        return tuple(found)

    def __str__(self) -> str:
        return self.answer()

    __repr__ = results.text
    _repr_html_ = results.html


def decide(
    basis: Fit | Accelerator, size: float | str, *, offloading: bool | None = None
) -> Decision:
    """Decide whether to offload a size.

    Without a state the most likely break-even decides. With one there is hysteresis: a caller
    that offloads keeps doing so until the size is outside the interval of the break-even, and one
    that does not starts only beyond it, so that sizes that vary around the break-even do not make
    it switch back and forth. For an accelerator the break-even is known exactly, and the state
    changes nothing.

    `thresholds` answers the bare question, in microseconds.

    Parameters
    ----------
    basis : Fit or Accelerator
        What the answer follows from.
    size : float or str
        Granularity, such as 65536 or "64 KiB" [B].
    offloading : bool or None
        Whether the caller offloads now; None if it has no such state.

    Raises
    ------
    SizeError
        If it is no positive size.

    Examples
    --------
    >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19)
    >>> print(decide(aes, "4 KiB"))
    Offloading 4 KiB pays: 7.387 times as fast; it pays from 357.7 B on.
    >>> found = decide(aes, 300)
    >>> found.offload, round(found.break_even_with["o"])
    (False, 24079)
    """
    if not isinstance(basis, Fit | Accelerator):
        raise ArgumentTypeError(
            f"a decision rests on a Fit or an Accelerator, not on {type(basis).__name__}"
        )
    if offloading not in (None, False, True):
        raise ArgumentTypeError(f"offloading = {offloading!r} must be True, False or None")
    g, ranges, model = parse_size(size), thresholds(basis), _model(basis, parse_size(size))
    host, accelerated = model.value("T0", g=g), model.value("T1", g=g)
    if isinstance(basis, Fit) and (times := measured_times(basis, g)):
        host, accelerated = times
    return Decision(
        size=g,
        offloading=offloading,
        offload=ranges.pays(g, offloading=offloading),
        certainty=ranges.certainty(g),
        speedup=host / accelerated,
        time_host=host,
        time_accelerated=accelerated,
        unit=model.unit,
        shares=Shares(*(model.value(f"share_{each}", g=g) for each in "oLC")),
        thresholds=ranges,
        basis=basis,
    )


def call_excluded(fit: Fit) -> tuple[str, ...]:
    """The sentence on the cost of a call that a fit's times exclude, if they do."""
    if fit.call_cost <= 0:
        return ()
    return (f"times exclude the {duration(fit.call_cost, 3)} that each call costs on both paths",)


def extrapolated(fit: Fit, size: float) -> tuple[str, ...]:
    """The sentence on a size beyond those measured, if it is."""
    sizes = fit.timings.granularity
    least, most = parse_size(sizes[0]), parse_size(sizes[-1])
    if least <= size <= most:
        return ()
    return (
        f"{format_size(size)} is outside the measured sizes, {format_size(least)} to "
        f"{format_size(most)}: this answer is extrapolated",
    )


_BAND = 33  # sizes at which the ends of a band are found, each some ten milliseconds


def speedup_band(fit: Fit, low: float, high: float) -> Iterator[tuple[float, ConfidenceInterval]]:
    """Sizes between two [B], and at each which speedups the timings do not refute [1]."""
    for g in np.geomspace(low, high, _BAND):
        yield float(g), speedup_interval(fit, float(g), fit.level)


class _Model(NamedTuple):
    """Parameters, of which A may be one or less, form of latency and unit of time."""

    parameters: dict[str, float]
    latency: str
    unit: str

    def value(self, quantity: str, **at: float) -> float:
        given = {**self.parameters, **at}
        wanted: dict[str, Any] = {name: given[name] for name in parameters_of(quantity)}
        return float(evaluate(quantity, latency=self.latency, **wanted))


def _model(basis: Fit | Accelerator, size: float) -> _Model:
    if isinstance(basis, Fit):
        return _Model(basis.parameters_at(size), basis.latency, "seconds")
    return _Model({name: getattr(basis, name) for name in MODEL}, basis.latency, basis.unit)


def _acceleration(model: _Model, g: float) -> float | None:
    """The A with which it breaks even, where it is now one or less and nothing else helps."""
    found = model.value("A_for", g=g, s=1.0)
    return None if isnan(found) or found not in RANGES["A"] else found


def _listed(sizes: tuple[float, ...]) -> str:
    return ", ".join(map(format_size, sizes))


_KEPT = 64  # intervals
_FAR = 30.0  # e-folds on either side of the best value that are searched


@lru_cache(maxsize=_KEPT)
def speedup_interval(fit: Fit, size: float, level: float) -> ConfidenceInterval:
    """Which speedups at a size the timings do not refute, without what a call costs [1].

    Any where the size is so far away that curves leave the range of floating point.
    """
    found = [_within_mode(each, level, size) for mode in fit.in_either_mode for each in mode]
    return ConfidenceInterval(min(low for low, *_ in found), max(high for _, high, _ in found))


def _within_mode(estimate: Estimate, level: float, size: float) -> ConfidenceInterval:
    if estimate.data.breaks:
        found = band(estimate, level, np.array([size]))
        return ConfidenceInterval(*np.exp([found.low[0], found.high[0]]).tolist())
    t = float(np.log(size)) - estimate.data.log_size
    x = np.exp([t])
    host, accelerated = log_times(estimate.best.curve._replace(h=NEVER), x, x)
    at = float(host[0] - accelerated[0])
    allowed = cutoff(estimate, level)
    profile = LikelihoodProfile(estimate, lambda s: at_speedup(s, t, estimate.latency), allowed)
    low, high = profile.ends(at, allowed, at - _FAR, at + _FAR)
    if np.isnan(low):
        return ConfidenceInterval(0.0, np.inf)
    return ConfidenceInterval(float(np.exp(low)), float(np.exp(high)))
