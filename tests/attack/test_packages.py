"""What is built installs and works: a wheel, and the archive of sources."""

import subprocess
import sys
from pathlib import Path

import pytest
from attack_inputs import EVERYTHING, PROGRAM

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not EVERYTHING, reason="builds and installs packages: make attack")
def test_built_packages_install_and_work(tmp_path: Path) -> None:
    pytest.importorskip("uv")
    uv = [sys.executable, "-m", "uv"]
    sources = tmp_path / "sources"
    # what is committed, not what else lies about
    subprocess.run(["git", "clone", "-q", ROOT, sources], check=True)
    subprocess.run([*uv, "build", "-q", "-o", tmp_path / "built"], cwd=sources, check=True)
    built = sorted((tmp_path / "built").glob("logca-*"))
    assert {path.suffix for path in built} == {".whl", ".gz"}
    (tmp_path / "program.c").write_text(PROGRAM)
    for path in built:
        home = tmp_path / path.suffix[1:]
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        python = home / "bin" / "python"
        install = [*uv, "pip", "install", "-q", "--python", python, f"{path}[prove,trace]"]
        subprocess.run(install, check=True)
        for words in ("check --claim A>0", "trace program.c", "derive g1", "codegen --help"):
            found = subprocess.run(
                [home / "bin" / "logca", *words.split()], cwd=tmp_path, capture_output=True
            )
            assert found.returncode == 0, (words, found.stderr.decode())
