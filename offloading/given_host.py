"""The host of an offload: one core of this machine, all of them, or another one by numbers."""

import re
from dataclasses import dataclass
from math import inf
from pathlib import Path

from logca.common.errors import FileError
from logca.common.readable_numbers import number_text
from logca.offloading.named_numbers import named_numbers

__all__ = ["ONE_CORE", "GivenHost", "given_host", "peak_rate"]

_FORM = (
    "write cores for all cores of this machine, or numbers such as cores=16,speed=1.5,peak=90: how "
    "many cores (1 to 1,048,576), how many times as fast as one of this machine (more than 0), "
    "GFLOP/s of one at most (more than 0)"
)
_MOST_CORES = 1 << 20
_UNITS = 2
"""Units of a core that multiply and add, as today's cores of servers and desktops have [1]."""
_REGISTERS = {"avx512f": 64, "avx": 32, "asimd": 16, "sse2": 16}
"""Bytes of a vector register, by the flag that Linux tells of it, largest first [B]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenHost:
    """A host: loops take the time of one core of this machine over cores times speed."""

    measured: bool = False  # whether all cores of this machine are timed, through OpenMP
    cores: int = 1  # cores that share the loops [1]
    speed: float = 1.0  # times that one of them is as fast as one of this machine [1]
    peak: float | None = None  # of one of them at most; None if not given [operations/s]

    def words(self, cpu: str) -> str:
        """Words on it, given the name of this machine's processor."""
        if self.measured:
            return f"{cpu}, all cores through OpenMP"
        if (self.cores, self.speed) == (1, 1.0):
            return f"{cpu}, one core, optimised for it"
        cores = "1 core" if self.cores == 1 else f"{self.cores} cores"
        return f"{cores}, each {number_text(self.speed)} times as fast as one of {cpu}"


ONE_CORE = GivenHost()


def given_host(text: str | None) -> GivenHost:
    """The host that a text describes; one core of this machine without any.

    Examples
    --------
    >>> given_host("cores=16, speed=1.5").cores, given_host("cores").measured
    (16, True)
    """
    if text is None:
        return ONE_CORE
    if text.strip() == "cores":
        return GivenHost(measured=True)
    try:
        found = named_numbers(text, {key: {"": 1.0} for key in ("cores", "speed", "peak")})
    except ValueError:
        raise FileError(f"host {text!r}: {_FORM}") from None
    cores, speed, peak = (found.get(name, 1.0) for name in ("cores", "speed", "peak"))
    if not cores.is_integer() or not 1 <= cores <= _MOST_CORES or not (0 < speed < inf > peak > 0):
        raise FileError(f"host {text!r}: {_FORM}")
    return GivenHost(cores=int(cores), speed=speed, peak=1e9 * peak if "peak" in found else None)


def peak_rate(host: GivenHost, element: int, facts: Path = Path("/proc/cpuinfo")) -> float | None:
    """Most operations of a host in a second, on elements of so many bytes [1/s].

    Without a number of the user's that of this machine's cores, by their registers and clock; None
    where the system does not tell these.
    """
    if host.peak is not None:
        return host.cores * host.peak
    try:
        text = facts.read_text(errors="replace")
    except OSError:
        return None
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    clock = max(map(float, re.findall(r"^cpu MHz\s*:\s*([\d.]+)", text, re.MULTILINE)), default=0.0)
    words = set() if flags is None else set(flags[1].split())
    known = [size for name, size in _REGISTERS.items() if name in words]
    if not known or not clock:
        return None
    together = 2 if {"fma", "asimd"} & words else 1
    own = _UNITS * together * known[0] / element * clock * 1e6
    return host.cores * host.speed * own
