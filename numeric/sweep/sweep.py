"""Quantities over labelled grids of any parameters, in memory or written block by block."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logca.common.extras import require
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.sweep.blocks import BLOCK, SweepError
from logca.numeric.sweep.formats import CSV, format_of
from logca.numeric.sweep.plan import Sweep, plan
from logca.numeric.sweep.resume import journal_of, read_journal
from logca.numeric.sweep.run import Execution, Progress, in_memory, into_csv, into_output

if TYPE_CHECKING:
    import xarray as xr

    from logca.numeric.accelerator.accelerator import Accelerator

__all__ = ["Sweep", "SweepError", "open_sweep", "prepare", "sweep"]


def sweep(
    quantities: str | Sequence[str] = "speedup",
    accelerator: "Accelerator | None" = None,
    *,
    latency: str | None = None,
    output: str | PathLike[str] | None = None,
    engine: str = "threads",
    workers: int | None = None,
    scheduler: str | None = None,
    block: int = BLOCK,
    resume: bool = True,
    force: bool = False,
    progress: Progress | None = None,
    **parameters: Any,
) -> "xr.Dataset":
    """Quantities at all points of a grid, as a data set with a dimension for each axis.

    With an output, blocks of the grid are computed and written one after the other, so the grid may
    be larger than memory, and the data set reads from the output what is asked of it. Beside the
    output is a journal of the blocks that are written; after an interruption the same call goes on
    from there, and what it writes is the same as without the interruption.

    Parameters
    ----------
    quantities : str or sequence of str
        Array functions of `logca.numeric`, or the granularities `g1`, `gA2` and `g_s` and, where
        there are two, `g1_upper`, `gA2_upper` and `g_s_upper`, under both forms of latency.
    accelerator : Accelerator, optional
        Has the parameters that are not given, and the form of latency.
    latency : str, optional
        "constant", which is the default, or "linear".
    output : str or path, optional
        Where to write, ending in .zarr, .nc or .parquet, or in .csv, which is written whole and
        not resumed; into memory if left out.
    engine : str
        "threads" of this process, or "dask": the workers of a cluster compute, this process writes.
    workers : int, optional
        Threads, as many as there are cores if left out [1].
    scheduler : str, optional
        Address of a Dask scheduler; a cluster in this process if left out.
    block : int
        Points of a block at most [1].
    resume : bool
        Go on with an unfinished output of the same sweep, and keep a complete one [1].
    force : bool
        Replace an output that is there already [1].
    progress : callable, optional
        Called with the points that are done and the points that there are [1].
    **parameters : float or sequence of float
        Parameters by name, such as `g` [B] and `o` [cycles]: fixed if a number, an axis of the grid
        if a sequence, in the order in which they are given. Left out, `beta` is 1 wherever the
        quantities exist for that exponent, as it is of an accelerator.

    Raises
    ------
    SweepError
        If a name is unknown, a parameter is missing, an axis is empty, or the output may not be
        written.
    DomainError
        If a value is outside the domain of its parameter.
    MissingLibraryError
        If a library is not installed.

    Examples
    --------
    >>> found = sweep(g=[512, 4096], A=[2, 19], o=29_000, L=1500, C=90)
    >>> found.speedup.sel(g=4096, A=19).round(3).item()
    7.387
    >>> found.g.units, found.speedup.long_name
    ('B', 'speedup of offloading: host time over accelerated time')
    """
    planned = prepare(quantities, parameters, accelerator, latency=latency, block=block)
    how = Execution(engine=engine, workers=workers, scheduler=scheduler, tell=progress)
    if output is None:
        return in_memory(planned, how)
    if Path(output).suffix == CSV:
        return into_csv(planned, Path(output), how, force=force)
    into_output(planned, Path(output), how, resume=resume, force=force)
    return open_sweep(output)


def prepare(
    quantities: str | Sequence[str],
    parameters: Mapping[str, Any],
    accelerator: "Accelerator | None" = None,
    *,
    latency: str | None = None,
    unit: str = "cycles",
    block: int = BLOCK,
) -> Sweep:
    """The checked specification of a sweep, as `sweep` runs it from the same arguments.

    `unit` is the unit of time of o, L and C where no accelerator has one.
    """
    given = dict(parameters)
    if accelerator is not None:
        latency, unit = latency or accelerator.latency, accelerator.unit
        given = {name: getattr(accelerator, name) for name in MODEL if name not in given} | given
    return plan(quantities, given, latency=latency or "constant", unit=unit, block=block)


def open_sweep(path: str | PathLike[str]) -> "xr.Dataset":
    """The data set that a sweep has written; values are read when they are needed.

    Parameters
    ----------
    path : str or path
        The output of a sweep.

    Raises
    ------
    SweepError
        If there is no output of a sweep, it is unfinished, or a part of it is missing.
    """
    output = Path(path)
    form = format_of(output)
    require("xarray", "sweep")
    if not output.exists():
        raise SweepError(f"there is no file {output}; `logca sweep -o {output}` writes one")
    record = form.recorded(output)
    if record is None:
        raise SweepError(f"{output} was not written by a sweep")
    if not record.complete:
        progress = read_journal(journal_of(output))
        done = len(progress.done) if progress else 0
        raise SweepError(f"{output} is unfinished, with {done} blocks; the same sweep resumes it")
    if record.lacks:
        raise SweepError(
            f"{output} lacks {record.lacks}, as an interrupted copy does; copy it again, or run "
            "the same sweep again, which writes what is missing"
        )
    return form.load(output)
