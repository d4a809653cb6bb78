"""The picture of a fit: data where they were measured, curves from the fitted numbers, marks."""

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from synthetic_timings import FAR, NEVER, REPEATS, SIZES, TWICE, Truth, rows

from logca.numeric.fit.fit import Fit
from logca.plots.fit import FitPicture
from logca.plots.render import figure_of
from logca.plots.style import WIDTHS

Fits = Callable[[Truth], Fit]
Drawn = Callable[[Truth], list[Axes]]


@pytest.fixture(scope="module")
def drawn(fits: Fits) -> Drawn:
    """The three panels of a fit in a column, drawn once."""
    found: dict[Truth, Figure] = {}

    def of(truth: Truth) -> list[Axes]:
        if truth not in found:
            found[truth] = figure_of(FitPicture(title="a fit", fit=fits(truth)))
        return found[truth].axes

    return of


def points(axes: Axes) -> list[tuple[np.ndarray, np.ndarray]]:
    """What is drawn with ranges: places and medians."""
    found = []
    for container in axes.containers:
        x, y = container[0].get_data()
        found.append((np.asarray(x), np.asarray(y)))
    return found


def curves(axes: Axes) -> list[tuple[np.ndarray, np.ndarray, bool]]:
    """Lines that are curves: places, values, and whether they are dashed."""
    lines = [line for line in axes.get_lines() if len(np.asarray(line.get_xdata())) > 100]
    return [(*map(np.asarray, line.get_data()), line.is_dashed()) for line in lines]


def medians(truth: Truth, column: int) -> np.ndarray:
    times = np.array([row[column] for row in rows(truth)]).reshape(-1, REPEATS)
    times[: truth.spikes if column == 1 else 0, 0] = np.nan
    return np.nanmedian(times, axis=1)


def test_points_are_medians_without_spikes(drawn: Drawn) -> None:
    times, speedup, _ = drawn(TWICE)
    own, other = medians(TWICE, 1), medians(TWICE, 2)
    for (x, y), expected in zip(points(times), (own, other), strict=True):
        np.testing.assert_allclose(x, SIZES)
        np.testing.assert_allclose(y, expected, rtol=1e-9)
    [(x, y)] = points(speedup)
    np.testing.assert_allclose(y, own / other, rtol=1e-9)


def test_spikes_are_apart(drawn: Drawn) -> None:
    spikes = [line for line in drawn(TWICE)[0].get_lines() if line.get_marker() == "x"]
    seen = np.concatenate([np.asarray(line.get_xdata()) for line in spikes])
    np.testing.assert_allclose(seen, SIZES[: TWICE.spikes])


def test_curves_are_the_fitted_times_dashed_beyond_the_data(fits: Fits, drawn: Drawn) -> None:
    found = Truth(**fits(TWICE).parameters)
    times, speedup, _ = drawn(TWICE)
    expected = [found.host, found.host, found.accelerated, found.accelerated]
    for (g, y, dashed), time in zip(curves(times), expected, strict=True):
        there = np.isfinite(y)
        np.testing.assert_allclose(y[there], time(g[there]), rtol=1e-9)
        measured = (g >= SIZES[0] * 0.999) & (g <= SIZES[-1] * 1.001)
        assert there.any()
        assert not (there & (measured == dashed)).any()
    g, y, _ = curves(speedup)[0]
    there = np.isfinite(y)
    np.testing.assert_allclose(y[there], found.host(g[there]) / found.accelerated(g[there]))


def test_break_evens_are_marked_with_their_intervals(fits: Fits, drawn: Drawn) -> None:
    speedup = drawn(TWICE)[1]
    filled = [
        (float(np.asarray(line.get_xdata())[0]), float(np.asarray(line.get_ydata())[0]))
        for line in speedup.get_lines()
        if line.get_marker() == "D" and line.get_markerfacecolor() != "white"
    ]
    crossings = Truth(**fits(TWICE).parameters).crossings()
    assert [y for _, y in filled] == [1, 1]
    assert [x for x, _ in filled] == pytest.approx(crossings, rel=1e-6)
    spans = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in speedup.patches]
    ends = [tuple(fits(TWICE).interval(name)[:2]) for name in ("g1", "g1_upper")]
    assert spans == [pytest.approx(each) for each in ends]


def test_residuals_are_medians_over_the_curve(fits: Fits, drawn: Drawn) -> None:
    found = Truth(**fits(TWICE).parameters)
    fitted = [found.host(SIZES), found.accelerated(SIZES)]
    for column, (_, y) in enumerate(points(drawn(TWICE)[2])):
        np.testing.assert_allclose(y, medians(TWICE, column + 1) / fitted[column], rtol=1e-9)


def test_a_break_even_beyond_the_data_is_on_the_dashed_part(fits: Fits, drawn: Drawn) -> None:
    speedup = drawn(FAR)[1]
    g1 = fits(FAR).accelerator.break_even()[0]
    assert SIZES[-1] < g1 < speedup.get_xlim()[1]
    g, y, dashed = curves(speedup)[1]
    assert dashed
    assert g[np.isfinite(y)].max() >= g1


def test_no_break_even_is_said_and_nothing_is_marked(drawn: Drawn) -> None:
    speedup = drawn(NEVER)[1]
    assert not speedup.patches
    assert not [line for line in speedup.get_lines() if line.get_markerfacecolor() == "#009E73"]
    assert any("no $g_1$" in text.get_text() for text in speedup.texts)


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_are_legible_and_inside(fits: Fits, width: str) -> None:
    figure = figure_of(FitPicture(title="a fit", fit=fits(TWICE)), width=width)
    assert figure.get_size_inches()[0] == pytest.approx(WIDTHS[width])
    [times, speedup, residuals] = figure.axes
    assert times.get_ylabel() == "time of a call"
    assert {label.get_text().split()[1] for label in times.get_yticklabels()} >= {"µs", "ms"}
    assert {label.get_text().split()[1] for label in speedup.get_xticklabels()} >= {"B", "MiB"}
    assert residuals.get_xlabel() == "granularity $g$ [bytes]"
    figure.draw_without_rendering()  # places the legends
    edge = figure.bbox
    for text in figure.findobj(Text):
        if text.get_text() and text.get_visible():
            assert text.get_fontsize() >= 6
            box = text.get_window_extent()
            assert box.x0 > -1
            assert box.x1 < edge.x1 + 1
            assert box.y0 > -1
            assert box.y1 < edge.y1 + 1
