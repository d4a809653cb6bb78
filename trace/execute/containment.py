"""Containment of a traced program: what it cannot do, and limits on all that it starts.

The program `containment.c` gives up rights and becomes the traced one. What it cannot limit, since
Linux limits it for single processes only, is looked at while the program runs.
"""

import ctypes
import errno
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.trace.compile.machine_code import link
from logca.trace.source.compiler import Toolchain

__all__ = [
    "EXCEEDED",
    "GroupWatch",
    "containment",
    "guarantees",
    "missing_guarantees",
    "refused",
    "run_folder",
    "start_contained",
]

SOURCE = Path(__file__).with_name("containment.c")
REFUSED = re.compile(rb"logca-containment: (.*)")
REFUSED_STATUS = 125

# versions of Landlock: from 3 on all writes are known to it, from 6 on signals
WRITES, SIGNALS = 3, 6
CREATE_RULESET = 444  # the same number on all processors


@cache
def landlock() -> int:
    """The version of Landlock that the kernel has; 0 if it has none, or it is turned off."""
    if not hasattr(os, "memfd_create"):  # no Linux: nothing is traced
        return 0
    # no ruleset, of no bytes, but the question for the version
    words = (ctypes.c_long(CREATE_RULESET), None, ctypes.c_long(0), ctypes.c_long(1))
    return max(0, int(ctypes.CDLL(None).syscall(*words)))


def guarantees() -> tuple[str, ...]:
    """Deeds that a traced program is kept from on this machine, in words after "it cannot"."""
    version = landlock()
    return (
        *(("write outside a temporary folder of its own",) if version >= WRITES else ()),
        "use a network",
        *(("signal other processes",) if version >= SIGNALS else ()),
        "leave processes behind",
    )


def missing_guarantees() -> str:
    """A warning to give before a program runs, if this kernel contains it less; or no text."""
    version = landlock()
    can = [
        *(["write wherever you can"] if version < WRITES else []),
        *(["end your other processes"] if version < SIGNALS else []),
    ]
    if not can:
        return ""
    return (
        f"this kernel does not keep the program from what it may do in your name: it can "
        f"{' and '.join(can)}. Linux 6.12 or later with Landlock does; run what you do not trust "
        "there, or in a virtual machine"
    )


def containment(folder: Path, toolchain: Toolchain) -> Path:
    """The program that contains others, built in a folder."""
    return link([SOURCE], folder, toolchain, (), name="containment")


