"""`logca measure`: time the host and the accelerated path over sizes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.options.ranges import ends, pairs
from logca.cli.terminal.errors import INTERRUPTED, UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable
from logca.cli.terminal.output import progress, say, show_answer, show_json, show_tables
from logca.cli.timings.in_flight import kept_in

if TYPE_CHECKING:
    from logca.numeric.measure.experiment import Experiment
    from logca.numeric.measure.measure import Measured
    from logca.numeric.measure.sizes_and_precision import Plan

__all__ = [
    "Asked",
    "machine_told",
    "measure",
    "measured_into",
    "open_asked",
    "opened",
    "sizes_of",
    "telling",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Request to measure: an experiment, or two commands."""

    name: str | None  # name of an experiment
    # host, accelerated: commands
    host: str | None
    accelerated: str | None
    options: tuple[str, ...]  # options of the experiment, as NAME=VALUE


def sizes_of(text: str) -> tuple[int, int]:
    """Least and largest size of a text such as 1KiB:64MiB [B].

    Examples
    --------
    >>> sizes_of("1KiB:64KiB")
    (1024, 65536)
    """
    from logca.numeric.measure.measure import sizes_between

    low, high = ends(text)
    if low is None or high is None:
        raise UsageFailure(f"--sizes {text!r}: write both ends, such as 1KiB:64MiB")
    return sizes_between(low, high)


@contextmanager
def opened(asked: Asked, sizes: tuple[int, int] | None, budget: float) -> Iterator["Experiment"]:
    """The experiment that is asked for, until it is closed."""
    found = open_asked(asked, sizes, budget)
    try:
        yield found
    finally:
        found.close()


def open_asked(asked: Asked, sizes: tuple[int, int] | None, budget: float) -> "Experiment":
    """The experiment that is asked for; who opens it closes it."""
    name, host, accelerated = asked.name, asked.host, asked.accelerated
    if name is not None and (host or accelerated):
        raise UsageFailure(f"either the experiment {name!r}, or --host and --accelerated")
    if name is not None:
        from logca.numeric.measure.known_experiments import open_experiment

        return open_experiment(name, pairs("--set", asked.options))
    if host and accelerated:
        from logca.numeric.measure.commands import commands_experiment

        if sizes is None:
            raise UsageFailure("commands need --sizes FROM:TO, such as 1KiB:64MiB")
        if asked.options:
            raise UsageFailure("--set is for experiments; write options into the commands")
        return commands_experiment(host, accelerated, sizes, budget)
    raise UsageFailure(
        "give an experiment (`logca measure --list` names them), or both --host and --accelerated"
    )


_SAMPLES = (".jsonl",)
_input = partial(typer.Option, rich_help_panel="What is measured")
_precise = partial(typer.Option, rich_help_panel="Precision")


