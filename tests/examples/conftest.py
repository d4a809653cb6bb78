"""Programs are compiled with the system's compiler or with the one that pip installs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Build = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compile one C99 file, every warning an error: build(source, program, *flags)."""
    found = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    command = [found] if found else [sys.executable, "-m", "ziglang", "cc"]
    if not found:
        pytest.importorskip("ziglang", reason="pip install 'logca[trace]'")
    cache = str(tmp_path_factory.mktemp("compiler"))
    # zig needs caches it may write; other compilers do not look
    environment = {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache, **os.environ}
    strict = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror"]

    def compile_one(source: Path, program: Path, *flags: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*command, *strict, *flags, str(source), "-o", str(program), "-lm"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return compile_one
