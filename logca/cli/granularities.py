"""`logca granularities`: break-even and half-peak, exactly, beside the papers' Newton steps."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.options.accelerators import Chosen, entries_of, with_accelerator
from logca.cli.options.ranges import TARGET, given_values
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show_answer, show_json, show_latex

if TYPE_CHECKING:
    from logca.numeric.paper.granularities import NewtonRow

__all__ = ["granularities"]


@with_accelerator
def granularities(
    speedup: Annotated[
        float | None,
        typer.Option(help=TARGET, metavar="NUMBER", show_default=False),
    ] = None,
    as_json: OutputOption.as_json = False,
    markup: OutputOption.table = None,
    *,
    accelerator: Chosen,
) -> None:
    """List break-even g1 and half-peak gA/2 in both forms of latency, or why none exist.

    Beside them: the values of Eqs. 11 and 12 of the ISCA paper, one Newton step from one byte, and
    their relative errors. Without an accelerator all rows of Table 5 are listed. With --speedup:
    where that speedup is reached. Of a fit whose times have breaks: also where it pays between
    them.

    **Examples**

        logca granularities                                     all rows of Table 5

        logca granularities --device apu                        all kernels of a device

        logca granularities --device apu --kernel gemm --speedup 5

        logca granularities --o 20000 --L 2.5 --C 90 --A 12 --latency linear

        logca granularities --fit fit.json

        logca granularities --json

        logca granularities --device apu --as latex             a table for a paper
    """
    from logca.numeric.fit.fit import Fit
    from logca.show.granularities import (
        exceeding_answer,
        exceeding_data,
        exceeding_sizes,
        newton_answer,
        newton_data,
        newton_table,
        stretch_data,
        stretch_table,
        target_answer,
        target_data,
        target_table,
        up_to_break,
    )

    rows = _rows(accelerator)
    basis = None if accelerator.fit is None else accelerator.basis()
    fit = basis if isinstance(basis, Fit) else None
    broken = fit if fit is not None and fit.breaks else None
    stretches: dict[str, Any] = {} if broken is None else {"stretches": stretch_data(broken)}
    tables = [] if broken is None else [stretch_table(broken)]
    if speedup is None:
        answer = newton_answer(rows, fit)
        tables = [newton_table(rows if broken is None else up_to_break(rows, broken)), *tables]
        data = [newton_data(row) for row in rows]
    elif broken is not None:
        found = exceeding_sizes(broken, speedup)
        answer = exceeding_answer(found, accelerator.name(), speedup)
        data = [exceeding_data(found, accelerator.name(), speedup)]
    elif accelerator.is_anything():
        named = [row.accelerator for row in rows]
        answer, tables = target_answer(rows, speedup), [target_table(named, speedup)]
        data = [target_data(each, speedup) for each in named]
    else:
        raise UsageFailure(
            f"--speedup {speedup:g} goes with an accelerator: name it by --device NAME, --fit "
            "FIT.json or its parameters"
        )
    if markup is not None:
        show_latex(tables, as_json=as_json)
    elif as_json:
        show_json({"answer": answer, "rows": data, **stretches})
    else:
        first, *others = tables
        show_answer(answer, first, *(part for each in others for part in ("", each)))


def _rows(asked: Chosen) -> "list[NewtonRow]":
    """One row for each accelerator and form of latency; one form only if it is given."""
    from dataclasses import replace

    from logca.numeric.accelerator.parameter_ranges import LATENCIES
    from logca.numeric.paper.granularities import newton_row

    if asked.device is None and asked.kernel is not None:
        raise UsageFailure(
            f"--kernel {asked.kernel} goes with --device NAME; `logca devices` lists them"
        )
    latencies = LATENCIES if asked.latency is None else (asked.latency,)
    told = given_values(asked.texts, clock_Hz=asked.clock_Hz).per_byte
    if told is not None:
        latencies = ("linear" if told else "constant",)
    named = asked.device is not None or asked.device_file is not None
    if asked.fit is not None:
        return [newton_row(asked.accelerator())]
    if asked.texts and not named:
        own = asked.accelerator()
        return [newton_row(replace(own, latency=latency)) for latency in latencies]
    return [
        newton_row(
            asked.changed(entry.accelerator(latency=latency)),
            device=entry.device,
            kernel=entry.kernel,
            usual=latency == entry.latency,
        )
        for entry in entries_of(asked.device, asked.kernel, asked.device_file)
        for latency in latencies
    ]
