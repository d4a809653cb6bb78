"""Random instances and the cost of every partition, for the tests of solvers."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

sys.path.append(str(Path(__file__).parent))  # for `every_partition`

for library in ("numba", "ortools"):
    pytest.importorskip(library)


@pytest.fixture(scope="session")
def programs() -> ModuleType:
    """The generator of the benchmarks."""
    path = Path(__file__).parents[4] / "benchmarks/partition/instances.py"
    spec = importlib.util.spec_from_file_location("partition_instances", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
