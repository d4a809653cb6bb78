"""`logca report`: a fit as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from logca.cli.options.accelerators import FIT
from logca.cli.terminal.files import OutputOption, check_writable, write_telling

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
    from logca.report.sections import report_html

    page = report_html(found).encode(errors="replace")  # names of files may be no text
    write_telling(output, page, force=force)
