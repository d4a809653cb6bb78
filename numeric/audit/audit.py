"""Audit of a threshold: its cost against the best on the sizes that people use; if it is stale.

The best is chosen at each size: by the measured times where there are some, else by the fit. At a
size at which the rule takes the slower path it loses the difference of both times. The interval of
all losses takes noise of measured sizes as independent, and that of a curve as one for all sizes.
Its lower end has only measured sizes at which one path is clearly faster, since the larger of two
times that scatter is too large.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, floor, hypot, inf, log, sqrt
from os import PathLike
from statistics import NormalDist
from typing import Any

import numpy as np

from logca.common import results
from logca.common.errors import ArgumentTypeError
from logca.common.readable_numbers import duration, probability
from logca.common.sizes import format_size
from logca.numeric.audit.rule import PresentRule, RuleError, threshold_rule
from logca.numeric.audit.self_confirming import SelfConfirming, self_confirming
from logca.numeric.audit.workload import CallsBySize, read_workload
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import measured_times, pays_where, thresholds
from logca.numeric.fit.size_ranges import Thresholds
from logca.numeric.timings.crossing import Compared, ratio_noise
from logca.numeric.timings.timings import Timings, compared_timings

__all__ = ["Audit", "AuditedSize", "Loss", "audit"]

_MOST_LISTED = 6
_ROUNDED = 5e-3  # what two digits of a percentage leave off, where it has three
_EXACT = 9  # sizes at which the interval of a speedup is found, each some tens of milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedSize:
    """A size that people use: both times, and what the rule makes of it."""

    size: float  # granularity [B]
    calls: float  # how often [1]
    # host, accelerated: their times [s]
    host: float
    accelerated: float
    noise: float  # standard deviation of the logarithm of their ratio [1]
    known: str  # "measured", "between" measured sizes, or "outside" of them
    offloaded: bool  # whether the rule offloads it

    @property
    def pays(self) -> bool:
        """True if the accelerated time is the lower one."""
        return self.accelerated < self.host

    @property
    def present(self) -> float:
        """Time that the rule takes [s]."""
        return self.accelerated if self.offloaded else self.host

    @property
    def other(self) -> float:
        """Time of the other path [s]."""
        return self.host if self.offloaded else self.accelerated

    @property
    def best(self) -> float:
        """The lower time [s]."""
        return min(self.host, self.accelerated)

    @property
    def ratio(self) -> float:
        """Logarithm of the time that the rule takes over that of the other path [1]."""
        return log(self.present / self.other)

    @property
    def excess(self) -> float:
        """Loss of the rule at all calls together, negative if it gains [s]."""
        return self.calls * (self.present - self.other)

    @property
    def lost(self) -> float:
        """Loss of the rule at all calls together, zero where it is right [s]."""
        return self.calls * (self.present - self.best)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Loss of a rule against the best, with an interval at the fit's level."""

    total: float  # over all calls [s]
    # lower, upper: ends of its interval; infinite if the fit gives no end [s]
    lower: float
    upper: float
    calls: float  # [1]
    best: float  # what all calls take with the best choice [s]

    @property
    def per_call(self) -> float:
        """Of a call on the average [s]."""
        return self.total / self.calls

    @property
    def share(self) -> float:
        """Over what the best takes [1]."""
        return self.total / self.best

    @property
    def share_interval(self) -> tuple[float, float]:
        """Ends of its interval [1]."""
        return self.lower / self.best, self.upper / self.best


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Costs of a rule on a workload, against the best; see `audit`.

    Parameters
    ----------
    basis : Fit
        What the times are known from.
    rule : PresentRule
        Which sizes are offloaded now.
    workload : CallsBySize
        Sizes and calls.
    rows : tuple of AuditedSize
        The same with their times, ascending.
    confirming : SelfConfirming
        What the times have exactly at the threshold; false if nothing is wrong with them.
    """

    basis: Fit = field(repr=False)
    rule: PresentRule
    workload: CallsBySize = field(repr=False)
    rows: tuple[AuditedSize, ...] = field(repr=False)
    confirming: SelfConfirming

    @property
    def present(self) -> float:
        """Time of all calls by the rule [s]."""
        return sum(row.calls * row.present for row in self.rows)

    @property
    def best(self) -> float:
        """Time of all calls if each size is computed where it is faster [s]."""
        return sum(row.calls * row.best for row in self.rows)

    @property
    def never(self) -> float:
        """Time of all calls without offloading [s]."""
        return sum(row.calls * row.host for row in self.rows)

    @property
    def always(self) -> float:
        """Time of all calls if all are offloaded [s]."""
        return sum(row.calls * row.accelerated for row in self.rows)

    @property
    def loss(self) -> Loss:
        """Loss of the rule against the best, with its interval."""
        z = self._deviations
        measured = [row for row in self.rows if row.known == "measured"]
        surely = NormalDist().inv_cdf(1 - (1 - self.basis.level) / (2 * max(len(measured), 1)))
        clear = [row for row in measured if row.ratio > surely * row.noise]
        near = [row for row in measured if row.ratio > -surely * row.noise]
        curve = [row for row in self.rows if row.known != "measured"]
        total = sum(row.lost for row in self.rows)
        least = sum(row.lost for row in clear) - z * _spread(clear)
        least = max(least, 0.0) + sum(max(row.excess - z * _spread([row]), 0.0) for row in curve)
        most = sum(row.lost for row in measured) + z * _spread(near)
        most += sum(max(row.excess + z * _spread([row]), 0.0) for row in curve)
        return Loss(
            total=total,
            lower=min(least, total),
            upper=max(most, total),
            calls=sum(row.calls for row in self.rows),
            best=self.best,
        )

    @property
    def best_threshold(self) -> float:
        """The one threshold that costs least, in whole bytes; 0 or infinite for all or none [B].

        The fit's break-even if no other costs clearly less.
        """
        return self._single()[0]

    @property
    def best_single(self) -> float:
        """Time of all calls with that threshold [s]."""
        return self._single()[1]

    @property
    def _deviations(self) -> float:
        """Standard deviations on either side that the level spans [1]."""
        return NormalDist().inv_cdf(0.5 + self.basis.level / 2)

    def _single(self) -> tuple[float, float]:
        first = [row.accelerated if self.rule.below else row.host for row in self.rows]
        then = [row.host if self.rule.below else row.accelerated for row in self.rows]
        calls = [row.calls for row in self.rows]
        costs = [float(np.dot(calls, (*first[:cut], *then[cut:]))) for cut in range(len(calls) + 1)]
        cut = min(range(len(costs)), key=costs.__getitem__)
        known = self.thresholds.likely if self.told else ()
        ends = [each.below if self.rule.below else each.above for each in known]
        for end in ends:  # of the fit, if noise alone speaks for another
            other = sum(row.size <= end for row in self.rows)
            beside = self.rows[min(cut, other) : max(cut, other)]
            if costs[other] - costs[cut] <= self._deviations * _spread(beside):
                cut = other
        sizes = [0.0, *(row.size for row in self.rows), inf]
        low, high = sizes[cut], sizes[cut + 1]
        whole = [ceil(end) if self.rule.below else floor(end) + 1 for end in ends if end < inf]
        at = next((float(end) for end in whole if low < end <= high), None)
        if at is None:  # no break-even lies between: any size there costs the same
            at = 0.0 if low == 0 else inf if high == inf else float(ceil(sqrt(low * high)))
        return at, costs[cut]

    @property
    def thresholds(self) -> Thresholds:
        """Where it pays by the fit, in several ranges if need be."""
        return thresholds(self.basis)

    @property
    def told(self) -> bool:
        """True if the times can tell whether the rule is stale."""
        return self.thresholds.told and not self.confirming

    @property
    def stale(self) -> bool:
        """True if, amid the measured sizes, the rule is outside the intervals of the break-evens.

        It then offloads sizes at which that does not pay for certain, or does not where it does.
        """
        return self.told and any(self._is_wrong(size) for size in self._between_ends())

    def _is_wrong(self, size: float) -> bool:
        known = self.thresholds
        if self.rule.offloads(size):
            return not known.pays(size, offloading=True)
        return known.pays(size, offloading=False)

    def _between_ends(self) -> Iterator[float]:
        """A whole size of each stretch, amid those measured, in which no answer changes."""
        sizes = [float(size) for size in self.basis.timings.granularity]
        known = self.thresholds
        ranges = (*self.rule.ranges, *known.staying, *known.starting)
        ends = {end for each in ranges for end in (each.above, each.below)}
        inner = sorted(end for end in ends if sizes[0] < end < sizes[-1])
        yield from (sizes[0], sizes[-1])
        for low, high in pairwise([sizes[0], *inner, sizes[-1]]):
            whole = floor(low) + 1.0
            if whole < high:
                yield whole

    def answer(self) -> str:
        """Sentences: whether the rule is stale, where offloading pays, and what the rule costs."""
        told = f"{self.rule.name[:1].upper()}{self.rule.name[1:]}"
        if self.confirming:
            return (
                f"These times cannot tell whether {self.rule.name} is right: {self.confirming}. "
                "Measure with the knob forced both ways, as `logca tune` does."
            )
        where = pays_where(self.basis)
        if not self.told:
            return f"It cannot be told whether {self.rule.name} is stale: {where}. {self._cost()}"
        if self.stale:
            nothing = ""
            if self.loss.total == 0:
                nothing = " None of these sizes lies where it is wrong."
            return f"{told} is stale: {where}. {self._cost()}{nothing}"
        return f"Keep {self.rule.name}: {where}, and the times do not contradict it. {self._cost()}"

    def _cost(self) -> str:
        loss, level = self.loss, probability(self.basis.level)
        low, high = map(_percent, loss.share_interval)
        return (
            f"It costs {_percent(loss.share)} % ({level}: {low} to {high} %) more than the best: "
            f"{duration(loss.per_call, 3)} per call; {self.workload.name}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks: sizes outside the measured ones, what is not tested, and what else costs."""
        found = []
        outside = [row for row in self.rows if row.known == "outside"]
        if outside:
            sizes = self.basis.timings.granularity
            named = [f"{format_size(row.size)} ({row.calls:g} calls)" for row in outside]
            more = f" and {len(named) - _MOST_LISTED} more" * (len(named) > _MOST_LISTED)
            share = sum(row.calls for row in outside) / sum(row.calls for row in self.rows)
            ends = " to ".join(format_size(float(sizes[place])) for place in (0, -1))
            found.append(
                f"sizes of the workload are outside the measured ones, {ends}: "
                f"{', '.join(named[:_MOST_LISTED])}{more}; {probability(share)} of all calls: "
                "their times are the fitted curve's"
            )
        if not self.confirming.tested:
            found.append(
                "fewer than two measured sizes are on one side of the threshold: whether the times "
                "were taken through a program that switches there is not tested"
            )
        return tuple(found)

    def __str__(self) -> str:
        return self.answer()

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def _percent(share: float) -> str:
    """A share with two digits, or in whole percent."""
    if share == inf:
        return "any"
    return f"{100 * share:.2g}" if share < 1 - _ROUNDED else f"{100 * share:,.0f}"


