"""`logca explain`: in plain words, what an accelerator does at one size."""

from typing import Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.terminal.output import show_json

__all__ = ["explain"]

_DESCRIPTION = """Explain whether offloading a size pays, why, and what would have to change.

**Examples**

    logca explain 4KiB --device ultrasparc-t2 --kernel aes

    logca explain 64B --device ultrasparc-t2 --kernel aes --L 0

    logca explain 1MiB --o 20000 --L 2.5 --C 90 --A 12 --latency linear
"""


@with_accelerator
def explain(
    size: Annotated[str, typer.Argument(help="Granularity, such as 4KiB.", metavar="SIZE")],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    *,
    accelerator: Chosen,
) -> None:
    """Explain one size; the text shown is in _DESCRIPTION."""
    from logca.common.sizes import parse_size

    named, g = accelerator.accelerator(), parse_size(size)
    text = named.explain(g)
    if not as_json:
        typer.echo(text)
        return
    found = {
        "accelerator": named.name,
        "granularity": g,
        "speedup": float(named.speedup(g)),
        "time_host": float(named.time_host(g)),
        "time_accelerated": float(named.time_accelerated(g)),
        "unit": named.unit,
        "shares": named.shares(g),
        "elasticities": named.elasticity(g),
        "text": text,
    }
    show_json(found)


explain.__doc__ = _DESCRIPTION
