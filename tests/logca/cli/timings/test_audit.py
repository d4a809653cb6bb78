"""`logca audit`, as a user meets it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import logca

Run = Callable[..., tuple[int, str, str]]
EXAMPLES = Path(__file__).parents[4] / "examples" / "timings"
PIPE, CONFIRMING = (str(EXAMPLES / name) for name in ("sha256-pipe.csv", "self-confirming.csv"))


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("fits") / "fit.json"
    logca.fit(PIPE).save(path)
    return str(path)


def test_a_stale_threshold(run: Run, fitted: str) -> None:
    workload = str(EXAMPLES / "workload.csv")
    words = ["audit", fitted, "--threshold", "MIN_BYTES=65536", "--workload", workload]
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.startswith("The threshold of 64 KiB (MIN_BYTES) is stale: it pays from ")
    assert "64 MiB (2 calls)" in out
    assert "the most costly first" in out
    shown = json.loads(run(*words, "--json")[1])
    assert shown["answer"] == out.splitlines()[0]
    assert shown["stale"]
    lost = sum(row["lost"] for row in shown["sizes"])
    assert shown["loss"]["total"] == pytest.approx(lost)
    assert shown["present"] - shown["best"] == pytest.approx(lost)
    assert shown["best"] <= shown["best_single"] <= min(shown["never"], shown["always"])
    assert shown["loss"]["lower"] <= lost <= shown["loss"]["upper"]


def test_code_that_was_emitted_is_kept(run: Run, tmp_path: Path, fitted: str) -> None:
    header = str(tmp_path / "should_offload.h")
    assert run("codegen", "--lang", "c", "--fit", fitted, "-o", header)[0] == 0
    code, out, _ = run("audit", fitted, "--code", header)
    assert code == 0
    kept = r"Keep the rule of should_offload\.h, to offload from (\S+) KiB on: it pays from \1 KiB"
    said = re.match(kept, out)
    assert said is not None
    assert 6528 < 1024 * float(said[1]) < 14592  # sizes measured; either path wins one


def test_code_beside_emitted_code_is_refused(run: Run, tmp_path: Path, fitted: str) -> None:
    """Also where it is code to one language and a comment to another: after a lone CR."""
    header = tmp_path / "should_offload.h"
    assert run("codegen", "--lang", "c", "--fit", fitted, "-o", str(header))[0] == 0
    text = header.read_bytes()
    macro = b"#define LOGCA_OFFLOAD_NEVER"
    assert b"\n" + macro in text
    header.write_bytes(text.replace(b"\n" + macro, b"\r" + macro))
    code, _, err = run("audit", fitted, "--code", str(header))
    assert code == 2
    assert "is not what `logca codegen --what should_offload` writes" in " ".join(err.split())
    header.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert run("audit", fitted, "--code", str(header))[0] == 0


def test_times_that_confirm_any_threshold(run: Run) -> None:
    code, out, _ = run("audit", CONFIRMING, "--threshold", "64KiB")
    assert code == 0
    assert out.startswith("These times cannot tell whether the threshold of 64 KiB is right: ")
    assert len(out.splitlines()) == 1
    shown = json.loads(run("audit", CONFIRMING, "--threshold", "64KiB", "--json")[1])
    assert (shown["told"], shown["confirming"]["found"]) == (False, True)
    assert shown["confirming"]["same"] == [4096, 8192, 16384, 32768]
    [step] = shown["confirming"]["steps"]
    assert (step["path"], step["lower"], step["upper"]) == ("accelerated", 32768, 65536)
    before = 2e-6 + 1e-9 * 32768  # what the host takes there; the accelerator 20 us + 0.1 ns/B
    slope = (20e-6 + 0.1e-9 * 131072) / (20e-6 + 0.1e-9 * 65536)
    assert step["factor"] == pytest.approx((20e-6 + 0.1e-9 * 65536) / before / slope, rel=0.02)


def test_in_python_it_shows_itself(fitted: str) -> None:
    found = logca.audit(logca.Fit.load(fitted), "64 KiB")
    assert str(found) in found._repr_html_().replace("&#x27;", "'")
    assert list(found.to_frame()["size"]) == [row.size for row in found.rows]
    assert repr(found).startswith(found.answer())
    lines = {line.get_xdata()[0] for axes in found.plot().axes for line in axes.get_lines()}
    assert np.nextafter(65536.0, 0) in lines
    assert "present threshold" in {text.get_text() for text in found.plot().legends[0].texts}
