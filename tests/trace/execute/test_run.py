"""Programs that do everything C can do: they print what they print without being watched."""

import signal
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from logca.common.errors import CompileError, RegionError, TraceError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.compile.machine_code import link_command
from logca.trace.execute import run as execution
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run, run
from logca.trace.instrument.plan import plan
from logca.trace.instrument.records import PAGE_BITS

Compile = Callable[..., Compiled]
PROGRAMS = Path(__file__).with_name("programs")
LINES = b"one\ntwo\n\nthree and more\n" * 3000
SURVIVED = {
    "control": (["control.c"], [], b""),
    "data": (["data.c"], [], b""),
    "calls": (["calls.c"], ["a", "", "b c"], LINES),
    "main_part": (["main_part.c", "other_part.c"], [], b""),
    "odd": (["odd.c"], [], b""),
    "rare": (["rare.c"], [], b""),
    "big": (["big.c"], ["60000"], b""),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[int, bytes, bytes]]:
    """What a program does when nobody watches."""
    known: dict[str, tuple[int, bytes, bytes]] = {}

    def plain(name: str) -> tuple[int, bytes, bytes]:
        if name not in known:
            files, arguments, stdin = SURVIVED[name]
            executable = tmp_path_factory.mktemp("plain") / name
            sources = [PROGRAMS / file for file in files]
            tool = compile_program(PROGRAMS / "control.c").toolchain
            command = link_command(tool, sources, executable, flags=["-DSHIFT=3"])
            subprocess.run(command, env=tool.environment(), check=True)
            done = subprocess.run(
                [name, *arguments], executable=executable, input=stdin, capture_output=True
            )
            known[name] = done.returncode, done.stdout, done.stderr
        return known[name]

    return plain


def everything(
    compiled: Compiled,
    *,
    arguments: Sequence[str] = (),
    stdin: bytes = b"",
    limits: Limits | None = None,
) -> tuple[Run, dict[str, np.ndarray]]:
    chunks: list[Chunk] = []
    result = run(
        compiled,
        arguments=arguments,
        stdin=stdin,
        limits=limits or Limits(),
        on_chunk=chunks.append,
    )
    names = ("access", "address", "size", "iterations")
    return result, {
        name: np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in names
    }


@pytest.mark.parametrize("level", ["as-written", "O1"])
@pytest.mark.parametrize("name", list(SURVIVED))
def test_output_and_status_are_those_of_the_plain_program(
    plain: Callable[[str], tuple[int, bytes, bytes]], name: str, level: str
) -> None:
    files, arguments, stdin = SURVIVED[name]
    compiled = compile_program(
        [PROGRAMS / file for file in files], level=level, defines={"SHIFT": 3}
    )
    result, columns = everything(compiled, arguments=arguments, stdin=stdin)
    assert (result.status, result.stdout, result.stderr) == plain(name)
    assert (result.ending, result.message, result.signal) == ("exit", "", "")
    program = compiled.program
    recorded = np.bincount(columns["access"], minlength=len(program.accesses))
    # what a program does to the null pointer, and survives, does not happen; nor is seen what runs
    # before the first constructor
    survived = {"odd": ("uintptr_t",), "rare": ("early[i] += i", "early[0] += 5")}.get(name, ())
    for access in program.accesses:
        text = Path(access.file).read_text().splitlines()[access.line - 1] if access.file else ""
        happened = not any(word in text for word in survived)
        assert recorded[access.id] == (result.block_counts[access.block] if happened else 0)


@pytest.mark.parametrize(("name", "inline"), [("calls", False), ("calls", True), ("rare", True)])
def test_nests_and_counts_alone_change_no_output(
    plain: Callable[[str], tuple[int, bytes, bytes]], name: str, inline: bool
) -> None:
    files, arguments, stdin = SURVIVED[name]
    compiled = compile_program([PROGRAMS / file for file in files], inline=inline)
    outer = tuple(loop.id for loop in compiled.program.loops if loop.parent is None)
    for nests in (outer, ()):
        result = run(compiled, nests=nests, arguments=arguments, stdin=stdin)
        assert (result.status, result.stdout, result.stderr) == plain(name)
        assert (result.recorded > 0) == bool(nests)


def test_two_runs_have_the_same_addresses(compiled: Compile) -> None:
    program = compiled(
        "#include <stdlib.h>\nint g[9]; int main(void) { int *p = malloc(40); int l[4];"
        " for (int i = 0; i < 4; i++) g[i] = p[i] = l[i] = i; return g[2] + p[3] + l[1]; }"
    )
    first, second = everything(program)[1], everything(program)[1]
    assert np.array_equal(first["address"], second["address"])


COPIES = """
#include <stdio.h>
#include <string.h>
char from[300], to[300];
struct wide { double part[5]; } a, b;
int main(int argc, char **argv) {
    printf("%p %p %p %p\\n", from, to, &a, &b);
    for (int n = 0; n < 4; n++) {
        memcpy(to + n, from, 10 * n);
        memset(from, 1, n + argc);
        memmove(to, to + 1, n * 7);
        b = a;
    }
    return 0;
}
"""


