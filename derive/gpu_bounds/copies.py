"""Model of bounds: copies between the memories of host and GPU, one after the other."""

from logca.derive.algebra.derivation import begin
from logca.derive.algebra.dimension import SECONDS
from logca.derive.core.formula import Exactness, Formula
from logca.derive.core.gpu_bounds_symbols import (
    copied_bytes,
    copies,
    link_bandwidth,
    link_latency,
)

__all__ = ["FORMULAS", "TIME_COPIES"]

TIME_COPIES = Formula(
    name="time_copies",
    meaning="time of the copies between the memories of host and GPU",
    source="logca2026; a fixed time for each copy, and its bytes at the bandwidth of the link",
    unit=SECONDS,
    status=Exactness.APPROXIMATION,
    latex=r"T_{\mathrm{copy}}",
    derivation=begin(
        "copies do not overlap with each other",
        "time_copies",
        copies * link_latency + copied_bytes / link_bandwidth,
    ),
)

FORMULAS = (TIME_COPIES,)
