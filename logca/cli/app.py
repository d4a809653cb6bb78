"""The verbs, gathered."""

import typer

from logca.cli import (
    book,
    cheapest,
    check,
    codegen,
    decide,
    derive,
    devices,
    explain,
    explore,
    explorer,
    fit,
    formula,
    gpu,
    granularities,
    measure,
    pareto,
    partition,
    plot,
    regions,
    report,
    reproduce,
    sweep,
    trace,
)

__all__ = ["app"]

app = typer.Typer(
    name="logca",
    help="The LogCA model of hardware accelerators: formulas, proofs, fits, predictions.",
    epilog="`logca VERB --help` has examples. The same from Python: `import logca`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("formula")(formula.formula)
app.command("derive")(derive.derive)
app.command("check")(check.check)
app.command("devices")(devices.devices)
app.command("explain")(explain.explain)
app.command("granularities")(granularities.granularities)
app.command("regions")(regions.regions)
app.command("plot")(plot.plot)
app.command("sweep")(sweep.sweep)
app.command("pareto")(pareto.pareto)
app.command("cheapest")(cheapest.cheapest)
app.command("explorer")(explorer.explorer)
app.command("codegen")(codegen.codegen)
app.command("measure")(measure.measure)
app.command("fit")(fit.fit)
app.command("decide")(decide.decide)
app.command("report")(report.report)
app.command("trace")(trace.trace)
app.command("gpu")(gpu.gpu)
app.command("partition")(partition.partition)
app.command("explore")(explore.explore)
app.command("reproduce")(reproduce.reproduce)
app.command("book")(book.book)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("logca"))
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    pass