def measure(
    experiment: Annotated[
        str | None,
        typer.Argument(
            help="Name of an experiment, or MODULE:FUNCTION that opens one.", show_default=False
        ),
    ] = None,
    host: Annotated[
        str | None, _input(help="Command of the host, with {bytes}.", metavar="COMMAND")
    ] = None,
    accelerated: Annotated[
        str | None, _input(help="Command of the accelerated path, with {bytes}.", metavar="COMMAND")
    ] = None,
    sizes: Annotated[
        str | None,
        _input(
            help="Smallest and largest size, such as 1KiB:64MiB.",
            metavar="FROM:TO",
            show_default="the experiment's",
        ),
    ] = None,
    options: Annotated[
        list[str] | None,
        _input(
            "--set",
            help="Set an option of the experiment, such as mode=ctr; may be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    listing: Annotated[bool, _input("--list", help="List the experiments.")] = False,
    budget: Annotated[
        float, _precise(help="Time that all runs together may take [s].", metavar="SECONDS")
    ] = 60.0,
    precision: Annotated[
        float,
        _precise(
            help="Half the width of a median's interval over the median, near the break-even."
        ),
    ] = 0.02,
    points: Annotated[int, _precise(help="Sizes of the first pass.")] = 13,
    warm_up: Annotated[
        int, _precise(help="Calls before the first one that counts, at each size.")
    ] = 1,
    pin: Annotated[
        bool | None,
        _precise(
            "--pin/--no-pin",
            help="Keep the process on one core.",
            show_default="as the experiment says",
        ),
    ] = None,
    in_flight: Annotated[
        str | None,
        _input(
            help="Requests in flight; such as 1,2,8: each path is asked again before it answers.",
            metavar="N,...",
            show_default="one at a time",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        OutputOption.to(*_SAMPLES, what="File to write, or to resume"),
    ] = None,
    other_machine: Annotated[
        bool, OutputOption.option("--other-machine", help="Resume a file from another machine.")
    ] = False,
    as_json: OutputOption.as_json = False,
) -> None:
    """Time the host and the accelerated path over sizes, interleaved, for `logca fit`.

    Give two commands, the name of an experiment (--list), or a function that opens one. Sizes are
    spread evenly in logarithms, then finer around the break-even, and repeated until the medians
    there are precise enough or the budget is spent. Every time is written to the file at once:
    interrupted or killed, the same command resumes.

    **Examples**

        logca measure --list

        logca measure aes -o aes.jsonl

        logca measure --host './sort-cpu {bytes}' --accelerated './sort-gpu {bytes}'
        --sizes 1KiB:64MiB -o sort.jsonl

        logca measure aes --set mode=ctr --budget 20 -o aes-ctr.jsonl

        logca measure bench:open_mine -o mine.jsonl       a function in bench.py

        logca measure aes-pipe --in-flight 1,2,4 -o aes-pipe.jsonl    several requests at a time

        logca fit aes.jsonl                               what the times say

    **Commands** run without a shell, {bytes} replaced by the size; their time is from start to end.
    Where one fails, that size is left out and tried again the next time.

    **Pinning to one core** (--pin): each experiment chooses whether to; commands are not pinned
    unless asked, as they may use threads.

    **Exit codes**: 0 done, 2 bad input, such as a command that fails at every size, or a file of
    another measurement, 130 interrupted.
    """
    if listing:
        _list(as_json)
        return
    if experiment is None and not (host or accelerated):
        raise UsageFailure(
            "name an experiment (`logca measure --list` has all), or give both --host and "
            "--accelerated"
        )
    if output is None:
        raise UsageFailure("name a file for the times, such as --output samples.jsonl")
    check_writable(output, _SAMPLES, force=True)
    from logca.numeric.measure.sizes_and_precision import Plan

    plan = Plan(budget=budget, precision=precision, points=points, warm_up=warm_up)
    between = None if sizes is None else sizes_of(sizes)
    asked = Asked(name=experiment, host=host, accelerated=accelerated, options=tuple(options or ()))
    if in_flight is not None:
        if pin:
            raise UsageFailure("--pin keeps all requests on one core; leave it out")
        from logca.cli.timings.in_flight import measured_in_flight, numbers_of, show_in_flight

        numbers = numbers_of(in_flight)
        flown = measured_in_flight(
            partial(open_asked, asked, between, budget),
            telling,
            output,
            numbers,
            plan=plan,
            sizes=between,
            other_machine=other_machine,
            machine=machine_told()[1],
        )
        show_in_flight(flown, output, as_json)
        return
    with opened(asked, between, budget) as found:
        told, machine = machine_told()
        measured = measured_into(found, output, plan, between, pin, other_machine, machine)
    _show(measured, output, plan, as_json, told)


def machine_told() -> tuple[tuple[str, ...], dict[str, Any]]:
    """Notes on what may disturb here, told at once, and all that is known of the machine."""
    from logca.numeric.timings.machine import machine_facts, machine_notes

    facts = machine_facts()
    notes = machine_notes(facts)
    for note in notes:
        say(f"note: {note}", err=True)
    return notes, facts


def measured_into(
    experiment: "Experiment",
    output: Path,
    plan: "Plan",
    sizes: tuple[int, int] | None,
    pin: bool | None,
    other_machine: bool,
    machine: dict[str, Any],
    *,
    kept: bool = True,
) -> "Measured":
    """Samples of an experiment in a file; interrupted, it says how to resume, and ends."""
    from logca.numeric.measure.measure import measure_experiment

    try:
        with telling() as tell:
            return measure_experiment(
                experiment,
                output,
                plan,
                sizes=sizes,
                pin=pin,
                other_machine=other_machine,
                machine=machine,
                tell=tell,
            )
    except KeyboardInterrupt:
        told = kept_in(output) if kept else "with -o FILE it can be resumed"
        say(f"interrupted: {told}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def telling() -> Iterator[Callable[[float, str], None]]:
    """Tells how many percent of the budget are spent."""
    told = 0
    with progress(100, "% of the budget") as step:

        def tell(share: float, what: str) -> None:
            nonlocal told
            while told < min(100, int(100 * share)):
                step(what)
                told += 1

        yield tell


def _show(
    found: "Measured", output: Path, plan: "Plan", as_json: bool, told: Sequence[str]
) -> None:
    from logca.numeric.timings.crossing import crossing_of
    from logca.numeric.timings.sample_file import notes_of
    from logca.show.measure import measured_data, measured_table

    notes = list(notes_of(found.recorded))
    if found.ended.coarse:
        notes.append(
            f"the budget of {plan.budget:g} s is spent before medians are known to "
            f"±{plan.precision:.2g} ({plan.far_precision:.2g} far from the break-even) at "
            f"{len(found.ended.coarse)} of {len(found.rows)} sizes; a larger --budget goes on"
        )
    rows = found.rows
    crossing = crossing_of(rows)
    if as_json:
        show_json(measured_data(found, crossing, notes))
        return
    header = found.recorded.header
    show_answer(f"{header.title}: {crossing}.")
    show_tables([measured_table(rows)])
    for note in notes:
        if note not in told:
            say(f"note: {note}", err=True)
    times = f"{len(found.recorded.samples):,} times"
    new = f"{found.ended.taken:,} of them new" if found.ended.taken else "nothing left to measure"
    say(f"{output}: {times}, {new}; next: logca fit {output}", err=True)


def _list(as_json: bool) -> None:
    from logca.numeric.measure.known_experiments import known_experiments
    from logca.show.measure import experiments_table

    known = known_experiments()
    if as_json:
        show_json(known)
        return
    show_tables([experiments_table(known)])
