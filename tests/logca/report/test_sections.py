"""`logca report`: one HTML file that is whole, loads nothing, and says what the fit says."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from synthetic_timings import HOSTILE, NEVER, TWICE, Truth

from logca.common.sizes import format_size
from logca.derive.core.catalogue import formula
from logca.derive.notation.mathml import element
from logca.derive.notation.text_latex_python import equation
from logca.numeric.fit.fit import Fit
from logca.report.formulas import inserted
from logca.show.fit.words import answer

Run = Callable[..., tuple[int, str, str]]
Fits = Callable[[Truth], Fit]

EMPTY = {"meta", "br", "link", "img"}


class Reading(HTMLParser):
    """Tags, ids and addresses of a page; whether its elements nest."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.words: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.nests = True
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = {name: value or "" for name, value in attrs}
        self.ids += [given["id"]] if "id" in given else []
        for name in ("src", "href", "xlink:href", "srcset", "data", "action"):
            self.addresses += [given[name]] if name in given else []

    def handle_endtag(self, tag: str) -> None:
        self.nests &= bool(self.open) and self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.setdefault(self.open[-1] if self.open else "", []).append(data)


@pytest.mark.parametrize("truth", [TWICE, NEVER])
def test_a_page_is_whole_and_loads_nothing(pages: Callable[[Truth], str], truth: Truth) -> None:
    page = pages(truth)
    found = Reading(page)
    assert found.nests
    assert found.open == []
    assert len(set(found.ids)) == len(found.ids) > 100
    assert not {"script", "link", "img", "iframe", "object", "metadata"} & {*found.tags}
    assert {address[0] for address in found.addresses} == {"#"}
    assert {address[1:] for address in found.addresses} <= {*found.ids}
    assert {*re.findall(r"url\(#([^)]*)\)", page)} <= {*found.ids}
    embedded = len(re.findall(r'url\("data:font', page))
    assert len(re.findall(r"url\(", page)) == len(re.findall(r"url\(#", page)) + embedded
    assert "@import" not in page


def test_the_answer_stands_first(fits: Fits, pages: Callable[[Truth], str]) -> None:
    for truth in (TWICE, NEVER):
        head = pages(truth).partition("<body>")[2].partition("<main>")[0]
        assert answer(fits(truth)) in head.replace("\N{NO-BREAK SPACE}", " ")


def test_every_part_is_there(fits: Fits, pages: Callable[[Truth], str]) -> None:
    fit, page = fits(TWICE), pages(TWICE)
    assert Reading(page).words["h2"] == [
        "Measured and fitted",
        "Limits of this fit",
        "What to measure next",
        "Parameters",
        "Granularities",
        "Form of latency",
        "Formulas",
        "What would have to be better",
        "Times in numbers",
        "Where this comes from",
    ]
    assert page.count('<svg role="img"') == 6  # three figures, wide and narrow
    text = page.replace("\N{NO-BREAK SPACE}", " ")
    for size in (*fit.accelerator.break_even(), *fit.next_sizes):
        assert format_size(size) in text
    for warning in fit.warnings:
        assert warning[1:] in page
    low, high, _ = fit.interval("beta")
    assert f"<td>{low:.4g} to {high:.4g}</td>" in page


def test_without_an_accelerator_there_are_no_regions(
    fits: Fits, pages: Callable[[Truth], str]
) -> None:
    assert fits(NEVER).parameters["A"] < 1
    assert "A ≤ 1" in pages(NEVER)
    assert pages(NEVER).count('<svg role="img"') == 4


@pytest.mark.parametrize("name", ["T0", "T1", "speedup", "g1", "gA2"])
@pytest.mark.parametrize("latency", ["constant", "linear"])
def test_numbers_stand_where_the_formula_has_letters(name: str, latency: str) -> None:
    values = {"o": 2.5e-6, "L": 3.25e-11, "C": 0.5, "A": 8.0, "beta": 0.75}
    relation = equation(formula(name), latency)
    letters = element_of(inserted(relation, {}))
    numbers = element_of(inserted(relation, values))
    shown = {"o": "2.5·10-6", "L": "3.25·10-11", "C": "0.5", "A": "8", "β": "0.75"}
    left, right = letters.split("=", 1)
    expected = re.sub("root|[oLCAβ]", lambda each: shown.get(each[0], each[0]), right)
    assert bare(numbers) == bare(f"{left}={expected}")


