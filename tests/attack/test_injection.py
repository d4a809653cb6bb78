"""Names that others chose, through every way in: nothing obeys them, no page has them as code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from attack_inputs import EVERYTHING, TIMINGS

NASTY = (
    *("*/", "-->", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'`"),
    *("\\", "${x}", "a\nb", "a\u2028b", "\x1b[31mred\x1b[0m", "%s%n", "\\input{x}$_^&#~", "{{x}}"),
    *("| a | b |", "`touch taken`", "$(touch taken)", ";touch taken;", "\u202eevil", "=cmd()"),
    *("../../x", "\x07", "\x7f", "??/", "{%", "\r", "-o", "--force", "a\tb", "é ß 漢"),
)
MARKUP = re.compile(r"<script>alert|<img src=x")
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
ALL_IN_ONE = "</script><script>alert(1)</script>*/-->\\\"'`\x1b[31m\u202e\r\x07%s${x}$(touch taken)"
TEXTS = NASTY if EVERYTHING else (ALL_IN_ONE,)

WORDS = (
    *(("explain", "{}", "--o", "1", "--L", "1", "--C", "1", "--A", "2"), ("{}",)),
    *(("check", "--claim", "{}"), ("decide", "4KiB", "--fit", "{}"), ("formula", "{}")),
    *(("derive", "{}"), ("devices", "{}"), ("trace", "{}"), ("gpu", "x.c", "--device", "{}")),
    *(("offload", "x.c", "--link", "{}"), ("codegen", "--lang", "{}"), ("--{}",)),
)


def logca(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        [sys.executable, "-m", "logca", *words],
        cwd=folder,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    out, err = (each.decode("utf-8", "replace") for each in (found.stdout, found.stderr))
    for text in (out, err):
        assert UNSEEN.search(text) is None, repr(text)
        assert "Traceback" not in text, text
    assert not (folder / "taken").exists()
    return subprocess.CompletedProcess(words, found.returncode, out, err)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
@pytest.mark.parametrize("words", WORDS if EVERYTHING else WORDS[:4], ids=lambda words: words[0])
def test_options_are_quoted_as_they_are_refused(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    found = logca(tmp_path, *(word.replace("{}", text) for word in words))
    assert found.returncode in (0, 2, 3, 4, 5)
    assert found.stdout or found.stderr


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_names_of_files_in_pages_pictures_and_code(text: str, tmp_path: Path) -> None:
    name = text.replace("/", "_")
    timings, fit = f"./{name}.csv", f"./{name}.json"
    (tmp_path / timings).write_text(TIMINGS)
    assert logca(tmp_path, "fit", timings, "-o", fit).returncode == 0
    for words in (
        ("report", fit, "-o", "report.html"),
        ("explorer", "--fit", fit, "-o", "explorer.html"),
        ("plot", "--fit", fit, "-o", "plot.svg"),
    ):
        assert logca(tmp_path, *words).returncode == 0
        assert MARKUP.search((tmp_path / words[-1]).read_text(encoding="utf-8")) is None
    for language, ending in (("c", "h"), ("python", "py"), ("javascript", "js"), ("rust", "rs")):
        code = logca(
            tmp_path, "codegen", "--fit", fit, "--what", "should_offload", "--lang", language
        )
        assert code.returncode == 0
        (tmp_path / f"code.{ending}").write_text(code.stdout, encoding="utf-8")
    compile((tmp_path / "code.py").read_text(encoding="utf-8"), "code.py", "exec")


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_columns_of_tables(text: str, tmp_path: Path) -> None:
    quoted = text.replace('"', '""')
    rows = TIMINGS.replace("\n", "\nx,").removesuffix("x,")
    (tmp_path / "t.csv").write_text(f'"{quoted}",{rows}', encoding="utf-8")
    logca(tmp_path, "fit", "t.csv")
