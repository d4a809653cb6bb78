"""What a file of a GPU may hold: unit, range and meaning of every key."""

from dataclasses import dataclass

from logca.gpu.cache_index import INDEXES

__all__ = ["KEYS", "UNITS", "Key"]

UNITS: dict[str, dict[str, float]] = {
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "B": {"B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30},
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "B/s": {"B/s": 1.0, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
}
"""Units that may stand behind a number, by the base unit [unit of the key]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A parameter of a device.

    Parameters
    ----------
    unit : str
        Base unit [text].
    low, high : float
        Smallest and largest value that can be right [unit].
    meaning : str
        What it is [text].
    whole, power_of_two : bool
        Whether it must be a whole number, a power of two.
    choices : tuple of str
        The values it may have if it is no number [text].
    default : str, optional
        The key whose value it has where it is left out [text].
    absent : float, optional
        The value that it has where it is left out [unit]. With neither, it must be given.
    """

    unit: str
    low: float
    high: float
    meaning: str
    whole: bool = False
    power_of_two: bool = False
    choices: tuple[str, ...] = ()
    default: str = ""
    absent: float | None = None


def _cycles(meaning: str, low: float = 0.0, default: str = "") -> Key:
    return Key(unit="cycles", low=low, high=1e5, meaning=meaning, default=default)


def _count(high: float, meaning: str) -> Key:
    return Key(unit="1", low=1, high=high, meaning=meaning, whole=True)


def _bytes(high: float, meaning: str, *, power_of_two: bool = False, default: str = "") -> Key:
    return Key(
        unit="B",
        low=1,
        high=high,
        meaning=meaning,
        whole=True,
        power_of_two=power_of_two,
        default=default,
    )


KEYS: dict[str, Key] = {
    "frequency": Key(unit="Hz", low=1e6, high=1e11, meaning="clock"),
    "cycles_per_instruction": _cycles("mean time of an instruction of a warp", 1e-6),
    "latency_L2": _cycles("latency of the L2 cache"),
    "latency_dram": _cycles("latency of main memory beyond L2"),
    "latency_shared": _cycles("latency of shared memory"),
    "latency_load_shared": _cycles("loading from main to shared memory"),
    "delay_L2": _cycles("between two transactions to L2", 1e-6),
    "delay_dram": _cycles("between two transactions to main memory", 1e-6),
    "delay_dram_uncoalesced": _cycles(
        "the same where lanes of a warp do not reach neighbours", 1e-6, default="delay_dram"
    ),
    "bandwidth": Key(unit="B/s", low=1e6, high=1e15, meaning="bandwidth of main memory"),
    "launch_overhead": Key(
        unit="s", low=0.0, high=1.0, meaning="time of a launch before its kernel begins", absent=0.0
    ),
    "l2_size": _bytes(2.0**34, "size of the L2 cache"),
    "l2_line": _bytes(2.0**12, "line of the L2 cache", power_of_two=True),
    "l2_sector": _bytes(
        2.0**12, "smallest part of a line that L2 delivers", power_of_two=True, default="l2_line"
    ),
    "l2_ways": _count(2.0**20, "associativity of the L2 cache"),
    "l2_index": Key(unit="1", low=0, high=0, meaning="how L2 chooses a set", choices=INDEXES),
    "multiprocessors": _count(4096, "streaming multiprocessors"),
    "warp_size": Key(unit="1", low=1, high=64, meaning="threads of a warp", whole=True),
    "max_threads_per_block": _count(2.0**16, "threads of a block, at most"),
    "max_threads": _count(2.0**16, "threads on a multiprocessor, at most"),
    "max_blocks": _count(1024, "blocks on a multiprocessor, at most"),
    "shared_memory": _bytes(2.0**30, "shared memory of a multiprocessor"),
    "registers": _count(2.0**24, "registers of a multiprocessor"),
    "banks": _count(1024, "banks of shared memory"),
    "bank_width": _bytes(64, "what a bank delivers in a cycle", power_of_two=True),
}
"""The parameters of `logca.gpu.devices.GpuDevice`, in the order in which they are printed."""
