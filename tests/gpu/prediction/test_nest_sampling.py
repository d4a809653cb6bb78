"""The grid of a launch is laid out once, where shapes are made; what the first threads neglect."""

import ast
from importlib.resources import files
from pathlib import Path

import pytest

from logca.gpu.prediction.nest_sampling import neglected

ROOM = Path(str(files("logca.gpu")))
HOMES = {
    "layout": {"stages/blocks_and_occupancy.py"},
    "occupancy": {"stages/blocks_and_occupancy.py"},
    # the parts of a distributed loop are kernels of their own, with other loops as threads
    "shape_of": {"advice/loop_remedies.py", "prediction/nest_sampling.py", "tiles/trace.py"},
    # model bounds lays out the blocks of one multiprocessor
    "Launch": {
        "advice/loop_remedies.py",
        "prediction/nest_samples.py",
        "prediction/resident_launches.py",
    },
}


@pytest.mark.parametrize("name", HOMES)
def test_what_lays_out_is_called_in_one_place(name: str) -> None:
    callers = {
        path.relative_to(ROOM).as_posix()
        for path in ROOM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    }
    assert callers == HOMES[name]


def test_what_is_neglected_by_hand() -> None:
    assert neglected({0: 50, 1: 50}, {0: 1.0, 1: 1.0}) == ()
    assert neglected({0: 80, 1: 20}, {0: 1.0, 1: 1.0}) == (1,)
    assert neglected({0: 80}, {0: 1000.0, 1: 1.0}) == ()
    assert neglected({}, {0: 1.0}) == ()
