"""`logca decide`: whether to offload a size, how surely, and what would have to change."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.output import show, show_json

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator
    from logca.numeric.fit.fit import Fit

__all__ = ["decide"]

_RECORD = ".json"

_DESCRIPTION = """Decide whether to offload sizes: does it pay, how surely, what is the bottleneck?

For a fit, the file that `logca fit -o` wrote, every answer comes with its confidence interval. It
is "cannot be told" if the size is inside the interval of a break-even, or if there may be no
break-even. For a device, or parameters of your own, the break-even is known exactly.

**Hysteresis**: without a state the most likely break-even decides. A caller that offloads now
(--offloading) keeps offloading until the size is outside the interval; one that does not
(--not-offloading) starts only beyond it. `logca codegen --fit` generates code that decides in the
same way.

**Examples**

    logca decide fit.json 64KiB

    logca decide fit.json 4KiB 64KiB 1MiB --not-offloading

    logca decide ultrasparc-t2 4KiB --kernel aes

    logca decide 1MiB --o 20000 --L 2.5 --C 90 --A 12 --latency linear --json
"""


@with_accelerator
def decide(
    what: Annotated[
        list[str],
        typer.Argument(
            help="A fit or a device, and sizes such as 64KiB.",
            metavar="[FIT.json|DEVICE] SIZE...",
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
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    *,
    accelerator: Chosen,
) -> None:
    """Decide about sizes; the text shown is in _DESCRIPTION."""
    from logca.common.sizes import parse_size

    named, sizes = _divided(what)
    if not sizes:
        raise UsageFailure(f"name a size after {named}, such as 64KiB")
    wanted = [parse_size(size) for size in sizes]
    basis, source = _basis(named, accelerator)
    from logca.numeric.fit.decide import decide as decided
    from logca.show.decide import decision_data, decision_facts, decision_table

    found = [decided(basis, size, offloading=offloading) for size in wanted]
    if as_json:
        show_json(decision_data(found, source))
    elif len(found) == 1:
        show(decision_facts(found[0]))
    else:
        show(decision_table(found))


decide.__doc__ = _DESCRIPTION


def _divided(what: list[str]) -> tuple[str | None, list[str]]:
    """Name before the sizes, None without one, and the sizes."""
    if not _is_fit(what[0]) and (what[0][:1].isdigit() or what[0][:1] in "+-."):
        return None, what
    return what[0], what[1:]


def _is_fit(named: str) -> bool:
    return named.lower().endswith(_RECORD) or Path(named).is_file()


def _basis(named: str | None, asked: Chosen) -> "tuple[Fit | Accelerator, str]":
    if named is not None and _is_fit(named):
        if asked.is_anything() or asked.kernel or asked.latency:
            raise UsageFailure(
                f"{named} is a fit, which has parameters of its own: leave out the options of "
                "devices and parameters"
            )
        from logca.numeric.fit.fit import Fit

        return Fit.load(named), named
    if named is not None:
        if asked.device is not None:
            raise UsageFailure(f"two devices, {named} and {asked.device}; name one")
        asked = replace(asked, device=named)
    found = asked.accelerator()
    return found, found.name
