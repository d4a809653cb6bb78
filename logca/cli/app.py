"""The verbs, gathered."""

from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand

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
    offload,
    pareto,
    partition,
    plot,
    regions,
    report,
    reproduce,
    sweep,
    trace,
)
from logca.cli.terminal.errors import UsageFailure, value_of
from logca.cli.timings import audit, measure, tune

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


class _Verb(TyperCommand):
    """A verb that refuses an option given twice, of which the first would be passed over."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Words after the verb, as Typer reads them."""
        given = [] if ctx.resilient_parsing else self.make_parser(ctx).parse_args([*args])[2]
        for param in self.params:
            several = param.nargs != 1 or getattr(param, "multiple", True)
            if given.count(param) > 1 and not several and not getattr(param, "is_flag", True):
                raise UsageFailure(
                    f"{param.opts[0]} is given {given.count(param)} times, the last time with "
                    f"{value_of(param.opts, args)}; give it once"
                )
        return super().parse_args(ctx, args)


_verb = partial(app.command, cls=_Verb)
_verb("formula")(formula.formula)
_verb("derive")(derive.derive)
_verb("check")(check.check)
_verb("devices")(devices.devices)
_verb("explain")(explain.explain)
_verb("granularities")(granularities.granularities)
_verb("regions")(regions.regions)
_verb("plot")(plot.plot)
_verb("sweep")(sweep.sweep)
_verb("pareto")(pareto.pareto)
_verb("cheapest")(cheapest.cheapest)
_verb("explorer")(explorer.explorer)
_verb("codegen")(codegen.codegen)
_verb("measure")(measure.measure)
_verb("fit")(fit.fit)
_verb("decide")(decide.decide)
_verb("audit")(audit.audit)
_verb("tune")(tune.tune)
_verb("report")(report.report)
_verb("trace")(trace.trace)
_verb("gpu")(gpu.gpu)
_verb("offload")(offload.offload)
_verb("partition")(partition.partition)
_verb("explore")(explore.explore)
_verb("reproduce")(reproduce.reproduce)
_verb("book")(book.book)


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
