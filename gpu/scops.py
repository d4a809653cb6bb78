"""The parts of a source that PolyBench and tools of its kind mark with ``#pragma scop``."""

import re
from collections.abc import Iterable
from pathlib import Path

from logca.trace.program import Loop

__all__ = ["in_scop", "scops"]

_MARK = re.compile(r"\s*#\s*pragma\s+(end)?scop\b")


def scops(files: Iterable[str]) -> dict[str, tuple[tuple[int, int], ...]]:
    """First and last line of the parts that are marked, by file [1].

    Parameters
    ----------
    files : iterable of str
        C sources; one that cannot be read has none [text].
    """
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for file in files:
        try:
            lines = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        begin, parts = None, []
        for number, line in enumerate(lines, start=1):
            mark = _MARK.match(line)
            if mark and not mark[1]:
                begin = number
            elif mark and begin is not None:
                parts.append((begin, number))
                begin = None
        if parts:
            found[file] = tuple(parts)
    return found


def in_scop(loop: Loop, parts: dict[str, tuple[tuple[int, int], ...]]) -> bool:
    """Whether a loop stands in such a part.

    Parameters
    ----------
    loop : Loop
        The loop.
    parts : dict of str to tuple
        What `scops` found.
    """
    return any(begin < loop.line < end for begin, end in parts.get(loop.file, ()))
