"""`logca devices`, as a user meets it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser

from logca.cli.options.completion import complete_devices, complete_devices_and_gpus
from logca.gpu.devices.parameters import KEYS, device
from logca.gpu.devices.parameters import devices as gpus
from logca.numeric.paper.devices import devices, load_devices
from logca.show.devices import device_table
from logca.show.gpu.devices import gpu_table

Run = Callable[..., tuple[int, str, str]]

MINE = """
unit = "us"
[devices.fpga]
title = "My [red] FPGA"
latency = "linear"
o = 20000
L = 2.5
A = 12
kernels.aes = { C = 90 }
kernels.stencil = { C = 1234567.25, beta = 1.5 }
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    return str(path)


def test_all_rows_with_units_in_the_header(run: Run) -> None:
    code, out, err = run("devices")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert "ultrasparc-t2 sha constant 10500 1500 72 12 1" in lines
    assert "apu gemm linear 4e8 15 2 7 1.7" in lines
    header, rest = out.rstrip().rpartition("\n\n")[0].split("discrete-gpu", 1)
    for word in ("device", "kernel", "latency", "[cycles]", "/B]", "B**beta]", "β", "[1]"):
        assert word in header
    assert rest.count("\n") == len(devices())
    assert rest.splitlines()[-1].startswith("L: in cycles/B where latency is linear")


def test_one_entry_with_sources_and_reading(run: Run) -> None:
    code, out, err = run("devices", "ultrasparc-t2", "sha")
    flat = " ".join(out.split())
    assert (code, err) == (0, "")
    for part in (
        "UltraSPARC T2, SHA ultrasparc-t2 sha",
        "latency constant",
        "o 10500 cycles",
        "C 72 cycles/B**beta",
        "A 12 β 1",
        "source altaf2017, Table 5",
        "The transcriptions disagree on the SHA rows",
        "Table 4 Secure Hashing Algorithm (SHA): O(n), O(g^0.97)",
        "Frequency 1.16 GHz",
    ):
        assert part in flat


def test_gpus_stand_below_and_are_told_apart(run: Run) -> None:
    code, out, err = run("devices")
    assert (code, err) == (0, "")
    row = rf"^rtx-4090 +ada +128 +2520 +907 +estimated +73728 +\d+ of {len(KEYS)}$"
    assert re.search(row, out, re.M)
    assert re.search(r"^jetson-tk1 +1 +852 +17 +documented", out, re.M)
    assert "GPUs; the bandwidth of 10 was measured." in out.splitlines()[0]
    code, out, _ = run("devices", "h200")
    assert (code, out.splitlines()[0]) == (0, "NVIDIA H200 141GB (Hopper GH100, 132 SM)")
    assert "3.534 TB/s, bandwidth of main memory; measured: te42kyfo/gpu-benches" in out
    assert "launch_overhead         2.5 us" in out
    code, out, _ = run("devices", "h200", "--as", "latex")
    assert (code, "h200" in out) == (0, True)


def test_gpus_for_a_program(run: Run) -> None:
    found = json.loads(run("devices", "--json")[1])["gpus"]
    assert {row["name"] for row in found} == {*gpus()}
    one = json.loads(run("devices", "a40", "--json")[1])
    row = next(row for row in found if row["name"] == "a40")
    assert {key: one[key] for key in row} == row
    assert one["answer"] == one["title"]
    assert {"parameter", "value", "unit", "meaning", "source"} == {*one["parameters"][0]}
    assert sum(row["provenance"].values()) == len(one["parameters"])
    alone = json.loads(run("gpu", "--list-devices", "--json")[1])
    assert alone["gpus"] == found


def test_a_device_alone_shows_all_its_kernels(run: Run) -> None:
    out = run("devices", "sparc-t4-instructions")[1]
    assert out.count("SPARC T4 instr.,") == 2
    assert "Table 2 has one column" in out


