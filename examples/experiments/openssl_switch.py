"""Switching instructions of x86 off in OpenSSL, by its variable OPENSSL_ia32cap.

The variable holds 64-bit words parted by a colon, of which the first two matter here: what CPUID
says in EDX and ECX of leaf 1, and in EBX and ECX of leaf 7. ``~`` before a word switches its bits
off. OpenSSL 3 switches the whole second word off where only a first is given, so that both are
always written.
"""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass

from logca.numeric.measure.experiment import ExperimentError

__all__ = ["AES", "SHA", "SIMD", "Switch", "check_machine", "environment"]

_VARIABLE = "OPENSSL_ia32cap"
_X86 = frozenset({"amd64", "i386", "i686", "x86", "x86_64"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """Instructions that OpenSSL can be told not to use."""

    name: str  # what they are called
    # first, second: their bits in the two words of the variable [1]
    first: int
    second: int
    decisive: tuple[int, int] = (0, 0)  # the bits without which there is nothing to switch off [1]

    def __or__(self, other: "Switch") -> "Switch":
        return Switch(
            name=f"{self.name}, {other.name}",
            first=self.first | other.first,
            second=self.second | other.second,
            decisive=self.decisive,
        )

    @property
    def value(self) -> str:
        """Value to set the variable to.

        Examples
        --------
        >>> AES.value
        '~0x200000000000000:~0x20000000000'
        """
        return f"~{self.first:#x}:~{self.second:#x}"

    def is_seen(self, capabilities: Sequence[int]) -> bool:
        """True if OpenSSL uses the instructions, by the two words that it works with."""
        first, second, *_ = (*capabilities, 0, 0)
        bits = self.decisive
        return first & bits[0] == bits[0] and second & bits[1] == bits[1]


AES = Switch(name="AES-NI", first=1 << 57, second=1 << 41, decisive=(1 << 57, 0))
"""AES-NI, and VAES, which is of no use without."""

SHA = Switch(name="SHA", first=0, second=1 << 29, decisive=(0, 1 << 29))
"""The SHA extensions."""

SIMD = Switch(
    name="SIMD",
    first=1 << 41 | 1 << 43 | 1 << 44 | 1 << 60,
    second=1 << 5 | 1 << 16 | 1 << 17 | 1 << 21 | 1 << 30 | 1 << 31,
)
"""SSSE3, XOP, FMA, AVX, AVX2 and AVX-512: what vectorised software needs."""


def environment(switch: Switch | None) -> dict[str, str]:
    """The environment of a process in which instructions are switched off."""
    others = {name: value for name, value in os.environ.items() if name != _VARIABLE}
    return others if switch is None else others | {_VARIABLE: switch.value}


def check_machine(experiment: str) -> None:
    """Nothing on x86."""
    machine = platform.machine()
    if machine.lower() not in _X86:
        raise ExperimentError(
            f"{experiment}: OpenSSL's instructions can be switched off ({_VARIABLE}) on x86 only, "
            f"and this machine is {machine or 'of unknown kind'}; "
            "measure two commands or functions of your own instead"
        )
