"""`logca pareto`: the best compromises of a sweep."""

from math import prod
from pathlib import Path
from typing import Annotated

import typer

from logca.cli.options.accelerators import frequency
from logca.cli.options.axes import Axis
from logca.cli.options.ranges import given_values, listed, single
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show_answer, show_json, show_tables

__all__ = ["pareto"]


def pareto(
    file: Annotated[Path, typer.Argument(help="File that `logca sweep` wrote.", metavar="FILE")],
    minimise: Annotated[
        str, typer.Option(help="Parameters or quantities, separated by commas.")
    ] = "",
    maximise: Annotated[
        str, typer.Option(help="Parameters or quantities, separated by commas.")
    ] = "",
    as_json: OutputOption.as_json = False,
    g: Axis.g = None,
    o: Axis.o = None,
    L: Axis.L = None,
    C: Axis.C = None,
    A: Axis.A = None,
    beta: Axis.beta = None,
    s: Axis.s = None,
    g_low: Axis.g_low = None,
    g_high: Axis.g_high = None,
    r: Axis.r = None,
    q: Axis.q = None,
    clock: Axis.clock = None,
) -> None:
    """List the Pareto-optimal points of a sweep for the objectives that are given.

    A parameter's option restricts the sweep to the nearest value that it has.

    **Examples**

        logca pareto grid.zarr --minimise A --maximise speedup --g 4KiB

        logca pareto grid.zarr --minimise A,L --maximise speedup --json
    """
    given = {"g": g, "o": o, "L": L, "C": C, "A": A, "beta": beta, "s": s}
    given |= {"g_low": g_low, "g_high": g_high, "r": r, "q": q}
    from logca.common.terminal import safe_console
    from logca.numeric.sweep.pareto import nearest
    from logca.numeric.sweep.pareto import pareto as front_of
    from logca.numeric.sweep.sweep import open_sweep
    from logca.show.sweep import front_answer, points_json, points_table

    dataset = open_sweep(file)
    unit = dataset.attrs.get("time_unit", "cycles")
    found = given_values(given, clock_Hz=frequency(clock), into=unit)
    chosen = nearest(dataset, single(found))
    console = safe_console(stderr=True)
    with console.status("comparing points") if console.is_terminal else console:
        front = front_of(chosen, minimise=listed(minimise), maximise=listed(maximise))
    objectives = [*listed(minimise), *listed(maximise)]
    answer = front_answer(front, prod(chosen.sizes.values()), objectives)
    if as_json:
        show_json({"answer": answer, **points_json(front)})
    else:
        show_answer(answer)
        show_tables([points_table(front)])
