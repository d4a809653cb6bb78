"""`logca regions`: which parameter is worth improving at which size."""

from typing import Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.ranges import window
from logca.cli.terminal.output import show, show_json

__all__ = ["regions"]

_DESCRIPTION = """List optimization regions: which parameters are worth improving at which sizes.

Cut-off granularities hold for all sizes, also outside --low to --high.

**Examples**

    logca regions --device ultrasparc-t2 --kernel aes

    logca regions --device apu --kernel gemm --improvement 2 --gain 1.1

    logca regions --fit fit.json

    logca regions --o 435 --L 500 --C 32 --A 12 --low 1B --high 1GiB --json
"""


@with_accelerator
def regions(
    improvement: Annotated[
        float, typer.Option(help="Factor by which a parameter is improved.")
    ] = 10.0,
    gain: Annotated[float, typer.Option(help="Smallest gain in speedup that counts.")] = 1.2,
    low: Annotated[str, typer.Option(help="Smallest size.", metavar="SIZE")] = "16B",
    high: Annotated[str, typer.Option(help="Largest size.", metavar="SIZE")] = "32MiB",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    *,
    accelerator: Chosen,
) -> None:
    """List the regions; the text shown is in _DESCRIPTION."""
    from rich.text import Text

    from logca.show.regions import cutoff_table, region_table, regions_answer, regions_data

    named = accelerator.accelerator()
    found = named.regions(improvement, gain, **window(low, high))
    answer = regions_answer(found, accelerator.basis(), accelerator.name())
    if as_json:
        show_json({"answer": answer, "accelerator": named.name, **regions_data(found)})
    else:
        show(Text(answer, style="bold"), "", region_table(found), "", cutoff_table(found))


regions.__doc__ = _DESCRIPTION
