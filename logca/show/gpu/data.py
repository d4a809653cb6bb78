"""A prediction as plain data for JSON, and as it shows itself in Python."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Table
from logca.gpu.devices.parameters import GpuDevice
from logca.gpu.devices.ranking import RankedDevice
from logca.gpu.nests.thread_dependences import Carried
from logca.gpu.prediction.result import Copies, KernelPrediction, Prediction
from logca.plots.charts import Bars, Series
from logca.show.gpu.devices import gpu_facts
from logca.show.gpu.tables import kernel_table, kernel_tables, kernel_title
from logca.show.gpu.words import headline, kernel_headline
from logca.show.results import View

__all__ = [
    "VIEWS",
    "prediction_data",
]


def prediction_data(prediction: Prediction, ranking: Sequence[RankedDevice] = ()) -> dict[str, Any]:
    """All that is known, for JSON, under the names that it has in Python."""
    return {
        "answer": headline(prediction),
        **attributes(prediction, "device model time_s cycles mwp cwp batches trace_size work_size"),
        **({} if prediction.interval_s is None else attributes(prediction, "interval_s")),
        "kernels": [_kernel(kernel) for kernel in prediction.kernels],
        **({} if prediction.copies is None else {"copies": _copies(prediction.copies)}),
        **attributes(prediction, "share counted understated left_out against_dependences notes"),
        **({"ranking": ranking} if ranking else {}),
    }


def _copies(copies: Copies) -> dict[str, Any]:
    return attributes(copies, "to_gpu to_host time_s link_bandwidth link_latency_s arrays")


def _kernel(kernel: KernelPrediction) -> dict[str, Any]:
    return {
        **attributes(kernel, "function file line calls collapse reason launches"),
        **attributes(kernel, "time_s cycles counted understated mwp cwp batches bound"),
        **attributes(kernel, "bandwidth bandwidth_share"),
        "layout": attributes(kernel.layout, "extents shape threads block grid blocks"),
        **attributes(kernel, "occupancy timing accesses"),
        **({} if kernel.bounds is None else attributes(kernel, "interval_s bounds")),
        "dependences": [_dependence(each) for each in kernel.dependences],
        **attributes(kernel, "against reduction notes"),
    }


def _dependence(found: Carried) -> dict[str, Any]:
    source, sink = (
        {**attributes(access, "file line column array store"), "iterations": iterations}
        for access, iterations in zip((found.source, found.sink), found.iterations, strict=True)
    )
    return {**attributes(found, "kind count"), "source": source, "sink": sink}


_KERNEL = "function file line launches time_s cycles mwp cwp batches"


def _tables(prediction: Prediction) -> Iterator[Table]:
    yield kernel_table(prediction)
    if prediction.notes:
        yield Table.facts(("note", note) for note in prediction.notes)


def _kernels(prediction: Prediction) -> Iterator[dict[str, Any]]:
    for kernel in prediction.kernels:
        facts = attributes(kernel, _KERNEL)
        yield {**facts, "threads": kernel.layout.threads, "bound": kernel.bound}


def _accesses(kernel: KernelPrediction) -> Iterator[dict[str, Any]]:
    return ({"function": kernel.function, **asdict(access)} for access in kernel.accesses)


def _picture(prediction: Prediction) -> Bars:
    """Time of each kernel; kernels of one line are told apart by their place in the program."""
    titles = [kernel_title(kernel, prediction) for kernel in prediction.kernels]
    times = tuple(1e3 * kernel.time_s for kernel in prediction.kernels)
    return Bars(
        title=headline(prediction),
        groups=tuple(title.replace("  ", "\n") for title in titles),
        kinds=(Series(name=f"{prediction.device}, model {prediction.model}", values=times),),
        across="kernel",
        up="time of all launches [ms]",
    )


VIEWS = {
    "Prediction": View(
        answer=headline,
        tables=_tables,
        rows={
            "kernels": _kernels,
            "accesses": lambda found: (row for each in found.kernels for row in _accesses(each)),
        },
        picture=_picture,
    ),
    "KernelPrediction": View(
        answer=kernel_headline, tables=kernel_tables, rows={"accesses": _accesses}
    ),
    "GpuDevice": View(
        answer=lambda found: found.title,
        tables=lambda found: [gpu_facts(found.rows(), short=True)],
        rows={"parameters": GpuDevice.rows},
    ),
}
"""Views of predictions and GPUs in Python."""
