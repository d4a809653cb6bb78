"""Who computes the blocks: threads of this process, or the workers of a Dask cluster."""

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Any

from logca.common.extras import require
from logca.numeric.sweep.blocks import SweepError
from logca.numeric.sweep.dataset import Values, block_values
from logca.numeric.sweep.plan import Sweep

__all__ = ["EXECUTORS", "in_threads", "on_cluster"]

EXECUTORS = ("threads", "dask")
"""Who computes the blocks."""

_EACH = 2
"""Blocks for each worker that are computed or wait to be written, so that none is idle [1]."""

_PATIENCE = 30
"""Time that a cluster may take to answer [s]."""


def in_threads(
    work: Callable[[int], Any], numbers: Iterable[int], workers: int
) -> Generator[tuple[int, Any], None, None]:
    """Do work for each number in threads; numbers and results as they come."""
    pool = ThreadPoolExecutor(workers)
    first = partial(wait, return_when=FIRST_COMPLETED)
    try:
        yield from _as_they_come(
            lambda number: pool.submit(work, number), first, numbers, _EACH * workers
        )
    finally:
        pool.shutdown(cancel_futures=True)


def on_cluster(
    sweep: Sweep,
    numbers: Iterable[int],
    *,
    everywhere: bool,
    scheduler: str | None,
    workers: int,
) -> Generator[tuple[int, Values], None, None]:
    """The values of blocks, computed by a Dask cluster; numbers and values as they come."""
    distributed: Any = require("dask.distributed", "sweep")
    with ExitStack() as stack:
        try:
            # Not the default: what else is lazy in this process stays where it is computed.
            client = distributed.Client(
                **({"address": scheduler} if scheduler else _here(workers)),
                timeout=_PATIENCE,
                set_as_default=False,
            )
            stack.enter_context(client)
            client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, TimeoutError, ValueError) as error:
            raise SweepError(f"no workers at the scheduler {scheduler}: {error}") from None
        room = _EACH * sum(client.nthreads().values())
        shared = client.scatter(sweep, broadcast=True)
        submit = partial(client.submit, block_values, shared, everywhere=everywhere, pure=False)

        def first(jobs: list[Any]) -> Any:
            with client.as_current():
                return distributed.wait(jobs, return_when="FIRST_COMPLETED")

        yield from _as_they_come(submit, first, numbers, room)


def _here(workers: int) -> dict[str, Any]:
    """A cluster of threads of this process, its web page wherever there is room."""
    return {
        "processes": False,
        "n_workers": 1,
        "threads_per_worker": workers,
        "dashboard_address": "127.0.0.1:0",
    }


def _as_they_come(
    submit: Callable[[int], Any],
    first: Callable[[list[Any]], Any],
    numbers: Iterable[int],
    room: int,
) -> Iterator[tuple[int, Any]]:
    """Results of at most so many jobs at a time: what is not yet written must fit into memory."""
    waiting = iter(numbers)
    jobs: dict[Any, int] = {}
    while True:
        for number in islice(waiting, room - len(jobs)):
            jobs[submit(number)] = number
        if not jobs:
            return
        for job in first(list(jobs)).done:
            yield jobs.pop(job), job.result()
