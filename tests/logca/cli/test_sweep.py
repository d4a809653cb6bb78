"""`logca sweep`, `logca pareto` and `logca cheapest`, as a user meets them."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import logca
from logca.cli.options.ranges import given_values
from logca.numeric.sweep.resume import journal_of, read_journal

Run = Callable[..., tuple[int, str, str]]

GRID = ["sweep", "--g", "16B:32MiB:20", "--A", "2:64:7", "--o", "435,16000", "--L", "500"]
GRID += ["--C", "32", "--beta", "1"]


@pytest.mark.parametrize("verb", ["sweep", "pareto", "cheapest"])
def test_help_has_examples(run: Run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert "Examples" in out
    assert f"logca {verb}" in out


def test_values_of_options() -> None:
    found = given_values(
        {"A": "2:64:6", "o": "0,10:20:3:lin", "g": "1KiB", "beta": "1.5", "L": None}
    ).values
    assert found == {
        "A": pytest.approx([2, 4, 8, 16, 32, 64]),
        "o": [0, 10, 15, 20],
        "g": 1024,
        "beta": 1.5,
    }


def test_points_are_listed(run: Run) -> None:
    words = ["--device", "ultrasparc-t2", "--kernel", "aes", "--g", "512,4KiB"]
    code, out, err = run("sweep", *words, "--what", "speedup,T0")
    assert (code, err) == (0, "")
    answer, _, *lines = (line.split() for line in out.splitlines())
    assert " ".join(answer) == "speedup at 2 points: from 1.4 (g = 512 B) to 7.387 (g = 4 KiB)."
    assert lines[0] == ["g", "speedup", "T0", "[cycles]"]
    for line, g in zip(lines[1:], (512, 4096), strict=False):
        assert line[2:] == [f"{90 * g / (30500 + 90 * g / 19):.6g}", str(90 * g)]
    assert "2 points; o = 29000 cycles, L = 1500 cycles, C = 90 cycles/B**beta, A = 19, " in out


def test_points_as_json(run: Run) -> None:
    words = ["--device", "apu", "--kernel", "radix-sort", "--beta", "0.94", "--A", "2,7"]
    found = json.loads(run("sweep", *words, "--what", "g_s", "--s", "3", "--json")[1])
    assert found["latency"] == "linear"
    assert found["fixed"]["o"] == 4e8
    assert found["units"]["L"] == "cycles/B"
    assert [point["A"] for point in found["points"]] == [2, 7]
    assert found["points"][0]["g_s"] is None
    assert found["points"][1]["g_s"] == pytest.approx(134.8e6, rel=1e-3)


def test_a_device_of_ones_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[devices.mine]\nlatency = "linear"\nL = 2\no = 3\n'
        "[devices.mine.kernels.it]\nC = 5\nA = 4\nbeta = 1\n"
    )
    out = run("sweep", "--device", "mine", "--device-file", str(file), "--g", "10", "--json")[1]
    assert json.loads(out)["points"] == [{"speedup": pytest.approx(50 / (3 + 20 + 12.5))}]


@pytest.mark.parametrize("suffix", [".zarr", ".nc", ".parquet"])
def test_a_grid_in_a_file_and_questions_about_it(run: Run, tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    code, out, err = run(
        *GRID, "--what", "speedup,share_o", "-o", str(output), "--block-points", "50"
    )
    assert (code, out) == (0, "")
    assert f"{output}: speedup, share_o at 280 points (g 20 × o 2 × A 7), 7 blocks" in err
    with logca.open_sweep(output) as found:
        host = 32 * found.g
        expected = host / (found.o + 500 + host / found.A)
        np.testing.assert_allclose(found.speedup, expected.transpose(*found.speedup.dims))
    assert (
        "no block was left to compute"
        in run(*GRID, "--what", "speedup,share_o", "-o", str(output), "--block-points", "50")[2]
    )

    code, out, err = run(
        "pareto", str(output), "--minimise", "A", "--maximise", "speedup", "--g", "4KiB"
    )
    assert (code, err) == (0, "")
    answer, _, *lines = (line.split() for line in out.splitlines())
    assert " ".join(answer).startswith("7 of 14 points are Pareto-optimal: A from 2 to 64, speedup")
    assert lines[0] == ["o", "[cycles]", "A", "speedup"]
    assert [line[:2] for line in lines[1:8]] == [
        ["435", f"{A:.6g}"] for A in np.geomspace(2, 64, 7)
    ]
    assert "7 points; g = " in out

    question = [
        "cheapest",
        str(output),
        "--speedup",
        "5",
        "--g",
        "4KiB",
        "--o",
        "16000",
        "--A",
        "2",
    ]
    code, out, err = run(*question)
    assert (code, err) == (0, "")
    assert "needs A from 2 to 20.16; this gives 5.698 and costs 2.31." in out
    found = json.loads(run(*question, "--json")[1])
    assert found["factors"] == {"A": pytest.approx(32 ** (4 / 6))}
    question[question.index("--speedup") + 1] = "50"
    code, out, _ = run(*question, "--json")
    assert code == 1
    assert json.loads(out)["cost"] is None


def test_a_pareto_front_as_json(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "grid.nc"
    run(*GRID, "-o", str(output))
    found = json.loads(run("pareto", str(output), "--maximise", "speedup", "--json")[1])
    assert found["points"] == [
        {"g": 2.0**25, "o": 435, "A": 64, "speedup": pytest.approx(63.996, rel=1e-4)}
    ]


def test_the_cheapest_change_without_a_sweep(run: Run) -> None:
    words = ["cheapest", "--device", "ultrasparc-t2", "--kernel", "aes", "--g", "1KiB"]
    code, out, err = run(*words, "--speedup", "5")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == (
        "A speedup of 5 at 1 KiB needs o from 29,000 cycles to 12,081 cycles; this costs 0.8756."
    )
    code, out, _ = run(*words, "--speedup", "20", "--cost", "o=1")
    assert code == 1
    assert out == "No change reaches a speedup of 20 at 1 KiB: it stays below 14.51.\n"
    weighted = json.loads(
        run(*words, "--speedup", "5", "--cost", "A=1", "--cost", "o=3", "--json")[1]
    )
    assert set(weighted["factors"]) == {"o", "A"}


SWEEP = ["sweep", "--o", "1", "--L", "1", "--C", "1", "--A", "2", "--beta", "1"]
CHEAPEST = ["cheapest", "--speedup", "2", "--g", "1KiB", *SWEEP[1:]]


def test_nothing_is_replaced_without_force(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "grid.zarr"
    words = [*SWEEP, "-o", str(output)]
    assert run(*words, "--g", "1,2")[0] == 0
    code, _, err = run(*words, "--g", "1,3")
    assert code == 2
    assert "holds another sweep" in err
    assert run(*words, "--g", "1,2", "--no-resume")[0] == 2
    assert run(*words, "--g", "1,3", "--force")[0] == 0


def test_a_missing_library_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    code, _, err = run(*SWEEP, "--g", "1,2")
    assert code == 5
    assert err == "logca: this needs xarray, which is not installed: pip install 'logca[sweep]'\n"


def test_control_c_keeps_what_is_written(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "grid.zarr"
    words = [*GRID[:2], "16B:32MiB:4000", *GRID[3:], "-o", str(output), "--block-points", "100"]
    running = subprocess.Popen(
        [sys.executable, "-m", "logca", *words], stderr=subprocess.PIPE, text=True
    )
    journal = journal_of(output)
    for _ in range(6000):
        if (known := read_journal(journal)) is not None and len(known.done) >= 3:
            break
        assert running.poll() is None, running.stderr and running.stderr.read()
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    err = running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert (
        err == f"interrupted: what is written is kept in {output}, and the same command resumes\n"
    )
    progress = read_journal(journal)
    assert progress is not None
    assert 3 <= len(progress.done) < 572
    code, _, err = run(*words)
    assert code == 0
    assert f"572 blocks, {len(progress.done)} of them before" in err
    with logca.open_sweep(output) as found:
        host = 32 * found.g
        expected = host / (found.o + 500 + host / found.A)
        np.testing.assert_allclose(found.speedup, expected.transpose(*found.speedup.dims))


def test_a_bar_on_a_terminal_and_nothing_in_a_pipe(
    run: Run, tmp_path: Path, told: Callable[..., tuple[bytes, bytes]]
) -> None:
    words = [*GRID, "--block-points", "10", "-o"]
    code, _, err = run(*words, str(tmp_path / "a.zarr"))
    assert code == 0
    assert "\x1b" not in err
    assert err.count("\n") == 1
    assert "━".encode() in told(*words, str(tmp_path / "b.zarr"))[1]


def test_times_in_seconds_have_a_prefix_and_are_never_cycles(run: Run) -> None:
    words = ["--device", "ultrasparc-t2", "--kernel", "aes", "--clock", "1.2GHz"]
    out = run("sweep", *words, "--g", "4KiB", "--what", "T0")[1]
    assert out.startswith("T0 is 307.2 µs at 1 point.")
    assert "T0 [s]" in out
    assert "o = 24.17 µs, L = 1.25 µs, C = 75 ns/B**beta, A = 19" in out
    for verb in (["decide", "4KiB"], ["cheapest", "--speedup", "5", "--g", "1KiB"]):
        assert "cycles" not in run(*verb, *words)[1]


def test_own_parameters_are_linear_work_unless_told(run: Run) -> None:
    own = ["--o", "10us", "--L", "1.5ns/B", "--C", "36ns/B", "--A", "12"]
    asked = ["cheapest", *own, "--speedup", "5", "--g", "1KiB"]
    assert run(*asked) == run(*asked, "--beta", "1")
