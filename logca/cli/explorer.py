"""`logca explorer`: an HTML page with sliders for an accelerator, and for another beside it."""

from pathlib import Path
from typing import Annotated

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.terminal.files import OutputOption, check_writable, write_telling

__all__ = ["explorer"]


@with_accelerator
def explorer(
    output: Annotated[Path, OutputOption.to(".html")],
    force: OutputOption.force = False,
    *,
    accelerator: Chosen,
) -> None:
    """Write a page with sliders: does offloading pay, from which size on, what helps?

    The page loads nothing and can be sent as it is; its address holds all settings. Its numbers
    come from the functions that `logca codegen --lang javascript` prints.

    **Examples**

        logca explorer -o t2.html --device ultrasparc-t2 --kernel aes

        logca explorer -o mine.html --o 10us --L 1.5ns/B --C 36ns/B --A 12

        logca explorer -o devices.html --device-file mine.toml    devices of your own to choose from

        logca explorer -o fit.html --fit fit.json    with its interval, and what was measured
    """  # noqa: D400 (a question, which the help shows)
    check_writable(output, (".html",), force=force)
    from logca.explorer.page import explorer_html
    from logca.numeric.fit.fit import Fit
    from logca.numeric.paper.devices import devices, load_devices

    file = accelerator.device_file
    own = () if file is None else load_devices(file)
    if own and not (accelerator.fit or accelerator.device or accelerator.kernel):
        first = accelerator.changed(own[0].accelerator(latency=accelerator.latency))
        page = explorer_html(first, (*own, *devices()))
    else:
        basis = accelerator.basis()
        fit = basis if isinstance(basis, Fit) else None
        page = explorer_html(accelerator.accelerator(), (*own, *devices()), fit=fit)
    write_telling(output, page.encode(errors="replace"))
