"""Unfinished sweeps: which blocks are written, and whether to go on, begin again or refuse.

A journal beside the output has one line for each block. A line is appended after the block's data
were handed to the operating system, so a block that the journal names is there even if the process
was killed right after. A line that is not complete does not count; each has a checksum of itself
and of all lines before it, so a line that is changed, lost or of another journal is found.

Now and then the system is asked to put on the disk what it was handed, and a line says so: if the
machine has been started anew since, later blocks do not count. The journal goes when the sweep is
finished.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from logca.common.files import beside, keep, lock
from logca.numeric.sweep.blocks import SweepError
from logca.numeric.sweep.formats import OutputFormat, OutputRecord

__all__ = [
    "REPLACED",
    "Action",
    "Journal",
    "JournalState",
    "OutputState",
    "followed",
    "journal_of",
    "next_action",
    "read_journal",
    "remove",
    "set_aside",
    "writing_journal",
]

_CREATED, _SYNCED, _BOOT, _BEGINNING = "created", "synced", "boot ", "beginning "
_SECONDS_BETWEEN_SYNCS = 20.0

REPLACED = "replaced"
"""Ending of the hidden name of an output that another one takes the place of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalState:
    """Progress of a sweep."""

    identity: dict[str, Any]  # what makes the sweep the same as another one, see `Sweep.identity`
    created: bool  # whether the output was there, though empty [1]
    done: frozenset[int]  # numbers of the blocks that are written [1]
    beginnings: tuple[str, ...] = ()  # names under which an output was made, which may be there yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """A journal that this process alone writes to."""

    file: IO[bytes]
    # checksum of all lines so far [1]
    checked: list[int]
    # when the files were last put on the disk, by a clock that does not jump [s]
    synced_s: list[float] = field(default_factory=lambda: [time.monotonic()])

    def _append(self, line: str) -> None:
        self.checked[0] = _checksum(line, self.checked[0])
        self.file.write(f"{line} {self.checked[0]:08x}\n".encode())
        self.file.flush()

    def begin(self, identity: dict[str, Any]) -> None:
        """Forget everything; the output is not there yet."""
        self.forget()
        self._append(json.dumps(identity))
        self._append(_BOOT + boot())

    def name_beginning(self, name: str) -> None:
        """The output is being made under another name."""
        self._append(_BEGINNING + name)

    def forget(self) -> None:
        """Forget everything: nothing has begun."""
        self.file.truncate(0)
        self.checked[0] = 0

    def mark_created(self) -> None:
        """The output is there."""
        self._append(_CREATED)

    def mark(self, number: int) -> None:
        """A block is written."""
        self._append(str(number))
        if time.monotonic() > self.synced_s[0] + _SECONDS_BETWEEN_SYNCS:
            self.sync()
            self.synced_s[0] = time.monotonic()

    def go_on(self) -> None:
        """Say that later lines are written since this start of the machine."""
        self._append(_BOOT + boot())

    def sync(self) -> None:
        """Have everything that is written put on the disk, and then say so."""
        # of all files, since formats write theirs through libraries and in folders
        getattr(os, "sync", lambda: None)()
        self._append(_SYNCED)
        keep(self.file)


@cache
def boot() -> str:
    """A name of this start of the machine; the same one always where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return "unknown"


def journal_of(output: Path) -> Path:
    """Where the journal of an output is.

    Examples
    --------
    >>> journal_of(Path("grid.zarr")).name
    'grid.zarr.journal'
    """
    return output.with_name(f"{output.name}.journal")


def read_journal(path: Path) -> JournalState | None:
    """Contents of a journal; None if there is none, or nothing in it."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise SweepError(f"{path} is in the way of a journal, and no file; move it away")
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    try:
        complete, _ = _lines(text)
        if not complete and text:
            raise ValueError
        if not complete:
            return None
        identity = dict(json.loads(complete[0]))
        numbers = _on_disk(complete[1:])
        beginnings = tuple(
            line.removeprefix(_BEGINNING) for line in complete if line.startswith(_BEGINNING)
        )
        # what they name is removed, so they must be names that a sweep gives
        if not all(_is_beginning(path, name) for name in beginnings):
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        raise SweepError(
            f"{path} is damaged, or not a journal of a sweep; move it away, and start again "
            "with force"
        ) from None
    return JournalState(
        identity=identity,
        created=_CREATED in complete,
        done=numbers,
        beginnings=beginnings,
    )


def _is_beginning(journal: Path, name: str) -> bool:
    output = re.escape(journal.name.removesuffix(".journal"))
    return re.fullmatch(rf"\.{output}\.[0-9a-f]{{32}}\.beginning", name) is not None


def _lines(text: str) -> tuple[list[str], int]:
    """The lines that are complete, and their checksum; a `ValueError` if one is not as written."""
    found, checked = [], 0
    for whole in text[: text.rfind("\n") + 1].split("\n")[:-1]:
        line, _, told = whole.rpartition(" ")
        checked = _checksum(line, checked)
        if told != f"{checked:08x}":
            raise ValueError
        found.append(line)
    return found, checked


def _checksum(line: str, before: int) -> int:
    return crc32(line.encode(), before)


def _on_disk(lines: Sequence[str]) -> frozenset[int]:
    """Blocks that are there: those before a line that says so, and all of this start."""
    sure, handed, since = set[int](), set[int](), ""
    for line in lines:
        if line.startswith(_BOOT):
            if since and line != _BOOT + since:
                handed.clear()
            since = line.removeprefix(_BOOT)
        elif line == _SYNCED:
            sure |= handed
            handed.clear()
        elif line != _CREATED and not line.startswith(_BEGINNING):
            handed.add(int(line))
    return frozenset(sure | handed if since in ("", boot()) else sure)


