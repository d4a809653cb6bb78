"""Break-even and half-peak granularities beside the Newton steps that the papers print for them.

Eqs. 11 and 12 of altaf2017 are one Newton step from one byte on the equation with linear latency.
With constant latency the papers solve exactly (Eqs. 5 and 6); the step is evaluated all the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logca.common.sizes import format_size
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.answers import Granularities
from logca.numeric.accelerator.parameter_ranges import LATENCIES, MODEL
from logca.numeric.evaluation.by_name import evaluate
from logca.numeric.paper.devices import Device, devices
from logca.numeric.roots.status import RootStatus

__all__ = ["NewtonComparison", "NewtonRow", "existence", "newton_row", "newton_rows"]

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonComparison:
    """The granularities with a speedup, and one Newton step from one byte towards the least."""

    exact: Granularities  # all granularities with that speedup [B]
    statement: str  # if there is none, why
    # the step; negative or without relation to the root where the tangent misleads [B]
    newton: float

    @property
    def error(self) -> float:
        """Relative error of the step; NaN if no such granularity exists [1]."""
        error = (self.newton - self.exact.lower) / self.exact.lower
        return 0.0 if abs(error) < _ROUNDING else error

    @property
    def verdict(self) -> str:
        """Verdict on the step, in words."""
        if not self.exact:
            return "positive, but none exists" if self.newton > 0 else "negative, and none exists"
        if not self.newton > 0:
            return "negative, but one exists"
        return "exact" if self.error == 0 else f"wrong by {100 * self.error:+.3g} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonRow:
    """An accelerator in one form of latency."""

    accelerator: Accelerator  # the accelerator
    # device, kernel: its names; nothing if it has none
    device: str
    kernel: str
    usual: bool  # whether this is its own form of latency; for Table 5 that of altaf2017, §4
    # g1, gA2: break-even and half-peak granularity
    g1: NewtonComparison
    gA2: NewtonComparison


def newton_rows(
    entries: Iterable[Device] | None = None, latencies: Sequence[str] = LATENCIES
) -> tuple[NewtonRow, ...]:
    """Two rows for each entry: constant and linear latency.

    Examples
    --------
    >>> for row in newton_rows()[4:6]:
    ...     print(row.accelerator.name, row.accelerator.latency, row.g1.exact, row.g1.verdict)
    Discrete GPU GEMM constant 50.61 KiB wrong by +1.17e+05 %
    Discrete GPU GEMM linear 81.63 KiB negative, but one exists
    """
    return tuple(
        newton_row(
            entry.accelerator(latency=latency),
            device=entry.device,
            kernel=entry.kernel,
            usual=latency == entry.latency,
        )
        for entry in (devices() if entries is None else entries)
        for latency in latencies
    )


def newton_row(
    accelerator: Accelerator, *, device: str = "", kernel: str = "", usual: bool = True
) -> NewtonRow:
    """The row of an accelerator."""
    given = {name: getattr(accelerator, name) for name in MODEL}
    steps = [
        float(evaluate(name, latency=accelerator.latency, **given))
        for name in ("g1_newton", "gA2_newton")
    ]
    exact = (accelerator.break_even(), accelerator.half_peak())
    g1, half = (
        NewtonComparison(exact=found, statement=existence(accelerator, found), newton=step)
        for found, step in zip(exact, steps, strict=True)
    )
    return NewtonRow(
        accelerator=accelerator, device=device, kernel=kernel, usual=usual, g1=g1, gA2=half
    )


def existence(accelerator: Accelerator, found: Granularities) -> str:
    """Why no granularity has a speedup; nothing if one has.

    Examples
    --------
    >>> slow = Accelerator(o=2e8, L=3000, C=174, A=30, latency="linear")
    >>> existence(slow, slow.break_even())
    'the speedup stays below 0.05789'
    """
    if found:
        return ""
    if found.status is not RootStatus.NEVER:
        return found.reason
    peak = accelerator.peak()
    if peak.attained:
        where = f", at {format_size(peak.granularity)}" if peak.granularity < float("inf") else ""
        return f"the speedup is at most {peak.speedup:.4g}{where}"
    return f"the speedup stays below {peak.speedup:.4g}"
