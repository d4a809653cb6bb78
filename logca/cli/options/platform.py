"""The machine that options describe: a platform, with values and a link of one's own."""

import tomllib
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.options.completion import (
    complete_designs,
    complete_links,
    complete_platform_keys,
    complete_platforms,
)
from logca.cli.options.ranges import pairs
from logca.cli.terminal.errors import UsageFailure
from logca.common.readable_numbers import fraction_from

if TYPE_CHECKING:
    from logca.numeric.partition.problem.platform import Platform

__all__ = ["CLOCK", "MachineOption", "clock", "machine"]


CLOCK = (
    "Clock of the CPU, such as 2.5GHz: turns cycles into seconds, and times that are all in "
    "seconds into cycles."
)


class MachineOption:
    """Types of the options, to be used as annotations; `method` is for single ones and lists."""

    option = partial(typer.Option, rich_help_panel="Machine")
    platform = Annotated[
        str,
        option(
            help="A platform, or a TOML file that describes one.",
            metavar="NAME|FILE.toml",
            autocompletion=complete_platforms,
        ),
    ]
    changes = Annotated[
        list[str] | None,
        option(
            "--set",
            help="Set a parameter of the platform, such as control=100; may be repeated.",
            metavar="NAME=VALUE",
            autocompletion=complete_platform_keys,
        ),
    ]
    design = Annotated[
        str,
        option(
            help="How the accelerator is attached to the memory.",
            metavar="NAME",
            autocompletion=complete_designs,
        ),
    ]
    penalty = Annotated[
        bool, option("--penalty", help="Shared caches are slower because they are shared.")
    ]
    link = Annotated[
        str | None,
        option(
            help="The link between the cores; `logca explore --links` lists all.",
            metavar="NAME",
            autocompletion=complete_links,
            show_default="the platform's",
        ),
    ]
    clock_GHz = Annotated[
        str | None, option("--clock", help=CLOCK, metavar="GHZ", show_default="the link's")
    ]
    solve_within = Annotated[
        float,
        typer.Option(
            help="Work for the search, as seconds of an idle core; then the best partition found, "
            "and its gap. A busy machine takes longer, for the same answer.",
            metavar="SECONDS",
        ),
    ]
    method = typer.Option(
        help="How partitions are found: optimal, with proof; greedy, the paper's; clusters, greedy "
        "that moves whole loops; frontier, the best one that a price of area names.",
        metavar="NAME",
    )


def machine(
    platform: str, changes: Sequence[str], link: str | None = None, clock_GHz: str | None = None
) -> "Platform":
    """A platform."""
    from logca.numeric.partition.problem.links import link as link_named
    from logca.numeric.partition.problem.links import linked
    from logca.numeric.partition.problem.platform import PlatformError, changed
    from logca.numeric.partition.problem.platform import platform as platform_named

    found = platform_named(platform)
    if link is not None:
        found = linked(found, link_named(link, clock_GHz=clock(clock_GHz)))
    texts = pairs("--set", changes, "NAME=VALUE, such as control=100", once=True)
    values = {name: _value(value) for name, value in texts.items()}
    if not values:
        return found
    try:
        return changed(found, values, "--set")
    except PlatformError as error:
        raise UsageFailure(f"--set: {str(error).removeprefix(f'{found.name}: ')}") from None


def clock(text: str | None) -> Fraction | None:
    """The clock of the CPU [GHz].

    Examples
    --------
    >>> clock("2.5GHz"), clock("800 MHz"), clock(None)
    (Fraction(5, 2), Fraction(4, 5), None)
    """
    if text is None:
        return None
    try:
        if text.strip().endswith("MHz"):
            return fraction_from(text.strip().removesuffix("MHz").strip()) / 1000
        return fraction_from(text.strip().removesuffix("GHz").strip())
    except ValueError:
        raise UsageFailure(
            f"--clock {text!r}: write a number in GHz, such as 2.5 or 2.5GHz, or in MHz"
        ) from None


def _value(text: str) -> object:
    """A value as in a TOML file; what is none there is a text."""
    try:
        found: dict[str, Any] = tomllib.loads(f"value = {text}", parse_float=Decimal)
    except (ValueError, RecursionError):  # also of a number of thousands of digits
        return text
    return found["value"] if len(found) == 1 else text
