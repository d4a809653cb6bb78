"""Verdicts on disk, found again by content: engine, solvers and claim must all be the same.

Nothing here loads SymPy. A cache that cannot be read counts as empty; one that cannot be written
costs time, not correctness.
"""

import contextlib
import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import logca.derive
import logca.proofs
from logca.proofs.claims.catalogue import CLAIM_MODULES
from logca.proofs.claims.claim import Claim
from logca.proofs.engine.answer import Record

__all__ = ["Verdicts", "engine", "folder", "forget", "open_verdicts", "read", "write"]

_LIBRARIES = ("sympy", "mpmath", "z3-solver", "cvc5", "python-flint", "numpy", "hypothesis")
_ENGINES_KEPT = 6


def folder() -> Path:
    """Where the cache lives: $LOGCA_CACHE, or the user's cache folder of the system."""
    chosen = os.environ.get("LOGCA_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("logca", appauthor=False))


@cache
def engine() -> str:
    """Hash of all that verdicts depend on beside the claim: formulas, methods, solvers."""
    digest = hashlib.sha256()
    versions = [f"{name} {_version(name)}" for name in _LIBRARIES]
    digest.update("\n".join([platform.python_version(), *versions]).encode())
    data = {f"{name.replace('.', '/')}.py" for name in CLAIM_MODULES}
    for room in (logca.derive, logca.proofs):
        for place in map(Path, room.__path__):
            for path in sorted(place.rglob("*.py")):
                name = path.relative_to(place).as_posix()
                if room is logca.derive or name not in data:
                    digest.update(f"{room.__name__}/{name}".encode())
                    digest.update(path.read_bytes())
    return digest.hexdigest()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


def _key(claim: Claim) -> str:
    true = claim.corrected
    told = [claim.asserts, claim.given, claim.touch]
    told += [true.asserts, true.given, true.touch] if true is not None else []
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


class Verdicts:
    """Records of claims under one engine, in one file."""

    def __init__(self) -> None:
        self.path = _path()
        self.known = read(self.path, engine())
        self.changed = False

    def get(self, claim: Claim) -> Record | None:
        """The record of a claim, if there is one."""
        try:
            return Record.from_json(self.known[_key(claim)])
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def put(self, claim: Claim, record: Record) -> None:
        """Keep a record; it is on disk after `save`."""
        self.known[_key(claim)] = record.to_json()
        self.changed = True

    def save(self) -> None:
        """Write what is new, and forget what older engines found."""
        if self.changed:
            write(self.path, engine(), self.known)
            self.changed = False
            forget(self.path.parent.glob("verdicts-*.json"))


def _path() -> Path:
    return folder() / f"verdicts-{engine()[:16]}.json"


_open: dict[Path, Verdicts] = {}


def open_verdicts() -> Verdicts:
    """The records on disk, read once in a process."""
    path = _path()
    if path not in _open:
        _open[path] = Verdicts()
    return _open[path]


def read(path: Path, stamp: str) -> dict[str, Any]:
    """The entries of a cache file with this stamp; none if it is missing or broken."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["stamp"] == stamp and isinstance(stored["entries"], dict):
            return dict(stored["entries"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {}


def write(path: Path, stamp: str, entries: dict[str, Any]) -> None:
    """Replace a cache file as a whole: a reader sees the old one or the new one."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"stamp": stamp, "entries": entries}, file, indent=0)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise


def forget(paths: Iterable[Path]) -> None:
    """Remove all but the newest of these files."""
    with contextlib.suppress(OSError):
        newest = sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)
        for path in newest[_ENGINES_KEPT:]:
            path.unlink()
