"""What a prediction does when the work size is halved and quartered (wang2017, Fig. 8).

The figure's bars have no numbers, and the measured times of the smaller sizes are printed nowhere,
so errors cannot be compared. What can be is whether the predicted time follows the work.
"""

from dataclasses import dataclass
from math import nan, prod

from logca.gpu.reproducing import SCALES, Job, Outcomes
from logca.gpu.reproduction import Outcome

__all__ = ["Sensitivity", "memory_instructions", "sensitivity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """A row at three sizes.

    Parameters
    ----------
    name, model : str
        The row and the model [text].
    times : tuple of float
        Predicted times by `SCALES`; NaN where there is none [s].
    costs : tuple of float
        Time of a memory instruction of a thread, over that at the full size [1].
    """

    name: str
    model: str
    times: tuple[float, ...]
    costs: tuple[float, ...]


def sensitivity(outcomes: Outcomes, name: str, model: str) -> Sensitivity:
    """A row of Table 4 at three sizes.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        Has the row at all of `SCALES`.
    name, model : str
        The row and the model [text].
    """
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
