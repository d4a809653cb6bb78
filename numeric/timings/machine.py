"""Facts about the machine on which something is measured, as far as they can be read."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["clock_resolution", "machine_facts", "machine_line", "machine_notes"]

_BUSY = 0.5
_READINGS = 1000
_WATCHED_S = 0.05


def clock_resolution(clock: Callable[[], float] = time.perf_counter) -> float:
    """Smallest step of a clock that its readings show [s]."""
    least = float("inf")
    first = last = clock()
    for _ in range(_READINGS):
        while (now := clock()) <= last:
            pass
        least, last = min(least, now - last), now
        if now - first > _WATCHED_S:
            break
    return least


def machine_facts() -> dict[str, Any]:
    """Processor, cores, system, Python, and what may disturb: load, governor of the frequency.

    Examples
    --------
    >>> sorted(machine_facts())
    ['cores', 'cpu', 'governor', 'load', 'python', 'system']
    """
    load = None
    with suppress(OSError, AttributeError):
        load = round(os.getloadavg()[0], 2)
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": load,
        "governor": _governor(),
    }


def machine_line(facts: Mapping[str, Any]) -> str:
    """The machine in one line.

    Examples
    --------
    >>> machine_line({"cpu": "Z80", "cores": 1, "system": "CP/M 2.2", "python": "3.11.7"})
    'Z80, 1 core, CP/M 2.2, Python 3.11.7'
    """
    cores = facts.get("cores")
    parts = [
        str(facts.get("cpu", "")),
        f"{cores} core{'' if cores == 1 else 's'}" if cores else "",
        str(facts.get("system", "")),
        f"Python {facts['python']}" if facts.get("python") else "",
    ]
    return ", ".join(part for part in parts if part)


def machine_notes(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Facts about the machine that may disturb timings, in words.

    Examples
    --------
    >>> machine_notes({"load": 3.2, "cores": 2, "governor": None})
    ('load 3.2 on 2 cores at the start: other programs were running, and times may be too long',)
    """
    notes = []
    load, cores, governor = facts.get("load"), facts.get("cores") or 1, facts.get("governor")
    if load is not None and load > _BUSY * cores:
        notes.append(
            f"load {load:g} on {cores} core{'' if cores == 1 else 's'} at the start: "
            "other programs were running, and times may be too long"
        )
    if governor not in (None, "performance"):
        notes.append(f"frequency governor {governor!r}: the CPU's clock may change during the run")
    return tuple(notes)


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model") and value.strip():
                return value.strip()
    if sys.platform == "darwin":
        with suppress(OSError, subprocess.SubprocessError):
            command = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.check_output(command, text=True, timeout=5).strip()
    return platform.processor() or platform.machine()


def _governor() -> str | None:
    with suppress(OSError):
        folder = Path("/sys/devices/system/cpu/cpu0/cpufreq")
        return (folder / "scaling_governor").read_text(encoding="utf-8").strip()
    return None
