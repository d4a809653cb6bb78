"""An offload as plain data for JSON, and as it shows itself in Python."""

from collections.abc import Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.offloading.break_even import last_range
from logca.offloading.result import BreakEven, Offload
from logca.plots.offload import OffloadPicture
from logca.show.fit.tables import sizes_of
from logca.show.offload.tables import offload_tables
from logca.show.offload.words import offload_answer, ranked_ways
from logca.show.results import View

__all__ = ["VIEWS", "offload_data"]


def offload_data(found: Offload) -> dict[str, Any]:
    """All that is known, for JSON."""
    where = found.break_even
    return {
        "answer": offload_answer(found),
        **attributes(found, "device host macro share resident"),
        "loops": [{"file": file, "line": line, "end_line": end} for file, line, end in found.loops],
        "link": attributes(found.link, "name title bandwidth latency"),
        "break_even": _break_even_data(found, where),
        "sizes": [
            {
                "size": point.size,
                "bytes": point.bytes,
                "host_s": point.host_s,
                "host_runs_s": point.host_runs_s,
                "host_measured": point.measured,
                "kernels_s": point.gpu.time_s,
                "kernels_interval_s": point.gpu.interval_s,
                "copies": point.copied(found.resident)[0],
                "copied_bytes": point.copied(found.resident)[1],
                "copies_s": point.copies_s(found.link, found.resident),
                "accelerated_s": time,
                "speedup": point.host_s / time,
                "program_s": point.program_s,
                "program_speedup": found.program_speedup(place),
                "bound": point.gpu.bound,
                "launches": point.gpu.launches,
                "parts_s": found.parts_at(place),
                "arrays": point.gpu.arrays,
                "loops": [
                    {
                        **attributes(kernel, "file line launches"),
                        "host_s": own,
                        "gpu_s": kernel.time_s,
                    }
                    for kernel, own in zip(point.gpu.kernels, point.host_loops_s, strict=True)
                ],
            }
            for place, (point, time) in enumerate(
                zip(found.points, found.way.accelerated_s, strict=True)
            )
        ],
        "together": [
            {
                "size": point.size,
                "loops": [
                    attributes(point.gpu.kernels[place], "file line") for place in best.loops
                ],
                **attributes(best, "pays time_s proven"),
            }
            for point, best in zip(found.points, found.together, strict=False)
        ],
        "alternatives": [
            {**attributes(way, "name energy_j"), **_break_even_data(found, found.of(way))}
            for way in ranked_ways(found)
        ],
        "parameters": {
            name: {"value": value, "interval": found.interval(name)}
            for name, value in (found.fitted.parameters if found.fitted else {}).items()
        },
        "granularities": {
            name: {"value": value, "interval": found.interval(name)}
            for name, value in (sizes_of(found.fitted) if found.fitted else {}).items()
        },
        **attributes(found, "beside_caches left_out against notes"),
    }


def _break_even_data(found: Offload, where: BreakEven) -> dict[str, Any]:
    lasting = where.lasting
    least = None if lasting is None else lasting.least
    early, late = last_range(where.early), last_range(where.late)
    return {
        "pays_at_largest": lasting is not None,
        "certain": where.certain,
        "least": least,
        "least_bytes": None if least is None else found.bytes_at(least),
        "least_interval": [
            None if early is None else early.least,
            None if late is None else late.least,
        ],
        "ranges": [[each.least, each.most] for each in where.ranges],
        "best": where.best,
        "best_size": where.best_size,
    }


def _rows(found: Offload) -> Sequence[dict[str, Any]]:
    sizes: list[dict[str, Any]] = offload_data(found)["sizes"]
    return [
        {name: value for name, value in row.items() if not isinstance(value, dict | tuple)}
        for row in sizes
    ]


VIEWS = {
    "Offload": View(
        answer=offload_answer,
        tables=offload_tables,
        rows={"sizes": _rows},
        picture=lambda found: OffloadPicture(title="Both paths", found=found),
    )
}
