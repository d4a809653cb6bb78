"""`make check` runs the tests that mirror what has changed."""

from pathlib import Path

import pytest
from rooms import ROOT
from touched_tests import mirrors


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("numeric/roots/granularity.py", ["tests/numeric/roots/test_granularity.py"]),
        ("logca/cli/gpu.py", ["tests/logca/cli/test_gpu.py"]),
        ("tests/common/test_sizes.py", ["tests/common/test_sizes.py"]),
        ("docs/sweep.md", []),
    ],
)
def test_a_changed_file_is_mirrored_by_its_tests(changed: str, tests: list[str]) -> None:
    assert [str(path.relative_to(ROOT)) for path in mirrors(Path(changed))] == tests


def test_a_file_without_tests_of_its_own_is_mirrored_by_those_of_its_folder() -> None:
    found = list(mirrors(Path("trace/instrument/no_such_module.py")))
    assert found
    assert {path.parent for path in found} == {ROOT / "tests/trace/instrument"}
