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
    return {
        "answer": found.answer(),
        "knob": found.knob,
        **attributes(found, "lines threshold notes"),
        "pays": thresholds(basis).likely,
        "level": basis.level,
        "break_even": basis.interval("g1"),
        "sizes": [
            {
                "size": row.size,
                "host": row.host.value,
                "accelerated": row.accelerated.value,
                "speedup": row.speedup,
            }
            for row in compared_timings(basis.timings)
        ],
        "warnings": basis.warnings,
    }