def _spread(rows: Iterable[AuditedSize]) -> float:
    """Standard deviation of what is lost at all of these sizes [s]."""
    each = {row: row.calls * max(row.host, row.accelerated) * row.noise for row in rows}
    measured = hypot(*(spread for row, spread in each.items() if row.known == "measured"))
    return hypot(measured, sum(spread for row, spread in each.items() if row.known != "measured"))


def audit(
    basis: Fit | Timings | str | PathLike[str],
    threshold: float | str | PresentRule,
    *,
    below: bool = False,
    workload: Mapping[float | str, float] | CallsBySize | str | PathLike[str] | None = None,
) -> Audit:
    """Audit a threshold: what it costs against the best, and whether it is stale.

    Parameters
    ----------
    basis : Fit, Timings or path
        Times of both paths, or a fit of them.
    threshold : float or str or PresentRule
        From which size on is offloaded now, such as "32 KiB" [B]; NAME=VALUE, or env:NAME for what
        a variable of the environment says; always or never.
    below : bool
        Whether sizes below the threshold are offloaded, instead of those from there on.
    workload : mapping or path, optional
        Calls by size, or a table of them with columns granularity_B and calls; one call at each
        measured size if left out.

    Raises
    ------
    RuleError
        If the threshold is none, or sizes of the workload are outside the measured ones and no
        curve follows the times.
    TimingsError
        If timings or workload cannot be read, or the timings not be fitted.

    Examples
    --------
    >>> timings = Timings(
    ...     granularity=[1024, 4096, 16384, 65536, 262144],
    ...     host=[1.01e-6, 4.02e-6, 16.1e-6, 63.9e-6, 256.3e-6],
    ...     accelerated=[9.13e-6, 9.27e-6, 10.6e-6, 15.4e-6, 34.6e-6],
    ... )
    >>> found = audit(timings, "128 KiB", workload={16384: 900, 65536: 100})
    >>> found.stale, found.best_threshold, round(found.loss.share, 2)
    (True, 10149.0, 0.88)
    """
    if not isinstance(basis, Fit):
        basis = fit(basis)
    rule = threshold
    if not isinstance(rule, PresentRule):
        rule = threshold_rule(rule, below=below)
    rows = compared_timings(basis.timings, basis.level)
    if isinstance(workload, Mapping):
        workload = CallsBySize.of(workload, "calls as in the workload")
    elif workload is None:
        once: dict[float | str, float] = {row.size: 1.0 for row in rows}
        workload = CallsBySize.of(once, "one call of each size")
    elif isinstance(workload, str | PathLike):
        workload = read_workload(workload)
    elif not isinstance(workload, CallsBySize):
        raise ArgumentTypeError(
            f"workload = {workload!r} is no file and no mapping of sizes to calls, such as "
            "{4096: 10}"
        )
    return Audit(
        basis=basis,
        rule=rule,
        workload=workload,
        rows=tuple(_rows(basis, rows, rule, workload)),
        confirming=self_confirming(rows, rule, basis.level),
    )


