"""Settings of knobs for terminal and programs."""

from typing import Any

from logca.common.json_output import attributes
from logca.numeric.audit.knob import KnobSetting
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.timings.timings import compared_timings

__all__ = ["setting_data"]


def setting_data(found: KnobSetting) -> dict[str, Any]:
    """A setting as JSON has it; sizes in bytes, times in seconds."""
    basis = found.basis
    by_fit: dict[str, Any] = {"pays": (), "level": None, "break_even": None, "warnings": ()}
    if basis is not None:
        by_fit = {"pays": thresholds(basis).likely, **attributes(basis, "level warnings")}
        by_fit["break_even"] = basis.interval("g1")
    return {
        "answer": found.answer(),
        "knob": found.knob,
        **attributes(found, "lines threshold notes"),
        **by_fit,
        "sizes": [
            {
                "size": row.size,
                "host": row.host.value,
                "accelerated": row.accelerated.value,
                "speedup": row.speedup,
            }
            for row in compared_timings(found.timings)
        ],
    }
