"""`logca report`: a fit as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from logca.cli.options.accelerators import FIT
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable

__all__ = ["report"]


def report(
    fit: Annotated[Path, typer.Argument(help=FIT, metavar="FIT.json", show_default=False)],
    output: Annotated[Path, OutputOption.to(".html")],
    force: OutputOption.force = False,
) -> None:
    """Write a fit as one self-contained HTML file: answer, curves, intervals, formulas.

    **Examples**

        logca report fit.json -o report.html
    """
    check_writable(output, (".html",), force=force)
    from logca.common.extras import require
    from logca.numeric.fit.fit import Fit

    require("matplotlib", "plot")
    found = Fit.load(fit)
    from logca.common.files import write_new
    from logca.report.sections import report_html

    page = report_html(found).encode(errors="replace")  # names of files may be no text
    try:
        write_new(page.decode(), output, force=force)
    except OSError as error:
        raise UsageFailure(f"{output} cannot be written: {error.strerror}") from None
    typer.echo(f"{output}: {len(page) / 1000:.0f} kB", err=True)
