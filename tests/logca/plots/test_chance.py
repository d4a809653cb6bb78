"""Pictures of uncertain decisions: what is drawn is what was computed."""

import numpy as np
import pytest

from logca.numeric.chance.accelerator import UncertainAccelerator
from logca.numeric.chance.decide import decide_uncertain
from logca.numeric.chance.distributions import LogNormal, Uniform
from logca.plots.chance import chance_picture
from logca.plots.render import figure_of, picture

GPU = UncertainAccelerator(
    o=LogNormal(median=29_000, factor=1.3), L=1500, C=90, A=Uniform(least=0.8, most=5)
)


def test_curves_and_bands() -> None:
    found = decide_uncertain(GPU, "4 KiB")
    drawn = chance_picture(found)
    assert drawn.low < 4096 < drawn.high
    figure = figure_of(drawn, width="page")
    chance, speedup = figure.axes
    assert chance.get_ylabel() == "probability [%]"
    assert {axes.get_xlabel() for axes in figure.axes} == {"granularity $g$ [bytes]"}
    sizes, shares = chance.lines[0].get_data()
    for g, share in zip(sizes[::12], shares[::12], strict=True):
        assert share / 100 == pytest.approx(GPU.probability(1, g).value, abs=2e-3)
    assert np.all(np.diff(shares) >= 0)
    median = np.asarray(speedup.lines[0].get_ydata())
    assert median[-1] == pytest.approx(GPU.speedup_quantile(0.5, sizes[-1]).value, rel=5e-3)
    assert [len(figure.legends[0].get_texts()), len(speedup.collections)] == [6, 2]


@pytest.mark.parametrize("width", ["page", "column"])
def test_files(width: str) -> None:
    drawn = chance_picture(decide_uncertain(GPU, 512, speedup=2))
    assert picture(drawn, ".png", width=width, dpi=60).startswith(b"\x89PNG")
    assert picture(drawn, ".svg", width=width) == picture(drawn, ".svg", width=width)
