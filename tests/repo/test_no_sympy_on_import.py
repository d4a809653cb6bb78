"""What needs no algebra starts without it."""

import subprocess
import sys

import pytest

HEAVY = (
    *("sympy", "z3", "cvc5", "flint", "numpy", "scipy"),
    *("numba", "llvmlite", "networkx", "pyarrow"),
)

REPORT = f"""
import atexit, sys
atexit.register(lambda: print("loaded:", *sorted({{*sys.modules}} & {{*{HEAVY!r}}})))
"""


@pytest.mark.parametrize(
    "code",
    [
        "import logca",
        "import logca; dir(logca)",
        "import logca; dir(logca.gpu), dir(logca.trace)",
        "sys.argv = ['logca', '--help']; from logca.cli import main; main()",
        "sys.argv = ['logca', 'check', '--help']; from logca.cli import main; main()",
        "sys.argv = ['logca', 'gpu', '--help']; from logca.cli import main; main()",
    ],
)
def test_no_heavy_library_is_loaded(code: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", REPORT + code], capture_output=True, text=True, timeout=60
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[-1].split() == ["loaded:"]