def test_copies_of_memory_have_their_lengths(compiled: Compile) -> None:
    program = compiled(COPIES)
    result, columns = everything(program)
    source, target, a, b = (int(word, 16) for word in result.stdout.split())
    expected = []
    for n in range(4):
        expected += [(source, 10 * n, False, n), (target + n, 10 * n, True, n)]
        expected += [(source, n + 1, True, n)]
        expected += [(target + 1, 7 * n, False, n), (target, 7 * n, True, n)]
        expected += [(a, 40, False, n), (b, 40, True, n)]
    stores = [program.program.accesses[access].store for access in columns["access"]]
    found = zip(
        columns["address"].tolist(),
        columns["size"].tolist(),
        stores,
        columns["iterations"][:, 0].tolist(),
        strict=True,
    )
    assert list(found) == expected


CALLBACK = """
#include <setjmp.h>
#include <stdlib.h>
int seen[64], n, sorted[4] = {4, 2, 3, 1};
jmp_buf place;
int order(const void *a, const void *b) {
    for (int k = 0; k < 2; k++) seen[n++ % 64] = k;
    return *(const int *)a - *(const int *)b;
}
void leave(int depth) {
    if (depth > 2) return;
    for (int k = 0; k < 3; k++) {
        seen[k] = depth;
        if (depth == 2 && k == 1) longjmp(place, 1);
        leave(depth + 1);
    }
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) qsort(sorted, 4, sizeof *sorted, order);
        if (setjmp(place) == 0) leave(0);
        for (int j = 0; j < 2; j++) seen[60 + j] = i;
    }
    return 0;
}
"""


def test_iterations_survive_callbacks_and_long_jumps(compiled: Compile) -> None:
    program = compiled(CALLBACK)
    _, columns = everything(program)
    accesses = program.program.accesses
    lines = [accesses[access].line for access in columns["access"]]
    rows = [
        (line, tuple(i for i in row if i >= 0))
        for line, row in zip(lines, columns["iterations"].tolist(), strict=True)
    ]
    loops = [row for line, row in rows if line == 7]
    assert {row[:2] for row in loops} == {(i, j) for i in range(2) for j in range(2)}
    assert {row[2:] for row in loops} == {(0,), (1,)}
    assert [row for line, row in rows if line == 8][:1] == [(0, 0)]
    expected = [(0,), (0, 0), (0, 0, 0), (0, 0, 1)]
    dives = [row for line, row in rows if line == 13]
    assert dives == [(i, *row) for i in range(2) for row in expected]
    assert [row for line, row in rows if line == 22] == [(i, j) for i in range(2) for j in range(2)]


LONG = "int a[64]; int main(void) { for (int i = 0; i < 3000000; i++) a[i % 64] = i; return 5; }"


def test_a_limit_of_records_ends_the_trace_and_not_the_program(compiled: Compile) -> None:
    program = compiled(LONG)
    result, columns = everything(program, limits=Limits(records=400_000))
    assert (result.recorded, result.truncated, result.status) == (400_000, True, 5)
    assert columns["iterations"][:, 0].tolist() == list(range(400_000))
    assert result.block_counts.max() >= 3_000_000
    whole, columns = everything(program)
    assert (whole.recorded, whole.truncated) == (3_000_000, False)
    assert np.array_equal(columns["iterations"][:, 0], np.arange(3_000_000))


def test_a_reader_that_has_enough(compiled: Compile) -> None:
    program = compiled(LONG)
    counted = run(program, on_chunk=lambda chunk: True)
    assert (counted.ending, counted.status, counted.truncated) == ("exit", 5, True)
    assert counted.block_counts.max() >= 3_000_000
    ended = run(program, on_chunk=lambda chunk: True, counts=False)
    assert (ended.ending, ended.truncated) == ("enough", True)
    assert ended.recorded == counted.recorded > 0
    assert len(ended.block_counts) == len(ended.edge_counts) == 0


def test_a_reader_that_fails_is_heard(compiled: Compile) -> None:
    def fails(chunk: Chunk) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(compiled(LONG), on_chunk=fails)


def test_errors_at_the_boundary(compiled: Compile) -> None:
    with pytest.raises(TraceError, match="no function main"):
        run(compiled("int f(void) { return 1; }"))
    with pytest.raises(CompileError, match="missing_function"):
        run(compiled("int missing_function(int); int main(void) { return missing_function(1); }"))
    nested = compiled(
        "int a[9]; int main(void) { for (int i = 0; i < 3; i++)"
        " for (int j = 0; j < 3; j++) a[i + j]++; return 0; }"
    )
    with pytest.raises(RegionError, match="no loop 7"):
        run(nested, nests=(7,))
    with pytest.raises(RegionError, match="lies in loop 0"):
        run(nested, nests=(0, 1))
    with pytest.raises(TraceError, match="the name __logca_trace_x"):
        run(compiled("int __logca_trace_x; int main(void) { return __logca_trace_x; }"))
    assert run(compiled("int logca_state; int main(void) { return logca_state; }")).status == 0


