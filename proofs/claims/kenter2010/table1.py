"""Table I of kenter2010 as text of the claim language; the numbers are those of `logca.numeric`."""

from typing import Any

from logca.common.toml import packaged

__all__ = ["ACCELERATOR_CYCLES", "table1"]

_KEYS = {
    "control_latency": "control",
    "push_latency": "push",
    "pull_latency": "pull",
    "cache_latency_L1": "latency_L1",
    "cache_latency_L2": "latency_L2",
    "memory_access_latency": "latency_memory",
    "shared_penalty": "penalty",
}
"""Keys of the platform's file by the symbol."""

_FILE: dict[str, Any] = packaged("logca.numeric.partition.problem.tables", "kenter2010.toml")

ACCELERATOR_CYCLES = f"{_FILE['accelerator_cycles']}/{_FILE['cpu_cycles']}"
"""Mean cycles of an instruction on the accelerator over those on the CPU [1]."""


def table1(*symbols: str) -> tuple[str, ...]:
    """Parameters as hypotheses.

    Examples
    --------
    >>> table1("push_latency", "pull_latency")
    ('push_latency == 1', 'pull_latency == 3')
    """
    return tuple(f"{symbol} == {_FILE[_KEYS[symbol]]}" for symbol in symbols)
