"""Symbols of offloads whose bytes, work and items vary apart from each other.

Work (flops, tokens times experts) and items (copies, calls in a batch) are counted: pure numbers.
"""

from logca.derive.algebra.dimension import (
    BYTES,
    CYCLES,
    CYCLES_PER_BYTE,
    ONE,
    described,
    nonnegative,
)

__all__ = [
    "ENTRIES",
    "byte_time_accelerated",
    "byte_time_host",
    "call_time_accelerated",
    "call_time_host",
    "data_bytes",
    "item_time_accelerated",
    "item_time_host",
    "items",
    "work",
    "work_time_accelerated",
    "work_time_host",
]

data_bytes, work, items = map(nonnegative, ("data_bytes", "work", "items"))
call_time_host, call_time_accelerated = map(
    nonnegative, ("call_time_host", "call_time_accelerated")
)
item_time_host, item_time_accelerated = map(
    nonnegative, ("item_time_host", "item_time_accelerated")
)
byte_time_host, byte_time_accelerated = map(
    nonnegative, ("byte_time_host", "byte_time_accelerated")
)
work_time_host, work_time_accelerated = map(
    nonnegative, ("work_time_host", "work_time_accelerated")
)


_PATHS = (
    (call_time_host, CYCLES, "time of a call on the host, whatever its shape", "o", 0),
    (call_time_accelerated, CYCLES, "overhead of a call that is offloaded", "o", 1),
    (item_time_host, CYCLES, "time of each item on the host", "p", 0),
    (item_time_accelerated, CYCLES, "time of each item that is offloaded", "p", 1),
    (byte_time_host, CYCLES_PER_BYTE, "time of each byte on the host", r"\ell", 0),
    (byte_time_accelerated, CYCLES_PER_BYTE, "latency of each byte that is offloaded", r"\ell", 1),
    (work_time_host, CYCLES, "time of the first unit of work on the host", "c", 0),
    (work_time_accelerated, CYCLES, "time of the first unit of work on the accelerator", "c", 1),
)

ENTRIES = (
    described(data_bytes, BYTES, "bytes of an offload, whatever its work", "d"),
    described(work, ONE, "work of an offload, such as flops, whatever its bytes", "w"),
    described(items, ONE, "items of an offload, such as copies", "k"),
    *(
        described(symbol, unit, meaning, f"{letter}_{side}")
        for symbol, unit, meaning, letter, side in _PATHS
    ),
)
