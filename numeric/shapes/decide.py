"""Decision to offload a shape: how sure it is, and what the accelerated time consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import exp, inf, log, sqrt
from typing import Any

import numpy as np
import scipy  # whose parts load when they are first used

from logca.common import results
from logca.common.readable_numbers import probability
from logca.numeric.fit.profile_likelihood import ConfidenceInterval
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, DOES_NOT_PAY, PAYS
from logca.numeric.generated.shapes import shape_time_accelerated, shape_time_host
from logca.numeric.shapes.as_measured import nearest
from logca.numeric.shapes.estimate import profile
from logca.numeric.shapes.fit import ShapeFit
from logca.numeric.shapes.formulas import ShapeError
from logca.numeric.shapes.observed import PARTS, shapes_in
from logca.numeric.shapes.warnings import shape_text

__all__ = ["ShapeDecision", "decide_shape", "margin"]

_FAR = 12.0  # e-folds on either side of the best speedup that are searched
_PRECISE = 1e-4  # of the logarithm of an end
_KEPT = 256
_NEAREST = 3  # shapes to the boundary
_BETTER = 10  # times as fast, of one part


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeDecision:
    """Decision for a shape, and its reasons; see `decide_shape`.

    Parameters
    ----------
    shape : mapping of str to float
        Its columns [any].
    offloading : bool or None
        Whether the caller offloads now; None if it has no such state.
    offload : bool
        What to do.
    certainty : str
        "pays", "does not pay" or "cannot be told".
    speedup : float
        The most likely one; that measured, where the times contradict the model [1].
    measured : float or None
        The speedup measured at this very shape, if it was [1].
    time_host, time_accelerated : float
        Times by the model, or as measured where they contradict it; of a fit to ratios multiples of
        one that is not known [s].
    shares : mapping of str to float
        Parts of the accelerated time by the model: call, item, byte and work [1].
    features : mapping of str to float
        Bytes [B], work [1] and items [1], as far as formulas tell them.
    fit : ShapeFit
        What it follows from.
    """

    shape: Mapping[str, float]
    offloading: bool | None
    offload: bool
    certainty: str
    speedup: float
    measured: float | None
    time_host: float
    time_accelerated: float
    shares: Mapping[str, float]
    features: Mapping[str, float]
    fit: ShapeFit = field(repr=False)

    @property
    def as_measured(self) -> bool:
        """True if this shape was measured, and its speedup is not the model's."""
        return _place(self.fit, self.shape) in self.fit.off_model

    @property
    def beside(self) -> tuple[int, ...]:
        """Places of the nearest shapes measured, if their speedups are not the model's."""
        return () if self.measured is not None else _beside(self.fit, self.features)

    @property
    def speedup_interval(self) -> ConfidenceInterval | None:
        """Which speedups the timings do not refute; None if the speedup is as measured [1].

        Where the times contradict the model at the nearest shape measured, it may be as wrong here.
        """
        if self.as_measured:
            return None
        low, high, _ = _interval(self.fit, tuple(self.shape.items()), self.speedup)
        factors = [_factor(self.fit, place) for place in self.beside]
        return ConfidenceInterval(low * min([1.0, *factors]), high * max([1.0, *factors]))

    @property
    def binds(self) -> str:
        """Largest part of the accelerated time: call, item, byte or work."""
        return max(self.shares, key=self.shares.__getitem__)

    @property
    def shares_host(self) -> dict[str, float]:
        """Parts of the host's time by the model: call, item, byte and work [1]."""
        return _shares(self.fit, self.features, "host")

    @property
    def gains(self) -> dict[str, float]:
        """For each part of the accelerated time the speedup gained if it took a tenth of it [1]."""
        return {part: 1 / (1 - share * (1 - 1 / _BETTER)) for part, share in self.shares.items()}

    def answer(self, name: str = "") -> str:
        """Sentence that says if it pays, and how much.

        Parameters
        ----------
        name : str
            What the fit is called.
        """
        slower = self.speedup < 1 and self.certainty == DOES_NOT_PAY
        within = ""
        if (interval := self.speedup_interval) is not None:
            low, high, _ = interval
            ends = (1 / high, 1 / low if low else inf) if slower else (low, high)
            within = f" ({probability(self.fit.level)}: {ends[0]:.4g} to {ends[1]:.4g})"
        speedup = f"{self.speedup:.4g} times as fast{within}"
        if slower:
            speedup = f"it takes {1 / self.speedup:.4g} times as long{within}"
        if interval is None:
            speedup = f"as measured, {speedup}"
        what = f"offloading {shape_text(self.shape)} pays{f' by {name}' * bool(name)}"
        if self.certainty == CANNOT_BE_TOLD:
            return f"It cannot be told whether {what}: {speedup}."
        if self.certainty == DOES_NOT_PAY:
            what = what.replace(" pays", " does not pay", 1)
        return f"{what[0].upper()}{what[1:]}: {speedup}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on this answer."""
        found = []
        if self.measured is not None:
            clear = "" if self.as_measured else ", in line with the model"
            found.append(f"this shape was measured: {self.measured:.4g} times as fast{clear}")
        if self.as_measured:
            found.append(
                "the times contradict the model here, by which it is "
                f"{float(self.fit.speedup(**self.shape)):.4g} times as fast: they decide"
            )
        for place in self.beside[:1]:
            shape, measured = self.fit.timings.shape(place), self.fit.timings.speedups[place]
            found.append(
                "the times contradict the model at the nearest shape measured, "
                f"{shape_text(shape)}: {measured:.4g} times as fast, and "
                f"{float(self.fit.speedup(**shape)):.4g} by the model; the interval allows for that"
            )
        if self.certainty == CANNOT_BE_TOLD:
            found.append("the timings allow speedups on both sides of one: measure shapes near it")
        measured = self.fit.features(**self.fit.timings.columns)
        outside = [
            role
            for role, value in self.features.items()
            if not measured[role].min() <= value <= measured[role].max()
        ]
        if outside:
            found.append(
                f"{' and '.join(outside)} are outside what was measured: this answer is "
                "extrapolated"
            )
        return tuple(found)

    def __str__(self) -> str:
        return self.answer()

    __repr__ = results.text
    _repr_html_ = results.html