def test_closing_all_descriptors_ends_the_trace_and_not_the_program(compiled: Compile) -> None:
    program = compiled(
        "#include <stdio.h>\n#include <unistd.h>\nint a[600000]; int main(void) {"
        " for (int n = 3; n < 1024; n++) close(n);"
        ' for (int i = 0; i < 600000; i++) a[i] = i; printf("%d\\n", a[599999]); return 0; }'
    )
    result = run(program)
    assert (result.status, result.stdout, result.truncated) == (0, b"599999\n", True)
    (store,) = (access for access in program.program.accesses if access.store)
    assert result.block_counts[store.block] == 600_000


def test_long_jumps_lead_back_to_the_page_of_sites(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiled(
        "#include <setjmp.h>\njmp_buf place; int a[9], b[9];"
        " __attribute__((noinline)) void far_away(int n) { a[n] = n; longjmp(place, n + 1); }"
        " int main(void) { int n = setjmp(place); b[n] = n; if (n < 5) far_away(n); return n; }"
    )
    _, expected = everything(program)
    paged = partial(plan, capacity=7)
    assert len(paged(program.program, program.ir, nests=None).sites.table) > 1 << PAGE_BITS
    monkeypatch.setattr(execution, "plan", paged)
    _, found = everything(program)
    assert found["access"].tolist() == expected["access"].tolist()


INTERRUPTED = """
#include <signal.h>
#include <string.h>
#include <sys/time.h>
volatile int handled, length = 70;
char from[100], to[100], others[100];
double a[500];
void handler(int number) { handled++; memcpy(others, from, length); (void)number; }
int main(void) {
    struct itimerval every = {{0, 500}, {0, 500}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &every, 0);
    while (handled < 200)
        for (int i = 0; i < 500; i++) { a[i] += 1; memcpy(to, from, length); }
    signal(SIGALRM, SIG_IGN);
    return 0;
}
"""


def test_signals_between_accesses_change_no_count(compiled: Compile) -> None:
    program = compiled(INTERRUPTED)
    result, columns = everything(program)
    assert (result.status, result.ending) == (0, "exit")
    recorded = np.bincount(columns["access"], minlength=len(program.program.accesses))
    for access in program.program.accesses:
        if access.function == "main":
            assert recorded[access.id] == result.block_counts[access.block]
        else:
            assert recorded[access.id] <= result.block_counts[access.block]
    assert columns["size"].max() == 70
    assert columns["iterations"].max(axis=0).tolist()[1] == 499


def test_what_came_before_a_signal_is_there_if_its_handler_ends_the_program(
    compiled: Compile,
) -> None:
    program = compiled(
        "#include <signal.h>\n#include <unistd.h>\nint a[9], b; volatile int *nowhere;"
        " void handler(int n) { b = n; _exit(3); } int main(void) { struct sigaction old, new ="
        " {.sa_handler = handler}; sigaction(SIGSEGV, &new, &old);"
        " for (int i = 0; i < 9; i++) a[i] = i; if (old.sa_handler == SIG_DFL) *nowhere = 1; }"
    )
    result, columns = everything(program)
    assert result.status == 3
    names = [program.program.accesses[access].array for access in columns["access"]]
    assert names.count("a") == 9
    assert "b" not in names


def test_variables_may_be_named_as_functions_of_the_library_are(compiled: Compile) -> None:
    program = compiled(
        "double signal[9]; static int longjmp; int main(void) {"
        " for (int i = 0; i < 9; i++) signal[i] = longjmp++; return (int)signal[8]; }"
    )
    result, columns = everything(program)
    assert result.status == 8
    names = {program.program.accesses[access].array for access in columns["access"]}
    assert names == {"signal", "longjmp"}


def test_a_signal_without_a_name(compiled: Compile) -> None:
    result = run(compiled("#include <signal.h>\nint main(void) { return raise(SIGRTMIN + 3); }"))
    assert (result.status, result.signal) == (128 + signal.SIGRTMIN + 3, "SIGRTMIN+3")
    assert "SIGRTMIN+3" in result.message


def test_what_the_machine_does_not_have_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "counted.c"
    source.write_text("int main(void) { return 0; }", encoding="utf-8")
    program = compile_program(source, flags=["-fprofile-instr-generate"])
    with pytest.raises(CompileError, match="LLVM refuses the program's code"):
        run(program)


def test_assembly_code_that_is_none_is_refused(compiled: Compile) -> None:
    program = compiled('int main(void) { __asm__ volatile("nonsense %rax"); return 0; }')
    with pytest.raises(CompileError, match="LLVM refuses the program's code"):
        run(program)
