"""What is drawn is what the model says: curves, marks, bands and arrows against brute force."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from io import BytesIO
from typing import get_args

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread
from naive_model import crossings, labels, speedup

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.paper.devices import device
from logca.plots.drawing import Drawing, Panel, accelerator_drawing
from logca.plots.kinds import What
from logca.plots.paper import FIGURES, paper_figure
from logca.plots.render import SUFFIXES, figure_of, picture, saved
from logca.plots.style import WIDTHS, drawing_settings

LOW, HIGH = 16.0, 2.0**25
FALLING = Accelerator(o=4e8, L=15, C=290, A=7, beta=0.94, latency="linear", name="falling")
PANELS = {
    "fig1b": 1, "fig3": 1, "fig4": 2, "fig5": 4, "fig6": 1, "fig7": 8, "fig8": 4, "fig9": 4,
    "fig10": 5, "fig11": 3,
}  # fmt: skip


def drawn(drawing: Drawing, width: str = "column") -> tuple[Figure, list[Axes]]:
    """The figure, and the axes that show a panel."""
    figure = figure_of(drawing, width=width)
    return figure, [axes for axes in figure.axes if axes.axison]


def drawn_paper(name: str, width: str = "column") -> tuple[Figure, list[Axes]]:
    """A figure of the paper, drawn once for all that look at it."""
    return _drawn_paper(name, width)


@cache
def _drawn_paper(name: str, width: str) -> tuple[Figure, list[Axes]]:
    return drawn(paper_figure(name), width)


@cache
def paper_file(name: str, suffix: str) -> bytes:
    """A figure of the paper as a file, written once for all that read it."""
    return picture(paper_figure(name), suffix)


def file_of_drawn(name: str, suffix: str, width: str = "column", **given: int) -> bytes:
    """A figure that is drawn and laid out already as a file."""
    figure, _ = drawn_paper(name, width)
    layout = figure.get_layout_engine()
    figure.set_layout_engine("none")
    try:
        return saved(figure, paper_figure(name), suffix, width=width, **given)
    finally:
        figure.set_layout_engine(layout)


def curves(axes: Axes) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lines with as many points as curves have."""
    data = [line.get_data() for line in axes.get_lines()]
    return [(np.asarray(x), np.asarray(y)) for x, y in data if len(x) > 100]


def marked(axes: Axes, symbol: str) -> list[tuple[float, float]]:
    """Points that are marked with a symbol."""
    lines = [line for line in axes.get_lines() if line.get_label() == f"_{symbol}"]
    return [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in lines]


def bands(axes: Axes) -> list[tuple[str, float, float]]:
    """Labels and ends of the bands."""
    found = [patch for patch in axes.patches if str(patch.get_label()).startswith("_")]
    return [
        (str(patch.get_label())[1:], patch.get_x(), patch.get_x() + patch.get_width())
        for patch in found
    ]


def words(axes: Axes) -> list[str]:
    """All that is written in and above the axes."""
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", WIDTHS)
def test_figures_have_their_panels_and_labelled_axes(name: str, width: str) -> None:
    figure, panels = drawn_paper(name, width)
    assert figure.get_size_inches()[0] == pytest.approx(WIDTHS[width])
    assert figure.get_size_inches()[1] < 8.5, "must fit on a page with its caption"
    assert len(panels) == PANELS[name] == len(paper_figure(name).panels)
    for axes, panel in zip(panels, paper_figure(name).panels, strict=True):
        if panel.kind == "missing":
            assert words(axes) == ["no parameters\nare printed"]
            assert not axes.get_lines()
            continue
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert axes.get_xlim() == (LOW, HIGH)
        assert axes.get_xticklabels()[0].get_text() == "16 B"
        assert len({tick.get_text() for tick in axes.get_xticklabels()}) >= 3
    letters = [text.get_fontsize() for text in figure.findobj(match=_is_visible_text)]
    assert min(letters) >= 5.99, "smaller letters are hard to read in print"
    assert "granularity $g$ [bytes]" in {axes.get_xlabel() for axes in panels}
    assert "speedup [1]" in {axes.get_ylabel() for axes in panels}


def _is_visible_text(artist: object) -> bool:
    from matplotlib.text import Text

    return isinstance(artist, Text) and bool(artist.get_text()) and artist.get_visible()


