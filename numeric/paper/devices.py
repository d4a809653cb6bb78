"""Devices with parameters: those of altaf2017 (Table 5), and those of users' own files."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING

from logca.common import results
from logca.common.errors import FileError, LogcaError
from logca.common.near_misses import did_you_mean
from logca.common.toml import packaged_text, text_of
from logca.numeric.paper.device_files import checked_rows
from logca.numeric.paper.platforms import platforms

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator

__all__ = [
    "Device",
    "DeviceError",
    "DeviceFileError",
    "Devices",
    "device",
    "devices",
    "find_device",
    "kernels_of",
    "load_devices",
]


DeviceFileError = FileError
"""Exception that `load_devices` raises."""


class DeviceError(LogcaError, ValueError):
    """There is no such device or kernel, or it has no parameters; the message says which exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One kernel on one device: a row of Table 5, or of a user's file.

    Numbers that are written as whole numbers are int.
    """

    # device, kernel: names, such as "ultrasparc-t2" and "aes"
    device: str
    kernel: str
    # device_title, kernel_title: names as printed
    device_title: str = field(repr=False)
    kernel_title: str = field(repr=False)
    latency: str  # "constant" or "linear"
    o: float  # overhead of an offload [cycles], or whatever `unit` says
    L: float  # latency: of an offload [cycles] if constant, of a byte [cycles/B] if linear
    C: float  # computational index of the host [cycles/B**beta]
    A: float  # acceleration [1]
    beta: float  # exponent of the granularity [1]
    unit: str  # unit of time
    # source, reading: where the numbers are from, and how what is doubtful there was read
    source: str = field(repr=False)
    reading: str = field(repr=False)

    @property
    def units(self) -> dict[str, str]:
        """The units of o, L, C, A and beta.

        Examples
        --------
        >>> find_device("apu", "gemm").units["L"]
        'cycles/B'
        """
        return {
            "o": self.unit,
            "L": self.unit if self.latency == "constant" else f"{self.unit}/B",
            "C": f"{self.unit}/B**beta",
            "A": "1",
            "beta": "1",
        }

    def accelerator(
        self, *, beta: float | None = None, latency: str | None = None
    ) -> "Accelerator":
        """The accelerator that these parameters describe."""
        from logca.numeric.accelerator.accelerator import Accelerator

        return Accelerator(
            o=self.o,
            L=self.L,
            C=self.C,
            A=self.A,
            beta=self.beta if beta is None else beta,
            latency=self.latency if latency is None else latency,
            unit=self.unit,
            name=f"{self.device_title} {self.kernel_title}",
        )

    _repr_html_ = results.html


class Devices(tuple[Device, ...]):
    """Devices in the order of their table or file."""

    __slots__ = ()

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


@cache
def devices() -> Devices:
    """The 19 rows of Table 5 of altaf2017, in its order.

    Examples
    --------
    >>> row = devices()[10]
    >>> row.device, row.kernel, row.o, row.L, row.C, row.A, row.beta
    ('ultrasparc-t2', 'aes', 29000, 1500, 90, 19, 1.0)
    """
    name = "table5.toml"
    return Devices(Device(**row) for row in checked_rows(packaged_text(__package__, name), name))


def load_devices(path: str | PathLike[str]) -> Devices:
    """The entries of a file of your own, in the format that docs/devices.md describes.

    Parameters
    ----------
    path : str or path
        A TOML file.

    Raises
    ------
    DeviceFileError
        If the file is missing or malformed; the message has file, entry and key.
    """
    return Devices(Device(**row) for row in checked_rows(text_of(path), fspath(path)))


def kernels_of(name: str, *, among: Iterable[Device] | None = None) -> Devices:
    """The entries of a device, one for each of its kernels.

    Examples
    --------
    >>> [entry.kernel for entry in kernels_of("sparc-t4")]
    ['aes', 'sha']
    """
    entries = devices() if among is None else tuple(among)
    kernels = Devices(entry for entry in entries if entry.device == name)
    if not kernels:
        known = tuple(dict.fromkeys(entry.device for entry in entries))
        unnamed = _without_parameters(name) if among is None else ""
        having = [entry.device for entry in entries if entry.kernel == name]
        if having:
            raise DeviceError(f"{name} is a kernel; name a device that has it: {', '.join(having)}")
        raise DeviceError(unnamed or _unknown("device", name, known))
    return kernels


def find_device(
    name: str, kernel: str | None = None, *, among: Iterable[Device] | None = None
) -> Device:
    """The entry of a kernel on a device.

    Examples
    --------
    >>> find_device("sandy-bridge").C
    35
    >>> find_device("ultrasparc-t2", "sha").o
    10500
    """
    entries = {entry.kernel: entry for entry in kernels_of(name, among=among)}
    if kernel is None and len(entries) > 1:
        raise DeviceError(
            f"{name} has several kernels; name one with kernel or --kernel: {', '.join(entries)}"
        )
    kernel = next(iter(entries)) if kernel is None else kernel
    if kernel not in entries:
        raise DeviceError(_unknown("kernel", kernel, tuple(entries), f"{name} has no"))
    return entries[kernel]


def device(
    name: str, kernel: str | None = None, *, beta: float | None = None, latency: str | None = None
) -> "Accelerator":
    """The accelerator of altaf2017 that computes a kernel on a device.

    The exponent is the one that section 5 of the paper works with: 1 for AES, SHA and radix sort.
    Table 4 has fits for these (1.01, 0.97 and 0.94; `logca.numeric.paper.platforms.kernels()` holds
    them), which `beta` takes as well.

    Parameters
    ----------
    name : str
        A device, such as "ultrasparc-t2".
    kernel : str, optional
        One of its kernels, such as "aes"; may be left out if it has only one.
    beta : float, optional
        Another exponent of the granularity [1].
    latency : str, optional
        "constant" or "linear", instead of the form that section 4 names.

    Raises
    ------
    DeviceError
        If there is no such entry; the message has the names that there are.
    ValueError
        If what replaces a parameter is out of its range.

    Examples
    --------
    >>> t2 = device("ultrasparc-t2", "aes")
    >>> t2.o, t2.L, t2.C, t2.A, t2.beta, t2.latency
    (29000.0, 1500.0, 90.0, 19.0, 1.0, 'constant')
    """
    return find_device(name, kernel).accelerator(beta=beta, latency=latency)


def _without_parameters(name: str) -> str:
    for platform in platforms():
        if name in platform.devices and platform.latency is not None:
            return (
                f"no parameters of {name} ({platform.title}) are known: the paper describes it in "
                f"{platform.source}, but Table 5 prints none; its latency is {platform.latency}"
            )
    return ""


def _unknown(kind: str, name: str, known: tuple[str, ...], begin: str = "there is no") -> str:
    slug = "-".join(str(name).lower().replace("_", " ").replace(".", " ").split())
    holding = [slug] if slug in known else [each for each in known if slug and slug in each]
    near = f" did you mean {' or '.join(map(repr, holding[:2]))}?" if holding else ""
    near = near or did_you_mean(slug, known, most=2, joined=" or ", before=" ")
    return f"{begin} {kind} {name!r};{near} known: {', '.join(known)}"
