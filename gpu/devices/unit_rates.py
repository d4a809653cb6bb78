"""Rates of the units of a current GPU: what model bounds takes beyond wang2017's tables."""

from dataclasses import dataclass
from typing import Annotated

from logca.common.toml import Key
from logca.gpu.devices.file_format import bytes_key, count_key, cycles_key

__all__ = ["UnitRates"]


def _lanes(kind: str) -> Key:
    return count_key(4096, f"{kind} of a multiprocessor in a cycle")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRates:
    """Rates and sizes of the units of a GPU that has an L1 cache; units are those of the keys."""

    peak_bandwidth: Annotated[
        float,
        Key(
            unit="B/s",
            low=1e6,
            high=1e15,
            meaning="bandwidth of main memory on paper",
            default_key="bandwidth",
        ),
    ]
    l2_bandwidth: Annotated[
        float,
        Key(unit="B/cycle", low=1e-3, high=1e5, meaning="what L2 delivers to a multiprocessor"),
    ]
    l2_slices: Annotated[int, count_key(2.0**16, "sectors that all of L2 takes in a cycle")]
    l2_partitions: Annotated[
        int, count_key(64, "parts of L2, each of which keeps what its own multiprocessors read")
    ]
    partial_store: Annotated[
        float,
        cycles_key("of a slice of L2 that takes a sector a cycle, for a line written in part", 1),
    ]
    store_cycles: Annotated[float, cycles_key("of a multiprocessor, for a stored sector")]
    l1_size: Annotated[int, bytes_key(2.0**30, "L1 and shared memory of a multiprocessor")]
    wavefront_cycles: Annotated[
        float, cycles_key("of a pass over the banks of L1 and shared memory", 1e-3)
    ]
    load_cycles: Annotated[float, cycles_key("of the pipe of L1, for a load of a warp", 1e-3)]
    line_cycles: Annotated[float, cycles_key("there for each further line of 128 B")]
    schedulers: Annotated[int, count_key(64, "warps that issue in a cycle of a multiprocessor")]
    fp32_lanes: Annotated[int, _lanes("single-precision operations")]
    int_lanes: Annotated[int, _lanes("integer operations")]
    fp64_lanes: Annotated[int, _lanes("double-precision operations")]
    conversion_lanes: Annotated[int, _lanes("conversions between types")]
    special_lanes: Annotated[int, _lanes("reciprocals, roots, sines")]
    shared_issue: Annotated[
        int, count_key(1, "1 if integer instructions go through FP32 lanes, else 0", 0)
    ]
    latency_L1: Annotated[float, cycles_key("latency of the L1 cache")]
    barrier_cycles: Annotated[float, cycles_key("time of a barrier of a block")]
    launch_synchronised: Annotated[
        float, Key(unit="s", low=0.0, high=1.0, meaning="time of a launch that the host waits for")
    ]
    link_bandwidth: Annotated[
        float | None,
        Key(
            unit="B/s",
            low=1e6,
            high=1e15,
            meaning="bandwidth of the link to the host, each way",
            optional=True,
        ),
    ]
    link_latency: Annotated[
        float | None,
        Key(
            unit="s",
            low=0.0,
            high=1.0,
            meaning="time of a copy over that link besides its bytes",
            optional=True,
        ),
    ]
    power: Annotated[
        float | None,
        Key(
            unit="W",
            low=1e-3,
            high=1e5,
            meaning="power of the whole board, at most",
            optional=True,
        ),
    ]
