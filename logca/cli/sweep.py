"""`logca sweep`: quantities over a grid of parameters."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import Chosen, form_of, with_accelerator
from logca.cli.options.axes import Axis
from logca.cli.options.ranges import Shared, listed
from logca.cli.terminal.errors import INTERRUPTED, UsageFailure
from logca.cli.terminal.files import OutputOption, check_place
from logca.cli.terminal.output import say, show_answer, show_json, show_tables

if TYPE_CHECKING:
    from logca.numeric.sweep.run import Execution
    from logca.numeric.sweep.sweep import Sweep

__all__ = ["sweep"]

_ORDER = (
    *("g", "o", "L", "C", "A", "beta", "s", "g_low", "g_high", "r", "q", "m", "n", "N", "f", "rho"),
    *("p_host", "p_overhead", "p_link", "p_accelerator", "u_host", "u_link", "u_accelerator"),
    *("u_shared", "growth"),
)
_SHOWN = 1_000
_BLOCK = 1_000_000


@with_accelerator
def sweep(
    what: Annotated[str, typer.Option(help="Quantities, separated by commas.")] = "speedup",
    output: Annotated[
        Path | None,
        OutputOption.to(".zarr", ".nc", ".parquet", ".csv"),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="Where to compute: threads, or dask for a cluster.")
    ] = "threads",
    jobs: Shared.jobs_of_cores = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler.", show_default="a cluster in this process"),
    ] = None,
    block_points: Annotated[
        int,
        typer.Option(min=1, help="Largest number of points in a block.", metavar="NUMBER"),
    ] = _BLOCK,
    resume: Annotated[
        bool, typer.Option(help="Resume the unfinished output of the same sweep.")
    ] = True,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
    g: Axis.g = None,
    s: Axis.s = None,
    g_low: Axis.g_low = None,
    g_high: Axis.g_high = None,
    r: Axis.r = None,
    q: Axis.q = None,
    m: Axis.m = None,
    n: Axis.n = None,
    N: Axis.N = None,
    f: Axis.f = None,
    rho: Axis.rho = None,
    p_host: Axis.p_host = None,
    p_overhead: Axis.p_overhead = None,
    p_link: Axis.p_link = None,
    p_accelerator: Axis.p_accelerator = None,
    u_host: Axis.u_host = None,
    u_link: Axis.u_link = None,
    u_accelerator: Axis.u_accelerator = None,
    u_shared: Axis.u_shared = None,
    growth: Axis.growth = None,
    *,
    accelerator: Chosen,
) -> None:
    """Compute quantities at all points of a grid of parameters.

    Without --output the points are listed, 1,000 at most. With it they are written block by block,
    so the grid may be larger than memory; interrupted, the same command resumes.

    **Examples**

        logca sweep --device sparc-t4 --kernel aes --g 16B:32MiB:20

        logca sweep --g 16B:32MiB:200 --A 2:64:7 --o 435,16000 --L 500 --C 32 --beta 1
        --what speedup,share_o -o grid.zarr

        logca sweep --device apu --kernel fft --A 2:64:100 --C 1:1000:100 --what g1,g1_upper -o g.nc

        logca sweep --device apu --kernel fft --A 2:64:7 --what g1,gA2 -o g1.csv  for other programs

        logca sweep --fit fit.json --g 1KiB:16MiB:15 --o 1us,2us,4us

        logca sweep --device apu --kernel fft --g 1KiB:1MiB:6 --what speedup_several --n 1,2,4

        logca sweep ... -o grid.zarr --engine dask --scheduler tcp://node1:8786

    **Quantities** (--what) are array functions, such as speedup, T1, share_o, e_A, A_for (`logca
    formula` lists formulas), and granularities: g1, gA2, and g_s for a target --s; where the
    speedup falls again, g1_upper, gA2_upper, g_s_upper.

    **Values.** One number fixes a parameter. `435,16000` is an axis with these values, `2:64:7` one
    with 7 values from 2 to 64 and equal factors between them, `0:500:11:lin` one with equal steps.
    Lists may contain ranges. Granularities are bytes, or have a unit: `16B:32MiB:200`; so may o, L
    and C, which are cycles otherwise: `1us:100us:20`.
    """
    more = {"g": g, "s": s, "g_low": g_low, "g_high": g_high, "r": r, "q": q}
    more |= {"m": m, "n": n, "N": N, "f": f, "rho": rho, "p_host": p_host, "p_link": p_link}
    more |= {"p_overhead": p_overhead, "p_accelerator": p_accelerator}
    more |= {"u_host": u_host, "u_link": u_link, "u_accelerator": u_accelerator}
    more |= {"u_shared": u_shared, "growth": growth}
    if as_json and output is not None:
        raise UsageFailure("--json lists the points instead of writing them; leave out --output")
    from logca.numeric.sweep.plan import depends_on
    from logca.numeric.sweep.run import Execution
    from logca.numeric.sweep.sweep import prepare

    names = listed(what)
    known, given = accelerator.parts(more)
    latency = form_of(given, known.latency if known else accelerator.latency, "constant")
    found = given.values if known else {"beta": 1.0, **given.values}
    values = {name: found[name] for name in _ORDER if name in found}
    planned = prepare(names, values, known, latency=latency, unit=given.unit, block=block_points)
    for name, text in given.texts.items():
        if not any(name in depends_on(each, latency) for each in names):
            option = f"--{name.replace('_', '-')} {text}"
            say(f"note: {option} changes nothing: {what} does not depend on it", err=True)
    with _progress() as tell:
        how = Execution(engine=engine, workers=jobs, scheduler=scheduler, tell=tell)
        if output is not None:
            _write(planned, output, how, resume=resume, force=force)
    if output is None:
        _list(planned, how, as_json)


def _write(planned: "Sweep", output: Path, how: "Execution", *, resume: bool, force: bool) -> None:
    from logca.numeric.sweep.formats import CSV
    from logca.numeric.sweep.run import into_csv, into_output

    whole = output.suffix == CSV
    check_place(output)
    try:
        if whole:
            into_csv(planned, output, how, force=force)
            computed = planned.grid.blocks
        else:
            computed = into_output(planned, output, how, resume=resume, force=force)
    except KeyboardInterrupt:
        kept = f"what is written is kept in {output}, and the same command resumes"
        say(f"interrupted: {f'{output} is not written' if whole else kept}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if computed == 0:
        say(
            f"{output} is complete, and no block was left to compute; --force computes it again",
            err=True,
        )
        return
    points = "1 point" if planned.points == 1 else f"{planned.points:,} points"
    blocks = "1 block" if planned.grid.blocks == 1 else f"{planned.grid.blocks:,} blocks"
    size = " × ".join(f"{name} {len(values):,}" for name, values in planned.axes.items())
    before = planned.grid.blocks - computed
    kept = f", {before:,} of them before" if before else ""
    say(
        f"{output}: {', '.join(planned.quantities)} at {points}"
        f"{f' ({size})' if size else ''}, {blocks}{kept}",
        err=True,
    )


def _list(planned: "Sweep", how: "Execution", as_json: bool) -> None:
    from logca.numeric.sweep.run import in_memory
    from logca.show.sweep import points_answer, points_json, points_table

    if planned.points > _SHOWN:
        raise UsageFailure(
            f"{planned.points:,} points are too many to list; write them with --output grid.zarr"
        )
    dataset = in_memory(planned, how)
    if as_json:
        show_json({"answer": points_answer(dataset), **points_json(dataset)})
    else:
        show_answer(points_answer(dataset))
        show_tables([points_table(dataset)])


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, and nothing in a pipe."""
    from rich.progress import Progress, TextColumn, TimeRemainingColumn

    from logca.common.terminal import safe_console

    console = safe_console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        *Progress.get_default_columns()[:3],
        TimeRemainingColumn(),
        TextColumn("{task.fields[rate]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("points", total=None, rate="")

        def tell(done: int, of: int) -> None:
            speed = progress.tasks[0].speed
            rate = f"{speed / 1e6:.3g} M/s" if speed else ""
            progress.update(bar, completed=done, total=of, rate=rate)

        yield tell
