"""Limits are positive."""

import numpy as np
import pytest

from logca.common.errors import TraceError
from logca.common.limits import Limits


@pytest.mark.parametrize("name", ["time_s", "memory_B", "stack_B", "records", "output_B", "file_B"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), np.timedelta64(5)])
def test_a_limit_that_is_none(name: str, value: float) -> None:
    with pytest.raises(TraceError, match=name):
        Limits(**{name: value})
