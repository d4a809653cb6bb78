"""Lines and bars: what is drawn is what was given, and files of every kind are whole."""

from fractions import Fraction

import pytest

from logca.exploration import Swept, means, series_of
from logca.exploration_figures import picture_of
from logca.numeric.partition.platform import platform
from logca.numeric.partition.points import Point, Setting
from logca.numeric.partition.sweeps import METHODS, SWEEPS, settings_of, steps_of
from logca.plots.files import picture

pytest.importorskip("matplotlib")

PROGRAMS = ("aes", "fft")


def swept(sweep: str) -> Swept:
    """Shares that tell program, method and place apart."""
    found: dict[Setting, Point] = {}
    steps = steps_of(sweep, platform("kenter2010"))
    for number, setting in enumerate(settings_of(steps, PROGRAMS)):
        share = 0.01 * number + (0.2 if setting.method == "optimal" else 0.0)
        found[setting] = Point(
            setting=setting, speedup=1 + share, theoretical=2.0, relative=share, gap=0.0, area=1,
            te=Fraction(1), tm=Fraction(1), tc=Fraction(0), tr=Fraction(0), cpu_te=Fraction(1),
            cpu_tm=Fraction(1), mapped=(), elapsed_s=0.0,
        )  # fmt: skip
    return Swept(sweep=SWEEPS[sweep], steps=steps, programs=PROGRAMS, methods=METHODS, points=found)


@pytest.mark.parametrize("sweep", SWEEPS)
@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_every_sweep_makes_whole_files(sweep: str, suffix: str) -> None:
    drawn = picture_of(swept(sweep))
    contents = picture(drawn, suffix)
    assert contents.startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])
    assert contents == picture(drawn, suffix)  # the same in every run


def test_lines_have_the_values_in_percent() -> None:
    from logca.plots.lines import Lines, draw_lines

    known = swept("latency")
    drawn = picture_of(known)
    assert isinstance(drawn, Lines)
    figure = draw_lines(drawn, width="page")
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["greedy", "optimum"]
    for axes, method in zip(figure.axes, METHODS, strict=True):
        for line, name in zip(axes.get_lines()[1:], PROGRAMS, strict=True):
            own = settings_of(known.steps, [name], [method])
            wanted = [100 * known.points[each].relative for each in own]
            assert list(line.get_ydata()) == pytest.approx(wanted)
            assert list(line.get_xdata()) == [2.0**k for k in range(-4, 11)]
    assert figure.axes[0].get_xscale() == "log"
    assert figure.axes[0].get_ylabel() == "relative speedup [%]"
    assert figure.axes[0].get_xlabel().endswith("[1]")


def test_bars_have_the_means() -> None:
    from logca.plots.bars import Bars, draw_bars

    known = swept("design")
    drawn = picture_of(known)
    assert isinstance(drawn, Bars)
    assert drawn.groups == ("SL1", "SL2+", "SL2-", "SMM+", "SMM-")
    mean = means(series_of(known, "greedy"))
    bars = draw_bars(drawn).axes[0].containers
    assert [patch.get_height() for patch in bars[0]] == pytest.approx(mean[::2])
    assert [patch.get_height() for patch in bars[1]] == pytest.approx(mean[1::2])


def test_the_axis_of_efficiency_goes_down_to_the_right_as_the_paper_has_it() -> None:
    from logca.plots.lines import Lines, draw_lines

    drawn = picture_of(swept("efficiency"))
    assert isinstance(drawn, Lines)
    left, right = draw_lines(drawn).axes[0].get_xlim()
    assert left > right


def test_other_endings_are_refused() -> None:
    drawn = picture_of(swept("default"))
    with pytest.raises(ValueError, match=r"a picture must end in \.svg"):
        picture(drawn, ".gif")
