"""`logca fit`: an accelerator from your own timings."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from logca.cli.options.ranges import LATENCY, Shared, ends, listed, pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write_telling
from logca.cli.terminal.output import show, show_answer, show_json

if TYPE_CHECKING:
    from logca.numeric.fit.fit import Fit

__all__ = ["fit"]

_RECORD = (".json",)
_PICTURES = (".svg", ".png", ".pdf")
_input = partial(typer.Option, rich_help_panel="What is in the file")


def fit(
    timings: Annotated[
        Path, typer.Argument(help="Timings: CSV, or JSON of a known tool.", show_default=False)
    ],
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
    output: Annotated[Path | None, OutputOption.to(*_RECORD)] = None,
    plot: Annotated[
        Path | None, OutputOption.to(*_PICTURES, what="Picture to write", name="--picture")
    ] = None,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
) -> None:
    """Fit an accelerator to your own timings: from which size on does offloading pay?

    The file has sizes, times of the host and times of the offloaded kernel, with or without
    repetitions: a table, the samples of `logca measure`, or JSON of Google Benchmark,
    pytest-benchmark, hyperfine or Extra-P. Units are read from the column titles
    (granularity_B,host_s,accelerated_s; size_KiB,cpu_ms,gpu_ms) or given with --units. Outliers are
    down-weighted, and counted in a warning.

    Every number comes with a confidence interval (profile likelihood), and "Limits of this fit"
    lists what the timings cannot show, such as whether there is a break-even at all.

    **Examples**

        logca fit timings.csv

        logca fit timings.csv -o fit.json --picture fit.svg  for `logca report`, `decide`, `codegen`

        logca fit bench.json --host BM_cpu --accelerated BM_gpu

        logca fit t.csv --columns granularity=n,host=cpu,accelerated=gpu
        --units granularity=KiB,host=ms,accelerated=ms

        logca fit timings.csv --sizes 4KiB:64MiB --latency linear --confidence 0.9
    """  # noqa: D400 (a question, which the help shows)
    for path, suffixes in ((output, _RECORD), (plot, _PICTURES)):
        if path is not None:
            check_writable(path, suffixes, force=force)
            if path.exists() and path.resolve() == timings.resolve():
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
    from logca.numeric.fit.fit import fit as fitted
    from logca.numeric.timings.reading import read
    from logca.numeric.timings.timings import TimingsError

    reading = read(timings, columns=roles, units=named, host=host, accelerated=accelerated)
    for note in reading.notes:
        typer.echo(f"{timings}: {note}", err=True)
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
    if output is not None:
        found.save(output, force=force)
    if plot is not None:
        _draw(found, plot, timings.name)
    if as_json:
        from logca.show.fit.data import fit_data

        show_json(fit_data(found, reading.notes))
        return
    _show(found)
    if output is not None:
        typer.echo(f"{output}: the fit, for `logca report`, `decide` and `codegen`", err=True)


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
