"""Pictures of offloads: both widths, their axes, and the same bytes every time."""

import pytest
from offloads import made

pytest.importorskip("matplotlib")

from logca.plots.offload import OffloadPicture
from logca.plots.render import figure_of, picture


@pytest.mark.parametrize("width", ["column", "page"])
def test_axes_have_labels_with_units(width: str) -> None:
    found = made(float, lambda n: 5.0)
    figure = figure_of(OffloadPicture(title="Both paths", found=found), width=width)
    times, parts = figure.axes
    assert times.get_xlabel() == parts.get_xlabel() == "N [1]"
    assert times.get_ylabel() == "time of the loops [s]"
    assert parts.get_ylabel() == "share of the accelerated time [%]"
    assert [line.get_label() for line in times.get_lines()][:2] == [
        "host",
        "accelerated, with its interval",
    ]
    # shares fill the panel
    assert parts.get_ylim() == (0, 100)


def test_a_picture_is_the_same_every_time() -> None:
    drawn = OffloadPicture(title="Both paths", found=made(float, lambda n: 5.0))
    assert picture(drawn, ".svg") == picture(drawn, ".svg")
