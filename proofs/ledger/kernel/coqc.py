"""Coq's compiler: found, run on files of a folder, its messages read."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from logca.common.errors import LogcaError

__all__ = [
    "LIBRARY",
    "CoqAnswer",
    "CoqMissingError",
    "compile_file",
    "compiler",
    "compiler_version",
    "library_texts",
]

LIBRARY = ("LogCA", "LogCATactics", "LogCALimits", "LogCANumbers")
"""Files written by hand, in the order in which they build on each other."""

_PACKAGES = "coq libcoq-coquelicot libcoq-interval"
_LIMIT = 900


class CoqMissingError(LogcaError, RuntimeError):
    """Coq, or a library of it, is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoqAnswer:
    """The answer of coqc to a file."""

    succeeded: bool
    output: str  # what the file printed
    error: str  # the message of the first error
    line: int  # where that is, from 1; 0 where there is none


def compiler() -> str:
    """The path of coqc.

    A `CoqMissingError` if there is none; the message says what to install.
    """
    found = shutil.which("coqc")
    if found is None:
        raise CoqMissingError(
            f"coqc is not installed; on Debian and Ubuntu: apt install {_PACKAGES} "
            "(Coq 8.16 or later)"
        )
    return found


def compiler_version() -> str:
    """The version of Coq, such as 8.16.1."""
    done = subprocess.run(
        [compiler(), "--print-version"], capture_output=True, text=True, check=True
    )
    return done.stdout.split()[0]


def library_texts() -> dict[str, str]:
    """The files written by hand, by their names."""
    names = [f"{name}.v" for name in LIBRARY]
    return {name: Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names}


def compile_file(folder: Path, name: str, limit: float = _LIMIT) -> CoqAnswer:
    """Compile one file of a development; its time is limited to `limit` [s]."""
    command = [compiler(), "-q", "-w", "none", "-R", ".", "LogCA", f"{name}.v"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return CoqAnswer(succeeded=False, output="", error=f"out of time after {limit:g} s", line=0)
    if "Cannot find a physical path bound to logical path" in done.stderr:
        raise CoqMissingError(
            f"a library of Coq is missing; on Debian and Ubuntu: apt install {_PACKAGES}"
        )
    place = re.search(r"line (\d+), characters [^\n]*:\nError", done.stderr)
    error = done.stderr[place.end() - 5 :].strip() if place else done.stderr.strip()
    return CoqAnswer(
        succeeded=done.returncode == 0,
        output=done.stdout,
        error=error if done.returncode else "",
        line=int(place[1]) if place else 0,
    )
