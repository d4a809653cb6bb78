"""`logca measure`, as a user meets it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.numeric.measure.resumable_file import read_samples
from logca.numeric.timings.reading import read

Run = Callable[..., tuple[int, str, str]]

HOST = "sh -c 'head -c {bytes} /dev/zero | cksum'"
FAST = "sh -c 'exit 0' - {bytes}"
COMMANDS = ["measure", "--host", HOST, "--accelerated", FAST, "--sizes", "1KiB:8MiB"]

BENCH = """
import time
from logca.numeric.measure.experiment import Experiment

def open_exact(pause="0"):
    def exact(fixed, per_byte):
        def timer(size, calls):
            time.sleep(float(pause))
            return calls * (fixed + per_byte * size)
        return timer
    return Experiment(name="exact", title="slow against fast", host=exact(0, 1e-6),
        accelerated=exact(0.003, 1e-7), sizes=(1000, 16000), notes=("times are made up",),
        once={"start of the device": 0.25})
"""


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


@pytest.fixture
def exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Words that measure an experiment of the user's, whose times cross at 3,333 B."""
    (tmp_path / "exact_bench.py").write_text(BENCH)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    return ["measure", "exact_bench:open_exact", "-o", "samples.jsonl", "--points", "5"]


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("measure", "--help")
    assert code == 0
    assert "Examples" in out
    assert "logca measure aes -o aes.jsonl" in out


def test_experiments_are_listed(run: Run) -> None:
    code, out, err = run("measure", "--list")
    assert (code, err) == (0, "")
    assert "aes" in out
    assert "sha256" in out
    assert {"name", "description", "source"} == set(
        json.loads(run("measure", "--list", "--json")[1])[0]
    )


def test_two_commands(run: Run, output: Path) -> None:
    words = [*COMMANDS, "-o", str(output), "--precision", "0.9", "--points", "4"]
    code, out, err = run(*words)
    assert code == 0
    assert "size" in out
    assert "speedup" in out
    assert "1 KiB" in out
    assert f"next: logca fit {output}" in err
    assert "starting a program is in both" in err
    found = read_samples(output)
    assert f"{len(found.samples)} times, {len(found.samples)} of them new" in err
    assert found.header.how == {"pin": False, "warm_up": 1}
    assert found.header.sizes[0] == 1024
    assert read(output).timings.granularity[0] == 1024
    code, out, err = run(*words, "--json")
    assert code == 0
    shown = json.loads(out)
    assert shown["sizes"][0]["size"] == 1024
    assert shown["crossing"]["outcome"] in ("crosses", "always", "never", "unclear")
    assert shown["machine"]["cores"] == os.cpu_count()


