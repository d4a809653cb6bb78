"""Every verb in a folder that somebody else has filled: nothing of it is run, or read as settings.

Python itself is started isolated here (`-I`), as what PYTHONPATH names runs before any program.
"""

import os
import subprocess
import sys
from pathlib import Path
from shlex import split

import pytest
from attack_inputs import EVERYTHING, MODEL, PROGRAM, TIMINGS

MODULES = (
    *("logca", "sympy", "numpy", "scipy", "z3", "cvc5", "numba", "llvmlite", "ziglang", "yaml"),
    *(
        "matplotlib",
        "pandas",
        "xarray",
        "pyarrow",
        "ortools",
        "networkx",
        "rich",
        "typer",
        "mpmath",
    ),
    *("json", "multiprocessing", "subprocess", "tempfile", "pickle", "runpy", "platformdirs"),
)
HOOKS = ("sitecustomize", "usercustomize", "conftest", "this")


ALWAYS = {
    "check --claim": "check --claim 'A > 0'",
    "trace": "trace program.c",
    "gpu": "gpu program.c --device rtx-4090",
    "plot": f"plot {MODEL} -o figure.svg",
    "fit": "fit timings.csv",
    "partition": "partition program.c",
}
"""What starts processes, compiles, loads machine code or draws."""
ALL = ALWAYS | {
    "formula": "formula speedup",
    "derive": "derive speedup",
    "check": "check",
    "devices": "devices",
    "explain": f"explain 4KiB {MODEL}",
    "granularities": f"granularities {MODEL}",
    "regions": f"regions {MODEL}",
    "sweep": f"sweep {MODEL} --g 1KiB:1MiB:5",
    "cheapest": f"cheapest --g 4KiB --speedup 8 {MODEL}",
    "explorer": f"explorer {MODEL} -o page.html",
    "codegen": f"codegen {MODEL} --lang c",
    "decide": f"decide 4KiB {MODEL}",
    "report": "fit timings.csv -o fit.json && report fit.json -o report.html",
    "offload": "offload program.c --size N=64:4096",
    "explore": "explore program.c",
    "reproduce": "reproduce cgpredict --table 4",
    "book": "book -o book.html",
}


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    marker = tmp_path / "was-run"
    tell = f"open({str(marker)!r}, 'a').write(__name__ + ' ')\n"
    folder = tmp_path / "down loaded"
    for name in MODULES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(tell)
        (folder / name / "__main__.py").write_text(tell)
    for name in HOOKS:
        (folder / f"{name}.py").write_text(tell)
    (folder / ".numba_config.yaml").write_text("cache_dir: taken\ncache_locator_classes: this.It\n")
    (folder / "matplotlibrc").write_bytes(b"\xff\xfe backend: module://this\n")
    (folder / "setup.cfg").write_text("[tool:pytest]\naddopts = --nothing\n")
    (folder / "program.c").write_text(PROGRAM)
    (folder / "timings.csv").write_text(TIMINGS)
    return folder


@pytest.mark.parametrize("verb", ALL if EVERYTHING else ALWAYS)
def test_nothing_of_the_working_folder_is_run(foreign: Path, verb: str) -> None:
    before = {path.name for path in foreign.iterdir()}
    for words in ALL[verb].split(" && "):
        found = subprocess.run(
            [sys.executable, "-I", "-m", "logca", *split(words)],
            cwd=foreign,
            env={**os.environ, "PYTHONPATH": str(foreign), "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert not (foreign.parent / "was-run").exists()
        assert found.returncode == 0, found.stderr
    written = {path.name for path in foreign.iterdir()} - before
    assert written <= {"figure.svg", "page.html", "fit.json", "report.html", "book.html"}
