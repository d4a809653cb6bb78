"""From C sources to a profile: compile, run, and count what every line does to memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np

from logca.common.arguments import (
    checked_arguments,
    checked_input,
    checked_limits,
    checked_macros,
    checked_path,
)
from logca.common.errors import RegionError, TraceError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled, all_kept, compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run, run
from logca.trace.profiling.access_statistics import AccessStatistics, loops_around
from logca.trace.profiling.findings import Footprint, ReuseCounts
from logca.trace.profiling.loops_and_lines import line_findings, loop_findings, source_reader
from logca.trace.profiling.operation_counts import instruction_counts
from logca.trace.profiling.region import TracedRegion, checked_region, select
from logca.trace.profiling.report import Profile
from logca.trace.profiling.trace_files import TraceWriter, check_output, described

__all__ = ["profile"]

NO_LIMITS = Limits()


def profile(
    sources: str | Path | Iterable[str | Path],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    function: str | None = None,
    region: str = "all",
    args: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits = NO_LIMITS,
    compiler: str | None = None,
    accesses: bool = True,
    output: str | Path | None = None,
    force: bool = False,
    tell: Callable[[str, int], None] | None = None,
) -> Profile:
    """Compile C sources, run the program, and summarise what it does to memory.

    The program runs contained: ``.run.contained`` says what the kernel kept it from. If it crashes
    or meets a limit, the profile says what there was until then: see ``.run.ending`` and
    ``.run.message``.

    Parameters
    ----------
    sources : path or iterable of paths
        C files, one of them with `main`.
    defines : mapping, optional
        Macros and their values; None defines one as the compiler does.
    includes : iterable of paths
        Folders searched for headers.
    flags : iterable of str
        Further options of the compiler and the linker.
    level : str
        ``as-written``: scalars in registers, every access to an array as in the source; or ``O1``.
    function : str, optional
        Only what this function itself does, not what the functions do that it calls. With a
        region of loops: only loops written in it.
    region : str
        ``all``; ``pragma``: the loops after ``#pragma logca offload``, or OpenMP's and OpenACC's;
        ``auto``: the loop nest in which most instructions are executed, found by a run before. What
        functions do that loops call is in the region, unless they are recursive, called by address,
        or libraries'.
    args : sequence of str
        Arguments of the program.
    stdin : bytes
        Its standard input.
    limits : Limits
        What it may take.
    compiler : str, optional
        ``zig``, ``clang`` or a path.
    accesses : bool
        Whether to look at accesses; without, there are counts only, many times faster.
    output : path, optional
        File for the trace: ``.parquet``, ``.arrow`` or ``.feather``.
    force : bool
        Whether it may exist already.
    tell : callable, optional
        Told what is going on, and the accesses so far [1], again and again.

    Raises
    ------
    CompileError
        If the compiler or the linker refuses.
    RegionError
        If there is no such function, or no loop of that kind.
    TraceError
        If an argument is wrong, or the program cannot be traced; as TraceFileError, if the output
        exists or cannot be written.
    MissingCompilerError
        If a package is missing.
    """
    checked_region(region)
    args, stdin = checked_arguments(args), checked_input(stdin)
    limits = checked_limits(limits)
    defines = checked_macros(defines)
    if output is not None:
        output = checked_path("output", output)
        if not accesses:
            raise TraceError("there is no trace to write without accesses: leave out output")
        check_output(output, force=force)
    say = tell or (lambda _step, _number: None)
    say("compiling", 0)
    compiled = compile_program(
        sources,
        defines=defines,
        includes=includes,
        flags=flags,
        level=level,
        inline=region != "all",
        compiler=compiler,
    )
    program = compiled.program
    executed = partial(run, compiled, arguments=args, stdin=stdin, limits=limits)
    counts: Sequence[int] = ()
    before: Run | None = None
    if region == "auto":
        say("looking for the hottest loop nest", 0)
        before = executed(nests=())
        counts = before.block_counts.tolist()
    try:
        chosen = select(program, region, function, counts)
    except RegionError as error:
        if before is None or not before.message:
            raise
        raise RegionError(f"{error}; {before.message}") from error
    if not accesses:
        say("running", 0)
        return _profile(compiled, chosen, executed(nests=()), None, None)
    with all_kept():
        around = loops_around(program, chosen.accesses, chosen.nests or ())
    summary = AccessStatistics(around, len(program.accesses))
    with (
        TraceWriter(output, described(program, chosen, defines), program, force=force)
        if output is not None
        else nullcontext()
    ) as writer:
        wanted = np.zeros(len(program.accesses), dtype=np.bool_)
        wanted[list(chosen.accesses)] = True
        everything = bool(wanted.all()) or chosen.nests is not None
        done = 0

        def take(chunk: Chunk) -> None:
            nonlocal done
            done += len(chunk)
            summary.push(chunk)
            if writer is not None:
                writer.write(chunk, None if everything else wanted[chunk.access])
            say("running", done)

        say("running", 0)
        ran = executed(nests=chosen.nests, on_chunk=take)
        if writer is not None:
            writer.finish(ran)
    with all_kept():
        return _profile(compiled, chosen, ran, summary, output)


def _profile(
    compiled: Compiled,
    chosen: TracedRegion,
    ran: Run,
    summary: AccessStatistics | None,
    output: Path | None,
) -> Profile:
    program, tool = compiled.program, compiled.toolchain
    blocks, edges = ran.block_counts.tolist(), ran.edge_counts.tolist()
    text = source_reader(program.compiled_files)
    inside = set(chosen.blocks)
    stores = [site for site in chosen.accesses if program.accesses[site].store]
    written = summary.count(stores) if summary else 0
    return Profile(
        program=program,
        compiler="; ".join(filter(None, (f"{tool.kind}, clang {tool.major}", compiled.note))),
        region=chosen,
        run=ran,
        instructions=instruction_counts(program, chosen.blocks, blocks),
        loops=loop_findings(program, chosen, blocks, edges, summary, text),
        values=tuple(
            value
            for value in program.values
            if value.defined_in in inside or not inside.isdisjoint(value.used_in)
        ),
        lines=line_findings(program, summary, text) if summary else (),
        loads=summary.accesses - written if summary else 0,
        stores=written,
        bytes=summary.moved(chosen.accesses) if summary else 0,
        footprint=summary.footprint(chosen.accesses) if summary else Footprint(bytes=0, lines=0),
        reuse=summary.reuse(chosen.accesses) if summary else ReuseCounts(first=0, powers=()),
        output=output,
    )
