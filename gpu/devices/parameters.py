"""GPUs as data: those that come with the package, and those of users' own files.

A file describes one device. Every number may be written with a unit, such as ``"852 MHz"``;
without one it is in the base unit. Base unit, range and meaning of every key stand beside the
fields here and in `UnitRates`; how units are written, and what is said of an unknown key, is the
same for all files (`logca.common.toml`). A source begins with ``measured:``, ``documented:`` or
``estimated:``; one that does not counts as estimated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType
from typing import Annotated, Any

from logca.common import results
from logca.common.errors import FileError
from logca.common.near_misses import did_you_mean
from logca.common.toml import (
    Format,
    Key,
    keys_of,
    packaged,
    packaged_names,
    parsed,
    rows_of,
    text_of,
)
from logca.gpu.devices.file_format import (
    bytes_key,
    check_together,
    checked_number,
    complete,
    count_key,
    cycles_key,
    provenance_of,
    with_architecture,
)
from logca.gpu.devices.unit_rates import UnitRates

__all__ = [
    "INDEXES",
    "KEYS",
    "GpuDevice",
    "default_model",
    "device",
    "device_of",
    "devices",
    "load_device",
    "unit_rates",
]

INDEXES = ("modulo", "hashed")
"""Ways to choose the set of a block in a cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuDevice:
    """A GPU, by Tables 1 and 3 of wang2017, and by the rates of its units if its file has them.

    Parameters
    ----------
    name, title : str
        What it is called on the command line, and in full.
    architecture : str
        Name of the file that says what GPUs of its architecture have in common; empty if none.
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
        Bandwidth of the main memory, as it is sustained [B/s].
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
    rates : UnitRates or None
        What model bounds takes besides; None if the file has none of it.
    sources : mapping of str to str
        Where each number is from.
    """

    name: str
    title: str
    architecture: str
    frequency: Annotated[float, Key(unit="Hz", low=1e6, high=1e11, meaning="clock")]
    cycles_per_instruction: Annotated[
        float, cycles_key("mean time of an instruction of a warp", 1e-6, optional=True)
    ]
    latency_L2: Annotated[float, cycles_key("latency of the L2 cache")]
    latency_dram: Annotated[float, cycles_key("latency of main memory beyond L2")]
    latency_shared: Annotated[float, cycles_key("latency of shared memory")]
    latency_load_shared: Annotated[
        float, cycles_key("loading from main to shared memory", optional=True)
    ]
    delay_L2: Annotated[float, cycles_key("between two transactions to L2", 1e-6, optional=True)]
    delay_dram: Annotated[
        float, cycles_key("between two transactions to main memory", 1e-6, optional=True)
    ]
    delay_dram_uncoalesced: Annotated[
        float,
        cycles_key(
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
    l2_size: Annotated[int, bytes_key(2.0**34, "size of the L2 cache")]
    l2_line: Annotated[int, bytes_key(2.0**12, "line of the L2 cache", power_of_two=True)]
    l2_sector: Annotated[
        int,
        bytes_key(
            2.0**12,
            "smallest part of a line that L2 delivers",
            power_of_two=True,
            default_key="l2_line",
        ),
    ]
    l2_ways: Annotated[int, count_key(2.0**20, "associativity of the L2 cache")]
    l2_index: Annotated[
        str, Key(unit="1", low=0, high=0, meaning="how L2 chooses a set", choices=INDEXES)
    ]
    multiprocessors: Annotated[int, count_key(4096, "streaming multiprocessors")]
    warp_size: Annotated[
        int,
        Key(unit="1", low=1, high=64, meaning="threads of a warp", whole=True, power_of_two=True),
    ]
    max_threads_per_block: Annotated[int, count_key(2.0**16, "threads of a block, at most")]
    max_threads: Annotated[int, count_key(2.0**16, "threads on a multiprocessor, at most")]
    max_blocks: Annotated[int, count_key(1024, "blocks on a multiprocessor, at most")]
    shared_memory: Annotated[int, bytes_key(2.0**30, "shared memory of a multiprocessor")]
    registers: Annotated[int, count_key(2.0**24, "registers of a multiprocessor")]
    banks: Annotated[int, count_key(1024, "banks of shared memory")]
    bank_width: Annotated[int, bytes_key(64, "what a bank delivers in a cycle", power_of_two=True)]
    rates: UnitRates | None
    sources: Mapping[str, str]

    def provenance(self, key: str) -> str:
        """Where the number of a key is from: measured, documented or estimated."""
        return provenance_of(self.sources[key])

    def rows(self) -> list[dict[str, object]]:
        """Rows that the stage prints, one for each parameter."""
        rows = rows_of(self, _TABLES, self.sources)
        if self.rates is not None:
            rows += rows_of(self.rates, _RATES, self.sources)
        return rows

    __repr__ = results.text
    _repr_html_ = results.html
    to_frame = results.to_frame


_TABLES = keys_of(GpuDevice)
_RATES = keys_of(UnitRates)

KEYS = _TABLES | _RATES
"""The keys of a file, in the order in which they are printed."""

_PAPER = Format(keys=_TABLES, number=checked_number)
_CURRENT = Format(keys=KEYS, number=checked_number)
_ALONE = replace(
    _CURRENT, fix='; architecture = "ada", or another, gives what its GPUs have in common'
)


def devices() -> tuple[str, ...]:
    """Names of the devices that come with the package.

    Examples
    --------
    >>> len(devices()), devices()[:3]
    (23, ('a10', 'a100-40gb', 'a100-80gb'))
    """
    return packaged_names(__package__)


def device(name: str | PathLike[str] | GpuDevice) -> GpuDevice:
    """A device by its name, or by the file that describes it.

    Parameters
    ----------
    name : str or path
        One of `devices()`, in capital letters or not; without its board, such as h100, the one on a
        card; or the path of a TOML file, which ends in ``.toml``.

    Raises
    ------
    FileError
        If there is no such device, or its file is malformed.

    Examples
    --------
    >>> tk1 = device("jetson-tk1")
    >>> tk1.frequency, tk1.latency_L2, tk1.l2_size
    (852000000.0, 164.0, 131072)
    >>> device("rtx-4090").provenance("bandwidth")
    'estimated'
    """
    if isinstance(name, GpuDevice):
        return name
    if fspath(name).endswith(".toml"):
        return load_device(name)
    known = fspath(name).lower()
    if known not in devices() and f"{known}-pcie" in devices():
        known = f"{known}-pcie"
    if known not in devices():
        near = did_you_mean(known, devices(), before=" ")
        raise FileError(
            f"there is no GPU {fspath(name)!r};{near} `logca gpu --list-devices` lists all; "
            "a file of your own must end in .toml"
        )
    file = f"{known}.toml"
    return _device(packaged(__package__, file), file)


def load_device(path: str | PathLike[str]) -> GpuDevice:
    """The device that a file of your own describes."""
    return _device(parsed(text_of(path), fspath(path)), fspath(path))


def device_of(text: str, file: str, *, name: str) -> GpuDevice:
    """The device that the text of a file describes, under another name."""
    return replace(_device(parsed(text, file), file), name=name)


def default_model(device: GpuDevice) -> str:
    """The model to predict with where none is named: bounds, if the device has what it needs."""
    return "paper" if device.rates is None else "bounds"


def unit_rates(device: GpuDevice) -> UnitRates:
    """The rates of a device's units; refused, with the keys and the fix, if its file has none."""
    if device.rates is not None:
        return device.rates
    raise FileError(
        f"the file of {device.name} has none of the keys that model bounds needs, such as "
        "l2_bandwidth, l1_size and fp32_lanes: name a current GPU, such as rtx-4090, or add them, "
        "as docs/gpu-devices.md says"
    )


def _device(data: Mapping[str, Any], file: str) -> GpuDevice:
    """The device that the contents of a file describe."""
    whole = with_architecture(data, file)
    current = not {"title", "sources", *_TABLES}.issuperset(whole)
    alone = "architecture" not in data
    form = (_ALONE if alone else _CURRENT) if current else _PAPER
    title, said, values = form.described(whole, file)
    said = complete(values, said, file, current=current)
    check_together(values, file)
    rates = UnitRates(**{key: values.pop(key) for key in _RATES}) if current else None
    keys = KEYS if current else _TABLES
    return GpuDevice(
        name=PurePath(file).stem,
        title=title,
        architecture=data.get("architecture", ""),
        rates=rates,
        sources=MappingProxyType({key: said.get(key, file) for key in keys}),
        **values,
    )
