"""`logca partition`: which blocks of a program should run on an accelerator."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from logca.cli.options.platform import MachineOption
from logca.cli.options.platform import machine as machine_of
from logca.cli.options.programs import (
    Option,
    limits,
    macros,
    note_unused,
    only_for_C,
    read_input,
    running,
)
from logca.cli.options.ranges import pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write
from logca.cli.terminal.output import show, show_answer, show_tables
from logca.common.json_output import to_json

if TYPE_CHECKING:
    from logca.numeric.partition.answer.findings import PartitionReport

__all__ = ["partition"]

_STDOUT = Path("-")
_CORES = ("cpu", "accelerator")
_SUFFIXES = {"--listing": (".txt", ".lst"), "--picture": (".svg",), "--problem": (".json",)}


def partition(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="C files, one of them with main; or a JSON or TOML file that describes a program.",
            metavar="FILE...",
        ),
    ],
    method: Annotated[
        Literal["optimal", "greedy", "clusters", "frontier"],
        MachineOption.method,
    ] = "optimal",
    solve_within: MachineOption.solve_within = 60.0,
    pin: Annotated[
        list[str] | None,
        typer.Option(
            help="Keep a block, or all of a function (also FILE.c:NAME), on a core; may be "
            "repeated. --json has the names of blocks.",
            metavar="NAME=cpu|accelerator",
        ),
    ] = None,
    area: Annotated[
        int | None,
        MachineOption.option(
            help="Size of the accelerator in LLVM instructions.",
            metavar="NUMBER",
            show_default="the platform's, 128",
        ),
    ] = None,
    design: MachineOption.design = "SL2+",
    platform: MachineOption.platform = "kenter2010",
    changes: MachineOption.changes = None,
    link: MachineOption.link = None,
    clock_GHz: MachineOption.clock_GHz = None,
    penalty: MachineOption.penalty = False,
    associativity: Annotated[
        str | None,
        MachineOption.option(
            help="Run the program again, and say what caches with so many ways in L1 and L2 and "
            "LRU would change, such as 8,16.",
            metavar="WAYS,WAYS",
        ),
    ] = None,
    as_json: OutputOption.as_json = False,
    listing: Annotated[
        Path | None,
        OutputOption.option(
            help="Listing to write: .txt, executions, time and core of each line; or - for stdout.",
            metavar="FILE.txt|-",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        OutputOption.option(
            help="Picture to write: .svg, the control flow coloured by core; or - for stdout.",
            metavar="FILE.svg|-",
        ),
    ] = None,
    problem: Annotated[
        Path | None,
        OutputOption.option(
            help="Problem to write: .json, the program, to edit and give again; or - for stdout.",
            metavar="FILE.json|-",
        ),
    ] = None,
    force: OutputOption.force = False,
    defines: Option.defines = None,
    includes: Option.includes = None,
    flags: Option.flags = None,
    level: Option.level = "as-written",
    arguments: Option.arguments = None,
    stdin: Option.stdin = None,
    time_limit: Option.time_limit = None,
    memory_limit: Option.memory_limit = None,
) -> None:
    """Say which blocks of a program should run on an accelerator, and what that gains.

    A C program is compiled and run once, with all its memory accesses recorded; a JSON or TOML file
    describes a program that another tool has profiled. The cost of a partition is the model of
    Kenter et al. (`logca formula kenter-te`, and -tm, -tc, -tr); the optimum comes with a proof,
    which is checked.

    **Examples**

        logca partition fft.c

        logca partition fft.c -D N=1024 --area 64 --design SMM+

        logca partition main.c kernel.c --set control=100 --set size_L1=64KiB

        logca partition fft.c --link pcie4               behind PCI Express

        logca partition fft.c --pin transform=cpu        what if it could not move

        logca partition a.c b.c --pin b.c:step=cpu       of several functions `step`

        logca partition fft.c --listing - --picture fft.svg

        logca partition fft.c --problem fft.json         to edit, or for another tool

        logca partition profile.json --method greedy

    **Long runs**: a partition needs the whole run, so that there is no limit of recorded accesses:
    take smaller input (-D, --arg) instead. --time-limit is for the program alone, without the time
    that analysing its trace takes, and --solve-within for the solver.

    **Designs** (--design): SL1, the cores share all caches; SL2+, each its own L1; SL2-, the
    accelerator without an L1; SMM+, each its own L1 and L2; SMM-, the accelerator without caches.

    **Exit codes**: 0 done, 2 bad input, such as an error of the compiler or a program that crashes
    or meets a limit, 5 no compiler or no library, or output cannot be written.
    """
    files = _Files(as_json=as_json, listing=listing, picture=picture, problem=problem)
    files.check(force=force)
    if clock_GHz is not None and link is None:
        raise UsageFailure("--clock converts a link's nanoseconds to cycles; give --link as well")
    machine = machine_of(platform, changes or [], link, clock_GHz)
    form = "NAME=cpu or NAME=accelerator"
    pins = pairs("--pin", pin or [], form, last=True, again="has {} on both cores")
    for name, core in pins.items():
        if core not in _CORES:
            raise UsageFailure(f"--pin {name}={core}: {core!r} is no core; write {form}")
    ways = _ways(associativity, sources)
    given, allowed = macros(defines or []), limits(time_limit, memory_limit, None)
    if _is_described(sources):
        only_for_C(
            {
                "-D": defines,
                "-I": includes,
                "--flag": flags,
                "--level": level != "as-written",
                "--arg": arguments,
                "--stdin": stdin,
                "--time-limit": time_limit is not None,
                "--memory-limit": memory_limit is not None,
            }
        )
    note_unused(defines or [], sources, includes or [])
    fed = read_input(stdin)
    from logca.numeric.partition.answer.associativity import associativity_error
    from logca.numeric.partition.answer.case import case_of
    from logca.numeric.partition.answer.findings import findings
    from logca.numeric.partition.answer.partition import check_request, open_source
    from logca.numeric.partition.memory.simulation import check_ways
    from logca.numeric.partition.program.tracing import Traced, geometry_of

    if ways is not None:
        check_ways(geometry_of(machine), ways)
    check_request(method, solve_within, design=design, area=area)
    with running() as tell:
        source = open_source(
            sources,
            machine,
            defines=given,
            includes=includes or [],
            flags=flags or [],
            level=level,
            args=arguments or [],
            stdin=fed,
            limits=allowed,
            tell=tell,
        )
        case = case_of(source, machine, design, area=area, penalty=penalty, pins=pins)
        found = findings(source, case, method, time_limit=solve_within, pins=pins, tell=tell)
        if ways is not None and isinstance(source, Traced):
            other = associativity_error(
                source,
                found.partition,
                ways=ways,
                args=arguments or [],
                stdin=fed,
                limits=allowed,
                tell=tell,
            )
            found = replace(found, associativity=other)
    files.write(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """Where an answer goes; at most one part of it to the standard output instead of the tables."""

    as_json: bool
    listing: Path | None
    picture: Path | None
    problem: Path | None

    def check(self, *, force: bool) -> None:
        """Say at once what cannot be written."""
        named = {"--listing": self.listing, "--problem": self.problem, "--picture": self.picture}
        printed = ["--json"] * self.as_json
        printed += [f"{name} -" for name, path in named.items() if path == _STDOUT]
        if len(printed) > 1:
            raise UsageFailure(
                f"{printed[0]} and {printed[1]} both write to the standard output; choose one"
            )
        for name, path in named.items():
            if path is not None and path != _STDOUT:
                check_writable(path, _SUFFIXES[name], force=force)
        if self.picture is not None:
            from logca.show.partition.layout import require_graphviz

            require_graphviz()

    def write(self, found: "PartitionReport") -> None:
        """Write the files that were asked for, and print what there is to print."""
        told: list[str] = []
        printed = ""
        if self.as_json:
            from logca.show.partition.data import partition_data

            printed = to_json(partition_data(found))
        if self.listing is not None:
            from logca.show.partition.listing import listing_of

            printed = _put(self.listing, listing_of(found)) or printed
        if self.picture is not None:
            from logca.show.partition.graph import graph_of
            from logca.show.partition.svg_picture import svg_of

            graph = graph_of(found)
            printed = _put(self.picture, svg_of(graph).removesuffix("\n")) or printed
            if graph.note:
                told.append(f"{self.picture}: {graph.note}")
        if self.problem is not None:
            from logca.numeric.partition.answer.breakdown import with_levels
            from logca.numeric.partition.problem.files import saved

            text = json.dumps(saved(with_levels(found.source)), indent=1)
            printed = _put(self.problem, text) or printed
        if printed:
            typer.echo(printed)
        else:
            _show(found, told)


def _put(path: Path, text: str) -> str:
    """Write a file; what is for the standard output is given back."""
    if path == _STDOUT:
        return text
    write(path, f"{text}\n".encode())
    return ""


def _is_described(sources: Sequence[Path]) -> bool:
    return any(path.suffix in (".json", ".toml") for path in sources)


def _ways(text: str | None, sources: Sequence[Path]) -> tuple[int, int] | None:
    if text is None:
        return None
    from logca.numeric.partition.answer.associativity import ways_of

    ways = ways_of(text)
    if _is_described(sources):
        raise UsageFailure("--associativity runs the program again; a described problem has none")
    return ways


def _show(found: "PartitionReport", told: Sequence[str]) -> None:
    from rich.text import Text

    from logca.show.partition.tables import partition_tables
    from logca.show.partition.words import headline

    show_answer(headline(found.partition))
    show_tables(partition_tables(found))
    if told:
        show(*map(Text, told))