@contextmanager
def writing_journal(path: Path) -> Iterator[Journal]:
    """Open a journal to append to it, or a new one."""
    try:
        opened = path.open("a+b")
    except OSError as error:
        raise SweepError(f"{path.parent} cannot be written to: {error.strerror}") from None
    with opened as file:
        if not lock(file):
            raise SweepError(f"another process is writing what {path} is the journal of")
        file.seek(0)
        text = file.read()
        end = text.rfind(b"\n") + 1
        file.truncate(end)
        _, checked = _lines(text[:end].decode(errors="replace"))
        try:
            yield Journal(file=file, checked=[checked])
        finally:
            if not os.fstat(file.fileno()).st_size:
                path.unlink(missing_ok=True)


class Action(Enum):
    """Action that an output calls for."""

    BEGIN = "there is nothing, or nothing to keep"
    GO_ON = "the same sweep, unfinished"
    MEND = "the same sweep, which was complete and lacks something now"
    NOTHING = "the same sweep, complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputState:
    """State of an output: the action it calls for, and the blocks that are written."""

    action: Action  # what is to be done
    done: frozenset[int] = frozenset()  # numbers of the blocks that are written [1]
    left_over: tuple[str, ...] = ()  # names of what an earlier start may have left beside it


def next_action(
    output: Path, form: OutputFormat, identity: dict[str, Any], *, resume: bool, force: bool
) -> OutputState:
    """State of an output, with the action to take."""
    progress = read_journal(journal_of(output))
    begin = OutputState(
        action=Action.BEGIN, left_over=progress.beginnings if progress is not None else ()
    )
    if not output.exists():
        return begin
    record = form.recorded(output)
    if record is None and _holds_something(output):
        if not force:
            raise SweepError(f"{output} exists, and no sweep wrote it; choose another name")
        if output.is_dir():
            raise SweepError(f"{output} is a folder that no sweep wrote; remove it yourself")
    if force:
        if output.is_dir() and (others := form.others(output)):
            raise SweepError(
                f"{output} cannot be replaced: {others[0]} in it is no part of a sweep; "
                "move it away"
            )
        return begin
    if record is not None and record.identity != identity:
        raise SweepError(_another(output, record.identity, identity))
    if progress is not None:
        if progress.identity != identity:
            raise SweepError(_another(output, progress.identity, identity))
        if not progress.created:
            return _kept(record) if record is not None and record.complete else begin
        if not resume:
            raise SweepError(f"{output} is unfinished; resume it, or force a new start")
        return OutputState(action=Action.GO_ON, done=progress.done)
    if record is None or not record.complete:
        raise SweepError(
            f"{output} is unfinished, and {journal_of(output)} is missing, which says how far it "
            "got; start again with force"
        )
    if not resume:
        raise SweepError(f"{output} exists; force replaces it")
    return _kept(record)


def _kept(record: OutputRecord) -> OutputState:
    return OutputState(action=Action.MEND if record.lacks else Action.NOTHING)


def _holds_something(output: Path) -> bool:
    """False for a folder with nothing in it but the unfinished first blocks of a sweep."""
    return not output.is_dir() or any(
        not each.name.startswith(".part-") for each in output.iterdir()
    )


def followed(output: Path) -> Path:
    """The place of an output that a link leads to; a `SweepError` if it leads to nothing."""
    if not output.is_symlink():
        return output
    if not output.exists():
        raise SweepError(f"{output} is a link to {os.readlink(output)}, which is not there")
    return output.resolve()


def set_aside(output: Path) -> Path | None:
    """Give an output that is to be replaced another name; None if there is none."""
    if not output.exists():
        return None
    before = beside(output, REPLACED)
    try:
        output.rename(before)
    except OSError as error:
        raise SweepError(f"{output} cannot be replaced: {error.strerror}") from None
    return before


def remove(output: Path) -> None:
    """Remove an output, if there is one, so that another can take its place.

    A `SweepError` if its owner does not allow it.
    """
    try:
        if output.is_dir() and not output.is_symlink():
            shutil.rmtree(output)
        else:
            output.unlink(missing_ok=True)
    except OSError as error:
        raise SweepError(f"{output} cannot be replaced: {error.strerror}") from None


def _another(output: Path, there: dict[str, Any], wanted: dict[str, Any]) -> str:
    """That the output holds another sweep, and the first difference."""
    said = "other values of an axis, or axes in another order"
    for key, here in wanted.items():
        if key != "digest" and there.get(key) != here:
            old = there.get(key)
            said = f"{key}: {_in_words(old, here)}, and not {_in_words(here, old)}"
            break
    return f"{output} holds another sweep ({said}); choose another name, or replace it with force"


def _in_words(value: Any, other: Any) -> str:
    """Part of an identity in words, without what the other says.

    Examples
    --------
    >>> axis = {"size": 2, "first": 16.0, "last": 64.0}
    >>> _in_words({"g": axis, "A": axis}, {"A": axis})
    'g (2 from 16 to 64)'
    >>> _in_words({"o": 435.0, "L": 1.0}, {"o": 436.0, "L": 1.0}), _in_words(["speedup", "g1"], [])
    ('o = 435', 'speedup, g1')
    """
    if not isinstance(value, dict) or not isinstance(other, dict):
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return (
        ", ".join(
            f"{name} ({each['size']} from {each['first']:g} to {each['last']:g})"
            if isinstance(each, dict)
            else f"{name} = {each:g}"
            for name, each in value.items()
            if other.get(name) != each
        )
        or "nothing"
    )
