"""Loops on several threads: what OpenMP is told, and that programs do what they did."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from logca.common.errors import CompileError, TraceError
from logca.common.limits import Limits
from logca.gpu.loops.detection import detected
from logca.gpu.program.running import Sources, counted
from logca.gpu.program.workload import workload
from logca.offloading import threads
from logca.offloading.check import check
from logca.offloading.threads import OpenMP, ParallelLoop, openmp, parallel_loops, threaded

needs_openmp = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

PROGRAM = """
#include <stdio.h>
#ifndef N
#define N 60
#endif
static double a[N][N], b[N][N];
int main(void) {
    int i, j, k;
    double sum = 0, t;
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = i * 7 % 11 + j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            t = 0;
            for (k = 0; k < N; k++) t += a[i][k] * a[k][j];
            b[i][j] = t;
        }
    #pragma logca offload
    for (i = 0; i < N; i++) sum += b[i][i];
    printf("%.0f\\n", sum);
    return 0;
}
"""


def sources(folder: Path, text: str, **how: Any) -> Sources:
    path = folder / "program.c"
    path.write_text(text)
    usual: dict[str, Any] = {
        "paths": (path,),
        "defines": {},
        "includes": (),
        "flags": (),
        "arguments": (),
        "stdin": b"",
        "limits": Limits(),
    }
    return Sources(**{**usual, **how})


def loops_of(found: Sources) -> tuple[ParallelLoop, ...]:
    first = counted(found.executable({}))
    loops = detected(workload(first, found.executable, {}, {}))
    return parallel_loops(first.program.compiled.program, loops.nests, found.paths)


@needs_openmp
def test_a_program_does_the_same_on_threads(tmp_path: Path) -> None:
    text = PROGRAM.replace("#pragma logca offload\n", "\n").replace(
        "    for (i = 0; i < N; i++)\n        for (j",
        "    #pragma logca offload collapse(2)\n    for (i = 0; i < N; i++)\n        for (j",
        1,
    )
    found = sources(tmp_path, text)
    (loop,) = loops_of(found)
    assert loop.line == 12
    assert set(loop.private) == {"j", "k", "t"}
    compiler = openmp(2)
    outputs = []
    for parallel in (False, True):
        with threaded(found, [loop], compiler, {"N": 80}, parallel=parallel) as program:
            run = program.run()
            assert run.entries == 1
            assert run.seconds > 0
            outputs.append(run.stdout)
    assert outputs[0] == outputs[1] != b""


@needs_openmp
def test_sums_are_gathered(tmp_path: Path) -> None:
    found = sources(tmp_path, PROGRAM)
    (loop,) = loops_of(found)
    assert loop.reductions == (("sum", "+"),)
    assert loop.pragma == "omp parallel for schedule(static) reduction(+ : sum)"
    with threaded(found, [loop], openmp(2), {}, parallel=True) as program:
        parallel = program.run().stdout
    with threaded(found, [loop], openmp(2), {}, parallel=False) as program:
        assert program.run().stdout == parallel


@needs_openmp
def test_a_parallel_loop_costs_something(tmp_path: Path) -> None:
    found = openmp(2)
    assert 1e-8 < found.again_s < 0.1
    assert 1e-8 < found.first_s < 0.1


def test_without_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "find_program", lambda name: None)
    with pytest.raises(TraceError, match=r"\(tried none\): install gcc, or let LOGCA_OPENMP_CC"):
        openmp(2)


@needs_openmp
def test_what_cannot_run_on_threads_is_named(tmp_path: Path) -> None:
    compiler = OpenMP(command=shutil.which("gcc") or "", threads=2, first_s=1e-6, again_s=1e-6)
    found = sources(tmp_path, "int main(void) {\n  int i = 0;\n  while (i < 9) i++;\n}\n")
    loop = ParallelLoop(file=found.paths[0], line=3, before=0, private=(), hidden=(), reductions=())
    with (
        pytest.raises(TraceError, match=r"program.c:3: no `for` of its own begins there"),
        threaded(found, [loop], compiler, {}, parallel=True),
    ):
        pass
    found = sources(tmp_path, "int main(void) {\n  for (;;) break;\n}\n")
    loop = ParallelLoop(file=found.paths[0], line=2, before=0, private=(), hidden=(), reductions=())
    with (
        pytest.raises(CompileError, match=r"with OpenMP: program.c:2"),
        threaded(found, [loop], compiler, {}, parallel=True),
    ):
        pass
    found = sources(tmp_path, "int main(void) { for (;;) ; }", limits=Limits(time_s=0.3))
    with (
        threaded(found, [], compiler, {}, parallel=False) as program,
        pytest.raises(TraceError, match=r"program did not end within 0.3 s"),
    ):
        program.run()


@needs_openmp
def test_scratch_arrays_and_names_of_the_loop_are_each_threads_own(tmp_path: Path) -> None:
    text = """
