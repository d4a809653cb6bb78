"""`logca cheapest`: the cheapest change that reaches a speedup at a size."""

from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import Chosen, form_of, with_accelerator
from logca.cli.options.ranges import GRANULARITY, TARGET, given_values, single, size_of
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_json
from logca.common.sizes import SizeError, parse_size
from logca.numeric.accelerator.parameter_ranges import MODEL

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["cheapest"]

_OUT_OF_REACH = 1


def _no_size(file: Path | None) -> Path | None:
    """The file; before options are missed, a size in its place is told."""
    if file is not None and not file.exists():
        with suppress(SizeError):
            parse_size(str(file))
            raise UsageFailure(
                f"{file} is a size, and FILE is a sweep's: write --g {file}, with --speedup NUMBER "
                "and an accelerator"
            )
    return file


@with_accelerator
def cheapest(
    speedup: Annotated[str, typer.Option(help=TARGET, metavar="NUMBER")],
    g: Annotated[str, typer.Option("--g", help=GRANULARITY, metavar="SIZE")],
    file: Annotated[
        Path | None,
        typer.Argument(
            help="File that `logca sweep` wrote.",
            metavar="[FILE]",
            callback=_no_size,
            show_default="any values",
        ),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            help="Weight of a parameter; may be repeated.",
            metavar="NAME=WEIGHT",
            show_default="1 for each",
        ),
    ] = None,
    as_json: OutputOption.as_json = False,
    *,
    accelerator: Chosen,
) -> None:
    """Find the cheapest change that reaches a speedup at a size.

    A change costs, for each parameter, its weight times |ln(new/old)|; parameters without a weight
    stay as they are. Without FILE, o, L and A may take any value, and the optimum is exact. With
    it, the change is one of the sweep's points. Parameters that are not given start at the values
    that the sweep fixes.

    **Examples**

        logca cheapest --device ultrasparc-t2 --kernel aes --speedup 5 --g 1KiB

        logca cheapest --device ultrasparc-t2 --kernel aes --speedup 5 --g 1kB --cost o=3 --cost A=1

        logca cheapest --fit fit.json --speedup 3 --g 64KiB

        logca cheapest grid.zarr --o 16000 --A 2 --speedup 5 --g 4KiB

    **Exit code**: 0, or 1 if nothing reaches the speedup.
    """
    from logca.numeric.sweep.cheapest import cheapest_change
    from logca.numeric.sweep.sweep import open_sweep
    from logca.show.cheapest import change_data, change_shown

    among = None if file is None else open_sweep(file)
    today, unit = _before(accelerator, among)
    if missing := [f"--{name}" for name in ("o", "L", "C", "A") if name not in today]:
        raise UsageFailure(
            f"the accelerator before the change lacks {', '.join(missing)}; give them, or "
            "--device NAME --kernel NAME (see `logca devices`)"
        )
    found = cheapest_change(
        today,
        speedup=single(given_values({"speedup": speedup}))["speedup"],
        g=size_of("--g", g),
        among=among,
        costs=None if cost is None else _weights(cost),
    )
    if as_json:
        show_json(change_data(found, today, unit))
    else:
        show(change_shown(found, today, unit))
    if not found.reached:
        raise typer.Exit(_OUT_OF_REACH)


def _before(asked: Chosen, among: "xr.Dataset | None") -> "tuple[dict[str, float | str], str]":
    """Parameters before the change, as given, of the device or fixed by the sweep, and the unit."""
    fixed: dict[str, float | str] = {}
    into, form = "", asked.latency
    if among is not None:
        fixed = {name: among[name].item() for name in MODEL if among[name].ndim == 0}
        into, form = among.attrs.get("time_unit", "cycles"), form or among.attrs["latency"]
    else:
        fixed = {"beta": 1.0}
    known, given = asked.parts(into=into)
    if known is not None:
        fixed |= {name: getattr(known, name) for name in MODEL}
        form = known.latency
    return {
        **fixed,
        **single(given),
        "latency": form_of(given, form, "constant"),
    }, given.unit


def _weights(texts: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in texts:
        name, equals, weight = text.partition("=")
        try:
            number = float(weight) if weight.isascii() else float("nan")
        except ValueError:
            number = float("nan")
        if not equals or not isfinite(number):
            raise UsageFailure(f"--cost {text!r} is no weight; write, for example, --cost o=2")
        if name.strip() in found:
            raise UsageFailure(f"--cost {name.strip()} is there twice; give each weight once")
        found[name.strip()] = number
    return found
