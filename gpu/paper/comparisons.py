"""wang2017 against the models: agreement of times, Tables 6 and 7, Figure 8.

Table 6 has gains by optimisation, Table 7 the choice between GPU and FPGA, Figure 8 smaller
sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, nan, prod

from logca.gpu.devices.ranking import ChoiceError, ranked
from logca.gpu.paper.reproduction import SCALES, Job, Outcome, Outcomes
from logca.gpu.paper.table_rows import Entry, entries, entry_of

__all__ = [
    "Agreement",
    "Choice",
    "Improvement",
    "Sensitivity",
    "agreement",
    "both_columns",
    "choices",
    "gpu_column",
    "improvements",
    "memory_instructions",
    "printed_columns",
    "sensitivity",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Estimated against measured times."""

    rows: int  # how many were compared [1]
    # mean of the absolute errors, relative to the measured times; NaN without rows [1]
    mean_error: float
    rank_correlation: float  # kendall's tau-b of the two orders; NaN for fewer than two rows [1]


def agreement(estimated: Sequence[float], measured: Sequence[float]) -> Agreement:
    """Compare times of the same kernels; those without an estimate (NaN) are left out.

    Examples
    --------
    >>> found = agreement([1.1, 1.8, float("nan")], [1.0, 2.0, 3.0])
    >>> found.rows, round(found.mean_error, 3), round(found.rank_correlation, 3)
    (2, 0.1, 1.0)
    """
    pairs = [(one, other) for one, other in zip(estimated, measured, strict=True) if one == one]
    errors = [abs(one / other - 1) for one, other in pairs]
    return Agreement(
        rows=len(pairs),
        mean_error=sum(errors) / len(errors) if errors else nan,
        rank_correlation=rank_correlation([one for one, _ in pairs], [other for _, other in pairs]),
    )


_MILLI = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The faster platform of a row."""

    name: str  # the row
    # printed, measured, estimated: what the paper prints, and the faster one by its measured and
    # its estimated times
    printed: str
    measured: str
    estimated: str
    # for each model the faster one by our time of the GPU and the paper's estimate of the FPGA;
    # empty where there is no time
    ours: dict[str, str]


def choices(outcomes: Outcomes, models: tuple[str, ...]) -> tuple[Choice, ...]:
    """The rows of Table 7."""
    return tuple(
        Choice(
            name=entry.name,
            printed=entry.words["choice"],
            measured=_faster(entry.actual_s, _fpga(entry, "fpga_actual")),
            estimated=_faster(entry.estimate_s, _fpga(entry, "fpga_estimate")),
            ours={
                model: _faster(_ours(outcomes, entry, model), _fpga(entry, "fpga_estimate"))
                for model in models
            },
        )
        for entry in entries("table7")
    )


def printed_columns() -> tuple[Agreement, Agreement, Agreement]:
    """The paper's estimates against its measured times: GPU, FPGA, both columns together."""
    rows = entries("table7")
    gpu = [each.estimate_s for each in rows], [each.actual_s for each in rows]
    fpga = (
        [_fpga(each, "fpga_estimate") for each in rows],
        [_fpga(each, "fpga_actual") for each in rows],
    )
    return (
        agreement(*gpu),
        agreement(*fpga),
        agreement([*gpu[0], *fpga[0]], [*gpu[1], *fpga[1]]),
    )


def gpu_column(outcomes: Outcomes, model: str) -> Agreement:
    """Our times of the GPU against the measured ones."""
    rows = entries("table7")
    return agreement([_ours(outcomes, each, model) for each in rows], [e.actual_s for e in rows])


def both_columns(outcomes: Outcomes, model: str) -> Agreement:
    """Our times of the GPU and the paper's estimates of the FPGA against all measured times."""
    rows = entries("table7")
    return agreement(
        [_ours(outcomes, each, model) for each in rows]
        + [_fpga(each, "fpga_estimate") for each in rows],
        [each.actual_s for each in rows] + [_fpga(each, "fpga_actual") for each in rows],
    )


def _ours(outcomes: Outcomes, entry: Entry, model: str) -> float:
    return outcomes[Job(table="table7", name=entry.name, model=model)].time_s


def _fpga(entry: Entry, column: str) -> float:
    return entry.others[column] * _MILLI


def _faster(gpu_s: float, fpga_s: float) -> str:
    return ranked({"GPU": gpu_s, "FPGA": fpga_s})[0].name if isfinite(gpu_s) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """A row of Table 6 by a model."""

    entry: Entry  # the optimised kernel; that of the same name in Table 4 is the plain one
    model: str  # the model
    # before, after: the plain and the optimised kernel
    before: Outcome
    after: Outcome
    # measured, estimated, ours: time before over time after: measured, by the paper's estimates,
    # by the model [1]
    measured: float
    estimated: float
    ours: float


def improvements(outcomes: Outcomes, model: str) -> tuple[Improvement, ...]:
    """The rows of Table 6."""
    found = []
    for entry in entries("table6"):
        plain = entry_of("table4", entry.name)
        before, after = (
            outcomes[Job(table=table, name=entry.name, model=model)]
            for table in ("table4", "table6")
        )
        found.append(
            Improvement(
                entry=entry,
                model=model,
                before=before,
                after=after,
                measured=plain.actual_s / entry.actual_s,
                estimated=plain.estimate_s / entry.estimate_s,
                ours=before.time_s / after.time_s,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """A row at three sizes."""

    # name, model: the row and the model
    name: str
    model: str
    times: tuple[float, ...]  # predicted times by `SCALES`; NaN where there is none [s]
    # time of a memory instruction of a thread, over that at the full size [1]
    costs: tuple[float, ...]


def sensitivity(outcomes: Outcomes, name: str, model: str) -> Sensitivity:
    """A row of Table 4 at three sizes."""
    found = [outcomes[Job(table="table4", name=name, model=model, scale=scale)] for scale in SCALES]
    costs = [each.time_s / (memory_instructions(each) or nan) for each in found]
    return Sensitivity(
        name=name,
        model=model,
        times=tuple(each.time_s for each in found),
        costs=tuple(cost / costs[0] for cost in costs),
    )


def memory_instructions(outcome: Outcome) -> float:
    """Memory instructions of all threads of a row's kernels, without shared memory [1].

    Parameters
    ----------
    outcome : Outcome
        The row.
    """
    total = 0.0
    for kernel in outcome.kernels:
        each = next(
            (row for row in kernel.stages.get("latency", ()) if row["pattern"] == "mean"), {}
        )
        number = each.get("instructions", 0.0)
        assert isinstance(number, float | int)
        total += kernel.launches * prod(kernel.layout.extents) * number
    return total


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau-b of two lists of times: 1 if they order the kernels alike [1].

    NaN for fewer than two kernels, which have no order.

    Examples
    --------
    >>> round(rank_correlation([1, 2, 3], [10, 20, 15]), 3)
    0.333
    """
    if len(one) != len(other):
        raise ChoiceError(f"{len(one)} times cannot be compared with {len(other)}")
    if len(one) < 2:
        return nan
    from scipy.stats import kendalltau

    return float(kendalltau(one, other).statistic)
