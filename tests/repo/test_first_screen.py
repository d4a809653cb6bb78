"""`make run`: what it prints is so, and fits on a screen of 80 columns."""

import os
import re
import subprocess
import sys
from pathlib import Path

import first_screen
import pytest
from rooms import ROOT

README = ROOT / "README.md"

# Table 5 of altaf2017: UltraSPARC T2, AES
O, L, C, A = 29_000, 1500, 90, 19


@pytest.fixture
def screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGCA_CACHE", str(tmp_path / "cache"))
    first_screen.main()
    return capsys.readouterr().out


def test_the_screen(screen: str, tmp_path: Path) -> None:
    lines = screen.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 45
    break_even, half = (O + L) / (C * (1 - 1 / A)), A * (O + L) / C
    assert f"from {break_even:.4g} B on; at most {A} times as fast" in screen
    assert f"half of that at {half / 1024:.4g} KiB" in screen
    for size, speedup, answer in re.findall(r"^ +(\d+ \S+) +([\d.]+)x +(yes|no)", screen, re.M):
        number, unit = size.split()
        g = float(number) * {"B": 1, "KiB": 1024, "MiB": 1024**2}[unit]
        expected = C * g / (O + L + C * g / A)
        assert float(speedup) == pytest.approx(expected, rel=0.005)
        assert answer == ("yes" if expected > 1 else "no")
    told = r"(\d+) claims .*?(\d+) (?:are )?proved.*? (\d+) corrected.*? (\d+)\s+undecided"
    counts = [re.search(told, text, re.S) for text in (screen, README.read_text("utf-8"))]
    assert all(counts)
    assert {found.groups() for found in counts if found} == {("789", "631", "149", "9")}
    assert (tmp_path / "build/aes-on-ultrasparc-t2.svg").read_text().startswith("<?xml")


def test_an_installation_that_fails_says_all_that_pip_said() -> None:
    command = [sys.executable, "tools/install.py", "no-such-package-of-anybody"]
    closed = os.environ | {"PIP_NO_INDEX": "1"}
    ended = subprocess.run(
        command, cwd=ROOT, env=closed, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "no-such-package-of-anybody" in ended.stderr
    assert ended.stdout == ""
