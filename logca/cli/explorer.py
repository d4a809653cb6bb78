"""`logca explorer`: an HTML page with sliders for an accelerator, and for another beside it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import check_writable, write_telling

if TYPE_CHECKING:
    from logca.numeric.fit.fit import Fit

__all__ = ["explorer"]

_DESCRIPTION = """Write a page with sliders: does offloading pay, from which size on, what helps?

The page loads nothing and can be sent as it is; its address holds all settings. Its numbers come
from the functions that `logca codegen --lang javascript` prints.

**Examples**

    logca explorer -o t2.html --device ultrasparc-t2 --kernel aes

    logca explorer -o mine.html --o 20000 --L 2.5 --C 90 --A 12 --latency linear

    logca explorer -o devices.html --device-file mine.toml    devices of your own to choose from

    logca explorer -o fit.html --fit fit.json    with its interval, and what was measured
"""


@with_accelerator
def explorer(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .html.", show_default=False)
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    fit: Annotated[
        Path | None,
        typer.Option(
            help="A fit: the file that `logca fit -o` wrote.",
            metavar="FIT.json",
            rich_help_panel="Accelerator",
            show_default=False,
        ),
    ] = None,
    *,
    accelerator: Chosen,
) -> None:
    """Write the page; the text shown is in _DESCRIPTION."""
    check_writable(output, (".html",), force=force)
    from logca.explorer.page import explorer_html
    from logca.numeric.paper.devices import devices, load_devices

    file = accelerator.device_file
    own = () if file is None else load_devices(file)
    if fit is not None:
        found = _fitted(fit, accelerator)
        page = explorer_html(replace(found.accelerator, name=fit.name), devices(), fit=found)
    elif own and accelerator.device is None and accelerator.kernel is None:
        first = accelerator.changed(own[0].accelerator(latency=accelerator.latency))
        page = explorer_html(first, (*own, *devices()))
    else:
        page = explorer_html(accelerator.accelerator(), (*own, *devices()))
    write_telling(output, page.encode(errors="replace"))


explorer.__doc__ = _DESCRIPTION


def _fitted(path: Path, accelerator: Chosen) -> "Fit":
    from logca.common.errors import FileError
    from logca.numeric.fit.fit import Fit

    if accelerator.device or accelerator.device_file or accelerator.parameters:
        raise UsageFailure("--fit has its own accelerator: leave out devices and parameters")
    try:
        return Fit.load(path)
    except FileError as error:
        raise UsageFailure(f"{error}; `logca fit TIMINGS -o fit.json` writes one") from None
