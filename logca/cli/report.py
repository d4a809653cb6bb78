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

        logca report gemm.json -o gemm.html     a fit of shapes: boundary, parts, formulas
    """
    check_writable(output, (".html",), force=force)
    from logca.common.extras import require
    from logca.numeric.shapes.storage import is_fit_of_shapes

    require("matplotlib", "plot")
    if is_fit_of_shapes(fit):
        from logca.numeric.shapes.fit import ShapeFit
        from logca.report.shapes import shapes_report_html

        page = shapes_report_html(ShapeFit.load(fit))
    else:
        from logca.numeric.fit.fit import Fit
        from logca.report.sections import report_html

        page = report_html(Fit.load(fit))
    octets = page.encode(errors="replace")  # names of files may be no text
    write_telling(output, octets, force=force)