def test_what_is_zero_is_left_out() -> None:
    values = {"o": 2.5e-6, "L": 0.0, "C": 0.5, "A": 8.0, "beta": 0.75}
    shown = element_of(inserted(equation(formula("T1"), "constant"), values))
    assert bare(shown) == bare("T1=2.5·10-6+0.5g0.758")


def element_of(node: object) -> str:
    """The letters of a formula as MathML has them, one after the other."""
    root = ElementTree.fromstring(element(node, "", display=True))
    return "".join(root.itertext())


def bare(text: str) -> str:
    """Without signs of multiplication and brackets, which numbers need and letters do not."""
    return re.sub(r"[\s·()\u2062]", "", text).replace("\u2212", "-")


def test_a_file_name_cannot_be_markup(pages: Callable[[Truth], str]) -> None:
    found = Reading(pages(TWICE))
    assert found.words["h1"] == found.words["title"] == [f"Fit of {HOSTILE}"]
    assert found.words["dd"] == [HOSTILE]


def test_a_report_is_written_and_never_over_another(run: Run, fits: Fits, tmp_path: Path) -> None:
    saved, page = tmp_path / "fit.json", tmp_path / "report.html"
    fits(NEVER).save(saved)
    page.write_text("mine")
    code, out, err = run("report", str(saved), "-o", str(page))
    assert (code, out) == (2, "")
    assert err == f"logca: {page} exists; --force replaces it\n"
    assert page.read_text() == "mine"
    code, out, err = run("report", str(saved), "-o", str(page), "--force")
    assert (code, out) == (0, "")
    assert err.startswith(f"{page}: ")
    shown = Reading(page.read_text(encoding="utf-8"))
    assert shown.words["p"][0].replace("\N{NO-BREAK SPACE}", " ") == answer(fits(NEVER))
    assert shown.words["dd"] == [*fits(NEVER).provenance.values()]


@pytest.mark.parametrize(
    ("contents", "fragment"),
    [
        (b"granularity_B,host_s,accelerated_s\n", "`logca fit TIMINGS -o fit.json` writes a fit"),
        (b'{"format": "other"}', "no saved fit"),
        (b"\xff\xfe\x00", "no saved fit"),
    ],
)
def test_what_is_no_fit_is_refused(
    run: Run, tmp_path: Path, contents: bytes, fragment: str
) -> None:
    path, page = tmp_path / "fit.json", tmp_path / "report.html"
    path.write_bytes(contents)
    code, out, err = run("report", str(path), "-o", str(page))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert fragment in err
    assert not page.exists()


def test_a_name_that_is_no_text_is_told_as_far_as_it_is(
    run: Run, fits: Fits, tmp_path: Path
) -> None:
    saved, page = tmp_path / "fit.json", tmp_path / "report.html"
    replace(fits(NEVER), provenance={"timings": "caf\udce9.csv"}).save(saved)
    code, _, err = run("report", str(saved), "-o", str(page))
    assert (code, err.count("\n")) == (0, 1)
    assert Reading(page.read_text(encoding="utf-8")).words["h1"] == ["Fit of caf\\udce9.csv"]


@pytest.mark.skipif(os.name != "posix", reason="no limit of files on this system")
def test_on_a_full_disk_what_was_written_before_stays(
    run: Run,
    fits: Fits,
    pages: Callable[[Truth], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    page = pages(NEVER)
    monkeypatch.setattr("logca.report.sections.report_html", lambda fit: page)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    saved = tmp_path / "fit.json"
    fits(NEVER).save(saved)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for name, verb in {
        "old.html": ["report", str(saved)],
        "old.h": ["codegen", "--lang", "c", "--fit", str(saved)],
    }.items():
        old = tmp_path / name
        old.write_text("mine")
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, limits[1]))
        try:
            code, _, err = run(*verb, "-o", str(old), "--force")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert code == 2
        assert err.count("\n") == 1
        assert old.read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} == {"fit.json", "old.html", "old.h"}


BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), ""
)
PHONE, DESK = 390, 1200

# what a page is as it is shown: text in px of the screen; what sticks out and cannot be scrolled to
MEASURE = """
<script>
const small = 20 / 3;  // size of small letters in a picture, in its points
function measured(frame) {
  const page = frame.contentDocument, width = frame.contentWindow.innerWidth;
  const all = [...page.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().width);
  const text = all.filter(e => !e.closest('svg, math') && [...e.childNodes].some(
    child => child.nodeType == 3 && child.data.trim()));
  const size = e => parseFloat(frame.contentWindow.getComputedStyle(e).fontSize);
  const scale = e => e.getBoundingClientRect().width / e.viewBox.baseVal.width;
  return {
    width, scrolls: page.documentElement.scrollWidth > width,
    out: all.filter(e => !e.closest('.table, .formula, svg') &&
      e.getBoundingClientRect().right > width + 1).map(e => e.tagName),
    pictures: [...page.querySelectorAll('svg')].map(scale).filter(x => x).map(x => x * small),
    text: Math.min(...text.map(size)),
    math: [...page.querySelectorAll('math')].map(e => e.getBoundingClientRect().height),
    fractions: page.querySelectorAll('mfrac').length,
  };
}
onload = () => {
  const found = Object.fromEntries([...document.querySelectorAll('iframe')].map(
    frame => [frame.id, measured(frame)]));
  document.getElementById('result').textContent = JSON.stringify(found);
};
</script>
"""


@pytest.fixture(scope="module")
def shown(pages: Callable[[Truth], str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Measures of a report at both widths and of a bad page, and what the console said."""
    if not BROWSER:
        pytest.skip("there is no Chromium or Chrome to show the page")
    page = pages(TWICE)
    bad = "<!doctype html><p style='width:600px'>x</p><script>console.error('heard')</script>"
    frames = "".join(
        f'<iframe id="{name}" width="{width}" height="800" srcdoc="{escape(markup)}"></iframe>'
        for name, width, markup in (("phone", PHONE, page), ("desk", DESK, page), ("bad", 390, bad))
    )
    folder = tmp_path_factory.mktemp("browser")
    whole = f'<!doctype html><meta charset="utf-8">{frames}<pre id="result"></pre>{MEASURE}'
    (folder / "frames.html").write_text(whole, encoding="utf-8")
    ended = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *(f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--dump-dom"),
            (folder / "frames.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    result = re.search(r'<pre id="result">(.*?)</pre>', ended.stdout, re.DOTALL)
    assert result, ended.stderr[-2000:]
    return json.loads(unescape(result[1])), re.findall(r"CONSOLE.*?\"(.*?)\"", ended.stderr)


def test_the_console_says_nothing_of_the_report(shown: Any) -> None:
    assert shown[1] == ["heard"]  # by the bad page, so the console is listened to


@pytest.mark.parametrize(("name", "width"), [("phone", PHONE), ("desk", DESK)])
def test_nothing_sticks_out(shown: Any, name: str, width: int) -> None:
    found = shown[0][name]
    assert found["width"] == width
    assert not found["scrolls"]
    assert found["out"] == []
    assert shown[0]["bad"]["scrolls"]
    assert "P" in shown[0]["bad"]["out"]


@pytest.mark.parametrize("name", ["phone", "desk"])
def test_letters_are_legible(shown: Any, name: str) -> None:
    found = shown[0][name]
    assert found["text"] >= 12
    assert len(found["pictures"]) == 3
    assert min(found["pictures"]) >= 9


@pytest.mark.parametrize("name", ["phone", "desk"])
def test_formulas_are_laid_out(shown: Any, name: str) -> None:
    found = shown[0][name]
    assert len(found["math"]) > 20
    assert found["fractions"] >= 10
    assert sum(height > 10 for height in found["math"]) >= 12
