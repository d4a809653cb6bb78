"""`logca fit`: an accelerator from your own timings."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from logca.cli.options.ranges import LATENCY, Shared, ends, listed, pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write_telling
from logca.cli.terminal.output import say, show, show_answer, show_json

if TYPE_CHECKING:
    from logca.numeric.fit.fit import Fit

__all__ = ["fit"]

_RECORD = (".json",)
_PICTURES = (".svg", ".png", ".pdf")
_input = partial(typer.Option, rich_help_panel="What is in the file")
_shape = partial(typer.Option, rich_help_panel="Two variables: shapes such as m, n, k")


def fit(
    timings: Annotated[
        Path,
        typer.Argument(help="Timings: a table, or what a known tool writes.", show_default=False),
    ],
    other: Annotated[
        Path | None,
        typer.Argument(
            help="Timings of the accelerated path, if the first file has those of the host.",
            metavar="[ACCELERATED]",
            show_default=False,
        ),
    ] = None,
    latency: Annotated[
        Literal["auto", "constant", "linear"],
        typer.Option(help=LATENCY.format("; auto fits and compares both")),
    ] = "auto",
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    sizes: Shared.measured = None,
    host: Annotated[
        str | None,
        _input(
            help="Column of the host, or its benchmark, command or path, or a part of these three.",
            metavar="NAME",
        ),
    ] = None,
    accelerated: Annotated[
        str | None, _input(help="The same of the accelerated path.", metavar="NAME")
    ] = None,
    columns: Annotated[
        str | None,
        _input(
            help="Titles of columns by role: granularity, host, accelerated; or path, time.",
            metavar="ROLE=TITLE,...",
        ),
    ] = None,
    units: Annotated[
        str | None,
        _input(
            help="Units by role, such as granularity=KiB,host=ms; granularity='8 B' for elements "
            "of 8 bytes.",
            metavar="ROLE=UNIT,...",
        ),
    ] = None,
    bus: Annotated[
        Path | None,
        _input(
            help="StarPU's bus files, by which transfers are added: NAME.bandwidth, with "
            "NAME.latency beside it, or the folder that has them.",
            metavar="PATH",
        ),
    ] = None,
    rank: Annotated[
        bool, typer.Option("--rank", help="Fit each other path against the host, and rank them.")
    ] = False,
    data: Annotated[
        str | None,
        _shape(
            "--bytes",
            help="Bytes of a shape, such as `4*(m*k + k*n + m*n)`, of columns of the file.",
            metavar="FORMULA",
        ),
    ] = None,
    work: Annotated[
        str | None, _shape(help="Work of a shape, such as `2*m*n*k`.", metavar="FORMULA")
    ] = None,
    items: Annotated[
        str | None, _shape(help="Items of a shape, such as copies.", metavar="FORMULA")
    ] = None,
    kernel: Annotated[
        Literal["gemm", "gemv", "copy", "fft"] | None,
        _shape(help="A kernel with known formulas: of m, n, k; of m, n; of size, copies; of n."),
    ] = None,
    element: Annotated[
        int | None, _shape(help="Bytes of an element of that kernel.", show_default="4")
    ] = None,
    output: Annotated[Path | None, OutputOption.to(*_RECORD)] = None,
    plot: Annotated[
        Path | None, OutputOption.to(*_PICTURES, what="Picture to write", name="--picture")
    ] = None,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
) -> None:
    """Fit an accelerator to your own timings: from which size on does offloading pay?

    The file has sizes, times (or rates) of the host and of the offloaded kernel, with or without
    repetitions: a table, the samples of `logca measure`, or what Google Benchmark,
    pytest-benchmark, hyperfine, Extra-P, StarPU, GPU-BLOB, openssl speed, NVBench, nccl-tests or
    OSU's benchmarks write. Units are read from the column titles
    (granularity_B,host_s,accelerated_s; size_KiB,cpu_ms,gpu_ms) or given with --units. Outliers are
    down-weighted, and counted in a warning.

    Every number comes with a confidence interval (profile likelihood), and "Limits of this fit"
    lists what the timings cannot show, such as whether there is a break-even at all.

    **Examples**

        logca fit timings.csv

        logca fit timings.csv -o fit.json --picture fit.svg  for `logca report`, `decide`, `codegen`

        logca fit bench.json --host BM_cpu --accelerated BM_gpu

        logca fit software.txt qat.txt  two runs of openssl speed, the host's first

        logca fit devices.csv --host cpu --rank  each other path against this one

        logca fit t.csv --columns granularity=n,host=cpu,accelerated=gpu
        --units granularity=KiB,host=ms,accelerated=ms

        logca fit timings.csv --sizes 4KiB:64MiB --latency linear --confidence 0.9

        logca fit gemm.csv --kernel gemm -o fit.json  columns m,n,k,host_s,accelerated_s

        logca fit gemm.csv --bytes '4*(m*k + k*n + m*n)' --work '2*m*n*k' --picture boundary.svg

    **Two variables**: with --bytes, --work, --items or --kernel the break-even is a boundary of
    shapes. Columns of the file are named in formulas; a column ratio (host time over accelerated
    time) will do in place of times.
    """  # noqa: D400 (a question, which the help shows)
    for path, suffixes in ((output, _RECORD), (plot, _PICTURES)):
        if path is not None:
            check_writable(path, suffixes, force=force)
            if path.exists() and path.resolve() in {
                each.resolve() for each in (timings, other) if each is not None
            }:
                raise UsageFailure(f"{path} has the timings; name another file")
    if not 0 < confidence < 1:
        raise UsageFailure(
            f"--confidence {confidence:g} must be a confidence between 0 and 1, such as 0.95"
        )
    least = most = None
    if sizes is not None:
        ends(sizes)  # refuses what is no range; the fit keeps what was typed
        least, most = (end.strip() or None for end in sizes.split(":"))
    roles, named = _roles("--columns", columns), _roles("--units", units)
    if plot is not None:
        from logca.common.extras import require

        require("matplotlib", "plot")
    formulas = {"bytes": data, "work": work, "items": items}
    if any(each is not None for each in (kernel, element, *formulas.values())):
        one = {"--latency": latency != "auto", "--sizes": sizes, "--bus": bus, "--rank": rank}
        for option in [option for option, given in {**one, str(other): other}.items() if given]:
            raise UsageFailure(f"{option} goes with one variable, not with formulas of shapes")
        from logca.cli.options.shapes import fit_table

        titles = {"host": host, "accelerated": accelerated}
        fit_table(
            timings,
            formulas,
            kernel=kernel,
            element=element,
            confidence=confidence,
            columns={**roles, **{role: title for role, title in titles.items() if title}},
            units=named,
            output=output,
            plot=plot,
            force=force,
            as_json=as_json,
        )
        return
    if rank:
        for option, given in (("--accelerated", accelerated), ("-o", output), ("--picture", plot)):
            if given is not None:
                raise UsageFailure(f"{option} {given} is for one fit, and --rank makes several")
        fitting = {"latency": latency, "level": confidence, "least": least, "most": most}
        where = {"other": other, "columns": roles, "units": named, "host": host, "bus": bus}
        _rank(timings, where, fitting, as_json=as_json)
        return
    from logca.numeric.fit.fit import fit as fitted
    from logca.numeric.in_flight.units import read_in_flight
    from logca.numeric.timings.timings import TimingsError

    where = {"other": other, "columns": roles, "units": named, "bus": bus}
    readings = read_in_flight(timings, **where, host=host, accelerated=accelerated)
    reading, others = readings[1], {n: each.timings for n, each in readings.items() if n > 1}
    for note in reading.notes:
        say(f"{timings}: {note}", err=True)
    try:
        found = fitted(
            reading.timings,
            latency=latency,
            level=confidence,
            least=least,
            most=most,
            provenance=reading.provenance,
        )
    except TimingsError as error:
        told = re.sub(r"^(least|most) = .* leave ", f"--sizes {sizes} leaves ", str(error))
        raise UsageFailure(told) from None
    if others:
        found = found.with_flights(others)
    if output is not None:
        found.save(output, force=force)
    if plot is not None:
        _draw(found, plot, timings.name)
    if as_json:
        from logca.show.fit.data import fit_data
        from logca.show.in_flight import in_flight_data

        flights = in_flight_data(found)
        more = {"in_flight": flights} if flights else {}
        show_json({**fit_data(found, reading.notes), **more})
        return
    _show(found)
    if output is not None:
        say(f"{output}: the fit, for `logca report`, `decide` and `codegen`", err=True)


def _rank(timings: Path, where: dict[str, Any], fitting: dict[str, Any], *, as_json: bool) -> None:
    """Fit every path against the host, and show which pays most."""
    from logca.numeric.fit.rank import ranked
    from logca.numeric.timings.reading import read_each
    from logca.show.fit.rank import rank_answer, rank_data, rank_table

    found = ranked(read_each(timings, **where), **fitting)
    for note in dict.fromkeys(note for each in found for note in each.notes):
        say(f"{timings}: {note}", err=True)
    if as_json:
        show_json(rank_data(found))
        return
    show_answer(rank_answer(found), rank_table(found))


def _roles(option: str, text: str | None) -> dict[str, str]:
    """Names that an option gives, by role."""
    form = "ROLE=..., such as host=cpu; roles are granularity, host, accelerated, path, time"
    return pairs(option, listed(text or ""), form, again="names {} twice")


def _draw(found: "Fit", plot: Path, name: str) -> None:
    from logca.plots.fit import FitPicture
    from logca.plots.render import picture

    drawn = FitPicture(title=f"Fit of {name}", fit=found)
    write_telling(plot, picture(drawn, plot.suffix.lower()))


def _show(found: "Fit") -> None:
    from rich.text import Text

    from logca.common.sizes import format_size
    from logca.show.fit.tables import granularity_table, model_table, parameter_table
    from logca.show.fit.words import answer

    show_answer(answer(found), parameter_table(found), "", granularity_table(found))
    if found.in_flight is not None:
        from logca.show.in_flight import in_flight_answer, units_table

        show("", Text("Requests in flight", style="bold"), Text(in_flight_answer(found)))
        show("", units_table(found))
    if len(found.models) > 1:
        show("", model_table(found))
    lists = {
        "Limits of this fit": found.warnings or ("nothing of note",),
        "Sizes to measure next: they narrow the answer most, the best first": (
            ", ".join(map(format_size, found.next_sizes)),
        ),
    }
    for title, lines in lists.items():
        show("", Text(title, style="bold"), *map(Text, lines))
