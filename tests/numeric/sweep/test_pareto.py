"""Pareto fronts against the definition, tried on every pair."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from effort import examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import logca
from logca.numeric.sweep import pareto as pareto_module
from logca.numeric.sweep.blocks import cut
from logca.numeric.sweep.pareto import non_dominated


def brute_force(costs: Any) -> Any:
    """A row stays unless another is nowhere larger and somewhere smaller."""
    return np.array(
        [not any((other <= row).all() and (other < row).any() for other in costs) for row in costs],
        dtype=bool,
    )


@examples(40)
@given(
    costs=st.integers(1, 5).flatmap(
        lambda k: arrays(
            np.float64,
            st.tuples(st.integers(0, 60), st.just(k)),
            elements=st.integers(0, 4).map(float) | st.floats(-1e300, 1e300),
        )
    )
)
def test_rows_that_no_other_dominates(costs: Any) -> None:
    np.testing.assert_array_equal(non_dominated(costs), brute_force(costs))


@pytest.mark.parametrize("costs", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("levels", [6, 10**6])
def test_many_rows(costs: int, levels: int) -> None:
    rows = np.random.default_rng(costs).integers(0, levels, size=(700, costs)).astype(float)
    np.testing.assert_array_equal(non_dominated(rows), brute_force(rows))


def test_a_front_of_all_points() -> None:
    x = np.arange(200_000.0)
    assert non_dominated(np.stack([x, -x], axis=1)).all()
    assert non_dominated(np.stack([x, -x, x % 7], axis=1)).all()
    assert non_dominated(np.zeros((1000, 3))).all()


@pytest.fixture(scope="module")
def grid() -> xr.Dataset:
    return logca.sweep(
        ("speedup", "T1", "speedup_infinite"),
        g=[100, 1000],
        A=[2.0, 8, 32],
        L=[10, 300, 1000, 3000],
        C=[1, 5],
        o=500,
        beta=1.1,
    )


def expected(grid: xr.Dataset, down: list[str], up: list[str]) -> set[tuple[float, ...]]:
    table = grid.to_dataframe().reset_index()
    columns = [*down, *up]
    used = {axis for name in columns for axis in grid[name].dims}
    table = table[[*used, *(name for name in columns if name not in used)]].drop_duplicates()
    signs = np.array([1.0] * len(down) + [-1.0] * len(up))
    front = table[brute_force(table[columns].to_numpy() * signs)]
    return set(map(tuple, front[sorted(front)].to_numpy()))


@pytest.mark.parametrize("points", [1, 5, 10**6])
@pytest.mark.parametrize(
    ("down", "up"),
    [
        (["A"], ["speedup"]),
        (["A", "C"], ["speedup", "L"]),
        (["T1"], ["speedup"]),
        ([], ["speedup"]),
        (["L"], ["speedup_infinite"]),
        (["A"], ["L"]),
    ],
)
def test_points_that_no_other_dominates(
    grid: xr.Dataset,
    down: list[str],
    up: list[str],
    points: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pareto_module, "cut", lambda shape: cut(shape, points))
    found = logca.pareto(grid, minimise=down, maximise=up)
    table = found.to_dataframe().drop(
        columns=[name for name in found.coords if not found[name].dims]
    )
    assert set(map(tuple, table[sorted(table)].to_numpy())) == expected(grid, down, up)
    assert len(table) == len(expected(grid, down, up))
    first = found[(down + up)[0]].values
    assert (np.diff(first) * (1 if down else -1) >= 0).all()
    assert found.sizes.keys() == {"point"}
    for name in (*down, *up, *found.coords):
        assert found[name].attrs == grid[name].attrs


def test_of_a_file(grid: xr.Dataset, tmp_path: Path) -> None:
    for suffix in (".zarr", ".nc", ".parquet"):
        output = tmp_path / f"grid{suffix}"
        parameters = {str(name): each.values for name, each in grid.coords.items()}
        names = [str(name) for name in grid.data_vars]
        with logca.sweep(names, **parameters, output=output, block=9) as stored:
            found = logca.pareto(stored, minimise="A", maximise=["speedup", "L"])
        xr.testing.assert_identical(
            found, logca.pareto(grid, minimise="A", maximise=["speedup", "L"])
        )


def test_nan_is_never_the_best(grid: xr.Dataset) -> None:
    masked = grid.where(grid.A < 32)
    found = logca.pareto(masked, maximise="speedup")
    assert found.A.item() == 8
    assert logca.pareto(grid.where(grid.A < 0), maximise="speedup").sizes == {"point": 0}


def test_a_single_point() -> None:
    point = logca.sweep(g=1, A=2, L=3, C=4, o=5, beta=1)
    found = logca.pareto(point, minimise="A", maximise="speedup")
    assert found.sizes == {"point": 1}
    assert found.speedup.item() == point.speedup.item()


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({}, "nothing to minimise"),
        ({"minimise": "cost"}, "has no 'cost'; it has"),
        ({"minimise": "A", "maximise": "A"}, "A is to be"),
        ({"minimise": ["A", "A"]}, "A is to be"),
    ],
)
def test_bad_questions(grid: xr.Dataset, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(logca.SweepError, match=message):
        logca.pareto(grid, **wanted)
