"""`logca tune`, as a user meets it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logca.common.files import lock
from logca.numeric.fit.fit import fit
from logca.numeric.fit.hysteresis_thresholds import thresholds

Run = Callable[..., tuple[int, str, str]]

COPY = "dd if=/dev/zero of=/dev/null bs={knob} count={bytes} iflag=count_bytes"
PRECISE = ["--points", "4", "--precision", "0.5"]


@pytest.mark.skipif(shutil.which("dd") is None, reason="needs dd of coreutils")
def test_a_program_that_everyone_has(run: Run, tmp_path: Path) -> None:
    output, header = tmp_path / "dd.jsonl", tmp_path / "blocks.h"
    words = ["tune", "--command", COPY, "--knob", "bs", "--on", "65536", "--off", "512"]
    words += ["--sizes", "256KiB:16MiB", "--budget", "0.8", *PRECISE, "-o", str(output)]
    code, out, err = run(*words, "--write-code", str(header))
    basis = fit(output)
    if code == 1:  # a machine on which both take the same time
        assert re.match(r"bs changes nothing|It cannot be told what bs changes", out)
        return
    if "it is uncertain whether there is a break-even" not in err:
        assert code == 0, err
        assert "should_offload(size_t size)" in header.read_text()
    pays = any(thresholds(basis).pays(float(size)) for size in basis.timings.granularity)
    assert f"    bs={'65536' if pays else '512'}" in out


def times(host: float, offloaded: float) -> Callable[..., Callable[[int, int], float]]:
    """In place of what runs commands: seconds of a byte, and of an offload, which costs 1 ms."""

    def command_timer(
        command: str, path: str, longest: float, variables: dict[str, str] | None, *, built: bool
    ) -> Callable[[int, int], float]:
        least = int((variables or {}).get("MIN_BYTES") or command.split("=")[-1])
        return lambda size, calls: (
            calls * (1e-3 + offloaded * size if size >= least else 0.1e-3 + host * size)
        )

    return command_timer


TUNE = ["tune", "--on", "1", "--off", "1000000000", "--sizes", "4KiB:4MiB", "--points", "9"]
COMMANDS = {
    "variable": ["--command", "serve {bytes}", "--knob", "env:MIN_BYTES"],
    "constant": [
        *("--command", "./serve-{knob} {bytes} ={knob}", "--knob", "MIN_BYTES"),
        *("--build", "true -DMIN_BYTES={knob} -o serve-{knob}"),
    ],
}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("variable", r"export MIN_BYTES=(\d+)"),
        ("constant", r"#define MIN_BYTES (\d+)"),
    ],
)
def test_a_threshold_is_printed_to_be_pasted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, line: str
) -> None:
    monkeypatch.setattr("logca.numeric.audit.knob.command_timer", times(1e-8, 1e-9))
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(*TUNE, *COMMANDS[kind], "-o", "t.jsonl", "--write-code", "offload.py")
    assert code == 0
    [told] = re.findall(rf"^    {line}$", out, re.MULTILINE)
    assert int(told) == pytest.approx(0.9e-3 / 9e-9, rel=0.01)
    names: dict[str, Any] = {}
    exec((tmp_path / "offload.py").read_text(), names)
    assert [names["should_offload"](int(told) - less) for less in (0, 1)] == [True, False]
    audited = run("audit", "t.jsonl", "--threshold", told)[1]
    assert audited.startswith("Keep the threshold of ")


def test_a_knob_that_changes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "logca.numeric.audit.knob.command_timer",
        lambda *_, built: lambda size, calls: calls * (1e-3 + 1e-8 * size),
    )
    code, out, _ = run(*TUNE, *COMMANDS["variable"], "--write-code", "offload.h")
    assert code == 1
    shown = json.loads(run(*TUNE, *COMMANDS["variable"], "--json")[1])
    assert (shown["answer"], shown["lines"]) == (out.splitlines()[0], [])
    assert out.startswith("MIN_BYTES changes nothing: with 1000000000 and with 1 the program takes")
    assert "export" not in out
    assert not Path("offload.h").exists()


def built_knob(tmp_path: Path, seconds: str) -> list[str]:
    """Of a program that says of each build that it was done, and takes that long."""
    source = tmp_path / "prog.sh"
    source.write_text(f"sleep {seconds}\n")
    build = "sh -c 'echo {knob} >> builds; cp prog.sh prog-{knob}'"
    words = ["--build", build, "--command", "sh prog-{knob} {bytes}", "--knob", "LIMIT"]
    return ["tune", "--on", "1", "--off", "9", *words, "--sizes", "1KiB:64KiB", "--points", "4"]


def test_times_of_another_build_are_not_gone_on_with(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--budget", "0.5", "-o", "t.jsonl"]
    run(*built_knob(tmp_path, "0.01"), *words)
    before = Path("t.jsonl").read_text()
    code, _, err = run(*built_knob(tmp_path, "0.01"), *words)
    assert "have changed" not in err
    assert Path("t.jsonl").read_text().startswith(before)
    before = Path("t.jsonl").read_text()
    code, _, err = run(*built_knob(tmp_path, "0.02"), *words)
    assert code == 2
    assert "t.jsonl is of another measurement, the programs have changed since: name anoth" in err
    assert Path("t.jsonl").read_text() == before


def test_a_second_process_does_not_build_under_the_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("t.jsonl").open("a+b") as file:
        assert lock(file)
        code, _, err = run(*built_knob(tmp_path, "0.01"), "-o", "t.jsonl")
    assert code == 2
    assert "another process is measuring into it" in err
    assert not Path("builds").exists()


def test_a_build_that_fails_leaves_no_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = built_knob(tmp_path, "0.01")
    (tmp_path / "prog.sh").unlink()
    code, _, err = run(*words, "-o", "t.jsonl")
    assert code == 2
    assert "build " in err
    assert not Path("t.jsonl").exists()
