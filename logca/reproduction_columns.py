"""Columns of rows of wang2017: what the paper prints, and what models say."""

from collections.abc import Sequence
from math import isfinite

from logca.columns import Column
from logca.gpu.agreement import Agreement
from logca.gpu.reproduction import Entry, Outcome

__all__ = [
    "agreement_columns",
    "errors_column",
    "milliseconds",
    "model_columns",
    "printed_columns",
    "signed",
    "unsigned",
]


def milliseconds(seconds: float) -> str:
    """A time as the paper prints times; a dash for none [text].

    Parameters
    ----------
    seconds : float
        The time [s].

    Examples
    --------
    >>> milliseconds(0.24253), milliseconds(511.12264), milliseconds(float("nan"))
    ('242.53', '511,123', '-')
    """
    if not isfinite(seconds):
        return "-"
    return f"{1e3 * seconds:,.0f}" if seconds >= 100 else f"{1e3 * seconds:.2f}"


def signed(share: float) -> str:
    """A difference in percent; a dash for none [text].

    Parameters
    ----------
    share : float
        The difference [1].

    Examples
    --------
    >>> signed(-0.04761), signed(-1e-6), signed(29.0217), signed(7773.48), signed(float("nan"))
    ('-4.76', '0.00', '+2,902', '+7.8e5', '-')
    """
    if not isfinite(share):
        return "-"
    if abs(share) >= 100:
        return f"{100 * share:+.1e}".replace("e+0", "e")
    text = f"{100 * share:+,.0f}" if abs(share) >= 10 else f"{100 * share:+.2f}"
    return text[1:] if text.strip("+-0.") == "" else text


def unsigned(share: float) -> str:
    """An error in percent; a dash for none [text].

    Parameters
    ----------
    share : float
        The error [1].

    Examples
    --------
    >>> unsigned(0.0898), unsigned(-778.2)
    ('8.98', '7.8e4')
    """
    return signed(abs(share)).lstrip("+")


def printed_columns(rows: Sequence[Entry]) -> tuple[Column, ...]:
    """Name and size of rows, with what the paper prints of the GPU.

    Parameters
    ----------
    rows : sequence of Entry
        The rows.
    """
    errors = [f"{each.others['error']:.2f}" if "error" in each.others else "" for each in rows]
    return (
        Column(heading="benchmark", cells=tuple(each.name for each in rows), right=False),
        Column(heading="N", cells=tuple(str(each.work_size["N"]) for each in rows)),
        Column(
            group="measured",
            heading="ms",
            cells=tuple(milliseconds(each.actual_s) for each in rows),
        ),
        Column(
            group="wang2017",
            heading="ms",
            cells=tuple(milliseconds(each.estimate_s) for each in rows),
        ),
        Column(group="wang2017", heading="error %", cells=tuple(errors), spare=True),
    )


def model_columns(outcomes: Sequence[Outcome], model: str) -> tuple[Column, ...]:
    """What a model says of rows: time, error, difference from the paper's estimate, MWP, CWP.

    Parameters
    ----------
    outcomes : sequence of Outcome
        The rows by that model.
    model : str
        The model [text].
    """
    group = f"model {model}"
    kernels = [each.longest for each in outcomes]
    return (
        Column(
            group=group,
            heading="ms",
            cells=tuple(milliseconds(each.time_s) for each in outcomes),
        ),
        errors_column(outcomes, model),
        Column(
            group=group,
            heading="to estimate %",
            cells=tuple(signed(each.difference) for each in outcomes),
            spare=True,
        ),
        Column(
            group=group,
            heading="MWP",
            cells=tuple(f"{kernel.mwp:.2f}" if kernel else "" for kernel in kernels),
            spare=True,
        ),
        Column(
            group=group,
            heading="CWP",
            cells=tuple(f"{kernel.cwp:.2f}" if kernel else "" for kernel in kernels),
            spare=True,
        ),
    )


def errors_column(outcomes: Sequence[Outcome], model: str) -> Column:
    """Errors of a model from the measured times.

    Parameters
    ----------
    outcomes : sequence of Outcome
        The rows by that model.
    model : str
        The model [text].
    """
    return Column(
        group=f"model {model}",
        heading="error %",
        cells=tuple(signed(each.error) for each in outcomes),
    )


def agreement_columns(
    names: Sequence[str], found: Sequence[Agreement | None]
) -> tuple[Column, ...]:
    """Mean errors and rank correlations, one row for each name.

    Parameters
    ----------
    names : sequence of str
        What was compared [text].
    found : sequence of Agreement or None
        How well it agrees.
    """
    return (
        Column(heading="", cells=tuple(names), right=False),
        Column(heading="rows", cells=tuple(str(each.rows) if each else "" for each in found)),
        Column(
            heading="mean error %",
            cells=tuple(unsigned(each.mean_error) if each else "" for each in found),
        ),
        Column(
            heading="Kendall's tau",
            cells=tuple(f"{each.rank_correlation:.3f}" if each else "" for each in found),
        ),
    )
