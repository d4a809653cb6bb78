"""A program's loops on several cores of this machine, by OpenMP: compiled, run, and timed."""

import os
import re
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from logca.common.errors import CompileError, TraceError
from logca.common.files import MOST_SOURCE_B, source_text
from logca.common.processes import find_program, search_path
from logca.common.programs import finished
from logca.gpu.nests.nest import Nest, Reduction
from logca.gpu.program.running import Sources
from logca.offloading.host_times import ENOUGH_S
from logca.trace.execute.containment import containment, run_folder
from logca.trace.execute.process import exceeded, served_untraced
from logca.trace.ir.program import Loop, Program
from logca.trace.source.compiler import toolchain

__all__ = [
    "OpenMP",
    "ParallelLoop",
    "ThreadedRun",
    "openmp",
    "parallel_loops",
    "repeated_runs",
    "threaded",
]

_HERE = Path(__file__).parent
_OPTIONS = ("-O3", "-march=native", "-fopenmp", "-w")
_SECONDS = 120
"""Time that a compiler has, and a program of ours [s]."""
_RUNS = 9
"""Runs at each size, at most [1]."""
_STARTS = 15
"""Programs that are started to find out what a parallel loop costs [1]."""
_MOST_TIMES_B = 1 << 16
_TIMES = "times"
_ROW = re.compile(r"([0-9]{1,20}) ([0-9]{1,20})")
"""File in the folder of a run that its clocks write."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_MOST_ENTRIES, _MOST_NS = 1 << 53, 10**18
"""More than any loop has had: a week and more at 10 GHz, and 30 years."""
_DIRECTIVE = re.compile(r"\s*#\s*pragma\s+omp\b")
_FOR = re.compile(r"\bfor\s*\(")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_WRITTEN = re.compile(
    r"(?<![\w.>\])*])\s*\b([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)"
    r"|(?<![\w.>])([A-Za-z_]\w*)\s*(?:\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)\b(?!\s*[\[.-])"
)
"""Assignments to scalars; not to elements, members, or what a pointer leads to."""
_UNDECLARED = re.compile(
    rb"'(\w+)' undeclared|undeclared identifier '(\w+)'|'(\w+)' is not a variable"
)
_WORDS = frozenset({"return", "else", "case", "goto", "sizeof", "do"})
_OPERATORS = {
    "sum": "+",
    "product": "*",
    "minimum": "min",
    "maximum": "max",
    "and": "&",
    "or": "|",
    "xor": "^",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelLoop:
    """A loop as OpenMP is told of it."""

    file: Path  # the source that it is in
    line: int  # where it begins [1]
    before: int  # loops that begin before it on that line [1]
    private: tuple[str, ...]  # variables of which each thread has its own
    # those of them that a declaration inside hides, so that nothing of them is left behind
    hidden: tuple[str, ...]
    reductions: tuple[tuple[str, str], ...]  # variables that threads gather values in, by operator

    @property
    def pragma(self) -> str:
        """The directive."""
        last = [name for name in self.private if name not in self.hidden]
        own = [name for name in self.private if name in self.hidden]
        clauses = [f"lastprivate({', '.join(last)})"] if last else []
        clauses += [f"private({', '.join(own)})"] if own else []
        clauses += [f"reduction({operator} : {name})" for name, operator in self.reductions]
        return " ".join(["omp parallel for schedule(static)", *clauses])


def parallel_loops(
    program: Program, nests: Sequence[Nest], paths: Sequence[Path]
) -> tuple[ParallelLoop, ...]:
    """The loops that become threads, for OpenMP; an error for those that it cannot have."""
    files = {path.resolve(): path for path in paths}
    found = []
    for nest in nests:
        loop = program.loops[nest.loop]
        file = files.get(Path(loop.file).resolve())
        if file is None:
            raise TraceError(f"the loop at {loop.file}:{loop.line} is in none of the sources given")
        if any(each.accesses and not _is_variable(program, each) for each in nest.reductions):
            raise TraceError(
                f"the loop at {loop.file}:{loop.line} gathers values in memory that a pointer "
                "leads to, which OpenMP has no clause for: check another loop"
            )
        operators = {each.name: _OPERATORS.get(each.operation, "") for each in nest.reductions}
        for name, operator in operators.items():
            if not name or not operator:
                raise TraceError(
                    f"the loop at {loop.file}:{loop.line} gathers {name or 'values'} in a way that "
                    "OpenMP has no operator for: check another loop"
                )
        body = _body(loop, file)
        scratch = [name for copy in nest.private for name in copy.arrays]
        scratch += _scratch(program, loop, body)
        names = [*_written(loop, body, operators), *scratch]
        names = [name for name in dict.fromkeys(names) if _NAME.fullmatch(name)]
        found.append(
            ParallelLoop(
                file=file,
                line=loop.line,
                before=_before(program, loop),
                private=tuple(names),
                hidden=tuple(name for name in names if _is_declared(name, body)),
                reductions=tuple(operators.items()),
            )
        )
    return tuple(found)


def _before(program: Program, loop: Loop) -> int:
    """Loops that begin before it on its line [1]."""
    return sum(
        (other.function, other.calls, other.file, other.line)
        == (loop.function, loop.calls, loop.file, loop.line)
        for other in program.loops[: loop.id]
    )


def _is_variable(program: Program, reduction: Reduction) -> bool:
    """True if all that updates it names one variable."""
    return {program.accesses[each].variable.strip("@%") for each in reduction.accesses} == {
        reduction.name
    }


def _body(loop: Loop, file: Path) -> str:
    """The text of a loop, without comments and texts."""
    lines = (source_text(file) or "").split("\n")[loop.line - 1 : loop.end_line]
    return _COMMENT.sub(" ", "\n".join(lines))


def _scratch(program: Program, loop: Loop, body: str) -> Iterator[str]:
    """Local arrays that the loop writes at places that its counter does not name."""
    written = {
        access.array for access in program.accesses_of[loop.id] if access.private and access.store
    }
    for name in sorted(written):
        places = " ".join(re.findall(rf"\b{re.escape(name)}\s*((?:\[[^\]]*\]\s*)+)", body))
        counted = any(re.search(rf"\b{re.escape(each)}\b", places) for each in loop.inductions)
        if places and not counted:
            yield name


def _is_declared(name: str, body: str) -> bool:
    """True if a declaration in a text makes that name its own.

    Examples
    --------
    >>> _is_declared("t", "double t = 2;"), _is_declared("t", "x = 1, t = 2; return t;")
    (True, False)
    """
    # the name of a type, other variables of it, and the name
    pattern = rf"\b([A-Za-z_]\w*)\b[\s*]+(?:[A-Za-z_]\w*[^;(){{}}]*,\s*\**)?{name}\s*[=;,\[]"
    return any(found[1] not in _WORDS for found in re.finditer(pattern, body))


def _written(loop: Loop, body: str, operators: Mapping[str, str]) -> Iterator[str]:
    """Scalars that the loop writes, but for those that it gathers values in, and its counter.

    As iterations can run side by side, each writes them before it reads them.
    """
    written = (next(filter(None, names)) for names in _WRITTEN.findall(body))
    for name in dict.fromkeys([*written, *loop.private]):
        if name not in operators and name not in loop.inductions:
            yield name


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMP:
    """A compiler that knows OpenMP, and what a parallel loop costs with it on this machine."""

    command: str  # the compiler
    threads: int  # threads of a parallel loop [1]
    # first_s, again_s: median time of a parallel loop that does nothing, when it is entered for the
    # first time in a program, and then [s]
    first_s: float
    again_s: float


def openmp(threads: int) -> OpenMP:
    """The compiler for OpenMP that is at hand; a TraceError if there is none."""
    tried = []
    for name in (os.environ.get("LOGCA_OPENMP_CC", ""), "gcc", "clang", "cc"):
        path = find_program(name) if name else None
        if path is None:
            continue
        tried.append(name)
        found = _overheads(path, threads)
        if found is not None:
            return OpenMP(command=path, threads=threads, first_s=found[0], again_s=found[1])
    raise TraceError(
        "no compiler at hand builds programs with OpenMP for "
        f"{threads} threads (tried {', '.join(tried) or 'none'}): install gcc, or let "
        "LOGCA_OPENMP_CC name one that does"
    )


def _overheads(compiler: str, threads: int) -> tuple[float, float] | None:
    """Times of a parallel loop that does nothing, first and then [s]; None without OpenMP."""
    with tempfile.TemporaryDirectory(prefix="logca-") as home:
        program = str(Path(home, "overhead"))
        words = [compiler, *_OPTIONS, "-DLOGCA_OVERHEAD", str(_HERE / "openmp.c"), "-o", program]
        if _ended(words).returncode:
            return None
        rows = []
        for _ in range(_STARTS):
            said = _ended([program], threads)
            if said.returncode or not said.stdout.startswith(b"%d " % threads):
                return None
            rows.append([1e-9 * int(number) for number in said.stdout.split()[1:]])
    first, again = (median(column) for column in zip(*rows, strict=True))
    return first, again


@contextmanager
def threaded(
    sources: Sources,
    loops: Sequence[ParallelLoop],
    compiler: OpenMP,
    sizes: Mapping[str, int],
    *,
    parallel: bool,
) -> Iterator["_Threaded"]:
    """A program with clocks around some loops, which run on several cores if they are to."""
    with tempfile.TemporaryDirectory(prefix="logca-") as home:
        executable = Path(home, "program")
        options = [each for each in _OPTIONS if parallel or each != "-fopenmp"]
        while True:
            words = [
                *(compiler.command, *options, "-include", str(_HERE / "openmp.h")),
                *(f"-D{n}" if v is None else f"-D{n}={v}" for n, v in sources.defines.items()),
                *(f"-D{name}={value}" for name, value in sizes.items()),
                *(f"-iquote{path.resolve().parent}" for path in sources.paths),
                *(f"-I{folder}" for folder in sources.includes),
                *_marked_copies(sources.paths, loops, Path(home)),
                *(str(_HERE / "openmp.c"), *sources.flags, "-lm", "-o", str(executable)),
            ]
            built = _ended(words)
            if not built.returncode:
                break
            # what is declared inside of a loop is each iteration's own, and no name before it
            inside = {
                next(filter(None, names)).decode() for names in _UNDECLARED.findall(built.stderr)
            }
            if inside.isdisjoint(name for loop in loops for name in loop.private):
                lines = built.stderr.decode(errors="replace").splitlines()
                said = next((line for line in lines if "error" in line), "no message")
                raise CompileError(f"{compiler.command} with OpenMP: {said}")
            loops = [
                replace(loop, private=tuple(n for n in loop.private if n not in inside))
                for loop in loops
            ]
        yield _Threaded(
            starter=containment(Path(home), toolchain()),
            executable=executable,
            sources=sources,
            loops=tuple(loops),
            threads=compiler.threads,
        )


def repeated_runs(
    sources: Sources,
    loops: Sequence[ParallelLoop],
    compiler: OpenMP,
    sizes: Mapping[str, int],
    *,
    parallel: bool,
) -> Sequence["ThreadedRun"]:
    """Runs of such a program, one after the other, until they have taken long enough."""
    with threaded(sources, loops, compiler, sizes, parallel=parallel) as program:
        runs = [program.run()]
        while len(runs) < _RUNS and sum(run.seconds for run in runs) < ENOUGH_S:
            runs.append(program.run())
    return runs


def _marked_copies(
    paths: Sequence[Path], loops: Sequence[ParallelLoop], folder: Path
) -> Iterator[str]:
    """Copies of the sources, with a clock and a directive before each of some loops."""
    for number, path in enumerate(paths):
        copy = folder / f"{number}-{path.name}"
        own = [(n, loop) for n, loop in enumerate(loops) if loop.file == path]
        copy.write_text(_marked(path, own), encoding="utf-8", errors="surrogateescape")
        yield str(copy)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadedRun:
    """One run of such a program."""

    seconds: float  # time of all loops, over all of their entries [s]
    entries: int  # how often they were entered [1]
    stdout: bytes  # what the program wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class _Threaded:
    """Such a program; it is there as long as its context."""

    starter: Path  # contains it
    executable: Path
    sources: Sources
    loops: tuple[ParallelLoop, ...]
    threads: int

    def run(self) -> ThreadedRun:
        """Run it once."""
        with run_folder() as work:
            times = work / _TIMES
            limits = self.sources.limits
            ended = served_untraced(
                self.starter,
                self.executable,
                [str(self.executable), *self.sources.arguments],
                work,
                # threads count as processes
                replace(limits, processes=limits.processes + self.threads),
                self.sources.stdin,
                {**_variables(self.threads), "LOGCA_TIMES": str(times)},
            )
            if met := exceeded(ended, limits):
                raise TraceError(f"on {self.threads} threads {met}")
            if ended.code < 0 or not times.exists():
                raise TraceError(f"on {self.threads} threads the program ended by a signal")
            rows = _rows(times, len(self.loops))
        return ThreadedRun(
            seconds=1e-9 * sum(spent for spent, _ in rows),
            entries=sum(entries for _, entries in rows),
            stdout=bytes(ended.output[1]),
        )


def _rows(times: Path, count: int) -> list[tuple[int, int]]:
    """Time [ns] and entries [1] of each loop, from a file that the program could have changed."""
    try:
        if not stat.S_ISREG(times.lstat().st_mode) or times.stat().st_size > _MOST_TIMES_B:
            raise ValueError
        rows = times.read_text("ascii").splitlines()[:count]
        found = [(int(row[1]), int(row[2])) for row in map(_ROW.fullmatch, rows) if row]
    except (ValueError, OSError):
        found = []
    if len(found) < count or any(
        spent > _MOST_NS or entries > _MOST_ENTRIES or (spent and not entries)
        for spent, entries in found
    ):
        raise TraceError("the program has written into its own times: it cannot be timed")
    if any(entries and not spent for spent, entries in found):
        raise TraceError("the program ends inside of a loop, whose time is not known then")
    return found


def _marked(path: Path, loops: Sequence[tuple[int, ParallelLoop]]) -> str:
    """A source with a clock and a directive before each of some loops."""
    source = source_text(path, "surrogateescape")
    if source is None:
        raise TraceError(
            f"{path} cannot be read, or has more than {MOST_SOURCE_B >> 20} MiB: no directive can "
            "be put into it; check the loops of a smaller file"
        )
    # only ends of lines count lines: form feeds, which splitlines() splits at, do not
    lines = source.split("\n")
    # from the right, as what is put in moves what follows
    for number, loop in sorted(loops, key=lambda pair: -pair[1].before):
        text = lines[loop.line - 1]
        places = [found.start() for found in _FOR.finditer(text)]
        if loop.before >= len(places):
            raise TraceError(
                f"{path}:{loop.line}: no `for` of its own begins there, so that no directive can "
                "stand before it"
            )
        place = places[loop.before]
        directive = f'LOGCA_TIMED({number}) _Pragma("{loop.pragma}") '
        lines[loop.line - 1] = text[:place] + directive + text[place:]
        if not text[:place].strip():
            _drop_directives(lines, loop.line - 1)
    return f'#line 1 "{path.name}"\n' + "\n".join(lines) + "\n"


def _drop_directives(lines: list[str], place: int) -> None:
    """Blank the lines of OpenMP's directives before a place, as ours says what they say."""
    above = place - 1
    while above >= 0:
        first = above
        while first > 0 and lines[first - 1].rstrip().endswith("\\"):
            first -= 1
        if _DIRECTIVE.match(lines[first]):
            lines[first : above + 1] = [""] * (above + 1 - first)
        elif lines[above].strip():
            return
        above = first - 1


def _variables(threads: int) -> dict[str, str]:
    """Variables that OpenMP reads."""
    return {
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "active",
        "OMP_PROC_BIND": "false",  # openmp.c gives each its core
    }


def _ended(words: Sequence[str], threads: int = 1) -> "subprocess.CompletedProcess[bytes]":
    """A compiler, or a program of ours, that has ended, with all that it has started."""
    environment = {"PATH": search_path(), "LC_ALL": "C", **_variables(threads)}
    try:
        return finished(words, _SECONDS, environment=environment)
    except subprocess.TimeoutExpired:
        raise TraceError(f"{Path(words[0]).name} did not end within {_SECONDS:g} s") from None
