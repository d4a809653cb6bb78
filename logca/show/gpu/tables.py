"""Predictions as tables."""

import re
from collections.abc import Iterator, Mapping, Sequence

from logca.common.readable_numbers import count, duration, number_text, percent
from logca.common.sizes import amount
from logca.common.tables import Column, Section, Table
from logca.gpu.devices.ranking import RankedDevice
from logca.gpu.prediction.result import AccessReport, KernelPrediction, Prediction
from logca.gpu.stages.models import MODELS
from logca.show.gpu.words import (
    bandwidth_words,
    bound_words,
    combining_words,
    copies_words,
    dependence_words,
    file_names,
    interval_words,
    launch_words,
    residence_words,
    shape,
    unit_words,
)
from logca.trace.profiling.loops_and_lines import source_reader

__all__ = [
    "choice_table",
    "kernel_table",
    "kernel_tables",
    "kernel_title",
    "prediction_tables",
]


def prediction_tables(prediction: Prediction) -> tuple[Table, ...]:
    """All but the headline: what is left out, the kernels, then each with its accesses."""
    tables = []
    if prediction.left_out:
        tables.append(Table.facts(("left out", part.note) for part in prediction.left_out))
    if len(prediction.kernels) > 1:
        tables.append(kernel_table(prediction))
    for kernel in prediction.kernels:
        tables.append(_facts(kernel, prediction))
        if kernel.accesses:
            tables.append(_accesses(kernel, prediction))
    if any(kernel.accesses for kernel in prediction.kernels):
        tables.append(_legend(prediction))
    if prediction.copies is not None:
        tables.append(Table.facts([("copies", copies_words(prediction.copies))]))
    if prediction.notes:
        tables.append(Table.facts(("note", note) for note in prediction.notes))
    return tuple(tables)


def kernel_tables(kernel: KernelPrediction) -> tuple[Table, ...]:
    """A kernel by itself, with its accesses."""
    alone = Prediction(
        device="",
        model="",
        kernels=(kernel,),
        trace_size={},
        work_size={},
        notes=(),
        share=1.0,
        counted=1.0,
        left_out=(),
    )
    return (_facts(kernel, alone), *([_accesses(kernel, alone)] if kernel.accesses else ()))


def kernel_title(kernel: KernelPrediction, prediction: Prediction) -> str:
    """Where a kernel is, and in which function."""
    return f"{file_names(prediction)[kernel.file]}:{kernel.line or '?'}  {called(kernel)}"


_CALL = re.compile(r":(\d+(?::\d+)?)$")
"""Line, and perhaps column, of a call."""


def called(kernel: KernelPrediction) -> str:
    """The function of a kernel, with the lines of the calls if several lead to its loop."""
    lines = ", ".join(_CALL.findall(call)[0] for call in kernel.calls)
    return f"{kernel.function}, called at {lines}" if lines else kernel.function


def choice_table(candidates: Sequence[RankedDevice]) -> Table:
    """Devices, fastest first."""
    rows = (
        (
            str(rank),
            each.name,
            duration(each.time_s),
            "fastest" if rank == 1 else f"{number_text(each.slowdown)} times as long",
        )
        for rank, each in enumerate(candidates, start=1)
    )
    columns = (Column.number(""), Column("device"), Column.number("time"), Column())
    return Table.by_rows(columns, rows, title="Choice of device")


def kernel_table(prediction: Prediction) -> Table:
    """The kernels, one row each."""
    names = file_names(prediction)
    rows = (
        (
            f"{names[kernel.file]}:{kernel.line}",
            called(kernel),
            f"{'≥ ' if kernel.understated else ''}{duration(kernel.time_s)}",
            percent(kernel.time_s, prediction.time_s),
            count(kernel.launches),
            shape(kernel.layout.shape[: len(kernel.layout.extents)]),
            *_parallelism(kernel),
            kernel.bound,
        )
        for kernel in prediction.kernels
    )
    parallelism = ("MWP", "CWP") if prediction.longest.timing is not None else ()
    return Table.by_rows(
        (
            *("kernel", Column("function", spare=1), Column.number("time")),
            Column.number("%", heat=True),
            *map(Column.number, ("launches", "threads", *parallelism)),
            "bound",
        ),
        rows,
    )


def _parallelism(kernel: KernelPrediction) -> tuple[str, ...]:
    """MWP and CWP; none by model bounds."""
    return tuple(number_text(each) for each in (kernel.mwp, kernel.cwp) if each is not None)


