"""Run a sweep: in memory, or block by block into an output, going on where an earlier run ended."""

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from logca.common.extras import require
from logca.common.files import beside, left_behind, remove_dead
from logca.common.processes import usable_cores
from logca.numeric.sweep.blocks import SweepError
from logca.numeric.sweep.dataset import Values, block_of, block_values, labelled
from logca.numeric.sweep.executors import EXECUTORS, in_threads, on_cluster
from logca.numeric.sweep.formats import OutputFormat, Write, format_of
from logca.numeric.sweep.plan import Sweep
from logca.numeric.sweep.resume import (
    REPLACED,
    Action,
    Journal,
    followed,
    journal_of,
    next_action,
    remove,
    set_aside,
    writing_journal,
)

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Execution", "Progress", "in_memory", "into_csv", "into_output"]

_LONGEST_NAME = 200
"""Length of an output's name, beside which longer ones stand while it is written [B]."""

Progress = Callable[[int, int], object]
"""Is told how many points are done, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Who computes the blocks."""

    engine: str = "threads"  # "threads" or "dask"
    workers: int | None = None  # threads of this process; as many as it has cores if left out [1]
    scheduler: str | None = None  # address of a Dask scheduler
    tell: Progress | None = None  # is told how many points are done, and how many there are [1]

    def check(self) -> None:
        """Raise SweepError if these do not go together."""
        if self.engine not in EXECUTORS:
            raise SweepError(
                f"unknown engine {self.engine!r}; choose one of {', '.join(EXECUTORS)}"
            )
        if self.workers is not None and self.workers < 1:
            raise SweepError(f"{self.workers} workers; there must be at least 1")
        if self.scheduler is not None and self.engine != "dask":
            raise SweepError(
                f"scheduler = {self.scheduler} goes with the engine dask; leave it out or take dask"
            )
        if self.scheduler is not None and self.workers is not None:
            raise SweepError("the scheduler's cluster has its own workers; leave out one of both")


def in_memory(sweep: Sweep, how: Execution) -> "xr.Dataset":
    """The sweep in memory."""
    how.check()
    require("xarray", "sweep")
    shapes = {name: sweep.shape_of(name) for name in sweep.quantities}
    _refuse_more_than_half(8 * sum(map(prod, shapes.values())))
    arrays = {name: np.empty(shape) for name, shape in shapes.items()}

    def keep(number: int, values: Values) -> None:
        for name, array in values.items():
            arrays[name][block_of(sweep, name, number) or ...] = array

    with closing(_written(sweep, how, keep)) as blocks:
        for _ in blocks:
            pass
    return labelled(sweep, arrays)


def into_csv(sweep: Sweep, output: Path, how: Execution, *, force: bool = False) -> "xr.Dataset":
    """The sweep in memory, and as a file of CSV, which is written whole."""
    from logca.numeric.sweep.parquet_folder import UNFINISHED_CSV, write_csv

    exists = f"{output} exists; force replaces it"
    if output.exists() and not output.is_file():
        raise SweepError(f"{output} is a folder, a pipe or a device; name a new file")
    if output.exists() and not force:
        raise SweepError(exists)
    _refuse_impossible_place(output)
    output = followed(output)
    remove_dead(output, UNFINISHED_CSV)
    found = in_memory(sweep, how)
    try:
        write_csv(output, sweep, found, force=force)
    except FileExistsError:
        raise SweepError(exists) from None
    except OSError as error:
        raise SweepError(f"{output} cannot be written to: {error.strerror}") from None
    return found


def _refuse_impossible_place(output: Path) -> None:
    if len(os.fsencode(output.name)) > _LONGEST_NAME:
        raise SweepError(
            f"the name {output.name[:20]}... has more than {_LONGEST_NAME} bytes; "
            "take a shorter one"
        )
    if not output.parent.is_dir():
        raise SweepError(f"there is no folder {output.parent}; make it, or name another")


