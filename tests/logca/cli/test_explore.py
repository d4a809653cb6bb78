"""`logca explore` and `logca reproduce kenter`, as a user meets them."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from logca.cli.reproduce import PROGRAMS
from logca.numeric.partition.problem.files import FORMAT

for library in ("numba", "ortools", "matplotlib"):
    pytest.importorskip(library)

Run = Callable[..., tuple[int, str, str]]

PROGRAM = {
    "format": FORMAT,
    "blocks": [
        {"name": "begin", "executions": 1, "operations": 3, "pinned": "begins"},
        {"name": "left", "executions": 900, "operations": 9, "area": 9},
        {"name": "right", "executions": 900, "operations": 4, "area": 30},
        {"name": "end", "executions": 1, "operations": 0, "pinned": "ends"},
    ],
    "flows": [
        {"from": "begin", "to": "left", "executions": 1},
        {"from": "left", "to": "right", "executions": 900},
        {"from": "right", "to": "left", "executions": 899},
        {"from": "right", "to": "end", "executions": 1},
    ],
}


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(PROGRAM), encoding="utf-8")
    return str(path)


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("explore", "--help")
    assert code == 0
    assert "logca explore fft.c --sweep area --values 32:4096" in out


def test_links_are_shown_with_their_sources(run: Run) -> None:
    code, out, _ = run("explore", "--links")
    assert code == 0
    assert "kenter2010, Table I" in out
    code, out, _ = run("explore", "--links", "--json", "--clock", "2")
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["pcie4"]["pull"] == 1000  # 500 ns at 2 GHz
    assert all(row["source"] for row in rows.values())


def test_all_sweeps_of_a_problem(run: Run, program: str) -> None:
    code, out, err = run("explore", program)
    assert (code, err) == (0, "")
    for figure in range(2, 7):
        assert f"Fig. {figure}: " in out
    assert "Links of today" in out
    assert "stays optimal" in out


def test_json_has_points_and_exact_ranges(run: Run, program: str) -> None:
    arguments = ("--sweep", "latency", "--values", "1/4:1024", "--method", "optimal", "--json")
    code, out, _ = run("explore", program, *arguments)
    assert code == 0
    data = json.loads(out)
    points = data["sweeps"][0]["points"]
    assert [row["value"] for row in points] == [2.0**k for k in range(-2, 11)]
    assert all(row["gap"] == 0 and row["proven"] for row in points)
    # On the accelerator both blocks spare half of 900 * 13 cycles, and control passes twice, for 2
    # cycles each: they stay there until 4 f = 5850.
    assert len(data["ranges"]) == 1
    code, out, _ = run("explore", program, "--sweep=latency", "--values=1,4096", "--json")
    first, last = json.loads(out)["ranges"]
    assert (first["low"], first["high"], first["blocks"]) == ("1", "2925/2", [1, 2])
    assert (last["low"], last["high"], last["blocks"]) == ("2925/2", None, [])
    assert first["proven"]
    assert last["proven"]


def test_a_problem_has_no_designs_and_that_is_said(run: Run, program: str) -> None:
    code, out, _ = run("explore", program, "--sweep", "design")
    assert code == 0
    assert "two: not traced, so that memory time, and with it this speedup, is the same in" in out
    code, out, _ = run("explore", program, "--sweep", "area", "--values", "8,16")
    assert "not traced" not in out
    code, out, _ = run("explore", program, "--sweep=area", "--values=8,16", "--design=SMM+")
    assert "not traced" in out


def test_all_methods_in_pictures_of_designs(run: Run, program: str, tmp_path: Path) -> None:
    methods = [f"--method={name}" for name in ("greedy", "clusters", "frontier", "optimal")]
    code, _, err = run("explore", program, "--sweep", "design", *methods, "-o", str(tmp_path))
    assert (code, "Traceback" in err) == (0, False)
    assert b"<svg" in (tmp_path / "design.svg").read_bytes()


@pytest.mark.parametrize("verb", ["explore", "partition"])
def test_keys_of_platforms_are_completed(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from logca.cli.app import app

    words = f"logca {verb} x.c --set latency_"
    finished = CliRunner().invoke(
        app,
        prog_name="logca",
        env={"_LOGCA_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "4"},
    )
    assert "latency_L1=" in finished.stdout
    assert "latency_memory=" in finished.stdout


def test_files_are_written_and_not_overwritten(run: Run, program: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    arguments = ("explore", program, "--sweep", "default,area", "--values", "8:64")
    code, _, err = run(*arguments, "-o", str(folder))
    assert code == 2
    assert "--values belongs to one sweep" in err
    arguments = ("explore", program, "--sweep", "area", "--values", "8:64", "-o", str(folder))
    code, _, err = run(*arguments, "--format", "png")
    assert code == 0
    assert (folder / "area.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.reader(StringIO((folder / "area.csv").read_text(encoding="utf-8"))))
    assert [row[0] for row in rows[1:]] == ["8", "16", "32", "64"]
    code, _, err = run(*arguments, "--format", "png")
    assert code == 2
    assert "area.png exists; --force replaces it" in err
    assert run(*arguments, "--format", "png", "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("FILE", "--sweep", "area", "--values", "0"), "area must be a whole number"),
        (("FILE", "--sweep", "latency", "--values", "1"), "one factor"),
        (("FILE", "--design", "SL3", "--sweep", "default"), "design 'SL3'"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, program: str, words: tuple[str, ...], message: str
) -> None:
    code, out, err = run("explore", *(program if word == "FILE" else word for word in words))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_an_interrupt_leaves_no_traceback(
    run: Run, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from logca.numeric.partition.exploration import explorer

    def interrupted(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(explorer, "solve", interrupted)
    code, out, err = run("explore", program)
    assert (code, out) == (130, "")
    assert "Traceback" not in err


def test_a_figure_of_kenter_with_our_programs(run: Run, tmp_path: Path) -> None:
    picture, table = tmp_path / "fig2.svg", tmp_path / "fig2.md"
    arguments = ("--figure", "2", "-o", str(picture), "-o", str(table), "--json")
    code, out, _ = run("reproduce", "kenter", *arguments)
    assert code == 0
    assert b"<svg" in picture.read_bytes()
    assert "## Fig. 2: Speedups" in table.read_text(encoding="utf-8")
    points = json.loads(out)["figures"][0]["points"]
    assert [row["program"] for row in points[::2]] == list(PROGRAMS)
    for greedy, optimum in zip(points[::2], points[1::2], strict=True):
        assert (greedy["method"], optimum["method"]) == ("greedy", "optimal")
        assert 1 <= greedy["speedup"] <= optimum["speedup"] <= optimum["theoretical_speedup"]
        assert optimum["gap"] == 0
