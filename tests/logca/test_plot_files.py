"""Pictures as files: every figure in every format, the same bytes every time, without warnings."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from io import BytesIO

import pytest
from matplotlib.image import imread

from logca.plots.files import SUFFIXES, picture
from logca.plots.paper import FIGURES, paper_figure

MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF-"}


def checked(contents: bytes, suffix: str) -> bytes:
    assert contents.startswith(MAGIC[suffix])
    assert 5_000 < len(contents) < 300_000
    return contents


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("suffix", [each for each in SUFFIXES if each != ".png"])
def test_every_figure_in_every_vector_format(name: str, suffix: str) -> None:
    checked(picture(paper_figure(name), suffix), suffix)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_bytes_twice(suffix: str) -> None:
    drawing = paper_figure("fig6")
    assert picture(drawing, suffix) == picture(drawing, suffix)


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; from logca.plots.files import picture; "
        "from logca.plots.paper import paper_figure; "
        "sys.stdout.buffer.write(picture(paper_figure('fig9'), '.svg'))"
    )
    words = [sys.executable, "-W", "error", "-c", code]
    other = subprocess.run(words, check=True, capture_output=True, timeout=60).stdout
    assert other == picture(paper_figure("fig9"), ".svg")


def test_a_file_says_what_it_is_and_not_when_it_was_made() -> None:
    svg = picture(paper_figure("fig6"), ".svg").decode()
    pdf = picture(paper_figure("fig6"), ".pdf")
    title = "Optimization regions of AES on UltraSPARC T2"
    assert title in svg
    assert title.encode() in pdf
    for text in (svg, pdf.decode("latin-1")):
        assert not re.search(r"CreationDate|dc:date|20\d\d-\d\d-\d\d", text)


def test_letters_of_a_pdf_are_no_type_3() -> None:
    assert b"/Subtype /Type3" not in picture(paper_figure("fig3"), ".pdf")


@pytest.mark.parametrize(("width", "inches"), [("column", 3.3), ("page", 7.0)])
def test_width_and_resolution(width: str, inches: float) -> None:
    pixels = imread(BytesIO(picture(paper_figure("fig3"), ".png", width=width, dpi=100)))
    assert pixels.shape[1] == pytest.approx(100 * inches, abs=1)
    root = ElementTree.fromstring(picture(paper_figure("fig3"), ".svg", width=width))
    assert root.get("width") == f"{72 * inches:g}pt"


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", ["column", "page"])
def test_nothing_is_cut_at_the_edges(name: str, width: str) -> None:
    """A rim of white all around: what is cut off would touch it."""
    contents = checked(picture(paper_figure(name), ".png", width=width, dpi=72), ".png")
    pixels = imread(BytesIO(contents))[..., :3]
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge > 0.99).all()


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
