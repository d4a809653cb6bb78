"""`logca trace`: what a C program does to memory, line by line."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from logca.cli.options.programs import (
    Compiling,
    Option,
    limits,
    macros,
    note_unused,
    read_input,
    running,
)
from logca.cli.terminal.errors import FAILED_PROGRAM, INTERRUPTED, UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import say, show_answer, show_json, show_tables
from logca.common.visible_text import visible

if TYPE_CHECKING:
    from logca.trace.profiling.report import Profile

__all__ = ["trace"]

_LAST_LINES = 10

TraceStage = StrEnum("TraceStage", "cfg values instructions counts loops lines strides reuse")
"""Stages of a trace that can be printed."""


def trace(
    sources: Option.sources,
    function: Option.function = None,
    region: Annotated[
        Literal["all", "pragma", "auto"], typer.Option(help="Part to analyse.")
    ] = "all",
    stage: Annotated[list[TraceStage] | None, Option.stage] = None,
    output: Annotated[
        Path | None,
        OutputOption.to(".parquet", ".arrow", ".feather"),
    ] = None,
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
    defines: Option.defines = None,
    includes: Option.includes = None,
    flags: Option.flags = None,
    level: Option.level = "as-written",
    compiler: Option.compiler = None,
    arguments: Option.arguments = None,
    stdin: Option.stdin = None,
    time_limit: Option.time_limit = None,
    memory_limit: Option.memory_limit = None,
    record_limit: Option.record_limit = None,
    show_output: Annotated[
        bool,
        typer.Option(
            "--show-output", help="Show what the program prints, before the summary.",
            rich_help_panel="Running",
        ),
    ] = False,
) -> None:  # fmt: skip
    """Compile and run a C program, and say what it does to memory, line by line.

    Lists loops with their iterations; for each memory access its count, its footprint, its stride
    in each loop, and its misses in caches of three sizes. The program must have a main and end by
    itself. It runs with limits on time, memory and processes; it cannot use a network, nor write
    outside a temporary folder. It can read what you can.

    **Examples**

        logca trace gemm.c -D N=128

        logca trace main.c kernel.c -I include --level O1 --function kernel

        logca trace gemm.c --region pragma -o gemm.parquet

        logca trace gemm.c --stage strides --stage reuse

    **Regions** (--region): all; pragma, the loops after `#pragma logca offload`, or a directive of
    OpenMP or OpenACC; auto, the loop nest with most instructions executed.

    **Stages** (--stage): cfg and values (nothing is run), instructions and counts (counts only,
    fast), loops, lines, strides, reuse.

    **Exit codes**: 0 done, 1 the program crashed or met a limit (the record until then is shown), 2
    bad input, such as an error of the compiler, 5 no compiler, or output cannot be written, 130,
    143 and 129 after Ctrl-C, SIGTERM and SIGHUP.
    """
    stages = stage or []
    if as_json and stages:
        raise UsageFailure("--json has all stages; leave out --stage")
    if as_json and show_output:
        raise UsageFailure("--json and --show-output both write to the standard output; choose one")
    from logca.trace.compile.driver import compile_program
    from logca.trace.profiling.profile import profile
    from logca.trace.profiling.region import select
    from logca.trace.profiling.report import report
    from logca.trace.profiling.stage_tables import COUNTED, MEASURED, STATIC, staged

    compiling: Compiling = {
        "defines": macros(defines or []),
        "includes": includes or [],
        "flags": flags or [],
        "level": level,
        "compiler": compiler,
    }
    note_unused(defines or [], sources, includes or [])
    unmeasured = bool(stages) and output is None and not {*stages} & {*MEASURED}
    if unmeasured and region != "auto" and not {*stages} & {*COUNTED}:
        with running() as tell:
            if tell:
                tell("compiling", 0)
            inline = region != "all"
            program = compile_program(sources, inline=inline, **compiling).program
        chosen = select(program, region, function)
        show_tables(table for stage in stages for table in STATIC[stage](program, chosen))
        return
    allowed = limits(time_limit, memory_limit, record_limit)
    try:
        with running() as tell:
            found = profile(
                sources,
                **compiling,
                function=function,
                region=region,
                args=arguments or [],
                stdin=read_input(stdin),
                limits=allowed,
                accesses=not unmeasured,
                output=output,
                force=force,
                tell=tell,
            )
    except KeyboardInterrupt:
        say("interrupted: nothing is written", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if show_output:
        _pass_on(found.run.stdout, sys.stdout)
        _pass_on(found.run.stderr, sys.stderr)
    from logca.show.results import profile_answer

    if as_json:
        from logca.trace.profiling.trace_files import profile_data

        show_json({"answer": profile_answer(found), **profile_data(found)})
    elif stages:
        show_tables(table for stage in stages for table in staged(found, stage))
    else:
        show_answer(profile_answer(found))
        show_tables(report(found))
    _tell_failure(found, show_output)


def _pass_on(printed: bytes, stream: TextIO) -> None:
    """Write what the program printed: as it is, but for what a terminal would obey."""
    if stream.isatty():
        printed = visible(printed.decode(errors="replace")).encode()
    typer.echo(printed, nl=False, file=stream)


def _tell_failure(found: "Profile", shown: bool) -> None:
    """Say what went wrong in the program, with its last words, unless they were shown."""
    run = found.run
    if run.ending == "exit" and not run.status:
        return
    words = b"" if shown else run.stderr.rstrip() or run.stdout.rstrip()
    lines = words.decode(errors="replace").splitlines()[-_LAST_LINES:]
    if lines:
        say("\nlast lines of the program's output:", err=True)
        for line in lines:
            say(f"  {line}", err=True)
    if run.ending == "exit":
        say(f"logca: the program ended with exit status {run.status}", err=True)
        return
    say(f"logca: {run.message}", err=True)
    raise typer.Exit(FAILED_PROGRAM)