#include <math.h>
#include <stdio.h>
#ifndef N
#define N 600
#endif
static double a[N], b[N];
int main(void) {
    double t = 5, scratch[64];
    for (int i = 0; i < N; i++) a[i] = i % 17;
    #pragma logca offload
    for (int i = 0; i < N; i++) {
        double t = a[i] * 2, y1 = 0;
        for (int k = 0; k < 64; k++) scratch[k] = a[(i + k) % N] + t;
        for (int k = 0; k < 64; k++) y1 += scratch[k] * k;
        b[i] = y1;
    }
    double sum = 0;
    for (int i = 0; i < N; i++) sum += b[i] * (i % 5);
    printf("%.1f %.1f\\n", sum, t);
    return 0;
}
"""
    found = sources(tmp_path, text)
    (loop,) = loops_of(found)
    outputs = set()
    for parallel in (False, True):
        with threaded(found, [loop], openmp(2), {}, parallel=parallel) as program:
            outputs |= {program.run().stdout for _ in range(5)}
    assert len(outputs) == 1


@needs_openmp
def test_a_form_feed_is_no_end_of_a_line(tmp_path: Path) -> None:
    found = sources(
        tmp_path,
        "static int a[9];\n\f\nint main(void) {\n  for (int i = 0; i < 9; i++)"
        " a[i] = i;\n  return a[3];\n}\n",
    )
    loop = ParallelLoop(file=found.paths[0], line=4, before=0, private=(), hidden=(), reductions=())
    with threaded(found, [loop], openmp(2), {}, parallel=True) as program:
        assert program.run().entries == 1


HOSTILE = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *hog(void *nothing) { for (;;) memset(malloc(1 << 24), 1, 1 << 24); return nothing; }
int main(void) {
    double sum = 0;
    for (int i = 0; i < 1000; i++) sum += i;
    const char *times = getenv("LOGCA_TIMES");
    %s
    printf("%%g\\n", sum);
    fflush(0);
    %s
}
"""


@needs_openmp
@pytest.mark.parametrize(
    ("deed", "end", "said"),
    [
        ("for (;;) memset(malloc(1 << 24), 1, 1 << 24);", "return 0;", "took more than 300 MiB"),
        (
            "pthread_t other; pthread_create(&other, 0, hog, 0); syscall(SYS_exit, 0);",
            "return 0;",
            "took more than 300 MiB",
        ),
        (
            "for (int i = 0; i < 15; i++) if (!fork()) { char *all = mmap(0, 30 << 20, 3,"
            " MAP_SHARED | MAP_ANONYMOUS, -1, 0); memset(all, 1, 30 << 20);"
            " madvise(all, 30 << 20, 4);"
            " sleep(9); }",
            "sleep(9);",
            "took more than 300 MiB",
        ),
        ("for (int i = 0; i < 90; i++) if (!fork()) sleep(9);", "sleep(9);", "than 20 processes"),
        (
            "for (int i = 0; i < 64; i++) { char name[9]; sprintf(name, \"%d\", i);"
            " FILE *file = fopen(name, \"w\"); void *much = calloc(1, 1 << 22);"
            " fwrite(much, 1, 1 << 22, file); fclose(file); free(much); }",
            "sleep(9);",
            "files took more than 32 MiB",
        ),
        ("for (;;) puts(\"again and again\");", "return 0;", "more than 5000 bytes of output"),
        ("mkfifo(times, 0600);", "_exit(0);", "into its own times"),
        ("fputs(\"-1 2\\n\", fopen(times, \"w\"));", "fflush(0), _exit(0);", "into its own times"),
        ("fputs(\"1_0 +1\", fopen(times, \"w\"));", "fflush(0), _exit(0);", "into its own times"),
        ("fputs(\"5 9999999999999999999\", fopen(times, \"w\"));", "fflush(0), _exit(0);", "times"),
        ("", "_exit(0);", "ended by a signal"),
    ],
)  # fmt: skip
def test_a_program_on_threads_meets_its_limits(
    tmp_path: Path, deed: str, end: str, said: str
) -> None:
    found = sources(tmp_path, HOSTILE % (deed, end), limits=Limits(
        time_s=20, memory_B=300 << 20, disk_B=32 << 20, processes=20, output_B=5000
    ))  # fmt: skip
    loop = ParallelLoop(
        file=found.paths[0], line=14, before=0, private=(), hidden=(), reductions=(("sum", "+"),)
    )
    with (
        threaded(found, [loop], openmp(2), {}, parallel=True) as program,
        pytest.raises(TraceError, match=said),
    ):
        program.run()


@needs_openmp
def test_directives_of_the_source_give_way_to_ours(tmp_path: Path) -> None:
    text = PROGRAM.replace(
        "    #pragma logca offload\n",
        "#pragma omp parallel for \\\n    reduction(+ : sum)\n\n#pragma omp simd\n",
    )
    found = sources(tmp_path, text)
    line = 1 + text.splitlines().index("    for (i = 0; i < N; i++) sum += b[i][i];")
    loop = ParallelLoop(
        file=found.paths[0], line=line, before=0, private=(), hidden=(), reductions=(("sum", "+"),)
    )
    outputs = []
    for parallel in (False, True):
        with threaded(found, [loop], openmp(2), {}, parallel=parallel) as program:
            outputs.append(program.run().stdout)
    assert outputs[0] == outputs[1]


@needs_openmp
def test_a_size_at_which_no_loop_is_entered_is_named(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stdio.h>\n#ifndef N\n#define N 64\n#endif\nstatic double a[4096];\n"
        "int main(void) {\n    if (N > 40)\n"
        "        for (int i = 0; i < N; i++) a[i] = a[i] * 2 + i;\n"
        '    printf("%g\\n", a[3]);\n    return 0;\n}\n'
    )
    with pytest.raises(TraceError, match="no loop is entered at N = 16"):
        check(source, size="N=16:64")
