"""`logca decide`: whether to offload a size, how surely, and what would have to change."""

from typing import Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.ranges import GRANULARITY
from logca.cli.options.uncertain import Uncertainty, answer_uncertain
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_answer, show_json

__all__ = ["decide"]

_UNITS = ("B", "kB", "MB", "GB", "KiB", "MiB", "GiB")


@with_accelerator
def decide(
    sizes: Annotated[
        list[str],
        typer.Argument(
            help=f"{GRANULARITY} Or columns of a shape, such as m=512 n=64.",
            metavar="SIZE...",
            show_default=False,
        ),
    ],
    offloading: Annotated[
        bool | None,
        typer.Option(
            "--offloading/--not-offloading",
            help="What the caller does now.",
            show_default="it has no state",
        ),
    ] = None,
    in_flight: Annotated[
        int | None,
        typer.Option(
            help="Requests in flight; on either path.", min=1, show_default="one at a time"
        ),
    ] = None,
    uncertain: Uncertainty.uncertain = None,
    speedup: Uncertainty.speedup = None,
    picture: Uncertainty.picture = None,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
    *,
    accelerator: Chosen,
) -> None:
    """Decide whether to offload sizes: does it pay, how surely, what is the bottleneck?

    For a fit, every answer comes with its confidence interval. It is "cannot be told" if the size
    is inside the interval of a break-even, or if there may be no break-even. For a device, or
    parameters of your own, the break-even is known exactly.

    **Hysteresis**: without a state the most likely break-even decides. A caller that offloads now
    (--offloading) keeps offloading until the size is outside the interval; one that does not
    (--not-offloading) starts only beyond it. `logca codegen --fit` generates code that decides in
    the same way.

    **Chance**: with --uncertain parameters are distributions, independent of each other, and the
    answer is a probability: that it pays at this size, from which size on it does so with 90 %,
    and that it never does. Closed forms where there are some, else quasi-Monte Carlo with an
    interval.

    **Examples**

        logca decide 64KiB --fit fit.json

        logca decide 4KiB 64KiB 1MiB --fit fit.json --not-offloading

        logca decide 4KiB --device ultrasparc-t2 --kernel aes

        logca decide 4KiB --fit fit.json --in-flight 8     a stream of requests, 8 at a time

        logca decide 1MiB --o 10us --L 1.5ns/B --C 36ns/B --A 12 --json

        logca decide 4KiB --device ultrasparc-t2 --kernel aes --uncertain 'o=30% C=10% A=15:20'

        logca decide 8KiB --fit fit.json --uncertain fit --picture chance.svg

        logca decide m=512 n=64 k=512 --fit gemm.json    a shape, of a fit of two variables
    """  # noqa: D400 (a question, which the help shows)
    from logca.cli.options.shapes import answer_shape, fit_of_shapes, is_shape
    from logca.common.sizes import parse_size

    if uncertain is None:
        for option, given in {"--speedup": speedup, "--picture": picture}.items():
            if given is not None:
                raise UsageFailure(f"{option} goes with --uncertain")
    if is_shape(sizes) or fit_of_shapes(accelerator) is not None:
        if uncertain is not None:
            raise UsageFailure("--uncertain goes with sizes, not with shapes")
        if in_flight is not None:
            raise UsageFailure("--in-flight goes with sizes, not with shapes")
        answer_shape(accelerator, sizes, offloading, as_json=as_json)
        return
    if len(sizes) > 1 and sizes[-1] in _UNITS:
        raise UsageFailure(
            f"{sizes[-1]!r} is no size; write number and unit as one word: {sizes[-2]}{sizes[-1]}"
        )
    for size in sizes:
        _check(size)
    wanted = [parse_size(size) for size in sizes]
    if uncertain is not None:
        if in_flight is not None or offloading is not None:
            raise UsageFailure(
                "--uncertain goes without --in-flight, --offloading and --not-offloading"
            )
        answer_uncertain(
            accelerator,
            wanted,
            uncertain,
            speedup=speedup,
            picture=picture,
            force=force,
            as_json=as_json,
        )
        return
    basis, name, form = accelerator.basis(), accelerator.name(), accelerator.form_taken()
    if in_flight is not None:
        if offloading is not None:
            raise UsageFailure("--offloading and --not-offloading do not go with --in-flight")
        from logca.numeric.streams.decide import decide_in_flight
        from logca.show.in_flight import stream_data, stream_facts

        streams = [decide_in_flight(basis, size, in_flight) for size in wanted]
        if as_json:
            show_json(stream_data(streams, name))
        else:
            show(*(stream_facts(each, name) for each in streams))
        return
    from logca.numeric.fit.decide import decide as decided
    from logca.show.decide import (
        decision_data,
        decision_facts,
        decision_table,
        decisions_answer,
    )

    found = [decided(basis, size, offloading=offloading) for size in wanted]
    if as_json:
        show_json(decision_data(found, name, form))
    elif len(found) == 1:
        show(decision_facts(found[0], name, form))
    else:
        show_answer(decisions_answer(found, name), decision_table(found, form))


def _check(size: str) -> None:
    """Say what to write instead of a fit, timings or a device among the sizes."""
    if size.lower().endswith(".json"):
        raise UsageFailure(f"{size} is no size: name a fit with --fit {size}")
    if size.lower().endswith((".csv", ".jsonl")):
        raise UsageFailure(
            f"{size} is no size: fit the timings with `logca fit {size} -o fit.json`, and name the "
            "fit with --fit fit.json"
        )
    if size[:1].isalpha():
        from logca.common.near_misses import near_misses
        from logca.numeric.paper.devices import devices

        if near := near_misses(size, {entry.device for entry in devices()}):
            raise UsageFailure(f"{size} is no size: name a device with --device {near[0]}")