@pytest.mark.parametrize("name", FIGURES)
def test_every_curve_is_the_model(name: str) -> None:
    drawing = paper_figure(name)
    _, panels = drawn_paper(name)
    for axes, panel in zip(panels, drawing.panels, strict=True):
        if panel.kind == "missing":
            continue
        lines = curves(axes)
        for accelerator in panel.accelerators:
            assert any(np.allclose(y, speedup(accelerator, x), rtol=1e-12) for x, y in lines), (
                "a curve is missing"
            )
        if panel.kind == "speedup":
            assert len(lines) == len(panel.accelerators)


@pytest.mark.parametrize("name", ["fig7", "fig8", "fig9", "fig1b"])
def test_marks_are_where_the_speedup_crosses(name: str) -> None:
    drawing = paper_figure(name)
    _, panels = drawn_paper(name)
    for axes, panel in zip(panels, drawing.panels, strict=True):
        for symbol, share in (("$g_1$", None), ("$g_{A/2}$", 0.5)):
            bottom, top = axes.get_ylim()
            expected = sorted(
                (g, target)
                for each in panel.accelerators
                for target in [1.0 if share is None else share * each.A]
                for g in crossings(each, target, LOW, HIGH)
                if bottom < target < top
            )
            found = sorted(marked(axes, symbol))
            assert len(found) == len(expected)
            assert np.allclose(found, expected, rtol=1e-9) or not found


def test_marks_outside_of_the_plot_are_told() -> None:
    _, panels = drawn_paper("fig7")
    gpu, apu = panels[1], panels[2]
    assert "no $g_1$\nno $g_{A/2}$" in words(gpu)
    assert "$g_{A/2}$ = 38.7 MiB" in words(apu)
    assert "$g_1$ = 2.84 MiB" in words(apu)
    assert "$A$ = 30" in words(gpu)
    [axes] = drawn(accelerator_drawing([FALLING], high=2.0**60))[1]
    assert "upper $g_1$ beyond 1 EiB\nno $g_{A/2}$" in words(axes)


@pytest.mark.parametrize("name", ["fig6", "fig10", "fig11"])
def test_bands_are_where_the_gains_are(name: str) -> None:
    drawing = paper_figure(name)
    _, panels = drawn_paper(name)
    g = np.geomspace(LOW * 1.0001, HIGH * 0.9999, 40_001)
    for axes, panel in zip(panels, drawing.panels, strict=True):
        if panel.kind == "missing":
            continue
        expected = labels(panel.accelerators[0], g)
        shown = bands(axes)
        assert (shown[0][1], shown[-1][2]) == (LOW, HIGH)
        for place in range(0, len(g), 7):
            [label] = [text for text, start, end in shown if start <= g[place] < end]
            near = any(abs(g[place] / edge - 1) < 1e-3 for _, *ends in shown for edge in ends)
            assert near or label == expected[place]
        written = words(axes)
        assert {label for label, *_ in shown} <= set(written)


def test_fig_6_has_the_regions_of_the_paper_and_arrows_with_their_ends() -> None:
    _, [axes] = drawn_paper("fig6")
    assert [label for label, *_ in bands(axes)] == ["oC", "oCA", "CA", "A"]
    for text in ("26 KiB", "nowhere", "27.7 KiB", "1.43 KiB", "$o$", "$L$", "$C$", "$A$"):
        assert text in words(axes)


def test_an_arrow_that_is_outside_is_told() -> None:
    sandy = device("sandy-bridge", "aes")
    [axes] = drawn(accelerator_drawing([sandy], "regions"))[1]
    assert "only up to 7.029 B" in words(axes)


@pytest.mark.parametrize("accelerator", [device("ultrasparc-t2", "aes"), FALLING])
def test_sensitivity_is_shaded_where_it_pays(accelerator: Accelerator) -> None:
    high = 2.0**60
    _, panels = drawn(accelerator_drawing([accelerator], "sensitivity", high=high))
    for axes, name in zip(panels, "oLCA", strict=True):
        lines = curves(axes)
        x, base = lines[0]
        assert np.allclose(base, speedup(accelerator, x), rtol=1e-12)
        assert np.allclose(lines[1][1], speedup(accelerator, x, **{name: 10}), rtol=1e-12)
        pays = lines[1][1] / base >= 1.2
        shaded = [path for each in axes.collections for path in each.get_paths()]
        covered = np.zeros(len(x), dtype=bool)
        for path in shaded:
            if len(path.vertices):
                start, end = path.vertices[:, 0].min(), path.vertices[:, 0].max()
                covered |= (x >= start) & (x <= end)
        assert (covered == pays).mean() > 0.99


