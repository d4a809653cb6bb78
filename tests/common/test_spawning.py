"""Pools that are made by a script without a guard, whose processes must not run it again."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from logca.common.processes import usable_cores, workers
print("begun", flush=True)
with workers(2) as pool:
    print([pool.submit(usable_cores).result() for _ in range(3)])
"""


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert ended.stdout.count("begun") == 1
    assert ended.stdout.count(",") == 2
