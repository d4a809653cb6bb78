"""Child processes: isolated from where they are called, in time, and gone in the end."""

import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from logca.common.processes import Child, EndedError, apart, command, usable_cores

ECHO = """
from logca.common.processes import (questions, replies)
say = replies()
print("this is no answer")
for question in questions():
    say([question])
"""
NAMES = ("logca", "json", "cvc5", "llvmlite", "ziglang", "multiprocessing")


def child(code: str) -> Child:
    return Child([sys.executable, "-P", "-c", code])


@pytest.fixture
def strange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with packages of the names that our children import; none may be run."""
    for name in NAMES:
        (tmp_path / name).mkdir()
        tell = f"open({str(tmp_path / 'was-run')!r}, 'a').write({name!r})\n"
        (tmp_path / name / "__init__.py").write_text(tell, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "was-run"


def test_a_folder_of_that_name_is_run_without_the_helper(strange: Path) -> None:
    """Or the tests below would show nothing."""
    subprocess.run([sys.executable, "-m", "logca.common.errors"], capture_output=True)
    assert strange.read_text(encoding="utf-8") == "logca"


def test_the_engine_does_not_run_what_lies_in_the_current_folder(strange: Path) -> None:
    from logca.proofs.engine import client

    client.close()
    try:
        assert client.ask("A > 0", timeout=60).verdict == "proved"
    finally:
        client.close()
    assert not strange.exists()


def test_a_pool_does_not_run_what_lies_in_the_current_folder(strange: Path) -> None:
    with apart(), ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(abs, -1).result() == 1
    assert "PYTHONSAFEPATH" not in os.environ
    assert not strange.exists()


def test_cvc5_does_not_run_what_lies_in_the_current_folder(strange: Path) -> None:
    from logca.proofs.provers import cvc5_worker
    from logca.proofs.provers.effort import Effort

    effort = Effort(until=time.monotonic() + 60)
    problem = "(declare-const x Real)(assert (> 0 (* x x)))(check-sat)"
    cvc5_worker.close()
    try:
        assert cvc5_worker.agrees(problem, effort) == "unsat"
        assert cvc5_worker.agrees("(no problem", effort) == "unknown"
        assert cvc5_worker.agrees(problem.replace(">", "<"), effort) == "sat"
    finally:
        cvc5_worker.close()
    assert not strange.exists()


def test_compilers_do_not_run_what_lies_in_the_current_folder(
    strange: Path, tmp_path: Path
) -> None:
    from llvmlite import binding

    from logca.trace.compile import machine_code
    from logca.trace.source.compiler import toolchain, version

    ir = (
        f'target triple = "{binding.get_default_triple()}"\n'
        'define void @f() {\n  call void asm sideeffect "nop", ""()\n  ret void\n}\n'
    )
    assert machine_code.is_dangerous(ir)
    machine_code.emit(ir, tmp_path / "f.o")
    assert (tmp_path / "f.o").stat().st_size > 0
    assert version("zig", toolchain("zig")) > 0
    assert not strange.exists()


def test_questions_are_answered_and_what_is_printed_is_no_answer() -> None:
    echo = child(ECHO)
    try:
        for question in ("x", 2.5, {"a": [1, None]}, "é" * 100_000):
            echo.send(question)
            assert echo.hear(time.monotonic() + 60) == [question]
        assert echo.hear(time.monotonic() - 1) is None
    finally:
        echo.end(5)
    assert echo.process.returncode == 0
    with pytest.raises(EndedError):
        echo.send("is anybody there")


def test_what_computes_for_ever_is_ended() -> None:
    start = time.monotonic()
    busy = child("while True: pass")
    assert busy.hear(time.monotonic() + 0.1) is None
    busy.end(0.1)
    assert busy.process.returncode != 0
    assert time.monotonic() - start < 10


def test_one_that_ends_says_why() -> None:
    broken = child("import sys; sys.exit('no such luck')")
    try:
        for _ in range(2):
            with pytest.raises(EndedError) as raised:
                broken.hear()
            assert (raised.value.code, raised.value.said) == (1, "no such luck")
    finally:
        broken.end()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no sessions on this system")
def test_what_a_child_has_started_ends_with_it() -> None:
    starts = "import subprocess as s; print(s.Popen(['sleep', '600']).pid, flush=True); input()"
    parent = child(starts)
    below = int(parent.hear())
    parent.end()
    deadline = time.monotonic() + 10
    while runs(below) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not runs(below)


def runs(pid: int) -> bool:
    """True if a process is there and no zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(state.stdout.strip()) and "Z" not in state.stdout


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONSTARTUP", "PYTHONWARNINGS"])
def test_modules_are_started_as_the_environment_cannot_change(
    strange: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    values = {"PYTHONSTARTUP": tmp_path / "logca" / "__init__.py", "PYTHONWARNINGS": "error"}
    monkeypatch.setenv(variable, str(values.get(variable, tmp_path)))
    for name in ("sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(strange)!r}, 'a').write({name!r})\n")
    found = subprocess.run(command("logca.common.sizes"), capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert not strange.exists()


def test_arguments_of_a_module_that_is_started() -> None:
    found = subprocess.run(
        command("json.tool", "--compact"), input='{"a": 1}', capture_output=True, text=True
    )
    assert found.stdout == '{"a":1}\n'


def test_cores_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 5, 7}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1
