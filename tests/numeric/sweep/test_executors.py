"""Sweeps on a Dask cluster: the same values, and nothing left behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import numpy as np
import psutil
import pytest
import xarray as xr
from dask.distributed import LocalCluster

import logca
from logca.numeric.sweep import dataset, executors
from logca.numeric.sweep.resume import journal_of, read_journal

QUANTITIES = ("speedup", "share_L", "T0")
PARAMETERS: dict[str, Any] = {
    "L": np.linspace(0, 10, 12),
    "g": np.geomspace(16, 2**25, 30),
    "A": [2.0, 12.0, 19.0],
    "o": 435,
    "C": 32,
    "beta": 1.1,
    "block": 90,
}


def swept(**changes: Any) -> xr.Dataset:
    with logca.sweep(QUANTITIES, latency="linear", **{**PARAMETERS, **changes}) as found:
        return found.load()


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Address of a cluster of two processes."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster.scheduler_address
    after = psutil.Process().children(recursive=True)
    workers = [each for each in after if each.pid not in before and "spawn_main" in str(each)]
    assert workers == []


@pytest.mark.parametrize("suffix", [".zarr", ".nc", ".parquet"])
def test_a_cluster_writes_the_same(tmp_path: Path, scheduler: str, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    found = swept(engine="dask", scheduler=scheduler, output=output)
    xr.testing.assert_identical(found, swept())
    assert not journal_of(output).exists()


def test_the_workers_of_the_cluster_compute(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = swept()

    def never(*_: Any) -> None:
        raise AssertionError("computed in this process")

    monkeypatch.setattr(dataset, "compute", never)
    xr.testing.assert_identical(swept(engine="dask", scheduler=scheduler), expected)
    with pytest.raises(AssertionError, match="in this process"):
        swept()


def test_a_cluster_of_this_process() -> None:
    children = psutil.Process().children()
    xr.testing.assert_identical(swept(engine="dask", workers=2), swept())
    assert psutil.Process().children() == children


def test_the_cluster_is_for_the_sweep_alone(scheduler: str) -> None:
    def watch(done: int, of: int) -> None:
        assert dask.config.get("scheduler", None) is None

    swept(engine="dask", scheduler=scheduler, progress=watch)
    with pytest.raises(logca.SweepError, match="no workers"):
        swept(engine="dask", scheduler="nonsense://x", progress=watch)
    assert dask.config.get("scheduler", None) is None


def test_a_sweep_of_threads_goes_on_on_a_cluster(tmp_path: Path, scheduler: str) -> None:
    output = tmp_path / "grid.zarr"

    def stop(done: int, of: int) -> None:
        if done > of // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept(output=output, progress=stop)
    progress = read_journal(journal_of(output))
    assert progress is not None
    assert len(progress.done) >= 6
    told: list[int] = []
    found = swept(
        engine="dask",
        scheduler=scheduler,
        output=output,
        progress=lambda done, of: told.append(done),
    )
    xr.testing.assert_identical(found, swept())
    assert told[0] > 500


def test_an_interrupted_cluster_is_left_in_order(tmp_path: Path, scheduler: str) -> None:
    output = tmp_path / "grid.zarr"

    def stop(done: int, of: int) -> None:
        if done:
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            swept(engine="dask", scheduler=scheduler, output=output, progress=stop)
    xr.testing.assert_identical(swept(engine="dask", scheduler=scheduler, output=output), swept())


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 0.5)
    with pytest.raises(logca.SweepError, match=r"no workers at the scheduler tcp://127\.0\.0\.1:9"):
        swept(engine="dask", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(logca.SweepError, match="no workers at the scheduler nonsense"):
        swept(engine="dask", scheduler="nonsense://x")


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 1)
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        pytest.raises(logca.SweepError, match="no workers"),
    ):
        swept(engine="dask", scheduler=cluster.scheduler_address)
