"""`logca plot`, as a user meets it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.cli.options.completion import complete_figures
from logca.plots.paper import FIGURES

Run = Callable[..., tuple[int, str, str]]

FPGA = """
[devices.fpga]
latency = "linear"
o = 20000
L = 2.5
A = 12
kernels.aes = { C = 90 }
"""


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("plot", "--help")
    assert code == 0
    assert "logca plot fig6 -o fig6.svg" in out
    assert "3.3 in" in out


def test_the_list_of_figures(run: Run) -> None:
    code, out, _ = run("plot", "--list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(FIGURES)
    rows = json.loads(run("plot", "--list", "--json")[1])
    assert {row["figure"] for row in rows} == set(FIGURES)
    assert all(len(row["caption"].split()) > 3 for row in rows)


@pytest.mark.parametrize("name", FIGURES)
def test_the_table_of_a_figure(run: Run, name: str) -> None:
    code, out, err = run("plot", name)
    assert code == 0
    assert f"Fig. {name.removeprefix('fig')}: " in out
    assert "Table 5 gives" in out
    assert err == f"To draw it: logca plot {name} -o {name}.svg\n"


def test_a_verdict_has_a_sign_and_a_reason(run: Run) -> None:
    lines = [" ".join(line.split()) for line in run("plot", "fig10")[1].splitlines()]
    assert "✓ (b) UltraSPARC T2: overhead pays up to §5.4 on Fig. 10 (b) 32 KB 26 KiB" in lines
    assert "✗ (d) SPARC T4: acceleration pays from §5.4 on Fig. 10 (d) 32 B 79.69 B" in lines
    assert "With L = 0 it would be 37.07 B." in lines
    assert any(line.startswith("? (a) PCIe card: overhead pays up to") for line in lines)
    assert any(line.startswith("≈") for line in run("plot", "fig7")[1].splitlines())


@pytest.mark.parametrize("name", ["6", "Fig6", "Fig. 6", "figure 6"])
def test_figures_are_found_as_people_write_them(run: Run, name: str) -> None:
    assert "Fig. 6: Optimization regions" in run("plot", name)[1]


def test_json(run: Run) -> None:
    code, out, err = run("plot", "fig6", "--json")
    found = json.loads(out)
    assert (code, err, found["figure"]) == (0, "", "fig6")
    assert found["answer"].endswith("6 statements of the paper held against its Table 5: agrees 6.")
    [row] = [row for row in found["rows"] if row["says"] == "overhead pays up to"]
    assert (row["printed"], row["verdict"]) == ("32 KB", "agrees")
    assert row["values"] == pytest.approx([239590 / 9])
    assert row["claims"] == ["isca2017-fig6-overhead-32kb-grid"]
    assert "factor of two" in found["rule"]
    for name in FIGURES:
        assert "NaN" not in run("plot", name, "--json")[1]


def test_picture_and_table_are_written(run: Run, tmp_path: Path) -> None:
    picture, table = tmp_path / "f.svg", tmp_path / "f.md"
    code, out, err = run("plot", "fig6", "-o", str(picture), "-o", str(table))
    assert code == 0
    assert "overhead pays up to" in out
    assert err.startswith(f"{picture}: ")
    assert picture.read_bytes().startswith(b"<?xml")
    text = table.read_text(encoding="utf-8")
    assert text.startswith("## Fig. 6: Optimization regions of AES on UltraSPARC T2\n")
    assert "| overhead pays up to | 32 KB | 26 KiB | agrees |" in text
    assert "Each region is labelled" in text
    assert all(line.count("|") in (0, 7) for line in text.splitlines())


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".PNG"])
def test_the_ending_says_the_format(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    assert run("plot", "fig3", "-o", str(path), "--dpi", "50")[0] == 0
    assert path.read_bytes()[:4] in (b"\x89PNG", b"%PDF")


@pytest.mark.parametrize("option", ["picture", "table"])
def test_files_are_replaced_only_by_force(run: Run, tmp_path: Path, option: str) -> None:
    path = tmp_path / ("x.svg" if option == "picture" else "x.md")
    path.write_text("mine", encoding="utf-8")
    code, out, err = run("plot", "fig3", "-o", str(path))
    assert (code, out) == (2, "")
    assert "--force replaces it" in err
    assert path.read_text(encoding="utf-8") == "mine"
    assert run("plot", "fig3", "-o", str(path), "--force")[0] == 0
    assert path.read_text(encoding="utf-8") != "mine"


def test_a_file_that_cannot_be_written_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    code, out, err = run("plot", "fig3", "-o", str(tmp_path / "x.svg"))
    assert (code, out) == (2, "")
    assert err == f"logca: {tmp_path} cannot be written to; name another place\n"
    monkeypatch.undo()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    (tmp_path / "x.svg").write_text("mine")
    monkeypatch.setattr("os.replace", full)
    code, _, err = run("plot", "fig3", "-o", str(tmp_path / "x.svg"), "--force")
    assert code == 2
    assert "x.svg cannot be written: No space left on device" in err
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("x.svg", "mine")]


def test_devices_and_parameters_of_ones_own(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "x.svg")
    words = "plot --device apu --device ultrasparc-t2 --kernel aes -o"
    code, out, _ = run(*words.split(), path)
    assert code == 0
    assert "APU AES" in out
    assert "UltraSPARC T2 AES: it pays from 357.7 B on." in out
    words = "plot --o 29000 --L 1500 --C 90 --A 19 --what regions"
    code, out, _ = run(*words.split())
    assert code == 0
    assert "o = 29000, L = 1500, C = 90, A = 19" in out
    assert "up to 26 KiB" in out
    words = "plot --device apu --device discrete-gpu --kernel gemm --kernel fft --L 0 --json"
    code, out, _ = run(*words.split())
    names = [row["accelerator"] for row in json.loads(out)["rows"]]
    assert names == ["APU GEMM with L = 0", "Discrete GPU FFT with L = 0"]


def test_without_a_file_the_curve_is_in_the_terminal(run: Run) -> None:
    pytest.importorskip("plotext")
    code, out, err = run("plot", "--device", "ultrasparc-t2", "--kernel", "aes")
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "UltraSPARC T2 AES: it pays from 357.7 B on.")
    assert any(line.lstrip().startswith("1x├") for line in lines)
    assert max(map(len, lines)) <= 80
    assert "Newton" not in out
    assert err.startswith("To draw it: logca plot --device ultrasparc-t2")


def test_without_the_library_for_curves_the_answer_stands(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotext", None)
    code, out, err = run("plot", "--device", "ultrasparc-t2", "--kernel", "aes")
    assert (code, out) == (0, "UltraSPARC T2 AES: it pays from 357.7 B on.\n")
    assert "pip install 'logca[plot]'" in err


def test_regions_of_another_criterion(run: Run) -> None:
    words = "plot --device ultrasparc-t2 --kernel aes --what regions --improvement 2 --gain 1.1"
    found = json.loads(run(*words.split(), "--json")[1])["rows"][0]
    share = (1 - 1 / 1.1) / (1 - 1 / 2)
    start = share / (1 - share) * 19 * 30500 / 90
    assert found["cutoffs"]["A"][0]["start"] == pytest.approx(start)
    assert found["cutoffs"]["A"][0]["end"] is None
    assert found["regions"][0]["start"] == 16


def test_a_device_of_a_file(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(FPGA, encoding="utf-8")
    out = run("plot", "--device-file", str(mine), "--device", "fpga", "--json")[1]
    row = json.loads(out)["rows"][0]
    assert row["g1"]["granularities"] == pytest.approx([20000 / (90 * 11 / 12 - 2.5)])


def test_names_are_completed() -> None:
    assert [name for name, _ in complete_figures("fig1")] == ["fig1b", "fig10", "fig11"]


@pytest.mark.parametrize(
    ("words", "never"),
    [
        (["plot", "fig6"], {"sympy", "matplotlib", "z3"}),
        (["plot", "fig6", "--force", "-o", "x.svg"], {"sympy", "z3", "mpmath"}),
        (["regions", "--device", "apu", "--kernel", "gemm"], {"sympy", "matplotlib", "z3"}),
        (["explain", "4KiB", "--device", "apu", "--kernel", "gemm"], {"sympy", "matplotlib"}),
        (["granularities"], {"sympy", "matplotlib", "z3"}),
    ],
)
def test_no_needless_library_is_loaded(words: list[str], never: set[str], tmp_path: Path) -> None:
    report = (
        "import atexit, sys\n"
        f"atexit.register(lambda: print('loaded:', *{never!r} & {{*sys.modules}}))\n"
        f"sys.argv = ['logca', *{words!r}]\n"
        "from logca.cli import main\n"
        "main()\n"
    )
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", report],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[-1] == "loaded:"
