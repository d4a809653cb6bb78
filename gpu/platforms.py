"""GPU or FPGA: which one wang2017's measurements, its estimates and ours choose (Table 7)."""

from dataclasses import dataclass
from math import isfinite

from logca.gpu.agreement import Agreement, agreement
from logca.gpu.choice import ranked
from logca.gpu.reproducing import Job, Outcomes
from logca.gpu.reproduction import Entry, entries

__all__ = ["Choice", "both_columns", "choices", "gpu_column", "printed_columns"]

_MILLI = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The faster platform of a row.

    Parameters
    ----------
    name : str
        The row [text].
    printed, measured, estimated : str
        What the paper prints, and the faster one by its measured and its estimated times [text].
    ours : dict of str to str
        For each model the faster one by our time of the GPU and the paper's estimate of the FPGA;
        empty where there is no time [text].
    """

    name: str
    printed: str
    measured: str
    estimated: str
    ours: dict[str, str]


def choices(outcomes: Outcomes, models: tuple[str, ...]) -> tuple[Choice, ...]:
    """The rows of Table 7.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        Has the rows by these models.
    models : tuple of str
        The models [text].
    """
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
    """Our times of the GPU against the measured ones.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        Has the rows of Table 7 by the model.
    model : str
        The model [text].
    """
    rows = entries("table7")
    return agreement([_ours(outcomes, each, model) for each in rows], [e.actual_s for e in rows])


def both_columns(outcomes: Outcomes, model: str) -> Agreement:
    """Our times of the GPU and the paper's estimates of the FPGA against all measured times.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        Has the rows of Table 7 by the model.
    model : str
        The model [text].
    """
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
