"""`logca tune`: measure a program with a knob forced both ways, and say what to set it to."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write
from logca.cli.terminal.output import say, show_answer, show_json, show_tables
from logca.cli.timings.measure import machine_told, measured_into, sizes_of

__all__ = ["tune"]

_LANGUAGES = {
    ".h": "c", ".hpp": "cpp", ".cuh": "cuda", ".rs": "rust", ".js": "javascript", ".py": "python"
}  # fmt: skip
_NOTHING = 1
_input = partial(typer.Option, rich_help_panel="What is measured", show_default=False)
_precise = partial(typer.Option, rich_help_panel="Precision")


def tune(
    command: Annotated[
        str,
        _input(
            help="Command of the program, with {bytes}; {knob} is an option's value.",
            metavar="COMMAND",
        ),
    ],
    knob: Annotated[
        str,
        _input(
            help="Name: a variable of the environment, or what {knob} is in the command or build.",
            metavar="NAME",
        ),
    ],
    on: Annotated[str, _input(help="Value with which it offloads at every size.", metavar="VALUE")],
    off: Annotated[str, _input(help="Value with which it offloads at none.", metavar="VALUE")],
    sizes: Annotated[
        str, _input(help="Smallest and largest size, such as 1KiB:64MiB.", metavar="FROM:TO")
    ],
    build: Annotated[
        str | None,
        _input(
            help="Command that builds the program for a value of the constant, with {knob}.",
            metavar="COMMAND",
        ),
    ] = None,
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
    output: Annotated[
        Path | None, OutputOption.to(".jsonl", what="File for the times, or to resume")
    ] = None,
    write_code: Annotated[
        Path | None,
        OutputOption.to(
            *_LANGUAGES, what="Source file to write, as `logca codegen` does", name="--write-code"
        ),
    ] = None,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
) -> None:
    """Tune a knob: measure a program with it forced both ways, fit, and print the setting.

    A knob is a threshold of a program, or a switch. Both values are run interleaved over the sizes,
    as by `logca measure`. If all sizes lie between the two values the knob is a threshold in bytes,
    and one value is printed; else it is a switch, and each value with its sizes.

    **Examples**

        logca tune --command './serve {bytes}' --knob MIN_BYTES --on 0 --off 1000000000
        --sizes 1KiB:64MiB

        logca tune --command './serve {bytes} --min-bytes {knob}' --knob=--min-bytes --on 0
        --off 1000000000 --sizes 1KiB:64MiB

        logca tune --build 'cc -O2 -DLIMIT={knob} -o copy-{knob} copy.c'
        --command './copy-{knob} {bytes}' --knob LIMIT --on 1 --off 1000000000
        --sizes 1KiB:64MiB

    **The knob** is an option if the command has {knob} for its value, a constant of the source if
    there is a --build, and else a variable of the environment.

    **Exit codes**: 0 done, 1 the knob changes nothing that can be measured, 2 bad input, such as a
    command that fails at every size, 130 interrupted.
    """
    from rich.text import Text

    from logca.numeric.audit.knob import knob_experiment, knob_of, setting
    from logca.numeric.generate.offload.source import source
    from logca.numeric.measure.sizes_and_precision import Plan
    from logca.numeric.timings.reading import read
    from logca.numeric.timings.timings import TimingsError, compared_timings
    from logca.show.measure import measured_table
    from logca.show.tune import setting_data

    between = sizes_of(sizes)
    asked = knob_of(knob, on, off, command, build)
    plan = Plan(budget=budget, precision=precision, points=points)
    if output is not None:
        check_writable(output, (".jsonl",), force=True)
    if write_code is not None:
        check_writable(write_code, tuple(_LANGUAGES), force=force)
    with TemporaryDirectory() as folder:
        samples = output or Path(folder) / "samples.jsonl"
        experiment = knob_experiment(asked, between, budget)
        _, machine = machine_told()
        kept = output is not None
        measured_into(experiment, samples, plan, between, None, False, machine, kept=kept)
        try:
            reading = read(samples)
        except TimingsError as error:
            raise UsageFailure(str(error).removeprefix(f"{samples}: ")) from None
    for note in reading.notes:
        say(f"note: {note}", err=True)
    found = setting(asked, reading.timings, reading.provenance)
    if as_json:
        show_json(setting_data(found))
    else:
        show_answer(found.answer(), *(Text(f"    {line}") for line in found.lines), "")
        show_tables([measured_table(compared_timings(found.timings))])
    for note in () if as_json else found.notes:
        say(f"note: {note}", err=True)
    if found.basis is None:
        raise typer.Exit(_NOTHING)
    if write_code is not None:
        text = source(_LANGUAGES[write_code.suffix.lower()], found.basis)
        write(write_code, text.encode(), force=force)
        say(f"{write_code}: {len(text.splitlines())} lines", err=True)
    if output is not None:
        say(f"{output}: the times; next: logca fit {output}", err=True)
