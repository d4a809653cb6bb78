"""`logca explorer`: an HTML page with sliders for an accelerator, and for another beside it."""

from pathlib import Path
from typing import Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.terminal.files import check_writable, write_telling

__all__ = ["explorer"]

_DESCRIPTION = """Write a page with sliders: does offloading pay, from which size on, what helps?

The page loads nothing and can be sent as it is; its address holds all settings. Its numbers come
from the functions that `logca codegen --lang javascript` prints.

**Examples**

    logca explorer -o t2.html --device ultrasparc-t2 --kernel aes

    logca explorer -o mine.html --o 20000 --L 2.5 --C 90 --A 12 --latency linear

    logca explorer -o devices.html --device my-fpga --kernel aes --device-file mine.toml
"""


@with_accelerator
def explorer(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .html.", show_default=False)
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    *,
    accelerator: Chosen,
) -> None:
    """Write the page; the text shown is in _DESCRIPTION."""
    check_writable(output, (".html",), force=force)
    from logca.explorer.page import explorer_html
    from logca.numeric.paper.devices import devices

    page = explorer_html(accelerator.accelerator(), devices())
    write_telling(output, page.encode(errors="replace"))


explorer.__doc__ = _DESCRIPTION