def test_an_experiment_crosses(run: Run, exact: list[str]) -> None:
    code, out, err = run(*exact)
    assert code == 0
    assert out.startswith("slow against fast: accelerated wins from ")
    assert "start of the device: 0.25 s, once, not in any of the times" in err
    assert "note: times are made up" in err
    shown = json.loads(run(*exact, "--json")[1])
    low, high = shown["crossing"]["lower"], shown["crossing"]["upper"]
    assert 0.9 * high < low < 3e-3 / 0.9e-6 < high
    assert shown["crossing"]["size"] == pytest.approx(3e-3 / 0.9e-6, rel=0.01)
    assert "nothing left to measure" in run(*exact)[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*COMMANDS[1:], "-o", "a.jsonl", "--set", "a=b"], "--set is for experiments"),
        ([*COMMANDS[1:5], "--sizes", "4:6", "-o", "a.jsonl"], "there are 3 sizes in steps of 1 B"),
    ],
)
def test_what_cannot_be_measured(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("measure", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert len([line for line in err.splitlines() if not line.startswith("note: load ")]) == 1
    assert not list(tmp_path.iterdir())


def test_a_command_that_fails_at_some_sizes(run: Run, output: Path) -> None:
    failing = "sh -c 'test $1 -lt 99999 || { echo out of memory >&2; exit 3; }' - {bytes}"
    words = ["measure", "--host", FAST, "--accelerated", failing, "--sizes", "1KiB:1MiB"]
    code, out, err = run(*words, "-o", str(output), "--precision", "0.9", "--points", "6")
    assert code == 0
    assert "note: 256 KiB left out: accelerated failed: exit status 3: out of memory" in err
    assert "1 KiB" in out
    assert {each.size for each in read_samples(output).failed} == {262144, 1048576}
    assert any("out of memory" in note for note in read(output).notes)


def test_a_command_that_fails_at_all_sizes(run: Run, output: Path) -> None:
    words = ["measure", "--host", "false {bytes}", "--accelerated", FAST, "--sizes", "1:1000"]
    code, _, err = run(*words, "-o", str(output), "--points", "4")
    assert code == 2
    assert "no size could be measured: host at 1 B: exit status 1" in err


def test_files_that_are_refused(run: Run, output: Path, exact: list[str]) -> None:
    output.write_text("size,host\n")
    code, _, err = run(*exact)
    assert (code, output.read_text()) == (2, "size,host\n")
    assert "is no file of samples; it is left as it is" in err
    output.unlink()
    assert run(*exact)[0] == 0
    before = output.read_text()
    for words, said in (
        ([*exact, "--sizes", "2000:9000"], "sizes differs: 1000 B to 16000 B in 5 there"),
        ([*exact[:-2], "--points", "6"], "sizes differs"),
        ([*exact, "--warm-up", "2"], "how differs: warm_up = 1 there, warm_up = 2 here"),
    ):
        code, _, err = run(*words)
        assert code == 2
        assert said in err
    header, _, rest = before.partition("\n")
    elsewhere = json.loads(header)
    elsewhere["machine"]["cpu"] = "Z80"
    output.write_text(f"{json.dumps(elsewhere)}\n{rest}")
    code, _, err = run(*exact)
    assert code == 2
    assert "another machine, cpu differs: 'Z80' there" in err
    assert output.read_text().endswith(rest)
    assert run(*exact, "--other-machine")[0] == 0


def begun(words: list[str], output: Path, lines: int) -> subprocess.Popen[str]:
    """A process that measures, once the file has so many lines."""
    running = subprocess.Popen(
        [sys.executable, "-m", "logca", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(6000):
        if output.exists() and output.read_bytes().count(b"\n") >= lines:
            return running
        assert running.poll() is None, running.stderr and running.stderr.read()
        time.sleep(0.005)
    raise AssertionError


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupted_and_killed_it_goes_on(run: Run, output: Path, exact: list[str]) -> None:
    words = [*exact, "--set", "pause=0.02"]
    running = begun(words, output, 6)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert "what is measured is kept in samples.jsonl, and the same command resumes" in err
    assert "Traceback" not in err
    first = output.read_bytes()
    assert first.endswith(b"\n")

    running = begun(words, output, first.count(b"\n") + 4)
    running.kill()
    running.communicate(timeout=60)
    second = output.read_bytes()
    assert second.startswith(first)
    output.write_bytes(second[:-7])

    code, _, err = run(*exact)
    assert code == 0
    whole = second[: second[:-7].rfind(b"\n") + 1]
    assert output.read_bytes().startswith(whole)
    found = read_samples(output)
    taken = [(each.size, each.path, each.round) for each in found.samples]
    assert len(set(taken)) == len(taken)
    assert f"{len(taken)} times, {len(taken) - whole.count(bytes([10])) + 1} of them new" in err


def test_how_far_it_is_is_told_on_a_terminal(
    exact: list[str], told: Callable[..., tuple[bytes, bytes]]
) -> None:
    out, shown = told(*exact, "--set", "pause=0.004", "--budget", "1")
    assert b"% of the budget" in shown
    assert b"slow against fast" in out
