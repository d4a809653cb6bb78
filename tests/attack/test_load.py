"""Much of everything: many calls, points, rows, blocks, and processes at once.

What grows without a bound, or is quadratic, fails here by its memory or by the limit of the child.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attack_inputs import EVERYTHING, TIMINGS

SECONDS = 900
MIB = 1 << 20
PROOFS, CALLS = (10_000, 100_000) if EVERYTHING else (30, 5_000)
ROWS = 1_000_000 if EVERYTHING else 20_000
BLOCKS = 100_000 if EVERYTHING else 2_000
POINTS = 1_000 if EVERYTHING else 100


def child(code: str, *words: str, cwd: Path | None = None, memory: int = 4096) -> str:
    """What a Python prints that may take so much memory [MiB]."""
    limited = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({memory * MIB}, {memory * MIB}))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", limited + code, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert found.returncode == 0, found.stderr[-2000:]
    return found.stdout


VERB = "from logca.cli import main\nmain()\n"
GROWTH = """
import logca
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() >> 20
def grown(call, number):
    for each in range(20):
        call(each)
    before = resident()
    for each in range(20, number):
        call(each)
    return resident() - before
"""


def test_many_break_evens_take_no_more_memory() -> None:
    call = "lambda n: logca.Accelerator(o=29000 + n, L=1500, C=90, A=19).break_even()"
    assert int(child(GROWTH + f"print(grown({call}, {CALLS}))")) < 16


def test_many_proofs_take_no_more_memory() -> None:
    pytest.importorskip("z3")
    call = 'lambda n: logca.prove(f"speedup < A + {n + 1}")'
    assert int(child(GROWTH + f"print(grown({call}, {PROOFS}))")) < 64


def test_a_sweep_takes_memory_for_its_blocks_only(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    axes = f"--g 16B:32MiB:{POINTS} --A 2:64:{POINTS} --o 1:1000:{POINTS} --L 500 --C 32 --beta 1"
    said = child(VERB, "sweep", *axes.split(), "-o", "grid.zarr", cwd=tmp_path, memory=2048)
    assert said == "" or f"{POINTS**3:,} points" in said
    assert (tmp_path / "grid.zarr").is_dir()


def test_an_axis_of_a_thousand_million_values_is_refused() -> None:
    axes = "--g 16B:32MiB:1000000000 --A 2 --o 1 --L 500 --C 32 --beta 1"
    found = subprocess.run(
        [sys.executable, "-m", "logca", "sweep", *axes.split()],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found.returncode == 2
    said = " ".join(found.stderr.split())
    assert "1,000,000,000 values, and an axis has 1,000,000 at most" in said


@pytest.mark.parametrize("sizes", ["few", "many"])
def test_timings_of_many_rows(sizes: str, tmp_path: Path) -> None:
    rng = random.Random(1)
    with (tmp_path / "many.csv").open("w") as file:
        file.write(TIMINGS.splitlines()[0] + "\n")
        for row in range(ROWS):
            size = 2 ** rng.randint(6, 24) if sizes == "few" else 64 + 17 * row
            host = 1e-9 * size * rng.uniform(0.98, 1.02)
            other = (1e-5 + 1e-10 * size) * rng.uniform(0.98, 1.02)
            file.write(f"{size},{host:.6g},{other:.6g}\n")
    said = child(VERB, "fit", "many.csv", "--json", cwd=tmp_path)
    # by the times above a break-even of 1e-5 / 0.9e-9 B
    assert estimate(json.loads(said), "g1") == pytest.approx(11_111, rel=0.02)


def estimate(fit: dict[str, Any], quantity: str) -> float:
    return float(fit["quantities"][quantity]["value"])


def test_a_partition_of_many_blocks(tmp_path: Path) -> None:
    pytest.importorskip("ortools")
    (tmp_path / "many.json").write_text(json.dumps(chain(BLOCKS)))
    words = ["many.json", "--area", str(5 * BLOCKS), "--solve-within", "20", "--json"]
    found = json.loads(child(VERB, "partition", *words, cwd=tmp_path, memory=8192))
    assert found["gap"] < 0.05
    assert found["area_used"] <= 5 * BLOCKS


def chain(blocks: int) -> dict[str, object]:
    """A loop over blocks in a row, some of them loops themselves; values go to blocks nearby."""
    rng, rounds = random.Random(2), 1000
    listed, flows, values, loops = [], [], [], []
    for k in range(blocks):
        runs = rounds * rng.choice([1, 1, 4, 16, 100, rng.randint(1, 10**4)])
        listed.append(
            {
                "name": f"b{k}",
                "executions": runs,
                "operations": rng.randint(1, 40),
                "area": rng.randint(1, 40),
            }
        )
        if runs > rounds:
            flows.append({"from": f"b{k}", "to": f"b{k}", "executions": runs - rounds})
            loops.append([f"b{k}"])
        last = k == blocks - 1
        to = "b0" if last else f"b{k + 1}"
        flows.append({"from": f"b{k}", "to": to, "executions": rounds - last})
        if not last:
            users = sorted({rng.randint(k + 1, min(blocks - 1, k + 30)) for _ in range(2)})
            users_ = [{"block": f"b{user}", "executions": rounds} for user in users]
            values.append({"name": f"v{k}", "producer": f"b{k}", "consumers": users_})
    listed[0]["pinned"] = "main"
    return {
        "format": "logca-partition-1",
        "name": "chain",
        "blocks": listed,
        "flows": flows,
        "values": values,
        "entries": ["b0"],
        "exits": [f"b{blocks - 1}"],
        "loops": loops,
    }


@pytest.mark.parametrize("words", ["check --claim A>0", "trace program.c --stage counts"])
def test_eight_processes_share_a_new_cache(words: str, tmp_path: Path) -> None:
    if "trace" in words:
        pytest.importorskip("ziglang")
    (tmp_path / "program.c").write_text("int a[9];\nint main(void) { return a[3]; }\n")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "logca", *words.split()]
    number = 8 if EVERYTHING else 3
    running = [
        subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(number)
    ]
    ended = [process.communicate(timeout=SECONDS) for process in running]
    assert [process.returncode for process in running] == [0] * number, ended
    assert len({out.splitlines()[0] for out, _ in ended}) == 1
    assert {err for _, err in ended} == {b""}
