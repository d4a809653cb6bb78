"""GPUs as data: those that come with the package, and those of users' own files.

A file describes one device. Every number may be written with a unit, such as ``"852 MHz"``;
without one it is in the base unit. Base unit, range and meaning of every key stand in one table
here; how units are written, and what is said of an unknown key, is the same for all files
(`logca.common.toml`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType
from typing import Annotated, Any

from logca.common import results
from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import (
    UNITS,
    Described,
    Format,
    Key,
    keys_of,
    packaged,
    packaged_names,
    parsed,
    rows_of,
    shown,
    text_of,
)

__all__ = [
    "INDEXES",
    "KEYS",
    "GpuDevice",
    "device",
    "devices",
    "load_device",
]

INDEXES = ("modulo", "hashed")
"""Ways to choose the set of a block in a cache."""


def _cycles(meaning: str, low: float = 0.0, default_key: str = "") -> Key:
    return Key(unit="cycles", low=low, high=1e5, meaning=meaning, default_key=default_key)


def _count(high: float, meaning: str) -> Key:
    return Key(unit="1", low=1, high=high, meaning=meaning, whole=True)


def _bytes(high: float, meaning: str, *, power_of_two: bool = False, default_key: str = "") -> Key:
    return Key(
        unit="B",
        low=1,
        high=high,
        meaning=meaning,
        whole=True,
        power_of_two=power_of_two,
        default_key=default_key,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuDevice:
    """A GPU, by Tables 1 and 3 of wang2017.

    Parameters
    ----------
    name, title : str
        What it is called on the command line, and in full.
    frequency : float
        Clock [Hz].
    cycles_per_instruction : float
        Mean time of an instruction of a warp [cycles].
    latency_L2, latency_dram : float
        Latency of the L2 cache and, beyond it, of the main memory [cycles].
    latency_shared : float
        Latency of the shared memory [cycles].
    latency_load_shared : float
        Time of loading from main memory to shared memory [cycles].
    delay_L2, delay_dram : float
        Departure delay: time between two transactions to L2, to main memory [cycles].
    delay_dram_uncoalesced : float
        The same for transactions of lanes that do not reach neighbours; not in the paper, where
        left out it is `delay_dram` [cycles].
    delay_atomic : float
        Time between two atomic operations on the same address; not in the paper, where left out it
        is 1, as documented from Kepler on [cycles].
    bandwidth : float
        Bandwidth of the main memory [B/s].
    launch_overhead : float
        Time of a launch before its kernel begins; not in the paper, where left out it is 5 us,
        as launches one after the other take on many GPUs [s].
    l2_size, l2_line : int
        Size of the L2 cache and of its lines [B].
    l2_sector : int
        Smallest part of a line that L2 delivers; not in the paper, where left out it is a line [B].
    l2_ways : int
        Its associativity [1].
    l2_index : str
        How it chooses a set, "modulo" or "hashed".
    multiprocessors : int
        Streaming multiprocessors [1].
    warp_size : int
        Threads of a warp [1].
    max_threads_per_block, max_threads, max_blocks : int
        Threads of a block; threads and blocks on a multiprocessor at a time [1].
    shared_memory : int
        Shared memory of a multiprocessor [B].
    registers : int
        Registers of 32 bit of a multiprocessor [1].
    banks : int
        Banks of the shared memory [1].
    bank_width : int
        How much each delivers in a cycle [B].
    sources : mapping of str to str
        Where each number is from.
    """

    name: str
    title: str
    frequency: Annotated[float, Key(unit="Hz", low=1e6, high=1e11, meaning="clock")]
    cycles_per_instruction: Annotated[float, _cycles("mean time of an instruction of a warp", 1e-6)]
    latency_L2: Annotated[float, _cycles("latency of the L2 cache")]
    latency_dram: Annotated[float, _cycles("latency of main memory beyond L2")]
    latency_shared: Annotated[float, _cycles("latency of shared memory")]
    latency_load_shared: Annotated[float, _cycles("loading from main to shared memory")]
    delay_L2: Annotated[float, _cycles("between two transactions to L2", 1e-6)]
    delay_dram: Annotated[float, _cycles("between two transactions to main memory", 1e-6)]
    delay_dram_uncoalesced: Annotated[
        float,
        _cycles(
            "the same where lanes of a warp do not reach neighbours", 1e-6, default_key="delay_dram"
        ),
    ]
    delay_atomic: Annotated[
        float,
        Key(
            unit="cycles",
            low=1e-6,
            high=1e5,
            meaning="between two atomic operations on the same address",
            default=1.0,
        ),
    ]
    bandwidth: Annotated[
        float, Key(unit="B/s", low=1e6, high=1e15, meaning="bandwidth of main memory")
    ]
    launch_overhead: Annotated[
        float,
        Key(
            unit="s",
            low=0.0,
            high=1.0,
            meaning="time of a launch before its kernel begins",
            default=5e-6,
        ),
    ]
    l2_size: Annotated[int, _bytes(2.0**34, "size of the L2 cache")]
    l2_line: Annotated[int, _bytes(2.0**12, "line of the L2 cache", power_of_two=True)]
    l2_sector: Annotated[
        int,
        _bytes(
            2.0**12,
            "smallest part of a line that L2 delivers",
            power_of_two=True,
            default_key="l2_line",
        ),
    ]
    l2_ways: Annotated[int, _count(2.0**20, "associativity of the L2 cache")]
    l2_index: Annotated[
        str, Key(unit="1", low=0, high=0, meaning="how L2 chooses a set", choices=INDEXES)
    ]
    multiprocessors: Annotated[int, _count(4096, "streaming multiprocessors")]
    warp_size: Annotated[
        int, Key(unit="1", low=1, high=64, meaning="threads of a warp", whole=True)
    ]
    max_threads_per_block: Annotated[int, _count(2.0**16, "threads of a block, at most")]
    max_threads: Annotated[int, _count(2.0**16, "threads on a multiprocessor, at most")]
    max_blocks: Annotated[int, _count(1024, "blocks on a multiprocessor, at most")]
    shared_memory: Annotated[int, _bytes(2.0**30, "shared memory of a multiprocessor")]
    registers: Annotated[int, _count(2.0**24, "registers of a multiprocessor")]
    banks: Annotated[int, _count(1024, "banks of shared memory")]
    bank_width: Annotated[int, _bytes(64, "what a bank delivers in a cycle", power_of_two=True)]
    sources: Mapping[str, str]

    def rows(self) -> list[dict[str, object]]:
        """Rows that the stage prints, one for each parameter."""
        return rows_of(self, KEYS, self.sources)

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


KEYS = keys_of(GpuDevice)
"""The parameters of a device, in the order in which they are printed."""


def devices() -> tuple[str, ...]:
    """Names of the devices that come with the package.

    Examples
    --------
    >>> devices()
    ('jetson-tk1',)
    """
    return packaged_names(__package__)


def device(name: str | PathLike[str] | GpuDevice) -> GpuDevice:
    """A device by its name, or by the file that describes it.

    Parameters
    ----------
    name : str or path
        One of `devices()`, or the path of a TOML file, which ends in ``.toml``.

    Raises
    ------
    FileError
        If there is no such device, or its file is malformed.

    Examples
    --------
    >>> tk1 = device("jetson-tk1")
    >>> tk1.frequency, tk1.latency_L2, tk1.l2_size
    (852000000.0, 164.0, 131072)
    """
    if isinstance(name, GpuDevice):
        return name
    if fspath(name).endswith(".toml"):
        return load_device(name)
    if name not in devices():
        near = did_you_mean(str(name).lower(), devices(), before=" ")
        raise FileError(
            f"there is no GPU {fspath(name)!r};{near} known: {', '.join(devices())}; "
            "a file of your own must end in .toml"
        )
    file = f"{fspath(name)}.toml"
    return _device(_FORMAT.described(packaged(__package__, file), file), file)


def load_device(path: str | PathLike[str]) -> GpuDevice:
    """The device that a file of your own describes."""
    data = parsed(text_of(path), fspath(path))
    return _device(_FORMAT.described(data, fspath(path)), fspath(path))


def _device(described: Described, file: str) -> GpuDevice:
    """The device that a file describes."""
    title, sources, values = described
    _check_together(values, file)
    own = MappingProxyType({key: sources.get(key, file) for key in KEYS})
    return GpuDevice(name=PurePath(file).stem, title=title, sources=own, **values)


def _check_together(values: Mapping[str, Any], file: str) -> None:
    """Refuse parameters that contradict each other."""
    lines = values["l2_size"] // values["l2_line"]
    if values["l2_size"] % values["l2_line"] or lines % values["l2_ways"]:
        raise FileError(
            f"{file}: l2_size must be a multiple of l2_line * l2_ways = "
            f"{values['l2_line'] * values['l2_ways']} B, not {values['l2_size']} B"
        )
    if values["l2_sector"] > values["l2_line"]:
        raise FileError(
            f"{file}: l2_sector = {values['l2_sector']} exceeds l2_line = {values['l2_line']}"
        )
    if values["max_threads_per_block"] > values["max_threads"]:
        raise FileError(
            f"{file}: max_threads_per_block = {values['max_threads_per_block']} exceeds "
            f"max_threads = {values['max_threads']} of a multiprocessor"
        )


def _checked_number(
    value: object, written: tuple[str, float] | None, name: str, key: Key, file: str
) -> float:
    """The number that a key's value stands for, in its range [unit of the key]."""
    number = _number(value, written)
    if number is None:
        raise FileError(f"{file}: {name} must be {_wanted(key)}, not {shown(value)}")
    if key.whole and number != int(number):
        unit = "" if key.unit == "1" else f" of {key.unit}"
        raise FileError(
            f"{file}: {name} must be a whole number{unit} from {key.low:g} to {key.high:g}, "
            f"not {shown(value)}"
        )
    if not key.low <= number <= key.high:
        raise FileError(
            f"{file}: {name} = {shown(value)} is out of range: "
            f"{key.low:g} to {key.high:g} [{key.unit}]"
        )
    if key.power_of_two and int(number) & (int(number) - 1):
        raise FileError(f"{file}: {name} must be a power of two, not {shown(value)}")
    return int(number) if key.whole else float(number)


def _number(value: object, written: tuple[str, float] | None) -> float | None:
    """The number in the base unit [unit of the key]; None if it is none."""
    if written is not None:
        try:
            return float(written[0]) * written[1]
        except ValueError:
            return None
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _wanted(key: Key) -> str:
    units = ", ".join(UNITS.get(key.unit, {}))
    text = f" or a text with one of the units {units}" if units else ""
    return f"a number [{key.unit}]{text}"


_FORMAT = Format(keys=KEYS, number=_checked_number)
