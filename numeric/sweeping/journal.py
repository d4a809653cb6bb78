"""Which blocks of an unfinished sweep are written: a file beside the output, one line for each.

A line is appended after the block's data were handed to the operating system, so a block that the
journal names is there even if the process was killed right after. A line that is not complete does
not count. The journal goes when the sweep is finished.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from logca.numeric.locking import lock
from logca.numeric.sweeping.errors import SweepError

__all__ = ["Progress", "journal_of", "read_journal", "writing_journal"]

_CREATED = "created"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a sweep got.

    Parameters
    ----------
    identity : dict
        What makes the sweep the same as another one, see `Sweep.identity`.
    created : bool
        Whether the output was there, though empty [1].
    done : frozenset of int
        Numbers of the blocks that are written [1].
    """

    identity: dict[str, Any]
    created: bool
    done: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Journal:
    """A journal that this process alone writes to."""

    file: IO[bytes]

    def _append(self, line: str) -> None:
        self.file.write(f"{line}\n".encode())
        self.file.flush()

    def begin(self, identity: dict[str, Any]) -> None:
        """Forget everything; the output is not there yet."""
        self.file.truncate(0)
        self._append(json.dumps(identity))

    def mark_created(self) -> None:
        """The output is there."""
        self._append(_CREATED)

    def mark(self, number: int) -> None:
        """A block is written."""
        self._append(str(number))


def journal_of(output: Path) -> Path:
    """Where the journal of an output is.

    Examples
    --------
    >>> journal_of(Path("grid.zarr")).name
    'grid.zarr.journal'
    """
    return output.with_name(f"{output.name}.journal")


def read_journal(path: Path) -> Progress | None:
    """What a journal says; None if there is none, or nothing in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    complete = text[: text.rfind("\n") + 1].splitlines()
    if not complete:
        return None
    try:
        identity = dict(json.loads(complete[0]))
        numbers = frozenset(int(line) for line in complete[1:] if line != _CREATED)
    except (ValueError, TypeError):
        raise SweepError(f"{path} is not a journal of a sweep; move it away") from None
    return Progress(identity=identity, created=_CREATED in complete, done=numbers)


@contextmanager
def writing_journal(path: Path) -> Iterator[_Journal]:
    """Open a journal to append to it, or a new one.

    Raises
    ------
    SweepError
        If another process writes to it, or the folder cannot be written to.
    """
    try:
        opened = path.open("a+b")
    except OSError as error:
        raise SweepError(f"{path.parent} cannot be written to: {error.strerror}") from None
    with opened as file:
        if not lock(file):
            raise SweepError(f"another process is writing what {path} is the journal of")
        file.seek(0)
        text = file.read()
        file.truncate(text.rfind(b"\n") + 1)
        yield _Journal(file=file)
