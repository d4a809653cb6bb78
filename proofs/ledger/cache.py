"""Verdicts on disk, found again by content: those that ship with logca, and the user's own.

`verdicts.json` beside this file ships what was decided by the sources as they are: it counts as
long as formulas, provers and claim are the same, whatever is installed here, for a proof stays
one. What is decided here goes into the user's cache, which counts under the same solvers only.

Nothing here loads SymPy. A file that cannot be read counts as empty; a cache that cannot be
written costs time, not correctness.
"""

import contextlib
import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import logca.derive
import logca.proofs
from logca.common.files import source_text
from logca.proofs.claims.catalogue import CLAIM_MODULES
from logca.proofs.claims.claim import Claim, Verdict
from logca.proofs.engine.answer import Record

__all__ = [
    "SHIPPED",
    "Shipped",
    "Verdicts",
    "engine",
    "folder",
    "forget",
    "libraries",
    "open_verdicts",
    "read",
    "ship",
    "shipped",
    "sources",
    "write",
]

SHIPPED = Path(__file__).with_name("verdicts.json")
"""The verdicts that ship with logca; `make prove` writes them."""

_LIBRARIES = ("sympy", "mpmath", "z3-solver", "cvc5", "python-flint", "numpy", "hypothesis")
_ENGINES_KEPT = 6


def folder() -> Path:
    """Where the cache lives: $LOGCA_CACHE, or the user's cache folder of the system."""
    chosen = os.environ.get("LOGCA_CACHE")
    if chosen:
        with contextlib.suppress(RuntimeError):  # ~ of a user whom nobody knows
            return Path(chosen).expanduser()
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("logca", appauthor=False))


@cache
def sources() -> str:
    """Hash of what verdicts depend on beside the claim: formulas and provers, as they are here.

    The ledger asks and keeps; it decides nothing.
    """
    digest = hashlib.sha256()
    data = {f"{name.replace('.', '/')}.py" for name in CLAIM_MODULES}
    for room in (logca.derive, logca.proofs):
        for place in map(Path, room.__path__):
            for path in sorted(place.rglob("*.py")):
                name = path.relative_to(place).as_posix()
                if room is logca.derive or not (name in data or name.startswith("ledger/")):
                    digest.update(f"{room.__name__}/{name}".encode())
                    # a checkout may have other line ends than the one that was decided
                    digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


@cache
def engine() -> str:
    """Hash of all that verdicts found here depend on beside the claim: sources and solvers."""
    text = json.dumps([sources(), libraries()])
    return hashlib.sha256(text.encode()).hexdigest()


def libraries() -> dict[str, str]:
    """Versions of Python, algebra and solvers that decide claims here."""
    return {"python": platform.python_version()} | {name: _version(name) for name in _LIBRARIES}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """The verdicts that ship with logca."""

    sources: str = ""  # what `sources()` was when they were decided
    decided: str = ""  # the day, such as "2026-11-23"
    by: Mapping[str, str]  # what decided them: versions by name
    entries: Mapping[str, Mapping[str, Any]]  # records as JSON by the ids of their claims


def shipped() -> Shipped:
    """The shipped verdicts; without entries if formulas or provers have changed since."""
    try:
        stored = json.loads(SHIPPED.read_text(encoding="utf-8"))
        if stored["sources"] == sources():
            return Shipped(**stored)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return Shipped(by={}, entries={})


def ship(records: Mapping[Claim, Record], today: str) -> None:
    """Write the verdicts that ship with logca; a record that differs in time only stays."""
    try:
        before = json.loads(SHIPPED.read_text(encoding="utf-8"))["entries"]
    except (OSError, ValueError, KeyError):
        before = {}
    entries = {}
    for claim, record in records.items():
        known = _known(before, claim)
        kept = known if known and replace(record, seconds=known.seconds) == known else record
        entries[claim.id] = {"claim": _key(claim), **kept.to_json()}
    stored = {
        "sources": sources(),
        "decided": today,
        "by": libraries(),
        "entries": entries,
    }
    SHIPPED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _known(entries: Mapping[str, Mapping[str, Any]], claim: Claim) -> Record | None:
    """The record of a claim among entries by id; None if the claim has changed since."""
    try:
        entry = dict(entries[claim.id])
        return Record.from_json(entry) if entry.pop("claim") == _key(claim) else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


class Verdicts:
    """Records of claims: what was decided here with these solvers, else what ships."""

    def __init__(self) -> None:
        self.path = _path()
        self.known = read(self.path, engine())
        self.shipped = shipped()
        self.changed = False

    def get(self, claim: Claim) -> Record | None:
        """The record of a claim, if there is one."""
        return self._here(claim) or _known(self.shipped.entries, claim)

    def is_shipped(self, claim: Claim) -> bool:
        """True if what is known of a claim was not decided here."""
        return self._here(claim) is None and _known(self.shipped.entries, claim) is not None

    def _here(self, claim: Claim) -> Record | None:
        """The record found here; none if it leaves open what a shipped one may decide."""
        try:
            record = Record.from_json(self.known[_key(claim)])
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        is_open = record.verdict == Verdict.UNDECIDED.name
        return None if is_open and _known(self.shipped.entries, claim) else record

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
        stored = json.loads(source_text(path, errors="strict") or "{}")
        if stored["stamp"] == stamp and isinstance(stored["entries"], dict):
            return dict(stored["entries"])
    except (ValueError, KeyError, TypeError, RecursionError):
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
