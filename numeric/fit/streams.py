"""Decision for a stream of requests of which several are in flight."""

from dataclasses import dataclass, field
from math import inf, isnan
from typing import Any

from logca.common import results
from logca.common.errors import ArgumentError
from logca.common.readable_numbers import probability
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Granularities, exceeding, granularities
from logca.numeric.accelerator.explain import where_it_pays
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.evaluation.by_name import evaluate, parameters_of
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.in_flight import UNITS, InFlight
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, DOES_NOT_PAY, PAYS
from logca.numeric.roots.extensions import roots_of

__all__ = ["StreamDecision", "decide_in_flight", "pays_in_flight"]

_ONE_EACH = InFlight(
    times=(),
    units=dict.fromkeys(UNITS, 1.0),
    intervals=dict.fromkeys(UNITS, (1.0, 1.0)),
)
"""Units that an accelerator is taken to have: a host and a pipeline of two stages."""


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
    break_even : Granularities
        Where offloading the stream begins to pay, and where it ceases to [B].
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
    break_even: Granularities
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
        If the number is less than 1, or the fit has no times with several requests in flight.

    Notes
    -----
    Source: logca2026, requests in flight; after denning1978. The interval of the speedup is that of
    one request, times all gains that intervals of the units allow: a little too wide.
    """
    if not 1 <= in_flight < inf:
        raise ArgumentError(f"in_flight = {in_flight!r} must be 1 or more, and finite")
    units, g = _units(basis), parse_size(size)
    one = decide(basis, g)

    def speedup(*, host: int, offloaded: int) -> float:
        """With the host's units at one end of their interval, and the others at an end."""
        ends = (host, offloaded, offloaded)
        given = {name: units.intervals[name][end] for name, end in zip(UNITS, ends, strict=True)}
        return _value(basis, "speedup_in_flight", g=g, n=in_flight, **given)

    likely = _value(basis, "speedup_in_flight", g=g, n=in_flight, **units.units)
    within = one.speedup_interval
    alone = _value(basis, "speedup", g=g)
    low, high = (1.0, 1.0) if within is None else (within.lower / alone, within.upper / alone)
    ends = (speedup(host=1, offloaded=0) * low, speedup(host=0, offloaded=1) * high)
    measured = units.measured(g, in_flight)
    certainty = PAYS if ends[0] > 1 else DOES_NOT_PAY if ends[1] <= 1 else CANNOT_BE_TOLD
    if measured is not None and (measured > 1) != (likely > 1):
        certainty = CANNOT_BE_TOLD
    saturations = [
        _value(
            basis,
            "saturation_in_flight",
            g=g,
            **{name: units.intervals[name][end] for name in UNITS[1:]},
        )
        for end in (0, 1)
    ]
    return StreamDecision(
        size=g,
        in_flight=in_flight,
        certainty=certainty,
        speedup=likely,
        speedup_interval=(min(ends[0], likely), max(ends[1], likely)),
        alone=one.speedup,
        measured=measured,
        saturation=_value(
            basis, "saturation_in_flight", g=g, **{name: units.units[name] for name in UNITS[1:]}
        ),
        saturation_interval=(saturations[0], saturations[1]),
        break_even=_break_even(basis, in_flight),
        units=units,
        basis=basis,
    )


def pays_in_flight(basis: Fit | Accelerator, in_flight: float) -> str:
    """Clause that says at which sizes a stream with so many requests in flight pays."""
    found = _break_even(basis, in_flight)
    least = _value(basis, "speedup_in_flight", g=1.0, n=in_flight, **_units(basis).units)
    above, below = exceeding(found, least)
    if above == below == inf and not isnan(least):
        return "it pays at no size"
    return where_it_pays(above, below, found.reason)


def _break_even(basis: Fit | Accelerator, in_flight: float) -> Granularities:
    given: dict[str, Any] = _parameters(basis)
    found = roots_of(
        "g_s_in_flight",
        s=1.0,
        n=in_flight,
        **_units(basis).units,
        **given,
        latency=basis.latency,
    )
    return granularities(found.lower, found.upper, found.status)


def _units(basis: Fit | Accelerator) -> InFlight:
    if isinstance(basis, Accelerator):
        return _ONE_EACH
    if basis.in_flight is None:
        raise ArgumentError(
            "this fit has no times with several requests in flight: measure some, with "
            "`logca measure --in-flight`, or add a column in_flight to the table, and fit again"
        )
    return basis.in_flight


def _parameters(basis: Fit | Accelerator) -> dict[str, float]:
    if isinstance(basis, Fit):
        return basis.parameters
    return {name: getattr(basis, name) for name in MODEL}


def _value(basis: Fit | Accelerator, quantity: str, **at: float) -> float:
    given = {**_parameters(basis), **at}
    wanted: dict[str, Any] = {name: given[name] for name in parameters_of(quantity)}
    return float(evaluate(quantity, latency=basis.latency, **wanted))
