"""`logca explore`: what an accelerator would gain, over its size, speed, link and caches."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from logca.cli.options.explorations import (
    points_found,
    programs_of,
    show_answers,
    stable_ranges,
    sweeps_of,
    tables_of,
    values_of,
)
from logca.cli.options.platform import MachineOption, clock, machine
from logca.cli.options.programs import (
    Option,
    limits,
    macros,
    note_unused,
    only_for_C,
    read_input,
    warn_uncontained,
)
from logca.cli.options.ranges import Shared
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write
from logca.cli.terminal.output import say, show_json, show_tables

if TYPE_CHECKING:
    from logca.common.tables import Table
    from logca.plots.explore import SweepResult

__all__ = ["explore"]

_ALL = "all"
_MOST = 1000

ComparedMethod = StrEnum("ComparedMethod", "greedy optimal clusters frontier")
"""Methods of partitioning that can be compared."""


def explore(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            help="Programs: C files, those of one program joined by commas, or problems.",
            metavar="PROGRAM...",
            show_default=False,
        ),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            help="What to vary: default, design, area, efficiency, latency, link or all; may be "
            "repeated, or joined by commas.",
            metavar="NAME",
            show_default=_ALL,
        ),
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            help="Where to look, for one sweep over numbers: 32,64,100, or 1/8:64 for powers of "
            "two between.",
            metavar="VALUES",
            show_default="those of kenter2010",
        ),
    ] = None,
    method: Annotated[
        list[ComparedMethod] | None,
        MachineOption.method,
    ] = None,
    ranges: Annotated[
        bool,
        typer.Option(help="With sweep latency: in which ranges partitions stay optimal, exactly."),
    ] = True,
    solve_within: MachineOption.solve_within = 60.0,
    links: Annotated[
        bool, typer.Option("--links", help="List the links that come with the package.")
    ] = False,
    platform: MachineOption.platform = "kenter2010",
    changes: MachineOption.changes = None,
    design: MachineOption.design = "SL2+",
    penalty: MachineOption.penalty = False,
    link: MachineOption.link = None,
    clock_GHz: MachineOption.clock_GHz = None,
    output: Annotated[
        Path | None,
        OutputOption.to(
            what="Folder to write: for every sweep a picture and a table (CSV)", metavar="FOLDER"
        ),
    ] = None,
    kind: Annotated[
        Literal["svg", "png", "pdf"], OutputOption.option("--format", help="Kind of the pictures.")
    ] = "svg",
    width: OutputOption.width = "column",
    force: OutputOption.force = False,
    as_json: OutputOption.as_json = False,
    jobs: Shared.jobs = 1,
    defines: Option.defines = None,
    includes: Option.includes = None,
    flags: Option.flags = None,
    level: Option.level = "as-written",
    arguments: Option.arguments = None,
    stdin: Option.stdin = None,
    time_limit: Option.time_limit = None,
    memory_limit: Option.memory_limit = None,
) -> None:
    """Explore how an accelerator should be attached: Figs. 2 to 6 of kenter2010.

    Each argument is a program: a C file, several joined by commas, or a problem in JSON or TOML. It
    is run once for each cache geometry, then partitioned at every point of every sweep, by the
    paper's greedy algorithm and optimally. Also printed: the exact range of the interface's latency
    over which each optimal partition stays optimal.

    **Examples**

        logca explore fft.c sor.c

        logca explore fft.c --sweep area --values 32:4096      powers of two between

        logca explore main.c,kernel.c --sweep latency,link --design SMM+

        logca explore *.c -o figures --format png              pictures and CSV, a file each

        logca explore --links                                  links, with their sources

    **Sweeps** (--sweep): default (Fig. 2), design (Fig. 3), area (Fig. 4), efficiency (Fig. 5),
    latency (Fig. 6), link, or all.

    **Exit codes**: 0 done, 2 bad input, such as an error of the compiler, 5 no compiler or library.
    """
    if links:
        _show_links(clock_GHz, as_json)
        return
    if not sources:
        raise UsageFailure("name a program; `logca explore --help` has examples")
    if not 1 <= jobs <= _MOST:
        raise UsageFailure(f"--jobs {jobs} must be from 1 to {_MOST}")
    names = sweeps_of(sweep or [_ALL])
    methods = tuple(dict.fromkeys(each.value for each in method or [])) or ("greedy", "optimal")
    chosen = machine(platform, changes or [], link, clock_GHz)
    from logca.numeric.partition.exploration.explorer import Explorer
    from logca.numeric.partition.exploration.sweeps import settings_of, steps_of
    from logca.plots.explore import sweep_results

    where = values_of(values, names)
    steps = {
        name: steps_of(
            name,
            chosen,
            design=design,
            penalised=penalty,
            values=where,
            clock_GHz=clock(clock_GHz),
        )
        for name in names
    }
    with_ranges = ranges and "latency" in names and "optimal" in methods
    programs = programs_of(sources)
    files = [path for paths in programs.values() for path in paths]
    if all(path.suffix in (".json", ".toml") for path in files):
        only_for_C({"-D": defines, "-I": includes, "--flag": flags, "--arg": arguments})
    note_unused(defines or [], files, includes or [])
    folder = _folder_of(output, names, kind, with_ranges, force)
    explorer = Explorer(
        programs,
        chosen,
        time_limit=solve_within,
        opening={
            "defines": macros(defines or []),
            "includes": includes or [],
            "flags": flags or [],
            "level": level,
            "args": arguments or [],
            "stdin": read_input(stdin),
            "limits": limits(time_limit, memory_limit, None),
        },
    )
    if files:
        warn_uncontained()
    wanted = [each for own in steps.values() for each in settings_of(own, programs, methods)]
    points = points_found(explorer, wanted, jobs)
    stable = stable_ranges(explorer, steps["latency"], design, penalty) if with_ranges else {}
    swept = sweep_results(steps, programs, methods, points)
    tables = tables_of(swept, stable, explorer)
    if folder is not None:
        _write_all(folder, kind, width, swept, tables)
    if as_json:
        from logca.show.explore import ranges_data, sweep_data

        data: dict[str, Any] = {
            "platform": chosen.name,
            "programs": list(programs),
            "sweeps": [sweep_data(each) for each in swept],
        }
        if with_ranges:
            data["ranges"] = ranges_data(stable)
        show_json(data)
        return
    show_answers(swept)
    show_tables(tables.values())


def _show_links(clock_GHz: str | None, as_json: bool) -> None:
    """Print the links that come with the package."""
    from logca.numeric.partition.problem.links import links

    found = links(clock_GHz=clock(clock_GHz))
    if as_json:
        from logca.show.explore import links_data

        show_json(links_data(found))
        return
    from logca.show.explore import links_table

    show_tables([links_table(found)])


def _folder_of(
    output: Path | None, names: Sequence[str], kind: str, with_ranges: bool, force: bool
) -> Path | None:
    """The folder for pictures, if there is to be one, in which nothing is overwritten unasked."""
    if output is None:
        return None
    if output.exists() and not output.is_dir():
        raise UsageFailure(f"{output} is a file; name a folder for pictures and tables")
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageFailure(f"{output} cannot be made: {error.strerror}") from None
    for name in names:
        check_writable(output / f"{name}.{kind}", (f".{kind}",), force=force)
    for name in (*names, *(["ranges"] if with_ranges else [])):
        check_writable(output / f"{name}.csv", (".csv",), force=force)
    return output


def _write_all(
    folder: Path, kind: str, width: str, swept: "Sequence[SweepResult]", tables: "dict[str, Table]"
) -> None:
    """Write pictures and tables."""
    from logca.common.tables import csv
    from logca.plots.explore import picture_of
    from logca.plots.render import picture

    suffix = f".{kind}"
    for each in swept:
        path = folder / f"{each.sweep.name}{suffix}"
        write(path, picture(picture_of(each), suffix, width=width))
        say(f"{path}", err=True)
    for name, table in tables.items():
        path = folder / f"{name}.csv"
        write(path, csv(table).encode())
        say(f"{path}", err=True)
