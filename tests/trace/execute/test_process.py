"""Whatever ends the reader, the program ends with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PARENT = """
import sys
from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run
compiled = compile_program(sys.argv[1])
print("compiled", flush=True)
run(compiled, nests=() if sys.argv[2] == "counts" else None)
"""
ENDLESS = "int a[9]; int main(void) { for (unsigned i = 0;; i++) a[i % 9]++; }"


def descendant(parent: int, name: str) -> int:
    """The process of that name below another one."""
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                state = (process / "stat").read_text()
                started = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if int(state.rpartition(")")[2].split()[1]) == parent and started == name.encode():
                return int(process.name)
    return 0


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> object:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise TimeoutError


@pytest.mark.parametrize(
    ("number", "what"),
    [(signal.SIGINT, "trace"), (signal.SIGKILL, "trace"), (signal.SIGKILL, "counts")],
)
def test_the_program_ends_with_its_reader(tmp_path: Path, number: int, what: str) -> None:
    source = tmp_path / "spinner.c"
    source.write_text(ENDLESS)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(source), what],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        child = wait_for(lambda: descendant(parent.pid, "spinner\0"))
        assert isinstance(child, int)
        time.sleep(0.2)
        parent.send_signal(number)
        _, errors = parent.communicate(timeout=20)
        wait_for(lambda: not Path(f"/proc/{child}").exists())
    finally:
        parent.kill()
        parent.communicate()
    if number == signal.SIGINT:
        assert b"KeyboardInterrupt" in errors
        assert list(temporary.iterdir()) == []
