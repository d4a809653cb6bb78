"""Predictions as tables and as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logca.common.tables import Part, Sheet, amount, count, percent
from logca.gpu.devices.ranking import Candidate
from logca.gpu.nests.dependences import Carried
from logca.gpu.stages.models import MODELS
from logca.gpu.stages.result import AccessReport, KernelPrediction, Prediction
from logca.show.gpu.words import (
    bound_words,
    dependence_words,
    duration,
    launch_words,
    number,
    residence_words,
    shape,
)
from logca.trace.profiling.breakdown import source_reader
from logca.trace.profiling.names import short_names

__all__ = [
    "choice_sheet",
    "prediction_data",
    "prediction_sheets",
    "titled",
]


def prediction_sheets(prediction: Prediction) -> tuple[Sheet, ...]:
    """All but the headline: the kernels and their shares, then each with its accesses.

    Where the hottest loop is left out that comes first.
    """
    sheets, notes = [], prediction.notes
    if prediction.left_out is not None:
        first = (("left out", prediction.left_out.note),)
        sheets.append(Sheet(headings=("", ""), parts=(Part(rows=first),)))
        notes = tuple(note for note in notes if note != prediction.left_out.note)
    if len(prediction.kernels) > 1:
        sheets.append(_kernels(prediction))
    for kernel in prediction.kernels:
        sheets.append(_facts(kernel, prediction))
        if kernel.accesses:
            sheets.append(_accesses(kernel, prediction))
    if any(kernel.accesses for kernel in prediction.kernels):
        sheets.append(_legend(prediction))
    if notes:
        rows = tuple(("note", note) for note in notes)
        sheets.append(Sheet(headings=("", ""), parts=(Part(rows=rows),)))
    return tuple(sheets)


def titled(kernel: KernelPrediction, prediction: Prediction) -> str:
    """Where a kernel is, and in which function."""
    return f"{_names(prediction)[kernel.file]}:{kernel.line or '?'}  {kernel.function}"


def choice_sheet(candidates: Sequence[Candidate]) -> Sheet:
    """Devices, fastest first."""
    rows = tuple(
        (
            str(rank),
            each.name,
            duration(each.time_s),
            "fastest" if rank == 1 else f"{number(each.slowdown)} times as long",
        )
        for rank, each in enumerate(candidates, start=1)
    )
    return Sheet(
        title="Choice of device",
        headings=("", "device", "time", ""),
        parts=(Part(rows=rows),),
        right=frozenset({0, 2}),
    )


def _names(prediction: Prediction) -> dict[str, str]:
    files = [kernel.file for kernel in prediction.kernels]
    return short_names([*files, *(access.file for access in prediction.accesses)])


def _kernels(prediction: Prediction) -> Sheet:
    names = _names(prediction)
    rows = tuple(
        (
            f"{names[kernel.file]}:{kernel.line}",
            kernel.function,
            duration(kernel.time_s),
            percent(kernel.time_s, prediction.time_s),
            count(kernel.launches),
            shape(kernel.layout.extents),
            number(kernel.mwp),
            number(kernel.cwp),
            kernel.timing.bound,
        )
        for kernel in prediction.kernels
    )
    return Sheet(
        headings=(
            *("kernel", "function", "time", "%", "launches", "threads"),
            *("MWP", "CWP", "bound"),
        ),
        parts=(Part(rows=rows),),
        right=frozenset({2, 3, 4, 5, 6, 7}),
        spare=(1,),
        heat=frozenset({3}),
    )


def _facts(kernel: KernelPrediction, prediction: Prediction) -> Sheet:
    share = (
        f", {percent(kernel.time_s, prediction.time_s)} % of all"
        if len(prediction.kernels) > 1
        else ""
    )
    rows = [
        ("time", f"{duration(kernel.time_s)}, {count(round(kernel.cycles))} cycles{share}"),
        ("threads", launch_words(kernel)),
        ("chosen", kernel.reason),
        ("running", residence_words(kernel)),
        (
            "MWP, CWP",
            f"{number(kernel.mwp)}, {number(kernel.cwp)} of N = {kernel.timing.active_warps} "
            "active warps",
        ),
        ("bound by", bound_words(kernel.timing)),
        *(
            (
                "" if place else "order",
                f"{'' if place else 'matters: '}{dependence_words(each, kernel.collapse)}",
            )
            for place, each in enumerate(kernel.dependences)
        ),
        *(("note", note) for note in kernel.notes),
    ]
    return Sheet(
        title=titled(kernel, prediction),
        headings=("", ""),
        parts=(Part(rows=tuple(rows)),),
    )


def _accesses(kernel: KernelPrediction, prediction: Prediction) -> Sheet:
    lines: dict[tuple[str, int], list[AccessReport]] = {}
    for access in kernel.accesses:
        lines.setdefault((access.file, access.line), []).append(access)
    return Sheet(
        headings=(
            *("", "array", "pattern", "%", "stride", "elements"),
            *("L2", "DRAM", "executed"),
        ),
        parts=tuple(_parts(kernel, lines, _names(prediction))),
        right=frozenset({3, 4, 5, 6, 7, 8}),
        spare=(5,),
    )


def _parts(
    kernel: KernelPrediction,
    lines: Mapping[tuple[str, int], Sequence[AccessReport]],
    names: Mapping[str, str],
) -> Iterator[Part]:
    text, last = source_reader(), kernel.file
    for (file, line), accesses in lines.items():
        where = f"{line or '?':>4}  {text(file, line) or '(no source)'}"
        if file != last:
            where = f"{names[file] or 'unknown file'}\n{where}"
        last = file
        yield Part(heading=where, rows=tuple(map(_access, accesses)))


def _access(access: AccessReport) -> tuple[str, ...]:
    whole = access.size and not access.stride % access.size
    return (
        f"      {'store' if access.store else 'load'}",
        access.array or "?",
        "shared" if access.shared else access.pattern,
        "" if access.share == 1 else percent(access.share, 1),
        amount(access.stride) if access.regular else "irregular",
        f"{access.stride // access.size:,}" if whole and access.regular else "",
        number(access.transactions),
        number(access.dram),
        number(access.executions),
    )


def _legend(prediction: Prediction) -> Sheet:
    model = MODELS.get(prediction.model)
    counted, executed = "counted from addresses", "times by a thread in a launch"
    if model is not None and model.transactions == "rule":
        counted += f"; model {model.name} takes those that its rule gives for a pattern"
    if model is not None and model.innermost_only:
        executed += f"; model {model.name} looks at innermost loops only"
    note = (
        "stride: from a thread to the next along x, in bytes and in elements; L2, DRAM: "
        "transactions of a warp instruction with the L2 cache, and those of them that go on to "
        f"main memory ({counted}); executed: {executed}"
    )
    if not all(access.regular for access in prediction.accesses):
        note += "; irregular: no stride that half of the warp instructions have"
    if any(access.shared for access in prediction.accesses):
        note += "; L2 of shared memory: how often a bank must deliver, the ways of its conflict"
    return Sheet(headings=("", ""), parts=(), notes=(note,))


def prediction_data(prediction: Prediction, ranking: Sequence[Candidate] = ()) -> dict[str, Any]:
    """All that is known, for JSON, under the names that it has in Python."""
    whole = ("device", "model", "time_s", "cycles", "mwp", "cwp", "batches")
    data: dict[str, Any] = {name: getattr(prediction, name) for name in whole}
    data["trace_size"] = prediction.trace_size
    data["work_size"] = prediction.work_size
    data["kernels"] = [_kernel(kernel) for kernel in prediction.kernels]
    data["notes"] = prediction.notes
    data["left_out"] = prediction.left_out
    if ranking:
        data["ranking"] = ranking
    return data


def _kernel(kernel: KernelPrediction) -> dict[str, Any]:
    names = ("function", "file", "line", "collapse", "reason", "launches")
    numbers = ("time_s", "cycles", "mwp", "cwp", "batches")
    grid = kernel.layout
    return {
        **{name: getattr(kernel, name) for name in (*names, *numbers)},
        "layout": {
            "extents": grid.extents,
            "threads": grid.threads,
            "block": grid.block,
            "grid": grid.grid,
            "blocks": grid.blocks,
        },
        "occupancy": kernel.occupancy,
        "timing": kernel.timing,
        "accesses": kernel.accesses,
        "dependences": [_dependence(each) for each in kernel.dependences],
        "notes": kernel.notes,
    }


def _dependence(found: Carried) -> dict[str, Any]:
    source, sink = (
        {
            "file": access.file,
            "line": access.line,
            "column": access.column,
            "array": access.array,
            "store": access.store,
            "iterations": iterations,
        }
        for access, iterations in zip((found.source, found.sink), found.iterations, strict=True)
    )
    return {"kind": found.kind, "count": found.count, "source": source, "sink": sink}
