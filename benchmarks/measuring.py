"""What measurements have in common: times in turn, and the machine that they were taken on."""

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["least_times", "machine", "processor"]


def least_times(*functions: Callable[[], Any], runs: int) -> list[float]:
    """The least time of each function [s]; they take turns, so that all see the same machine."""
    times = [float("inf")] * len(functions)
    for _ in range(runs):
        for place, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[place] = min(times[place], time.perf_counter() - start)
    return times


def processor() -> str:
    """Processor and cores."""
    name = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(": ")[2] if models else name
    return f"{name or platform.machine()}, {os.cpu_count()} cores"


def machine() -> str:
    """Processor, cores and versions."""
    return f"{processor()}, Python {platform.python_version()}, NumPy {np.__version__}"
