"""The files that the compiler read: sources, and the headers that they include.

Debug data name files as sources say, which a ``#line`` sets to any: an answer has lines only of
files that were compiled.
"""

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

__all__ = ["compiled_among", "dependencies_in", "dependencies_of"]

WORD = re.compile(r"(?:\\[ #]|[^\s])+")
ESCAPED = re.compile(r"\\([ #])|\$(\$)")


def dependencies_in(text: str) -> list[str]:
    r"""The files in what a compiler wrote for `make`, without the target.

    Examples
    --------
    >>> dependencies_in("x: /a/b\\ c.c \\\n  d$$\\#.h\n")
    ['/a/b c.c', 'd$#.h']
    """
    files = text.partition(": ")[2].replace("\\\n", " ")
    return [ESCAPED.sub(r"\1\2", word) for word in WORD.findall(files)]


def dependencies_of(files: Iterable[Path]) -> list[str]:
    """The files in all that a compiler wrote for `make`.

    Flags of the user's may have it written elsewhere, and then only sources are known.
    """
    texts = (os.fsdecode(file.read_bytes()) for file in files if file.is_file())
    return [each for text in texts for each in dependencies_in(text)]


def compiled_among(
    names: Collection[str], sources: Collection[str], read: Iterable[str]
) -> frozenset[str]:
    """Those of some names that sources have, or files that the compiler read."""
    others = set(names).difference(sources)
    places = {os.path.realpath(each) for each in read} if others else set()
    strange = {name for name in others if os.path.realpath(name) not in places}
    return frozenset(names).difference(strange)
