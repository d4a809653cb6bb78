"""A report in a browser: nothing is said on the console, and it is legible on a phone."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html import escape, unescape
from typing import Any

import pytest
from synthetic_timings import TWICE, Truth

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
