"""Predictions as tables."""

from collections.abc import Iterator, Mapping, Sequence

from logca.gpu.choice import Candidate
from logca.gpu.models import MODELS
from logca.gpu.result import AccessReport, KernelPrediction, Prediction
from logca.gpu_words import (
    bound_words,
    dependence_words,
    duration,
    launch_words,
    number,
    residence_words,
    shape,
)
from logca.trace.annotation import source_reader
from logca.trace.sheets import Part, Sheet, amount, count, percent
from logca.trace.wording import short_names

__all__ = ["choice_sheet", "prediction_sheets", "titled"]


def prediction_sheets(prediction: Prediction) -> tuple[Sheet, ...]:
    """All but the headline: the kernels and their shares, then each with its accesses.

    Where the hottest loop is left out that comes first.

    Parameters
    ----------
    prediction : Prediction
        The prediction.
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
    """Where a kernel is, and in which function [text].

    Parameters
    ----------
    kernel : KernelPrediction
        The kernel.
    prediction : Prediction
        The prediction that it belongs to.
    """
    return f"{_names(prediction)[kernel.file]}:{kernel.line or '?'}  {kernel.function}"


def choice_sheet(candidates: Sequence[Candidate]) -> Sheet:
    """Devices, fastest first.

    Parameters
    ----------
    candidates : sequence of Candidate
        The devices with their times.
    """
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