def test_ceilings_bound_the_speedup() -> None:
    for accelerator in (device("ultrasparc-t2", "aes"), device("apu", "gemm"), FALLING):
        [axes] = drawn(accelerator_drawing([accelerator], "bounds", high=2.0**50))[1]
        (_, curve), *ceilings = curves(axes)
        assert len(ceilings) == (3 if accelerator.latency == "linear" else 2)
        for _, ceiling in ceilings:
            assert np.all(curve < ceiling * (1 + 1e-12))
        lowest = np.min([ceiling for _, ceiling in ceilings], axis=0)
        assert np.all(curve > lowest / (len(ceilings) + 1e-9))


def test_metrics_have_lines_to_both_axes() -> None:
    _, [axes] = drawn_paper("fig3")
    for text in ("$g_1$ = 358 B", "$g_{A/2}$ = 6.29 KiB", "speedup $A$ = 19", "speedup 1"):
        assert text in words(axes)


@pytest.mark.parametrize("what", get_args(What))
@pytest.mark.parametrize("title", ["", "Ours: $5, and a half of $\\foo"])
def test_a_picture_names_its_accelerator_or_has_the_title_that_is_given(
    what: str, title: str
) -> None:
    drawing = accelerator_drawing([device("apu", "gemm")], what, title=title)
    figure, panels = drawn(drawing)
    above = figure.get_suptitle() or panels[0].get_title()
    assert above == title or above == "APU GEMM"
    assert (above == title) is bool(title)
    image = imread(BytesIO(picture(drawing, ".png", dpi=72)))
    dark = np.flatnonzero((image[:, :, 0] < 0.5).any(axis=1))
    assert 3 <= dark[0] <= 9


@pytest.mark.parametrize("what", get_args(What))
def test_several_accelerators(what: str) -> None:
    two = [device("apu", "gemm"), device("discrete-gpu", "gemm")]
    figure, panels = drawn(accelerator_drawing(two, what), "page")
    assert len(panels) == {"speedup": 1, "sensitivity": 8}.get(what, 2)
    if what == "speedup":
        [legend] = figure.legends
        texts = [text.get_text() for text in legend.get_texts()]
        assert texts[0] == "APU GEMM\n$g_1$ 81.8 KiB, $g_{A/2}$ 236 KiB"
        assert len(texts) == 2


@pytest.mark.parametrize("what", get_args(What))
@pytest.mark.parametrize(
    ("accelerator", "low", "high"),
    [
        (FALLING, 1e-3, 1.0),
        (FALLING, 1.0, 2.0**60),
        (device("sandy-bridge"), 100.0, 200.0),
        (Accelerator(o=0, L=1, C=1, A=2), 2.0**39, 2.0**40),
    ],
)
def test_any_range_can_be_drawn(
    what: str, accelerator: Accelerator, low: float, high: float
) -> None:
    drawing = accelerator_drawing([accelerator], what, low=low, high=high)
    for axes in drawn(drawing)[1]:
        assert axes.get_xlim() == pytest.approx((low, high))
        bottom, top = axes.get_ylim()
        assert 0 < bottom < top


def test_the_users_settings_of_matplotlib_are_left_alone() -> None:
    import matplotlib

    with matplotlib.rc_context({"font.size": 30.0, "axes.grid": True}):
        _, [axes] = drawn(paper_figure("fig3"))
        assert axes.xaxis.label.get_fontsize() == 8
        assert matplotlib.rcParams["font.size"] == 30
        assert not axes.xaxis.get_gridlines()[0].get_visible()