def decide_shape(
    fit: ShapeFit, /, *, offloading: bool | None = None, **shape: float
) -> ShapeDecision:
    """Decide whether to offload a shape, and how surely.

    Where times of this very shape were measured and one path is clearly faster, they decide.
    Without a state the most likely speedup decides. With one there is hysteresis: a caller that
    offloads goes on until the host is clearly faster, and one that does not starts only where
    offloading is (`margin`).

    Parameters
    ----------
    fit : ShapeFit
        What the answer follows from.
    offloading : bool or None
        Whether the caller offloads now; None if it has no such state.
    **shape : float
        A number for each of its columns, such as m=512, n=64, k=512 [any].

    Raises
    ------
    ShapeError
        If a column is missing or unknown, or a formula is negative or not finite there.

    Examples
    --------
    >>> from logca.numeric.shapes.fit import fit_shapes
    >>> found = fit_shapes(
    ...     {"copies": [16, 64, 256, 1024, 4096], "ratio": [0.5, 0.9, 2.0, 3.4, 4.2]},
    ...     items="copies",
    ... )
    >>> decide_shape(found, copies=1000).certainty
    'pays'
    """
    features = {
        role: float(value) for role, value in fit.features(**shape).items() if role in fit.formulas
    }
    shape = {name: float(shape[name]) for name in fit.columns}
    place = _place(fit, shape)
    host, accelerated = (float(each) for each in fit.times(**shape))
    model = host / accelerated if accelerated > 0 else inf
    if not 0 < model < inf:
        raise ShapeError(
            f"the times of {shape_text(shape)} by the model, {host:g} and {accelerated:g}, are "
            "outside the range of floating point"
        )
    measured = None if place is None else float(fit.timings.speedups[place])
    least = 1.0 if offloading is None else margin(fit) ** (-1 if offloading else 1)
    sign = 0 if place is None else fit.measured_faster[place]
    factors = (
        () if place is not None else tuple(_factor(fit, each) for each in _beside(fit, features))
    )
    certainty = {1: PAYS, -1: DOES_NOT_PAY}.get(sign) or _certainty(
        fit, tuple(shape.items()), model, factors
    )
    if place is not None and place in fit.off_model:
        model = float(fit.timings.speedups[place])
        if not fit.relative:
            host, accelerated = fit.timings.medians(place)
    return ShapeDecision(
        shape=shape,
        offloading=offloading,
        offload=bool(fit.pays_beyond(least, shape)),
        certainty=certainty,
        speedup=model,
        measured=measured,
        time_host=host,
        time_accelerated=accelerated,
        shares=_shares(fit, features, "accelerated"),
        features=features,
        fit=fit,
    )


