"""Where the tests of measuring write, and what they measure."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # for `measuring_world`

from measuring_world import World


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """A file that is not there yet."""
    return tmp_path / "samples.jsonl"


@pytest.fixture
def linear() -> World:
    """Host 1 ns/B; accelerated 20 µs and ten times as fast: both take as long at 22,222 B."""
    return World(host=lambda g: 1e-9 * g, accelerated=lambda g: 20e-6 + 1e-10 * g, noise=0.02)
