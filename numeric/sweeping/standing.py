"""What is there already where a sweep is to be written, and what may become of it."""

import shutil
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from logca.numeric.sweeping.errors import SweepError
from logca.numeric.sweeping.formats import Format
from logca.numeric.sweeping.journal import Progress, journal_of, read_journal

__all__ = ["Found", "Standing", "remove", "standing"]


class Standing(Enum):
    """What is to be done."""

    BEGIN = "there is nothing, or nothing to keep"
    GO_ON = "the same sweep, unfinished"
    NOTHING = "the same sweep, complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is there.

    Parameters
    ----------
    standing : Standing
        What is to be done.
    done : frozenset of int
        Numbers of the blocks that are written [1].
    """

    standing: Standing
    done: frozenset[int] = frozenset()


def standing(
    output: Path, form: Format, identity: dict[str, Any], *, resume: bool, force: bool
) -> Found:
    """What is to be done about an output.

    Parameters
    ----------
    output : path
        Where the sweep is to be written [text].
    form : Format
        Its format.
    identity : dict
        What makes the sweep the same as another one, see `Sweep.identity`.
    resume : bool
        Whether to go on with the same sweep [1].
    force : bool
        Whether to replace what is there [1].

    Raises
    ------
    SweepError
        If what is there is not to be touched.
    """
    progress = read_journal(journal_of(output))
    if not output.exists():
        return Found(standing=Standing.BEGIN)
    if force:
        _refuse_foreign(output, form, progress)
        return Found(standing=Standing.BEGIN)
    if progress is not None:
        return _unfinished(output, progress, identity, resume=resume)
    record = form.recorded(output)
    if record is None:
        raise SweepError(f"{output} exists, and no sweep wrote it; choose another name")
    if record.identity != identity:
        raise SweepError(_another(output, record.identity, identity))
    if not record.complete:
        raise SweepError(
            f"{output} is unfinished, and {journal_of(output)} is missing, which says how far it "
            "got; start again with force"
        )
    if not resume:
        raise SweepError(f"{output} exists; force replaces it")
    return Found(standing=Standing.NOTHING)


def remove(output: Path) -> None:
    """Remove an output, if there is one, so that another can take its place."""
    if output.is_dir() and not output.is_symlink():
        shutil.rmtree(output)
    else:
        output.unlink(missing_ok=True)


def _unfinished(
    output: Path, progress: Progress, identity: dict[str, Any], *, resume: bool
) -> Found:
    if progress.identity != identity:
        raise SweepError(_another(output, progress.identity, identity))
    if not progress.created:
        return Found(standing=Standing.BEGIN)
    if not resume:
        raise SweepError(f"{output} is unfinished; resume to go on with it, or force a new start")
    return Found(standing=Standing.GO_ON, done=progress.done)


def _refuse_foreign(output: Path, form: Format, progress: Progress | None) -> None:
    """A folder is removed with all that is in it, so it has to be known for a sweep's."""
    if output.is_dir() and progress is None and form.recorded(output) is None:
        raise SweepError(f"{output} is a folder that no sweep wrote; remove it yourself")


def _another(output: Path, there: dict[str, Any], wanted: dict[str, Any]) -> str:
    """That the output holds another sweep, and the first difference [text]."""
    said = "other values of an axis, or axes in another order"
    for key, here in wanted.items():
        if key != "digest" and there.get(key) != here:
            old = there.get(key)
            said = f"{key}: {_in_words(old, here)}, and not {_in_words(here, old)}"
            break
    return f"{output} holds another sweep ({said}); choose another name, or replace it with force"


def _in_words(value: Any, other: Any) -> str:
    """What a part of an identity says that the other does not [text].

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
