"""The page of the two flips is what its data says, and its data is whole."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from logca.grids import markdown
from logca.kenter_flips import flip_grids, said
from logca.numeric.partition.exploration.flips_of_kenter import FLIPS, assumptions

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = ROOT / "benchmarks" / "partition" / "flips.py"
    spec = importlib.util.spec_from_file_location("partition_flips", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_data(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    assert markdown(flip_grids(rows)) == study.TABLES.read_text(encoding="utf-8")


def test_the_data_has_every_combination_by_both_methods(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    assert len(rows) == 2 * len(assumptions())
    assert len({(row.values, row.method) for row in rows}) == len(rows)


def test_the_optimum_is_never_below_greedy(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    greedy = {row.values: row for row in rows if row.method == "greedy"}
    for row in rows:
        if row.method == "optimal":
            twin = greedy[row.values]
            assert row.fft >= twin.fft
            assert row.fft_far >= twin.fft_far
            for (_, most), (_, least) in zip(row.means, twin.means, strict=True):
                assert most >= least - 1e-6


def test_what_is_written_can_be_read(study: ModuleType, tmp_path: Path) -> None:
    rows = study.read(study.DATA)[:4]
    study.written(rows, tmp_path / "some.csv")
    assert study.read(tmp_path / "some.csv") == rows
    for name in FLIPS:
        assert "of 2 combinations by greedy" in said(rows, name)
