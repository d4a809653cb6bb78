"""`logca explain`: in plain words, what an accelerator does at one size."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.ranges import GRANULARITY
from logca.cli.terminal.errors import UsageFailure, too_much
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_json

if TYPE_CHECKING:
    from logca.numeric.fit.decide import Decision
    from logca.show.extensions import Extension

__all__ = ["explain"]

_PARTS = 4
_also = partial(typer.Option, rich_help_panel="Explain also", show_default=False)


@with_accelerator
def explain(
    sizes: Annotated[
        list[str],
        typer.Argument(
            help=f"{GRANULARITY} Or columns of a shape, such as m=512 n=64.",
            metavar="SIZE",
            show_default=False,
        ),
    ],
    in_flight: Annotated[
        int | None,
        _also(help="Requests in flight; tells of a stream of them.", min=1),
    ] = None,
    batch: Annotated[int | None, _also(help="Of so many items in one offload.")] = None,
    fraction: Annotated[
        float | None,
        _also(help="Of an application with this fraction of its host time in the kernel."),
    ] = None,
    power: Annotated[
        str | None,
        _also(
            help="Of energy: powers while the host computes, during overhead and latency, and "
            "while the accelerator computes [W], such as 90,90,60,150.",
            metavar="W,W,W,W",
        ),
    ] = None,
    within: Annotated[
        float | None, _also(help="If o, L, C and A are known within this factor.")
    ] = None,
    as_json: OutputOption.as_json = False,
    *,
    accelerator: Chosen,
) -> None:
    """Explain whether offloading a size pays, why, and what would have to change.

    **Examples**

        logca explain 4KiB --device ultrasparc-t2 --kernel aes

        logca explain 64B --device ultrasparc-t2 --kernel aes --L 0

        logca explain 1MiB --o 20000 --L 2.5 --C 90 --A 12 --latency linear

        logca explain 1MiB --o 10us --L 1.5ns/B --C "90 cycles/B" --A 12 --clock 2.5GHz

        logca explain 64KiB --fit fit.json     with intervals; `logca fit -o fit.json` writes one

        logca explain 64KiB --fit fit.json --A 20     what if

        logca explain 345 --device ultrasparc-t2 --kernel aes --in-flight 8     a stream of them

        logca explain 4KiB --device ultrasparc-t2 --kernel aes --power 90,90,60,150     energy

        logca explain m=512 n=64 k=512 --fit gemm.json     a shape, of a fit of two variables
    """
    from logca.cli.options.shapes import explain_shape, fit_of_shapes, is_shape

    asked: dict[str, Any] = {"batch": batch, "fraction": fraction, "power": power, "within": within}
    if is_shape(sizes) or fit_of_shapes(accelerator) is not None:
        for option, value in {"in-flight": in_flight, **asked}.items():
            if value is not None:
                raise UsageFailure(f"--{option} goes with a size, not with a shape")
        explain_shape(accelerator, sizes, as_json=as_json)
        return
    if len(sizes) > 1:
        raise UsageFailure(too_much(sizes[1], "explain", (), "`logca explain --help` "))
    size = sizes[0]
    from logca.common.json_output import attributes
    from logca.common.sizes import format_size
    from logca.numeric.fit.decide import decide
    from logca.numeric.fit.hysteresis_thresholds import is_one_curve
    from logca.show.decide import explanation, explanation_data

    found = decide(accelerator.basis(), size)
    asked["power"] = _powers(power)
    beside = [*_beside(found, {name: each for name, each in asked.items() if each is not None})]
    more = [each.text for each in beside]
    if beside and not is_one_curve(found.basis):
        at = format_size(found.size)
        more.append(f"Note: these are by the curve's parameters at {at}, and of that size alone.")
    asked_data = {each.name: each.data for each in beside}
    if in_flight is not None:
        from logca.numeric.streams.decide import decide_in_flight

        stream = decide_in_flight(found.basis, found.size, in_flight)
        more += [stream.answer(), *(f"Note: {note}." for note in stream.notes)]
        asked_data["in_flight"] = attributes(stream, "in_flight certainty speedup speedup_interval")
    if as_json:
        data = explanation_data(found, accelerator.name(), accelerator.form_taken()) | asked_data
        data["text"] = "\n".join((data["text"], *more))
        show_json(data)
    else:
        show(*explanation(found, accelerator.name(), accelerator.form_taken()), *more)


def _powers(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        found = tuple(float(each) for each in text.split(",")) if text.isascii() else ()
    except ValueError:
        found = ()
    if len(found) != _PARTS or not all(0 < each < inf for each in found):
        raise UsageFailure(f"--power {text}: write four powers in watts, such as 90,90,60,150")
    return found


def _beside(found: "Decision", asked: dict[str, Any]) -> "Iterator[Extension]":
    """Answers to the options for batches, applications, energy and uncertain parameters."""
    if not asked:
        return
    if found.accelerator is None:
        raise UsageFailure(
            f"--{next(iter(asked))} is for an accelerator, and here A is one or less"
        )
    from logca.numeric.fit.hysteresis_thresholds import is_one_curve
    from logca.show.extensions import extensions

    anywhere = is_one_curve(found.basis)
    yield from extensions(found.accelerator, found.size, anywhere=anywhere, **asked)
