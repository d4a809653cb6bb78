"""Test pinning to a core."""

import os

import pytest

from logca.common.processes import usable_cores
from logca.numeric.measure.measure import pinned


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no pinning on this system")
def test_a_process_is_kept_on_one_core_for_a_while() -> None:
    before = os.sched_getaffinity(0)
    with pinned(True):
        assert usable_cores() == 1
    assert os.sched_getaffinity(0) == before
    with pinned(False):
        assert os.sched_getaffinity(0) == before