def _place(fit: ShapeFit, shape: Mapping[str, float]) -> int | None:
    """Place of a shape among those measured, if it is one of them."""
    return next((k for k in range(len(fit.timings)) if fit.timings.shape(k) == shape), None)


def _beside(fit: ShapeFit, features: Mapping[str, float]) -> tuple[int, ...]:
    """Places of the nearest shapes measured, as far as their speedups are not the model's."""
    if not fit.off_model:
        return ()
    measured = fit.features(**fit.timings.columns)
    near = nearest({role: measured[role] for role in features}, features)
    return tuple(place for place in near if place in fit.off_model)


def _factor(fit: ShapeFit, place: int) -> float:
    """The speedup measured at a shape over the model's [1]."""
    return float(fit.timings.speedups[place] / fit.speedup(**fit.timings.shape(place)))


def _shares(fit: ShapeFit, features: Mapping[str, float], path: str) -> dict[str, float]:
    """Parts of a path's time: each is what is left if the times of the others are zero."""
    time = shape_time_host if path == "host" else shape_time_accelerated
    names = {part: f"{part}_time_{path}" for part in PARTS}
    none: dict[str, float] = dict.fromkeys(names.values(), 0.0)
    at = {role: features.get(role, 0.0) for role in ("work", "items")}
    at |= {"data_bytes": features.get("bytes", 0.0), "beta": fit.parameters["beta"]}
    alone = {
        part: float(time(**{**none, name: fit.parameters[name]}, **at))
        for part, name in names.items()
    }
    return {part: each / sum(alone.values()) for part, each in alone.items()}


def _rise(fit: ShapeFit, shape: tuple[tuple[str, float], ...], speedup: float) -> float:
    """By how much the deviance rises if the logarithm of the speedup is held [1]."""
    features = fit.features(**dict(shape))
    at = shapes_in(fit.units, *(features[role] for role in ("items", "bytes", "work")))
    return profile(fit.estimate, at, speedup)


def _most(fit: ShapeFit) -> float:
    """Rise of the deviance that the level does not refute."""
    return float(scipy.special.fdtri(1, fit.estimate.freedom, fit.level))


@lru_cache(maxsize=_KEPT)
def margin(fit: ShapeFit) -> float:
    """Factor between the times of both paths within which it is open which is faster [1].

    The widest half of the intervals at those shapes measured that are nearest to the boundary.
    """
    logs = np.log(np.asarray(fit.speedup(**fit.timings.columns)))
    widths = []
    for place in np.argsort(np.abs(logs), kind="stable")[:_NEAREST]:
        shape, best = tuple(fit.timings.shape(int(place)).items()), float(logs[place])
        low, high, _ = _interval(fit, shape, exp(best))
        widths += [best - log(low) if low else inf, log(high) - best]
    return exp(min(max(widths), _FAR))


@lru_cache(maxsize=_KEPT)
def _certainty(
    fit: ShapeFit,
    shape: tuple[tuple[str, float], ...],
    model: float,
    factors: tuple[float, ...],
) -> str:
    """Certainty of an answer by the model, whose speedup may be off by some factors as well."""
    most = _most(fit)
    if any(
        (model * each > 1) != (model > 1) or _rise(fit, shape, -log(each)) <= most
        for each in (1.0, *factors)
    ):
        return CANNOT_BE_TOLD
    return PAYS if model > 1 else DOES_NOT_PAY


@lru_cache(maxsize=_KEPT)
def _interval(
    fit: ShapeFit, shape: tuple[tuple[str, float], ...], model: float
) -> ConfidenceInterval:
    """Which speedups at a shape the timings do not refute [1]."""
    best, most = log(model), sqrt(_most(fit))

    @cache
    def excess(at: float) -> float:
        """Nearly linear on either side, as the rise is nearly a parabola."""
        return sqrt(_rise(fit, shape, at)) - most

    ends: list[Any] = []
    for direction in (-1.0, 1.0):
        step = max(2 * fit.estimate.spread, _PRECISE)
        near = best
        while step < _FAR and excess(best + direction * step) <= 0:
            near, step = best + direction * step, 2 * step
        if step >= _FAR:
            ends.append(direction * inf)
            continue
        far = best + direction * step
        if excess(near) >= 0:  # of a fit without noise, where rounding is all there is
            ends.append(near)
            continue
        ends.append(scipy.optimize.brentq(excess, near, far, xtol=_PRECISE))
    return ConfidenceInterval(exp(min(ends[0], best)), exp(max(ends[1], best)))
