"""Decision for a stream of requests of which several are in flight."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from logca.common import results
from logca.common.errors import ArgumentError
from logca.common.readable_numbers import probability
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.parameter_ranges import DomainError, check_whole
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, Thresholds
from logca.numeric.in_flight.units import UNITS, InFlight
from logca.numeric.streams.thresholds import (
    pays_in_flight,
    stream_band,
    stream_value,
    thresholds_in_flight,
    units_of,
)

__all__ = ["StreamDecision", "decide_in_flight"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDecision:
    """Decision for a stream of requests of one size; see `decide_in_flight`.

    Parameters
    ----------
    size : float
        Granularity of each request [B].
    in_flight : float
        Requests in flight on either path [1].
    certainty : str
        "pays", "does not pay" or "cannot be told".
    speedup : float
        Requests per time, offloaded over on the host [1].
    speedup_interval : (float, float)
        Between which it is; equal ends for an accelerator [1].
    alone : float
        Speedup of one request at a time [1].
    measured : float or None
        Speedup as measured with so many in flight, where that is known [1].
    saturation : float
        Requests in flight that keep the offloaded path busy; more are of no use [1].
    saturation_interval : (float, float)
        Between which that is [1].
    thresholds : Thresholds
        Between which sizes the stream pays [B].
    units : InFlight
        How many requests are served side by side.
    basis : Fit or Accelerator
        What it follows from.
    """

    size: float
    in_flight: float
    certainty: str
    speedup: float
    speedup_interval: tuple[float, float]
    alone: float
    measured: float | None
    saturation: float
    saturation_interval: tuple[float, float]
    thresholds: Thresholds = field(repr=False)
    units: InFlight = field(repr=False)
    basis: Fit | Accelerator = field(repr=False)

    def answer(self, name: str = "") -> str:
        """Sentence that says if the stream pays, and if one request at a time does.

        Parameters
        ----------
        name : str
            What the fit or the accelerator is called.

        Examples
        --------
        >>> aes = Accelerator(o=29_000, L=1500, C=90, A=19)
        >>> print(decide_in_flight(aes, 345, 8).answer().partition("; ")[0])
        With 8 requests in flight, offloading 345 B pays: 1.018 times the requests per time
        """
        by = f"By {name}, with" if name else "With"
        offloading = f"offloading {format_size(self.size)}"
        how = f"{self.speedup:.4g} times the requests per time{self._within()}"
        if self.certainty == CANNOT_BE_TOLD:
            told = f"whether {offloading} pays is uncertain: most likely {how}"
        else:
            told = f"{offloading} {self.certainty}: {how}"
        alone = ""
        if self.in_flight > 1:
            does = "does" if self.alone > 1 else "does not"
            also = " too" if self.alone > 1 and self.speedup > 1 else ""
            alone = f"one at a time {does}{also} ({self.alone:.4g} times); "
        requests = "request" if self.in_flight == 1 else "requests"
        where = pays_in_flight(self.basis, self.in_flight)
        return f"{by} {self.in_flight:g} {requests} in flight, {told}; {alone}{where}."

    def _within(self) -> str:
        low, high = self.speedup_interval
        if isinstance(self.basis, Accelerator):
            return ""
        return f" ({probability(self.basis.level)}: {low:.4g} to {high:.4g})"

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on this answer."""
        if not self.units.times:
            return (
                "one host and one accelerator are taken, each busy with one request at a time; "
                "times with several requests in flight tell how many there are: `logca measure "
                "--in-flight`, then `logca fit`",
            )
        found = []
        most = self.units.numbers[-1]
        if self.in_flight > most:
            found.append(f"times have at most {most} requests in flight: this is extrapolated")
        if self.measured is not None and (self.measured > 1) != (self.speedup > 1):
            found.append(
                f"as measured with {self.in_flight:g} in flight the speedup is {self.measured:.4g}"
            )
        return tuple(found)

    def __str__(self) -> str:
        return self.answer()

    __repr__ = results.text
    _repr_html_ = results.html


def decide_in_flight(
    basis: Fit | Accelerator, size: float | str, in_flight: float
) -> StreamDecision:
    """Decide whether to offload a stream of requests of which several are in flight.

    Parameters
    ----------
    basis : Fit or Accelerator
        What the answer follows from: a fit of times with several requests in flight, or an
        accelerator, of which one host and a pipeline of two stages are taken.
    size : float or str
        Granularity of a request, such as "64 KiB" [B].
    in_flight : float
        Requests in flight on either path, 1 or more [1].

    Raises
    ------
    SizeError
        If it is no positive size.
    ArgumentError
        If the number is less than 1 or not whole, or the fit has no times with several requests in
        flight.

    Notes
    -----
    Source: logca2026, requests in flight; after denning1978. The interval of the speedup takes in
    that of one request, those of the units, and by how much measured speedups of streams scatter
    around the model. Runs of other processes may differ by more: times of one run cannot tell.
    """
    try:
        check_whole("n", in_flight)
    except DomainError:
        allowed = "must be a whole number of requests, 1 or more"
        raise ArgumentError(f"in_flight = {in_flight!r} {allowed}") from None
    units, g = units_of(basis), parse_size(size)
    likely = _at(basis, "speedup_in_flight", g, units.units, in_flight)
    ends = (likely, likely)
    if isinstance(basis, Fit):
        found = stream_band(basis, in_flight, [g])
        ends = (float(np.exp(found.low[0])), float(np.exp(found.high[0])))
    measured = units.measured(g, in_flight)
    ranges = thresholds_in_flight(basis, in_flight)
    certainty = ranges.certainty(g)
    if measured is not None and (measured > 1) != (likely > 1):
        certainty = CANNOT_BE_TOLD
    low, high = (
        {name: units.intervals[name][growth if name == "growth" else 1 - growth] for name in UNITS}
        for growth in (1, 0)
    )
    return StreamDecision(
        size=g,
        in_flight=in_flight,
        certainty=certainty,
        speedup=likely,
        speedup_interval=ends,
        alone=decide(basis, g).speedup,
        measured=measured,
        saturation=_at(basis, "saturation_in_flight", g, units.units, in_flight),
        saturation_interval=(
            _at(basis, "saturation_in_flight", g, low, in_flight),
            _at(basis, "saturation_in_flight", g, high, in_flight),
        ),
        thresholds=ranges,
        units=units,
        basis=basis,
    )


def _at(
    basis: Fit | Accelerator, quantity: str, g: float, units: Mapping[str, float], n: float
) -> float:
    return float(stream_value(basis, quantity, units, g=g, n=n))
