"""Types of the options of parameters, a value or several of each."""

from functools import partial
from typing import Annotated, Any

import typer

from logca.cli.options.platform import CLOCK
from logca.cli.options.ranges import GAIN, GRANULARITY, IMPROVEMENT, TARGET

__all__ = ["Axis", "accelerator_option"]

accelerator_option = partial(typer.Option, rich_help_panel="Accelerator", show_default=False)


def _values(name: str, text: str) -> Any:
    return accelerator_option(f"--{name}", help=text, metavar="VALUES")


def _extension(name: str, text: str) -> Any:
    return typer.Option(
        f"--{name}",
        help=text,
        metavar="VALUES",
        show_default=False,
        rich_help_panel="Streams, applications, energy",
    )


class Axis:
    """Types of the options, one for each parameter."""

    g = Annotated[str | None, _values("g", GRANULARITY)]
    s = Annotated[str | None, _values("s", TARGET)]
    g_low = Annotated[str | None, _values("g-low", "Smallest granularity of a window [B].")]
    g_high = Annotated[str | None, _values("g-high", "Largest granularity of a window [B].")]
    o = Annotated[str | None, _values("o", "Overhead: 29000 [cycles], or such as 10us.")]
    L = Annotated[
        str | None,
        _values("L", "Latency: of an offload [cycles] or 2us; of a byte [cycles/B] or 1.5ns/B."),
    ]
    C = Annotated[
        str | None, _values("C", "Computational index: 90 [cycles/B**beta], or such as 36ns/B.")
    ]
    A = Annotated[str | None, _values("A", "Acceleration.")]
    beta = Annotated[str | None, _values("beta", "Exponent of the complexity.")]
    r = Annotated[str | None, _values("r", IMPROVEMENT)]
    q = Annotated[str | None, _values("q", GAIN)]
    m = Annotated[str | None, _extension("m", "Items in one offload.")]
    n = Annotated[
        str | None, _extension("n", "Number of accelerators, chunks, or requests in flight.")
    ]
    N = Annotated[str | None, _extension("N", "Length of a stream, such as 1GiB [B].")]
    f = Annotated[str | None, _extension("f", "Fraction of the application in the kernel.")]
    rho = Annotated[str | None, _extension("rho", "Factor within which parameters are known.")]
    p_host = Annotated[str | None, _extension("p-host", "Power while the host computes [W].")]
    p_overhead = Annotated[str | None, _extension("p-overhead", "Power during the overhead [W].")]
    p_link = Annotated[str | None, _extension("p-link", "Power during the latency [W].")]
    p_accelerator = Annotated[
        str | None, _extension("p-accelerator", "Power while the accelerator computes [W].")
    ]
    u_host = Annotated[str | None, _extension("u-host", "Requests the host computes at a time.")]
    u_link = Annotated[str | None, _extension("u-link", "Requests prepared at a time.")]
    u_accelerator = Annotated[
        str | None, _extension("u-accelerator", "Requests accelerators compute at a time.")
    ]
    u_shared = Annotated[
        str | None, _extension("u-shared", "Offloads at a time in what their stages share.")
    ]
    growth = Annotated[
        str | None, _extension("growth", "Factor on overhead, by doubling of requests in flight.")
    ]
    clock = Annotated[str | None, accelerator_option("--clock", help=CLOCK, metavar="GHZ")]
