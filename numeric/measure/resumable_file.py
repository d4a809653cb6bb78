"""The file of samples: lines are only ever appended, each one at once.

What a line says is there even if the process is killed, or the power fails, right after. A last
line that is not complete, because the process was killed while it wrote, is taken away when the
file is opened to go on, and so is what another measurement left that took no time; nothing else is
ever changed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from logca.common.errors import LogcaError
from logca.common.files import keep, lock
from logca.numeric.timings.sample_file import (
    FORMAT,
    Header,
    Line,
    Recorded,
    complete,
    is_samples,
    parsed,
    written,
)

__all__ = ["Store", "StoreError", "opened", "read_samples"]


class StoreError(LogcaError, ValueError):
    """A file cannot be gone on with; the message names what differs, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A file of samples that this process alone writes to."""

    path: Path  # the file
    before: Recorded  # what was in it when it was opened
    file: IO[bytes]  # open for appending, without a buffer
    in_flight: int = 1  # requests at the same time, of what is appended [1]

    def of(self, in_flight: int) -> "Store":
        """A view of the file for so many requests in flight."""
        return replace(self, before=self.before.of(in_flight), in_flight=in_flight)

    def append(self, line: Line) -> None:
        """Write a line, at once."""
        if not isinstance(line, Header):
            line = replace(line, in_flight=self.in_flight)
        left = f"{written(line)}\n".encode()
        try:
            while left:
                left = left[self.file.write(left) :]
            keep(self.file)
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be written to any more: {error.strerror}; all times before "
                "are kept, and the same command resumes it"
            ) from None


def read_samples(path: Path) -> Recorded:
    """Contents of a file of samples."""
    return parsed(path.read_bytes().decode(errors="replace"), str(path))


@contextmanager
def opened(
    path: Path,
    header: Header,
    *,
    other_machine: bool = False,
    prepare: Callable[[], str] = str,
) -> Iterator[Store]:
    """Open a file to append to it: a new one, or one that the same measurement has begun.

    Once it is this process's own, what is measured is prepared; of programs that is a digest.

    A file of another measurement that has no time in it, because its command failed at once, is
    begun anew: nothing is lost, and a command that was mistyped can be mended.
    """
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is no ordinary file; name another")
    try:
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise StoreError(f"{path} cannot be written to: {error.strerror}") from None
    with file:
        if not lock(file):
            raise StoreError(f"{path}: another process is measuring into it")
        before = _completed(file, path)
        try:
            programs = prepare()
        except BaseException:
            if before is None:
                path.unlink(missing_ok=True)
            raise
        header = replace(header, programs=programs)
        if before and (differs := _difference(before.header, header, other_machine)):
            if before.samples:
                raise StoreError(f"{path} is of another {differs}")
            file.truncate(0)
            before = None
        store = Store(path=path, before=before or Recorded(header=header), file=file)
        if before is None:
            store.append(header)
        yield store


def _completed(file: IO[bytes], path: Path) -> Recorded | None:
    """Contents of the file, less an incomplete last line; None if that leaves nothing."""
    file.seek(0)
    contents = file.read()
    begun = f'{{"format": "{FORMAT}"'.encode()
    if b"\n" not in contents and (begun.startswith(contents) or contents.startswith(begun)):
        file.truncate(0)
        return None
    text = contents.decode(errors="replace")
    if not is_samples(text):
        raise StoreError(
            f"{path} exists and is no file of samples; it is left as it is: name another file"
        )
    before = parsed(text, str(path))
    if complete(text) < len(text):
        file.truncate(contents.rfind(b"\n") + 1)
    elif not contents.endswith(b"\n"):
        file.write(b"\n")
    return before


def _difference(old: Header, new: Header, other_machine: bool) -> str | None:
    """Difference that makes a begun file another measurement's, and what to do; None if none."""
    for name in ("experiment", "sizes", "step", "how"):
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            return (
                f"measurement, {name} differs: {_short(was, now)} there, {_short(now, was)} here; "
                "name another file"
            )
    if old.programs and old.programs != new.programs:  # older versions wrote none
        return "measurement, the programs have changed since: name another file"
    for name, now in new.machine.items():
        was = old.machine.get(name)
        if was != now and not other_machine and name in _LASTING:
            return (
                f"machine, {name} differs: {was!r} there, {now!r} here; name another file, or say "
                "that it does not matter: --other-machine, or other_machine=True"
            )
    return None


_LASTING = frozenset({"cpu", "cores", "system", "python"})


def _short(value: Any, other: Any) -> str:
    match value, other:
        case dict(), dict():
            return ", ".join(
                f"{key} = {each}" for key, each in value.items() if each != other.get(key)
            )
        case tuple(), tuple():
            return f"{value[0]} B to {value[-1]} B in {len(value)}"
    return repr(value)