def start_contained(
    starter: Path,
    program: Path,
    words: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits,
    threads: bool = False,
    beside_B: int = 0,
    descriptors: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """A program that begins a session, and can change what is in its folder only.

    Beside its own memory it may have some that is ours.
    """
    # with threads, each of which takes a stack that is hardly used, memory is not limited so
    most = 0 if threads else limits.memory_B + beside_B + MEMORY_OF_STARTER
    numbers = (most, limits.file_B, 1 + int(min(limits.time_s, 1e9)) * (64 if threads else 1))
    return subprocess.Popen(
        [str(starter), str(folder), *map(str, numbers), str(int(threads)), str(program), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        pass_fds=tuple(descriptors),
        start_new_session=True,
        bufsize=0,
    )


def refused(status: int, stderr: bytes) -> None:
    """Raise a TraceError if a program was not started, as the kernel did not let us contain it."""
    if status == REFUSED_STATUS and (said := REFUSED.match(stderr)):
        told = said[1].decode(errors="replace")
        raise TraceError(f"the program was not run, since it could not be contained: {told}")


EXCEEDED = ("processes", "memory", "disk", "uncounted")
"""Endings of a program that takes too much together with all that it has started."""
MEMORY_OF_STARTER = 64 << 20
SECONDS_BETWEEN_LOOKS = 0.05
SHARE_OF_TIME = 0.1
BYTES_OF_AN_ENTRY = 1 << 16
SHARED = re.compile(
    rb"^(?P<begin>[0-9a-f]+)-(?P<end>[0-9a-f]+) ...s (?P<offset>[0-9a-f]+) \S+ (?P<inode>\d+) +"
    rb"/dev/zero \(deleted\)$",
    re.MULTILINE,
)
"""Memory that processes share and that is no file's, as the kernel lists it."""


@dataclass(slots=True, kw_only=True)
class GroupWatch:
    """Looks now and then at what a program takes together with all that it has started.

    Of a single process the kernel limits the memory, and of a single file the size.
    """

    group: int  # the process group, which nothing can leave
    folder: Path  # where the program writes
    limits: Limits
    alone: bool = False  # whether the memory of a process counts that has started no other
    # when processes, and when files are looked at next: the program can make files many, and
    # looking at them slow, which is to leave the processes watched
    next_s: float = field(default_factory=lambda: time.monotonic() + SECONDS_BETWEEN_LOOKS)
    files_s: float = field(default_factory=lambda: time.monotonic() + SECONDS_BETWEEN_LOOKS)
    written: dict[str, int] = field(default_factory=dict)  # by each process so far [B]

    def exceeded(self) -> str:
        """One of `EXCEEDED`, or no text."""
        begin = time.monotonic()
        if begin < self.next_s:
            return ""
        processes = list(_members(self.group))
        self.next_s = _after(begin)
        if sum(threads for _, threads in processes) > self.limits.processes:
            return "processes"
        if (self.alone or len(processes) > 1) and _memory(processes) > self.limits.memory_B:
            return "memory"
        begin = time.monotonic()
        if begin < self.files_s:
            return ""
        pids = [pid for pid, _ in processes]
        # what those have written that have ended since still counts
        self.written |= {pid: max(_written(pid), self.written.get(pid, 0)) for pid in pids}
        on_disk = _on_disk(self.folder, pids, self.limits.disk_B)
        self.files_s = _after(begin)
        if on_disk is None:
            return "uncounted"
        taken = max(on_disk, sum(self.written.values()))
        return "disk" if taken > self.limits.disk_B else ""


def _after(begin: float) -> float:
    """When to look again, so that looking takes a share of the time only."""
    now = time.monotonic()
    return now + max(SECONDS_BETWEEN_LOOKS, (now - begin) / SHARE_OF_TIME)


def _members(group: int) -> Iterator[tuple[str, int]]:
    """Number and threads of each process in a group, of the dead ones, too.

    Those that nobody has waited for take a number of the system's.
    """
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            # the name of a process, in parentheses, may hold blanks and parentheses
            words = Path("/proc", pid, "stat").read_bytes().rpartition(b") ")[2].split()
        except OSError:  # it has ended
            continue
        if len(words) > 21 and int(words[2]) == group:
            yield pid, max(1, int(words[17]))


def _memory(processes: Iterable[tuple[str, int]]) -> int:
    """Memory that processes have for themselves, and that they share with each other [B].

    What is shared counts as a whole, once: it stays in memory where no process has it in its own.
    """
    page = os.sysconf("SC_PAGESIZE")
    own = 0
    shared: dict[bytes, int] = {}
    for pid, threads in processes:
        # of a process whose first thread has ended, the others still know its memory
        places = [
            Path("/proc", pid),
            *(Path("/proc", pid, "task").glob("*") if threads > 1 else ()),
        ]
        for place in places:
            try:
                resident, files = map(int, (place / "statm").read_bytes().split()[1:3])
                maps = (place / "maps").read_bytes() if resident else b""
            except (OSError, ValueError):  # it has ended
                continue
            if not resident:
                continue
            own += page * max(0, resident - files)
            for found in SHARED.finditer(maps):
                end = int(found["end"], 16) - int(found["begin"], 16) + int(found["offset"], 16)
                shared[found["inode"]] = max(end, shared.get(found["inode"], 0))
            break
    return own + sum(shared.values())


def _written(pid: str) -> int:
    """Bytes that a process has written so far, also into files that have no name any more [B]."""
    try:
        lines = Path("/proc", pid, "io").read_text("ascii").splitlines()
    except OSError:
        return 0
    counts = dict(line.split(": ") for line in lines)
    return max(int(counts.get("wchar", 0)), int(counts.get("write_bytes", 0)))


def _on_disk(folder: Path, processes: Sequence[str], enough: int) -> int | None:
    """Room that files take [B], those among them that have no name any more but are still open.

    None where it cannot be told: folders may be nested deeper than paths are long, or let nobody
    look into them.
    """
    open_files = {
        (found.st_dev, found.st_ino): int(found.st_blocks)
        for pid in processes
        for found, _ in _statuses(f"/proc/{pid}/fd", follow=True)
        if stat.S_ISREG(found.st_mode) and not found.st_nlink
    }
    taken = 512 * sum(open_files.values(), 0)
    waiting = [str(folder)]
    while waiting and taken <= enough:
        try:
            for found, path in _statuses(waiting.pop(), follow=False, need=True):
                # an empty file takes room, too, and looking at it time
                taken += BYTES_OF_AN_ENTRY + 512 * int(found.st_blocks)
                if stat.S_ISDIR(found.st_mode):
                    waiting.append(path)
        except OSError as error:
            if error.errno in (errno.ENAMETOOLONG, errno.EACCES):
                return None
    return taken


def _statuses(folder: str, *, follow: bool, need: bool = False) -> Iterator[tuple[Any, str]]:
    """Status and path of each entry of a folder that may change meanwhile."""
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError, ProcessLookupError):
        return
    except PermissionError:
        if need:
            raise
        return
    with entries:
        for entry in entries:
            try:
                yield os.stat(entry.path, follow_symlinks=follow), entry.path
            except (PermissionError, FileNotFoundError, ProcessLookupError):
                continue


@contextmanager
def run_folder() -> Iterator[Path]:
    """A temporary folder that is removed whatever a program has put into it."""
    folder = tempfile.mkdtemp(prefix="logca-run-")
    try:
        yield Path(folder)
    finally:
        try:
            shutil.rmtree(folder)
        except (OSError, RecursionError):  # folders without rights, or thousands in each other
            subprocess.run(["chmod", "-R", "u+rwx", folder], capture_output=True, check=False)
            subprocess.run(["rm", "-rf", folder], capture_output=True, check=False)
