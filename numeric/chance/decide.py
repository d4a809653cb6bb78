"""Decision to offload a size where parameters are uncertain: how likely it pays, and from where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from logca.common import results
from logca.common.errors import ArgumentTypeError
from logca.common.readable_numbers import probability as percentage
from logca.common.sizes import format_size, parse_size
from logca.numeric.accelerator.parameter_ranges import check
from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.fitted import UncertainFit
from logca.numeric.chance.quasi_monte_carlo import CONFIDENCE, BoundedValue
from logca.numeric.fit.decide import call_excluded, extrapolated
from logca.numeric.fit.fit import Fit
from logca.numeric.fit.hysteresis_thresholds import measured_times
from logca.numeric.fit.warnings import hidden_call

__all__ = ["PROBABILITIES", "UncertainDecision", "decide_uncertain"]

PROBABILITIES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
"""Probabilities of the quantiles that a decision has [1]."""

_SURE = 0.9  # the probability of the size that the answer names
_RARE = 5e-4  # what is never worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainDecision:
    """Probability that a size pays, and quantiles; see `decide_uncertain`.

    Parameters
    ----------
    size : float
        Granularity [B].
    target : float
        Speedup that is to be exceeded; 1 if it is to pay [1].
    probability : BoundedValue
        That the speedup exceeds the target at this size [1].
    speedups : mapping of float to BoundedValue
        Quantiles of the speedup at this size, by probabilities [1].
    reached : BoundedValue or None
        Probability that it does so at some size [1]; None of a fit, if the target is not 1.
    granularities : mapping of float to BoundedValue
        Sizes from which on it does so, by probabilities; infinite if none is so sure, and empty of
        a fit if the target is not 1 [B].
    basis : UncertainAccelerator or UncertainFit
        What it follows from.
    """

    size: float
    target: float
    probability: BoundedValue
    speedups: Mapping[float, BoundedValue]
    reached: BoundedValue | None
    granularities: Mapping[float, BoundedValue]
    basis: UncertainAccelerator | UncertainFit = field(repr=False)

    @property
    def fitted(self) -> bool:
        """True if the probabilities are a fit's confidence."""
        return isinstance(self.basis, UncertainFit)

    def answer(self, name: str = "") -> str:
        """Sentence that says how likely it pays, how much, and from which size on it does.

        Parameters
        ----------
        name : str
            What the fit or the accelerator is called.

        Examples
        --------
        >>> from logca.numeric.chance.distributions import LogNormal, Uniform
        >>> gpu = UncertainAccelerator(
        ...     o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=Uniform(least=0.8, most=5)
        ... )
        >>> print(decide_uncertain(gpu, "4 KiB").answer("the GPU").partition(":")[0])
        Offloading 4 KiB to the GPU pays with 93 % probability
        """
        target = f"more than {self.target:.4g} times as fast"
        what = "pays" if self.target == 1 else f"is {target}"
        by = f"By {name}, offloading" if self.fitted and name else "Offloading"
        to = f" to {name}" if name and not self.fitted else ""
        likely = "most likely " if self.fitted else ""
        low, middle, high = (self.speedups[p].value for p in (0.05, 0.5, 0.95))
        within = f" (90 %: {low:.4g} to {high:.4g})" if low < high else ""
        sure = self._likely(self.probability.value)
        return (
            f"{by} {format_size(self.size)}{to} {what} with {sure}: {likely}{middle:.4g} times "
            f"as fast{within}{self._where()}."
        )

    def _likely(self, share: float) -> str:
        return f"{percentage(share)} {'confidence' if self.fitted else 'probability'}"

    def _where(self) -> str:
        if self.reached is None:
            return ""
        size, sure = self.granularities[_SURE].value, self._likely(_SURE)
        does = "pays" if self.target == 1 else "is so"
        if size == 0:
            where = f"it {does} at every size with {sure}"
        elif size == inf:
            where = f"from no size on it {does} with {sure}"
        elif self._may_cease:
            where = f"it first {does} at {format_size(size)} or less with {sure}"
        else:
            where = f"it {does} from {format_size(size)} on with {sure}"
        never = 1 - self.reached.value
        rare = f"; with {self._likely(never)} it never {does}" if never > _RARE else ""
        if isinstance(self.basis, UncertainFit) and self._may_cease:
            ceases = 1 - self.basis.fit.intervals["g1_upper"].none
            rare += f"; with {self._likely(ceases)} it stops paying at some larger size"
        return f"; {where}{rare}"

    @property
    def _may_cease(self) -> bool:
        """True if it may cease to pay at some larger size."""
        if isinstance(self.basis, UncertainAccelerator):
            return self.basis.falls
        return 1 - self.basis.fit.intervals["g1_upper"].none > _RARE

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on this answer: how it was found, and how exactly."""
        found = []
        if isinstance(self.basis, UncertainFit):
            found.append(
                f"{self.probability.method}: a confidence, given the timings, and no frequency"
            )
            fit = self.basis.fit
            if measured_times(fit, self.size) is not None:
                found.append("the times contradict the curve here; all this is the curve's")
            hidden = hidden_call(fit.general, fit.in_either_mode[0][0], fit.level)
            return (*found, *call_excluded(fit), *hidden, *extrapolated(fit, self.size))
        if len(self.basis.uncertain) > 1:
            found.append("parameters vary independently of each other")
        methods = dict.fromkeys(
            each.method
            for each in (self.probability, *self.speedups.values(), *self.granularities.values())
            if not each.is_exact
        )
        found += [
            f"{each}; exact numbers are within the intervals with {percentage(CONFIDENCE)} "
            "confidence"
            for each in methods
        ]
        return tuple(found) if methods else (*found, "all numbers are closed forms")

    def __str__(self) -> str:
        return self.answer()

    __repr__ = results.text
    _repr_html_ = results.html
    plot = results.plot
    to_frame = results.to_frame


def decide_uncertain(
    basis: UncertainAccelerator | Fit, size: float | str, *, speedup: float = 1.0
) -> UncertainDecision:
    """Decide on a size where parameters are uncertain: how likely it pays, and from where on.

    Parameters
    ----------
    basis : UncertainAccelerator or Fit
        An accelerator of which some parameters are distributions; or a fit, of which the confidence
        in each answer is told, as its intervals have it.
    size : float or str
        Granularity, such as 65536 or "64 KiB" [B].
    speedup : float
        Target that is to be exceeded; 1 if it is to pay [1].

    Raises
    ------
    SizeError, DomainError
        If it is no positive size, or the target is no positive number.
    ArgumentTypeError
        If the basis is neither.

    Notes
    -----
    Source: logca2026, chance; altaf2015, §5, notes that parameters may be random.

    Examples
    --------
    >>> from logca.numeric.chance.distributions import LogNormal
    >>> aes = UncertainAccelerator(
    ...     o=LogNormal(median=29_000, factor=1.5), L=0, C=LogNormal(median=90, factor=1.2), A=19
    ... )
    >>> found = decide_uncertain(aes, 512)
    >>> for part in found.answer().split("; "):
    ...     print(part)
    Offloading 512 B pays with 82.1 % probability: 1.466 times as fast (90 %: 0.7352 to 2.813)
    it pays from 601.3 B on with 90 % probability.
    >>> print(found.granularities[0.5])
    340.123, closed form
    """
    if isinstance(basis, Fit):
        return _decided(UncertainFit(fit=basis), parse_size(size), check("s", speedup))
    if isinstance(basis, UncertainAccelerator):
        return _decided(basis, parse_size(size), check("s", speedup))
    raise ArgumentTypeError(
        "an uncertain decision rests on an UncertainAccelerator or a Fit, not on "
        f"{type(basis).__name__}"
    )


def _decided(
    basis: UncertainAccelerator | UncertainFit, size: float, target: float
) -> UncertainDecision:
    told = target == 1 or isinstance(basis, UncertainAccelerator)
    return UncertainDecision(
        size=size,
        target=target,
        probability=basis.probability(target, size),
        speedups={p: basis.speedup_quantile(p, size) for p in PROBABILITIES},
        reached=basis.probability_reached(target) if told else None,
        granularities={p: basis.granularity_quantile(p, target) for p in PROBABILITIES * told},
        basis=basis,
    )
