"""Containment of a traced program: what it cannot do, and limits on all that it starts.

The program `containment.c` gives up rights and becomes the traced one. What it cannot limit, since
Linux limits it for single processes only, is looked at while the program runs.
"""

import ctypes
import os
import re
import stat
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
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
    descriptors: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """A program that begins a session, and can change what is in its folder only."""
    return subprocess.Popen(
        [str(starter), str(folder), str(program), *words],
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
        raise TraceError(
            f"the program was not run, since it could not be contained: {said[1].decode()}"
        )


EXCEEDED = ("processes", "memory", "disk")
"""Endings of a program that takes too much together with all that it has started."""
SECONDS_BETWEEN_LOOKS = 0.05
SHARE_OF_TIME = 0.02


@dataclass(slots=True, kw_only=True)
class GroupWatch:
    """Looks now and then at what a program takes together with all that it has started.

    Of a single process the kernel limits the memory, and of a single file the size.
    """

    group: int  # the process group, which nothing can leave
    folder: Path  # where the program writes
    limits: Limits
    next_s: float = field(default_factory=lambda: time.monotonic() + SECONDS_BETWEEN_LOOKS)

    def exceeded(self) -> str:
        """One of `EXCEEDED`, or no text."""
        begin = time.monotonic()
        if begin < self.next_s:
            return ""
        processes = list(_members(self.group))
        found = ""
        if len(processes) > self.limits.processes:
            found = "processes"
        elif len(processes) > 1 and sum(memory for _, memory in processes) > self.limits.memory_B:
            found = "memory"
        elif _on_disk(self.folder, [pid for pid, _ in processes]) > self.limits.disk_B:
            found = "disk"
        now = time.monotonic()
        self.next_s = now + max(SECONDS_BETWEEN_LOOKS, (now - begin) / SHARE_OF_TIME)
        return found


def _members(group: int) -> Iterator[tuple[str, int]]:
    """Number and memory in use [B] of each process in a group."""
    page = os.sysconf("SC_PAGESIZE")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            # the name of a process, in parentheses, may hold blanks and parentheses
            words = Path("/proc", pid, "stat").read_bytes().rpartition(b") ")[2].split()
        except OSError:  # it has ended
            continue
        if len(words) > 21 and int(words[2]) == group and words[0] != b"Z":
            yield pid, page * int(words[21])


def _on_disk(folder: Path, processes: Sequence[str]) -> int:
    """Room that files take [B], those among them that have no name any more but are still open."""
    open_files = {
        (found.st_dev, found.st_ino): found
        for pid in processes
        for found in _statuses(f"/proc/{pid}/fd", follow=True)
        if stat.S_ISREG(found.st_mode) and not found.st_nlink
    }
    files = (each for root, *_ in os.walk(folder) for each in _statuses(root, follow=False))
    # an empty file takes room, too
    return sum(4096 + 512 * each.st_blocks for each in (*files, *open_files.values()))


def _statuses(folder: str, *, follow: bool) -> Iterator[Any]:
    """Status of each entry of a folder that may change meanwhile."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    yield os.stat(entry.path, follow_symlinks=follow)
                except OSError:
                    continue
    except OSError:
        return
