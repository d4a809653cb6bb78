"""Where a fit comes from, as texts that travel with it."""

from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from os import PathLike, fspath
from pathlib import Path

__all__ = ["made_now", "of_file"]


def made_now() -> dict[str, str]:
    """The date in UTC, as ``fitted``, and the version of this package, as ``logca`` [text].

    Examples
    --------
    >>> sorted(made_now())
    ['fitted', 'logca']
    """
    return {"fitted": datetime.now(UTC).date().isoformat(), "logca": version("logca")}


def of_file(path: str | PathLike[str]) -> dict[str, str]:
    """Name, as ``timings``, and digest, as ``sha256``, of a file of timings [text].

    Parameters
    ----------
    path : path
        The file; its folder is not told [text].
    """
    file = Path(fspath(path))
    return {"timings": file.name, "sha256": sha256(file.read_bytes()).hexdigest()}