def _facts(kernel: KernelPrediction, prediction: Prediction) -> Table:
    share = (
        f", {percent(kernel.time_s, prediction.time_s)} % of all"
        if len(prediction.kernels) > 1
        else ""
    )
    least = "at least " if kernel.understated else ""
    rows = [
        (
            "time",
            f"{least}{interval_words(kernel.time_s, kernel.interval_s)}, "
            f"{count(round(kernel.cycles))} cycles{share}",
        ),
        ("threads", launch_words(kernel)),
        ("chosen", kernel.reason),
        ("running", residence_words(kernel)),
        *(
            [
                (
                    "MWP, CWP",
                    f"{', '.join(_parallelism(kernel))} of N = {kernel.timing.active_warps} active "
                    "warps",
                )
            ]
            if kernel.timing is not None
            else []
        ),
        ("bound by", bound_words(kernel)),
        *(("bounds", told) for told in unit_words(kernel)),
        ("bandwidth", bandwidth_words(kernel)),
        *(("combining", told) for told in combining_words(kernel)),
        *(("against", f"its iterations carry {what}") for what in kernel.against),
        *(
            (
                "" if place else "order",
                f"{'' if place else 'matters: '}{dependence_words(each, kernel.collapse)}",
            )
            for place, each in enumerate(kernel.dependences)
        ),
        *(("note", note) for note in kernel.notes),
    ]
    return Table.facts(rows, title=kernel_title(kernel, prediction))


def _accesses(kernel: KernelPrediction, prediction: Prediction) -> Table:
    lines: dict[tuple[str, int], list[AccessReport]] = {}
    for access in kernel.accesses:
        lines.setdefault((access.file, access.line), []).append(access)
    return Table(
        columns=(
            *(Column(), Column("array"), Column("pattern"), Column.number("%")),
            *(Column.number("stride"), Column.number("elements", spare=1)),
            *map(
                Column.number,
                ("L2", "DRAM", "executed")
                if kernel.bounds is None
                else ("sectors", "missed", "executed"),
            ),
        ),
        sections=tuple(_sections(kernel, lines, file_names(prediction))),
    )


def _sections(
    kernel: KernelPrediction,
    lines: Mapping[tuple[str, int], Sequence[AccessReport]],
    names: Mapping[str, str],
) -> Iterator[Section]:
    text, last = source_reader(kernel.compiled_files), kernel.file
    for (file, line), accesses in lines.items():
        heading = (names[file] or "unknown file") if file != last else ""
        last = file
        rows = tuple(map(_access, accesses))
        yield Section(heading=heading, line=(line, text(file, line)), rows=rows)


def _access(access: AccessReport) -> tuple[str, ...]:
    whole = access.size and not access.stride % access.size
    return (
        f"      {'store' if access.store else 'load'}",
        access.array or "?",
        "shared" if access.shared else access.pattern,
        "" if access.share == 1 else percent(access.share, 1),
        amount(access.stride) if access.regular else "irregular",
        f"{access.stride // access.size:,}" if whole and access.regular else "",
        number_text(access.transactions),
        number_text(access.dram),
        number_text(access.executions),
    )


_SECTORS = (
    "stride: from a thread to the next along x, in bytes and in elements; sectors: of 32 B that a "
    "warp instruction touches, of shared memory how often a bank must deliver; missed: those of "
    "them that L1 has not; executed: times by a thread in a launch"
)


def _legend(prediction: Prediction) -> Table:
    model = MODELS.get(prediction.model)
    counted, executed = "counted from addresses", "times by a thread in a launch"
    if model is not None and model.transactions == "rule":
        counted += f"; model {model.name} takes those that its rule gives for a pattern"
    if model is not None and model.innermost_only:
        executed += f"; model {model.name} looks at innermost loops only"
    if model is not None and model.bounds:
        return Table(columns=(), sections=(), notes=(_SECTORS,))
    note = (
        "stride: from a thread to the next along x, in bytes and in elements; L2, DRAM: "
        "transactions of a warp instruction with the L2 cache, and those of them that go on to "
        f"main memory ({counted}); executed: {executed}"
    )
    if not all(access.regular for access in prediction.accesses):
        note += "; irregular: no stride that half of the warp instructions have"
    if any(access.shared for access in prediction.accesses):
        note += "; L2 of shared memory: how often a bank must deliver, the ways of its conflict"
    return Table(columns=(), sections=(), notes=(note,))