def test_curves_beside_each_other_differ_in_more_than_colour() -> None:
    from logca.plots.style import BANDS, IMPROVED, LINES

    assert len({str(line["linestyle"]) for line in LINES}) == len(LINES)
    assert len({line["marker"] for line in LINES}) == len(LINES)
    assert len({str(line["linestyle"]) for line in IMPROVED.values()}) == len(IMPROVED)
    assert set(BANDS) >= {"A", "C", "CA", "oC", "LC", "oLC", "oCA", "LCA", "oLCA", ""}


def test_a_panel_without_names_uses_those_of_the_accelerators() -> None:
    assert Panel(kind="speedup", accelerators=(FALLING,)).labels() == ("falling",)
    assert Panel(kind="speedup", accelerators=(FALLING,), names=("x",)).labels() == ("x",)


MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF-"}


def checked(contents: bytes, suffix: str) -> bytes:
    assert contents.startswith(MAGIC[suffix])
    assert 5_000 < len(contents) < 300_000
    return contents


@pytest.mark.parametrize(
    ("name", "suffix"), [*((name, ".svg") for name in FIGURES), ("fig6", ".pdf"), ("fig9", ".pdf")]
)
def test_every_figure_in_a_vector_format_and_those_with_all_kinds_of_panels_in_both(
    name: str, suffix: str
) -> None:
    checked(file_of_drawn(name, suffix), suffix)


def test_a_title_of_any_letters_leaves_the_file_well_formed() -> None:
    title = "My \x1b FP\x01GA \ufffe --> ]]>"
    contents = picture(accelerator_drawing([device("apu", "gemm")], title=title), ".svg")
    ElementTree.fromstring(contents)
    assert b"\x1b" not in contents


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_bytes_twice(suffix: str) -> None:
    assert picture(paper_figure("fig6"), suffix) == paper_file("fig6", suffix)


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; from logca.plots.render import picture; "
        "from logca.plots.paper import paper_figure; "
        "sys.stdout.buffer.write(picture(paper_figure('fig6'), '.svg'))"
    )
    words = [sys.executable, "-W", "error", "-c", code]
    other = subprocess.run(words, check=True, capture_output=True, timeout=60).stdout
    assert other == paper_file("fig6", ".svg")


def test_a_file_says_what_it_is_and_not_when_it_was_made() -> None:
    svg = paper_file("fig6", ".svg").decode()
    pdf = paper_file("fig6", ".pdf")
    title = "Optimization regions of AES on UltraSPARC T2"
    assert title in svg
    assert title.encode() in pdf
    for text in (svg, pdf.decode("latin-1")):
        assert not re.search(r"CreationDate|dc:date|20\d\d-\d\d-\d\d", text)


def test_letters_of_a_pdf_are_no_type_3() -> None:
    assert b"/Subtype /Type3" not in paper_file("fig3", ".pdf")


@pytest.mark.parametrize(("width", "inches"), [("column", 3.3), ("page", 7.0)])
def test_width_and_resolution(width: str, inches: float) -> None:
    pixels = imread(BytesIO(file_of_drawn("fig3", ".png", width, dpi=100)))
    assert pixels.shape[1] == pytest.approx(100 * inches, abs=1)
    root = ElementTree.fromstring(file_of_drawn("fig3", ".svg", width))
    assert root.get("width") == f"{72 * inches:g}pt"


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", ["column", "page"])
def test_nothing_is_cut_at_the_edges(name: str, width: str) -> None:
    """A rim of white all around: what is cut off would touch it."""
    figure, _ = drawn_paper(name, width)
    layout, canvas = figure.get_layout_engine(), FigureCanvasAgg(figure)
    figure.set_layout_engine("none")
    try:
        with drawing_settings(width, paper_figure(name).abreast(width)):
            canvas.draw()  # once; to save a file is to draw it twice
    finally:
        figure.set_layout_engine(layout)
    pixels = np.asarray(canvas.buffer_rgba())[..., :3]
    assert (pixels < 128).any()
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge > 252).all()


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"must end in \.svg, \.png, \.pdf, not '\.gif'"):
        picture(paper_figure("fig3"), ".gif")


def test_without_matplotlib_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "sys.argv = ['logca', 'plot', 'fig6', '-o', 'never.svg']\n"
        "from logca.cli import main; main()"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == 5
    assert finished.stderr == (
        "logca: this needs matplotlib, which is not installed: pip install 'logca[plot]'\n"
    )
