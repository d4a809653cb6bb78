"""Times that say the opposite of a fit are named; times that agree are not."""

import numpy as np
import pytest
from known_devices import CONSTANT, LINEAR, SIZES, SLOWER, Known

from logca.numeric.fitting.fit import fit
from logca.numeric.fitting.timings import Timings


def said(timings: Timings) -> list[str]:
    return [each for each in fit(timings).warnings if "contradict" in each]


@pytest.mark.parametrize("known", [CONSTANT, LINEAR, SLOWER], ids=["constant", "linear", "slower"])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_said_where_the_model_holds(known: Known, seed: int) -> None:
    assert said(known.timings(0.1, seed=seed, repeats=6)) == []


def test_a_step_that_moves_the_break_even_is_told() -> None:
    plain = CONSTANT.timings(0.01, seed=3, repeats=6)
    even = CONSTANT.where(1.0)
    near = [size for size in SIZES if size > even][:2]
    slower = [3.0 if size in near else 1.0 for size in SIZES]
    timings = Timings(
        granularity=plain.granularity,
        host=plain.host,
        accelerated=[
            factor * np.asarray(row) for factor, row in zip(slower, plain.accelerated, strict=True)
        ],
    )
    (sentence,) = said(timings)
    assert "where the host is surely faster" in sentence