def test_json(run: Run) -> None:
    rows = json.loads(run("devices", "--json")[1])["rows"]
    assert [(row["device"], row["kernel"]) for row in rows] == [
        (row.device, row.kernel) for row in devices()
    ]
    one = json.loads(run("devices", "apu", "gemm", "--json")[1])
    assert next(iter(one)) == "answer"
    assert (one["o"], one["L"], one["C"], one["A"], one["beta"]) == (400_000_000, 15, 2, 7, 1.7)
    assert one["units"]["L"] == "cycles/B"
    assert len(json.loads(run("devices", "sparc-t3", "--json")[1])["rows"]) == 2
    assert len(json.loads(run("devices", "sandy-bridge", "--json")[1])["rows"]) == 1


def test_a_file_of_the_user(run: Run, mine: str) -> None:
    code, out, err = run("devices", "--device-file", mine)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert "fpga stencil linear 20000 2.5 1234567.25 12 1.5" in lines
    assert "[us" in out
    assert "where latency is" not in out
    _, out, _ = run("devices", "fpga", "aes", "--device-file", mine)
    assert "My [red] FPGA, AES" in out
    assert f"{mine}; beta: altaf2017, §5.1" in out
    assert "machine" not in out
    found = json.loads(run("devices", "fpga", "--device-file", mine, "--json")[1])
    assert found["rows"][0]["unit"] == "us"


def test_no_number_is_cut_on_a_narrow_terminal(mine: str) -> None:
    from rich.console import Console

    from logca.common.terminal import folding

    known = [device(name) for name in gpus()]
    tables = (device_table(devices()), device_table(load_devices(mine)), gpu_table(known))
    for table in tables:
        console = Console(width=80, force_terminal=True, color_system=None)
        with console.capture() as shown:
            console.print(folding(table, gap=1))
        assert "…" not in shown.get()
        assert max(map(len, shown.get().splitlines())) <= 80


def test_a_malformed_file_is_told_with_its_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(MINE.replace("A = 12", "A = 0.5"), encoding="utf-8")
    code, out, err = run("devices", "--device-file", str(path))
    assert (code, out) == (2, "")
    assert err == f"logca: {path}: devices.fpga: A must be a finite number above 1, not 0.5\n"


def test_names_are_completed() -> None:
    assert complete_devices("ultra") == [("ultrasparc-t2", "UltraSPARC T2")]
    assert len(complete_devices("sparc")) == 3
    assert complete_devices_and_gpus("h2") == [("h200", "NVIDIA H200 141GB (Hopper GH100, 132 SM)")]
    assert complete_devices_and_gpus("ultra") == complete_devices("ultra")


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("devices", "--help")
    assert code == 0
    assert "logca devices ultrasparc-t2 sha" in out


@pytest.mark.parametrize("words", [["devices"], ["devices", "a40"], ["devices", "--json"]])
def test_no_heavy_library_is_loaded(words: list[str]) -> None:
    report = (
        "import atexit, sys\n"
        "heavy = {'sympy', 'numpy', 'scipy', 'z3', 'cvc5', 'flint', 'mpmath'}\n"
        "atexit.register(lambda: print('loaded:', *heavy & {*sys.modules}))\n"
        f"sys.argv = ['logca', *{words!r}]\n"
        "from logca.cli import main\n"
        "main()\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("devices", 19),
        ("devices ultrasparc-t2", 2),
        ("granularities --device ultrasparc-t2 --kernel aes", 4),
        ("granularities --device apu --kernel gemm --speedup 5", 2),
        ("regions --device ultrasparc-t2 --kernel aes", 8),
    ],
)
def test_a_table_for_a_paper(run: Run, words: str, rows: int) -> None:
    status, out, err = run(*words.split(), "--as", "latex")
    assert (status, err) == (0, "")
    lines = [line for line in out.splitlines() if not line.startswith("%")]
    for begin, end in (("begin", "end"), ("toprule", "bottomrule")):
        assert out.count(f"\\{begin}") == out.count(f"\\{end}") > 0
    body = "\n".join(lines).split("\\midrule")[1:]
    assert sum(part.partition("\\bottomrule")[0].count(" \\\\") for part in body) == rows
    assert all(ord(letter) < 128 for line in lines for letter in line)
    for line in (each for each in lines if each.endswith(r"\\")):
        assert line.count("$") % 2 == 0
        for formula in re.findall(r"\$(.+?)\$", line):
            MathTextParser("path").parse(f"${formula}$")
    status, _, err = run(*words.split(), "--as", "latex", "--json")
    assert (status, "not both" in err) == (2, True)
