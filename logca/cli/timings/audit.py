"""`logca audit`: what a threshold costs against the best, and whether it is stale."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import say, show, show_json

if TYPE_CHECKING:
    from logca.numeric.audit.rule import PresentRule
    from logca.numeric.fit.fit import Fit

__all__ = ["audit"]


def audit(
    timings: Annotated[
        Path,
        typer.Argument(
            help="Timings, as for `logca fit`, or a fit: the file that `logca fit -o` wrote.",
            show_default=False,
        ),
    ],
    threshold: Annotated[
        str | None,
        typer.Option(
            help="From which size on it offloads now: 32KiB, NAME=VALUE, or env:NAME.",
            metavar="SIZE",
            show_default=False,
        ),
    ] = None,
    code: Annotated[
        Path | None,
        typer.Option(
            help="A file that `logca codegen` wrote, whose thresholds are audited.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    below: Annotated[
        bool, typer.Option("--below", help="It offloads sizes below the threshold.")
    ] = False,
    workload: Annotated[
        Path | None,
        typer.Option(
            help="Sizes that people use: a table with columns granularity_B and calls.",
            metavar="FILE",
            show_default="one call of each size measured",
        ),
    ] = None,
    as_json: OutputOption.as_json = False,
) -> None:
    """Audit a threshold: is it stale, and what does it cost against the best?

    The best is the faster path at each size: by the measured times where there are some, by the
    fitted curve between them. A threshold is stale if it is outside the interval of the break-even.
    Times taken through a program that already switches at its threshold confirm any threshold; they
    have a step exactly there, or equal times on one side of it, and are told.

    **Examples**

        logca audit timings.csv --threshold 32KiB

        logca audit fit.json --threshold env:OFFLOAD_MIN_BYTES --workload histogram.csv

        logca audit timings.csv --code should_offload.h

        logca audit timings.csv --threshold LIMIT=65536 --below --json
    """  # noqa: D400 (a question, which the help shows)
    from rich.text import Text

    from logca.numeric.audit.audit import audit as audited
    from logca.show.audit import audit_data, audit_tables

    rule = _rule(threshold, code, below)
    found = audited(_basis(timings), rule, workload=workload)
    if as_json:
        show_json(audit_data(found))
        return
    show(Text(found.answer(), style="bold"))
    for table in audit_tables(found):
        show("", table)


def _rule(threshold: str | None, code: Path | None, below: bool) -> "PresentRule":
    from logca.common.toml import text_of
    from logca.numeric.audit.emitted_code import code_rule
    from logca.numeric.audit.rule import threshold_rule

    if (threshold is None) == (code is None):
        raise UsageFailure(
            "name what is audited: --threshold SIZE, such as 32KiB, or --code FILE"
            + ", not both" * (code is not None)
        )
    if code is not None:
        if below:
            raise UsageFailure("--below goes with --threshold; code says which sizes it offloads")
        # Languages differ in what else than a line feed ends a line, and with it a comment.
        return code_rule(text_of(code, not_text="not UTF-8 text", newline=""), code.name)
    return threshold_rule(str(threshold), below=below)


def _basis(timings: Path) -> "Fit":
    """The fit of a file, or one to the timings that are in it."""
    from logca.common.toml import text_of
    from logca.numeric.fit.fit import Fit, fit
    from logca.numeric.timings.reading import read
    from logca.numeric.timings.timings import TimingsError

    if '"logca-fit' in text_of(timings, error=TimingsError, not_text="not UTF-8 text")[:100]:
        return Fit.load(timings)
    try:
        reading = read(timings)
    except TimingsError as error:
        if "--" not in str(error):
            raise
        raise UsageFailure(
            f"{error}; such options are those of `logca fit`: audit the fit that it writes"
        ) from None
    for note in reading.notes:
        say(f"{timings}: {note}", err=True)
    return fit(reading.timings, provenance=reading.provenance)
