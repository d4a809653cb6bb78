"""`logca explain`: in plain words, what an accelerator does at one size."""

from typing import Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.ranges import GRANULARITY
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_json

__all__ = ["explain"]


@with_accelerator
def explain(
    size: Annotated[str, typer.Argument(help=GRANULARITY, metavar="SIZE")],
    as_json: OutputOption.as_json = False,
    *,
    accelerator: Chosen,
) -> None:
    """Explain whether offloading a size pays, why, and what would have to change.

    **Examples**

        logca explain 4KiB --device ultrasparc-t2 --kernel aes

        logca explain 64B --device ultrasparc-t2 --kernel aes --L 0

        logca explain 1MiB --o 20000 --L 2.5 --C 90 --A 12 --latency linear

        logca explain 1MiB --o 10us --L 1.5ns/B --C "90 cycles/B" --A 12 --clock 2.5GHz

        logca explain 64KiB --fit fit.json     with intervals; `logca fit -o fit.json` writes one

        logca explain 64KiB --fit fit.json --A 20     what if
    """
    from logca.numeric.fit.decide import decide
    from logca.show.decide import explanation, explanation_data

    found = decide(accelerator.basis(), size)
    if as_json:
        show_json(explanation_data(found, accelerator.name(), accelerator.form_taken()))
    else:
        show(*explanation(found, accelerator.name(), accelerator.form_taken()))