def _rows(
    basis: Fit, rows: tuple[Compared, ...], rule: PresentRule, workload: CallsBySize
) -> Iterator[AuditedSize]:
    noises = ratio_noise(rows)[0]
    measured = {row.size: (row, noise) for row, noise in zip(rows, noises, strict=True)}
    least, most = rows[0].size, rows[-1].size
    others = [size for size in workload.sizes if size not in measured]
    outside = [size for size in others if not least <= size <= most]
    if outside and thresholds(basis).contradicted:
        named = ", ".join(map(format_size, outside[:_MOST_LISTED]))
        raise RuleError(
            f"sizes {named} of the workload are outside the measured ones, and no curve follows "
            "the times: measure there, or leave them out"
        )
    noise = _noise_of_fit(basis, others)
    for size, calls in zip(workload.sizes, workload.calls, strict=True):
        times: Iterable[Any]
        if size in measured:
            row, spread = measured[size]
            known, times = "measured", (row.host.value, row.accelerated.value)
        else:
            known, spread = ("between" if least <= size <= most else "outside"), noise[size]
            times = measured_times(basis, size) or basis.times(size)
        host, accelerated = map(float, times)
        yield AuditedSize(
            size=size,
            calls=calls,
            host=host,
            accelerated=accelerated,
            noise=spread,
            known=known,
            offloaded=rule.offloads(size),
        )


def _noise_of_fit(basis: Fit, sizes: list[float]) -> dict[float, float]:
    """Noise of the logarithm of a speedup at sizes that are not measured [1]."""
    if not sizes:
        return {}
    at = sizes if len(sizes) <= _EXACT else np.geomspace(sizes[0], sizes[-1], _EXACT).tolist()
    z = NormalDist().inv_cdf(0.5 + basis.level / 2)
    found = []
    for size in at:
        within = decide(basis, size).speedup_interval
        if within is None:  # as measured, which no curve follows
            found.append(max(ratio_noise(compared_timings(basis.timings, basis.level))[0]))
        elif within.lower > 0 and within.upper < inf:
            found.append(log(within.upper / within.lower) / (2 * z))
        else:
            found.append(inf)
    spread = np.interp(np.log(sizes), np.log(at), found)
    return dict(zip(sizes, spread.tolist(), strict=True))
