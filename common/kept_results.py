"""Results of a long command, kept until it is complete: interrupted, the same command resumes.

They count for the same sources and libraries only, and are the user's own files, as numba's are.
"""

import hashlib
import os
import pickle
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from logca.common.files import write_new

__all__ = ["KeptResults", "kept_results"]

_ROOMS = ("common", "derive", "examples", "gpu", "numeric", "trace")
_LIBRARIES = ("llvmlite", "ziglang", "ortools", "numpy", "scipy")
_SUFFIXES = frozenset({".py", ".c", ".h", ".toml"})
_LENGTH = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResults:
    """Results by what was asked."""

    folder: Path

    def get(self, question: object) -> Any:
        """The result that was kept; None if there is none, or it is not whole."""
        try:
            octets = self._place(question).read_bytes()
        except OSError:
            return None
        seal, payload = octets[:_LENGTH], octets[_LENGTH:]
        if hashlib.sha256(payload).digest() != seal:  # half written, by a system that stopped
            return None
        kept, result = pickle.loads(payload)
        return result if kept == repr(question) else None

    def put(self, question: object, result: object) -> None:
        """Keep a result; where nothing can be written, it is computed again one day."""
        payload = pickle.dumps((repr(question), result), protocol=5)
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            place = self._place(question)
            write_new(hashlib.sha256(payload).digest() + payload, place, force=True)

    def _place(self, question: object) -> Path:
        return self.folder / hashlib.sha256(repr(question).encode()).hexdigest()[:32]


@contextmanager
def kept_results(command: str) -> Iterator[KeptResults]:
    """Results of a command that was interrupted; they are gone when it is complete."""
    above = user_cache_path("logca") / "unfinished"
    folder = above / f"{command}-{_state()[:16]}"
    with suppress(OSError):
        for other in above.glob(f"{command}-*"):  # of other sources: nobody will ask for them
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
        if folder.stat().st_uid != os.getuid():  # somebody else's are not read
            shutil.rmtree(folder)
    yield KeptResults(folder=folder)
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
