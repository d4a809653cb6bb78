"""Results of a long command, kept until it is complete: interrupted, the same command resumes.

They count for the same sources and libraries only, and are the user's own files, as numba's are.
"""

import hashlib
import os
import pickle
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from platformdirs import user_cache_path

from logca.common.files import lock, write_new

__all__ = ["KeptResults", "kept_results"]

_ROOMS = ("common", "derive", "examples", "gpu", "numeric", "trace")
_LIBRARIES = ("llvmlite", "ziglang", "ortools", "numpy", "scipy")
_SUFFIXES = frozenset({".py", ".c", ".h", ".toml"})
_LENGTH = hashlib.sha256().digest_size
_HELD = ".held"
"""Name of the file in a folder that commands lock while they run."""

_OLD_S = 30 * 24 * 3600.0
"""Age from which on results that nobody has come back to are removed [s]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResults:
    """Results by what was asked, of one command; those of others like it are read as well."""

    folder: Path
    others: tuple[Path, ...] = ()  # folders of commands that ask in part for the same

    def get(self, question: object) -> Any:
        """The result that was kept; None if there is none, or it is not whole."""
        for folder in (self.folder, *self.others):
            try:
                octets = _place(folder, question).read_bytes()
            except OSError:
                continue
            seal, payload = octets[:_LENGTH], octets[_LENGTH:]
            if hashlib.sha256(payload).digest() != seal:  # half written, by a system that stopped
                continue
            kept, result = pickle.loads(payload)
            if kept == repr(question):
                return result
        return None

    def put(self, question: object, result: object) -> None:
        """Keep a result; where nothing can be written, it is computed again one day."""
        payload = pickle.dumps((repr(question), result), protocol=5)
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            place = _place(self.folder, question)
            write_new(hashlib.sha256(payload).digest() + payload, place, force=True)


def _place(folder: Path, question: object) -> Path:
    return folder / _name_of(question)


def _name_of(question: object) -> str:
    return hashlib.sha256(repr(question).encode()).hexdigest()[:32]


@contextmanager
def kept_results(command: str, *asked: object) -> Iterator[KeptResults]:
    """Results of a command that was interrupted; when it is complete its own are gone.

    What is asked tells apart commands that are complete one without the other. Each has a folder,
    which those that run hold together; the last of them removes it. Folders that nobody holds
    and nobody has written into for a month go too, of whatever sources they are.
    """
    above = user_cache_path("logca") / "unfinished"
    alike = f"{command}-{_state()[:16]}-"
    folder = above / f"{alike}{_name_of(asked)[:16]}"
    with ExitStack() as stack:
        held: IO[bytes] | None = None
        with suppress(OSError):
            _remove_old(above, folder)
            if folder.is_dir() and not _is_mine(folder):  # somebody else's are not read
                shutil.rmtree(folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = stack.enter_context(folder.joinpath(_HELD).open("ab"))
            lock(held, shared=True)
        others = tuple(each for each in sorted(above.glob(f"{alike}*")) if each != folder)
        found = KeptResults(folder=folder, others=tuple(filter(_is_mine, others)))
        complete = False
        try:
            yield found
            complete = True
        finally:
            empty = not any(each.name != _HELD for each in folder.glob("*"))
            with suppress(OSError):
                if (complete or empty) and (held is None or lock(held)):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_mine(folder: Path) -> bool:
    with suppress(OSError):
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    return False


def _remove_old(above: Path, own: Path) -> None:
    """Remove others' folders that nobody holds and nobody has written into for long."""
    for folder in above.glob("*"):
        with suppress(OSError), ExitStack() as stack:
            if folder == own or time.time() - folder.stat().st_mtime < _OLD_S:
                continue
            held = folder / _HELD
            if not held.exists() or lock(stack.enter_context(held.open("ab"))):
                shutil.rmtree(folder, ignore_errors=True)


@cache
def _state() -> str:
    """Hash of all that results depend on beside what is asked: sources and libraries."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        spec = find_spec(f"logca.{room}")
        for place in map(Path, (spec and spec.submodule_search_locations) or ()):
            for path in sorted(place.rglob("*")):
                if path.suffix in _SUFFIXES:
                    digest.update(f"{room}/{path.relative_to(place).as_posix()}".encode())
                    digest.update(path.read_bytes())
    for library in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            digest.update(f"{library} {metadata.version(library)}".encode())
    return digest.hexdigest()
