"""Lines and bars: what is drawn is what was given, and files of every kind are whole."""

from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread

from logca.numeric.partition.exploration.explorer import Point, Setting
from logca.numeric.partition.exploration.sweeps import COMPARED, SWEEPS, settings_of, steps_of
from logca.numeric.partition.problem.platform import platform
from logca.plots import style
from logca.plots.charts import Bars, Dots, Series, SeriesPanel, draw_bars
from logca.plots.explore import METHOD_NAMES, SweepResult, means, picture_of, series_of
from logca.plots.paper import paper_figure
from logca.plots.render import figure_of, picture, saved
from logca.show.explore import sweep_table

PROGRAMS = ("aes", "fft")


def swept(
    sweep: str, methods: tuple[str, ...] = COMPARED, untraced: tuple[str, ...] = ()
) -> SweepResult:
    """Shares that tell program, method and place apart."""
    found: dict[Setting, Point] = {}
    steps = steps_of(sweep, platform("kenter2010"))
    for number, setting in enumerate(settings_of(steps, PROGRAMS, methods)):
        share = 0.01 * number + (0.2 if setting.method == "optimal" else 0.0)
        found[setting] = Point(
            setting=setting, speedup=1 + share, theoretical=2.0, relative=share, gap=0.0,
            proven=True, traced=setting.program not in untraced, area=1,
            te=Fraction(1), tm=Fraction(1), tc=Fraction(0), tr=Fraction(0), cpu_te=Fraction(1),
            cpu_tm=Fraction(1), mapped=(), elapsed_s=0.0,
        )  # fmt: skip
    return SweepResult(
        sweep=SWEEPS[sweep], steps=steps, programs=PROGRAMS, methods=methods, points=found
    )


@cache
def twice(sweep: str) -> tuple[Figure, Figure]:
    """Drawn and laid out twice, for all formats."""
    figures = figure_of(picture_of(swept(sweep))), figure_of(picture_of(swept(sweep)))
    for figure in figures:
        figure.set_layout_engine("none")
    return figures


@pytest.mark.parametrize(
    ("sweep", "suffix"),
    [
        *((sweep, ".svg") for sweep in SWEEPS),
        *((sweep, suffix) for sweep in ("design", "link") for suffix in (".png", ".pdf")),
    ],
)
def test_every_sweep_makes_whole_files(sweep: str, suffix: str) -> None:
    drawn = picture_of(swept(sweep))
    contents, again = (saved(figure, drawn, suffix) for figure in twice(sweep))
    assert contents.startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])
    assert contents == again  # the same in every run


def test_lines_have_the_values_in_percent() -> None:
    from logca.plots.charts import Lines, draw_lines

    known = swept("latency")
    drawn = picture_of(known)
    assert isinstance(drawn, Lines)
    figure = draw_lines(drawn, width="page")
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["greedy", "optimum"]
    for axes, method in zip(figure.axes, COMPARED, strict=True):
        for line, name in zip(axes.get_lines()[1:], PROGRAMS, strict=True):
            own = settings_of(known.steps, [name], [method])
            wanted = [100 * known.points[each].relative for each in own]
            assert list(line.get_ydata()) == pytest.approx(wanted)
            assert list(line.get_xdata()) == [2.0**k for k in range(-4, 11)]
    assert figure.axes[0].get_xscale() == "log"
    assert figure.axes[0].get_ylabel() == "relative speedup [%]"
    assert figure.axes[0].get_xlabel().endswith("[1]")


def test_bars_have_the_means() -> None:
    known = swept("design")
    drawn = picture_of(known)
    assert isinstance(drawn, Bars)
    assert drawn.groups == ("SL1", "SL2+", "SL2-", "SMM+", "SMM-")
    mean = means(series_of(known, "greedy"))
    bars = draw_bars(drawn).axes[0].containers
    assert [patch.get_height() for patch in bars[0]] == pytest.approx(mean[::2])
    assert [patch.get_height() for patch in bars[1]] == pytest.approx(mean[1::2])


def test_the_axis_of_efficiency_goes_down_to_the_right_as_the_paper_has_it() -> None:
    from logca.plots.charts import Lines, draw_lines

    drawn = picture_of(swept("efficiency"))
    assert isinstance(drawn, Lines)
    left, right = draw_lines(drawn).axes[0].get_xlim()
    assert left > right


@pytest.mark.parametrize("sweep", SWEEPS)
@pytest.mark.parametrize("width", ["column", "page"])
def test_all_methods_can_be_drawn_and_nothing_is_cut(sweep: str, width: str) -> None:
    contents = picture(picture_of(swept(sweep, tuple(METHOD_NAMES))), ".png", width=width, dpi=150)
    pixels = imread(BytesIO(contents))[..., :3]
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge > 0.99).all()


def test_eight_bars_look_different() -> None:
    drawn = picture_of(swept("design", tuple(METHOD_NAMES)))
    assert isinstance(drawn, Bars)
    kinds = draw_bars(drawn).axes[0].containers
    looks = {(kind[0].get_facecolor(), kind[0].get_hatch()) for kind in kinds}
    assert len(looks) == len(kinds) == 8
    lightness = [sum(kind[0].get_facecolor()[:3]) for kind in kinds]
    assert all(abs(a - b) > 0.2 for a, b in pairwise(lightness))


DOTS = Dots(
    title="dots",
    rows=("a", "b"),
    panels=tuple(
        SeriesPanel(title=t, series=(Series(name="x", values=(1.0, 2.0)),)) for t in "abcd"
    ),
    axis="time [s]",
)


@pytest.mark.parametrize("width", ["column", "page"])
@pytest.mark.parametrize("kind", ["area", "design", "dots", "fig3"])
def test_letters_have_the_size_that_room_was_made_for(
    kind: str, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is laid out for narrow panels is not written with the letters of wide ones."""
    drawn: Any = DOTS if kind == "dots" else None
    drawn = drawn or (paper_figure(kind) if kind == "fig3" else None)
    drawn = drawn or picture_of(swept(kind, tuple(METHOD_NAMES)))
    chosen = []
    as_drawn = style.settings

    def settings(panel_width: float) -> dict[str, Any]:
        chosen.append(as_drawn(panel_width)["font.size"])
        return as_drawn(panel_width)

    monkeypatch.setattr(style, "settings", settings)
    picture(drawn, ".svg", width=width)
    assert len(chosen) == 2
    assert chosen[0] == chosen[1]


def test_a_program_that_was_not_traced_is_named_below_designs() -> None:
    said = "fft: not traced, so that memory time, and with it this speedup, is the same in all"
    assert any(said in note for note in sweep_table(swept("design", untraced=("fft",))).notes)
    assert not sweep_table(swept("design")).notes
    assert not sweep_table(swept("area", untraced=("fft",))).notes  # no design but the usual one


def test_other_endings_are_refused() -> None:
    drawn = picture_of(swept("default"))
    with pytest.raises(ValueError, match=r"a picture must end in \.svg"):
        picture(drawn, ".gif")
