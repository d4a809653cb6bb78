"""From a program to a partition of it: the entry for users."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path

from logca.common.extras import require
from logca.common.limits import Limits
from logca.common.real_numbers import is_real
from logca.numeric.partition.answer.case import Case, case_of, check_area
from logca.numeric.partition.answer.methods import METHODS
from logca.numeric.partition.answer.result import Partition, evaluated
from logca.numeric.partition.memory.designs import design_named
from logca.numeric.partition.problem.blocks import Problem, ProblemError
from logca.numeric.partition.problem.files import load_problem
from logca.numeric.partition.problem.platform import Platform
from logca.numeric.partition.problem.platform import platform as platform_named
from logca.numeric.partition.program.tracing import Traced, traced

__all__ = ["check_request", "open_source", "partition", "solve"]

Source = Problem | Traced | str | PathLike[str] | Iterable[str | PathLike[str]]
Tell = Callable[[str, int], None]


def partition(
    source: Source,
    *,
    platform: str | PathLike[str] | Platform = "kenter2010",
    design: str = "SL2+",
    area: int | None = None,
    method: str = "optimal",
    time_limit: float = 60.0,
    penalty: bool = False,
    pins: Mapping[str, str] | None = None,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    args: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits | None = None,
    tell: Tell | None = None,
) -> Partition:
    """Which blocks of a program should run on the accelerator (kenter2010).

    Parameters
    ----------
    source : Problem, Traced, path or iterable of paths
        C files, one of them with `main`; or a problem, or the JSON or TOML file of one.
    platform : str, path or Platform
        The machine: the name of one that comes with the package, or a file that ends in ``.toml``.
    design : str
        How the accelerator is attached to the memory: ``SL1``, ``SL2+``, ``SL2-``, ``SMM+`` or
        ``SMM-`` (kenter2010, section III-B). A problem without memory accesses that were traced
        has the same memory time in all of them.
    area : int, optional
        Size of the accelerator in LLVM instructions, from 1 on; the platform's if left out [1].
    method : str
        ``optimal``; ``greedy``, the paper's; ``clusters``, greedy that moves loops as a whole; or
        ``frontier``, the best one that a price of area names.
    time_limit : float
        Work for the search, as what an idle core does in so long, by fixed rates; then the best
        partition found, and its gap. A busy machine takes longer for the same answer; after ten
        times as long and a minute the clock ends the search, and the answer says so [s].
    penalty : bool
        Whether the shared cache takes longer for being shared (kenter2010, Fig. 3).
    pins : mapping of str to str, optional
        Names of blocks or functions, a function also as ``file.c:name``, and for each the core
        that it must stay on: ``cpu`` or ``accelerator``.
    defines, includes, flags, level, args, stdin, limits
        How a C program is compiled and run, as for `logca.trace`.
    tell : callable, optional
        Told what is going on, and the memory accesses so far [1].

    Raises
    ------
    ProblemError
        If the program has no hot loop, its file is malformed, the area or the method is none, or
        pins cannot be kept; or an argument is of a type that it cannot be.
    PlatformError
        If there is no such platform, or a latency is negative, or a cache no power of two.
    CacheError
        If there is no such design.
    TraceError, CompileError
        If the program cannot be compiled or run.
    MissingLibraryError, MissingCompilerError
        If a package is not installed.

    Examples
    --------
    >>> from logca.numeric.partition.problem.files import FORMAT, problem_from
    >>> blocks = [{"name": n, "executions": 900, "operations": 4} for n in ("left", "right")]
    >>> flows = [{"from": "left", "to": "right", "executions": 900}]
    >>> problem = problem_from({"format": FORMAT, "blocks": blocks, "flows": flows}, "two.json")
    >>> found = partition(problem, area=8)  # doctest: +SKIP
    >>> found.speedup, found.gap, found.check()  # doctest: +SKIP
    (2.0, 0.0, True)
    """
    machine = platform_named(platform)
    check_request(method, time_limit, design=design, area=area)
    opened_source = open_source(
        source,
        machine,
        defines=defines,
        includes=includes,
        flags=flags,
        level=level,
        args=args,
        stdin=stdin,
        limits=limits,
        tell=tell,
    )
    case = case_of(opened_source, machine, design, area=area, penalty=penalty, pins=pins)
    if tell:
        tell("partitioning", 0)
    return solve(case, method, time_limit=time_limit)


def open_source(
    source: Source,
    platform: Platform,
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    level: str = "as-written",
    args: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits | None = None,
    tell: Tell | None = None,
) -> Problem | Traced:
    """A source as `case_of` takes it: C is compiled and run, a file is read."""
    if isinstance(source, Problem | Traced):
        return source
    paths = _paths(source)
    if len(paths) == 1 and paths[0].suffix in (".json", ".toml"):
        return load_problem(paths[0])
    described = [str(path) for path in paths if path.suffix in (".json", ".toml")]
    if described:
        raise ProblemError(f"{described[0]} is a whole problem: give it alone, or only C files")
    return traced(
        paths,
        platform,
        defines=defines,
        includes=includes,
        flags=flags,
        level=level,
        args=args,
        stdin=stdin,
        limits=limits,
        tell=tell,
    )


def solve(case: Case, method: str = "optimal", *, time_limit: float = 60.0) -> Partition:
    """A partition of a case."""
    check_request(method, time_limit)
    require("ortools", "partition")
    require("numba", "partition")
    begun = time.monotonic()
    found, corners = METHODS[method](case, time_limit)
    spent = time.monotonic() - begun
    return evaluated(case, method, found, elapsed_s=spent, frontier=corners)


def check_request(
    method: str, time_limit: float, *, design: str = "SL2+", area: int | None = None
) -> None:
    """Refuse what can be seen to be wrong before a program is run.

    Examples
    --------
    >>> check_request("optimal", 60.0, area=128)
    """
    design_named(design)
    check_area(area)
    if method not in METHODS:
        raise ProblemError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if not is_real(time_limit):
        raise ProblemError(f"the time limit must be a number of seconds, not {time_limit!r}")
    if not 0 < time_limit < float("inf"):
        raise ProblemError(f"time_limit = {time_limit:g} must be more than 0 s, and finite")


def _paths(source: object) -> list[Path]:
    given = [source] if isinstance(source, str | PathLike) else source
    paths: list[object] = []
    if isinstance(given, Iterable) and not isinstance(given, bytes | Mapping):
        paths = list(given)
    found = [Path(each) for each in paths if isinstance(each, str | PathLike)]
    if not found or len(found) < len(paths):
        raise ProblemError(
            "a source is a C file, several of them, a JSON or TOML file, or a Problem, "
            f"not {source!r}"
        )
    return found
