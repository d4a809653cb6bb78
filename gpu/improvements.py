"""What two optimisations gain: measured, estimated by wang2017, predicted by us (Table 6)."""

from dataclasses import dataclass

from logca.gpu.reproducing import Job, Outcomes, entry_of
from logca.gpu.reproduction import Entry, Outcome, entries

__all__ = ["Improvement", "improvements"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """A row of Table 6 by a model.

    Parameters
    ----------
    entry : Entry
        The optimised kernel; that of the same name in Table 4 is the plain one.
    model : str
        The model [text].
    before, after : Outcome
        The plain and the optimised kernel.
    measured, estimated, ours : float
        Time before over time after: measured, by the paper's estimates, by the model [1].
    """

    entry: Entry
    model: str
    before: Outcome
    after: Outcome
    measured: float
    estimated: float
    ours: float


def improvements(outcomes: Outcomes, model: str) -> tuple[Improvement, ...]:
    """The rows of Table 6.

    Parameters
    ----------
    outcomes : mapping of Job to Outcome
        Has them, and the rows of Table 4 with their names, by the model.
    model : str
        The model [text].
    """
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