def into_output(
    sweep: Sweep, output: Path, how: Execution, *, resume: bool = True, force: bool = False
) -> int:
    """The sweep into an output, with a few blocks at a time in memory; blocks computed [1]."""
    how.check()
    form = format_of(output)
    _refuse_impossible_place(output)
    output = followed(output)
    inspect = partial(next_action, output, form, sweep.identity(), resume=resume, force=force)
    if inspect().action is Action.NOTHING:
        return 0
    place = journal_of(output)
    with writing_journal(place) as journal:
        found = inspect()  # again: until now, another process may have been at work
        before: Path | None = None  # what the output replaces
        computed = 0
        try:
            if found.action is Action.BEGIN:
                for name in found.left_over:
                    remove(output.with_name(name))
                before = set_aside(output)
                _begin(sweep, output, form, journal)
            elif found.action is Action.GO_ON:
                journal.go_on()
            claimed: Iterable[int] = found.done
            if found.action is Action.MEND:
                journal.begin(sweep.identity())
                journal.mark_created()
                claimed = range(sweep.grid.blocks)
            if found.action in (Action.GO_ON, Action.MEND):
                form.restore(output, sweep)
            # an older copy of the output may have been put back under a newer journal
            done = form.written(output, sweep, claimed)
            if found.action is Action.MEND:
                for number in sorted(done):
                    journal.mark(number)
            if found.action is not Action.NOTHING:
                with (
                    form.writing(output, sweep) as write,
                    closing(_written(sweep, how, write, form=form, done=done)) as blocks,
                ):
                    for number in blocks:
                        journal.mark(number)
                        computed += 1
                        if before is not None:
                            remove(before)
                            before = None
                form.finish(output)
                journal.sync()
                # of sweeps that were killed: the journal, which is locked, says that none runs
                for replaced in left_behind(output, REPLACED):
                    with suppress(SweepError):
                        remove(replaced)
        except BaseException:
            if before is not None:  # nothing has come in its place
                remove(output)
                before.rename(output)
                journal.forget()
            raise
        place.unlink(missing_ok=True)
    return computed


def _begin(sweep: Sweep, output: Path, form: OutputFormat, journal: Journal) -> None:
    """Make a new output, under another name first: what has its name is always a sweep's."""
    beginning = beside(output, "beginning")
    journal.begin(sweep.identity())
    journal.name_beginning(beginning.name)
    try:
        form.create(beginning, sweep)
        beginning.rename(output)
    except BaseException:
        remove(beginning)
        journal.forget()
        raise
    journal.mark_created()


def _written(
    sweep: Sweep,
    how: Execution,
    write: Write,
    *,
    form: OutputFormat | None = None,
    done: frozenset[int] = frozenset(),
) -> Generator[int, None, None]:
    """Compute and write the blocks that are not done; their numbers as they come.

    Without a format it is arrays that are written, by several threads at once.
    """
    everywhere = form is not None and form.REPEATS_QUANTITIES
    compute = partial(block_values, sweep, everywhere=everywhere)
    numbers = (number for number in range(sweep.grid.blocks) if number not in done)
    workers = how.workers or usable_cores()

    def compute_and_write(number: int) -> None:
        write(number, compute(number))

    if how.engine == "dask":
        results = on_cluster(
            sweep, numbers, everywhere=everywhere, scheduler=how.scheduler, workers=workers
        )
    elif form is None or form.PARALLEL:
        results = in_threads(compute_and_write, numbers, workers)
    else:
        results = in_threads(compute, numbers, workers)
    points = sum(map(sweep.grid.points, done))
    tell = how.tell or (lambda points, of: None)
    with closing(results):
        tell(points, sweep.points)
        for number, values in results:
            if values is not None:
                write(number, values)
            points += sweep.grid.points(number)
            yield number
            tell(points, sweep.points)


def _refuse_more_than_half(size: int) -> None:
    """Raise SweepError for arrays of so many bytes that the machine would suffer."""
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if size > memory // 2:
        raise SweepError(
            f"the result takes {size / 1e9:.3g} GB, and there are {memory / 1e9:.3g} GB of memory; "
            "give an output to write it to"
        )
