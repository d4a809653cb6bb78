"""The text of a file that should be a saved fit."""

from os import PathLike, fspath
from pathlib import Path

from logca.numeric.fitting.records import RecordError

__all__ = ["text_of"]


def text_of(path: str | PathLike[str]) -> str:
    """The text of a saved fit [text].

    Parameters
    ----------
    path : path
        Where it is [text].

    Raises
    ------
    RecordError
        If it cannot be read as text.
    """
    where = fspath(path)
    try:
        return Path(where).read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"cannot read {where}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{where} is no saved fit: it is no UTF-8 text") from None
    except ValueError as error:  # a name that no file can have
        raise RecordError(f"cannot read {where!r}: {error}") from None
