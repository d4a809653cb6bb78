"""Clocks in loops: the program does what it did, and the loops take the time that they take."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.compile.machine_code import link_command
from logca.trace.execute.loop_times import LoopTimes, timed_program

PROGRAMS = Path(__file__).with_name("programs")
POLYBENCH = Path(__file__).parents[3] / "examples" / "polybench"

SLEEPING = """
#define _GNU_SOURCE
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 20; i++) usleep(1000);
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 10; i++) usleep(500);
  return 0;
}
"""
UNREAD = """
static float a[1 << 22];
int main(void) {
  float local[1024];
  for (int i = 0; i < 1 << 22; i++) a[i] = 2.0f * i;
  for (int i = 0; i < 1024; i++) local[i] = 3.0f * i;
  return 0;
}
"""
LEAVING = """
#include <stdlib.h>
#include <stdio.h>
static int f(int n) {
  for (int i = 0; i < 100; i++) {
    if (i == n) return i;
    if (i == 90) goto out;
  }
out:
  return -1;
}
int main(int argc, char **argv) {
  int sum = 0;
  for (int k = 0; k < 200; k += 50) sum += f(k);
  switch (argc) { case 1: case 2: for (int i = 0; i < 9; i++) sum += i; case 3: sum++; }
  printf("%d\\n", sum);
  for (int i = 0;; i++) if (i == 7) exit(sum & 1);
}
"""


def compiled(text: str, folder: Path) -> Compiled:
    source = folder / "program.c"
    source.write_text(text)
    return compile_program(source)


def timed(program: Compiled, loops: list[int], **how: Any) -> LoopTimes:
    with timed_program(program, loops, **how) as found:
        return found.run()


def test_loops_that_sleep_take_the_time_that_they_sleep(tmp_path: Path) -> None:
    program = compiled(SLEEPING, tmp_path)
    first, _, inner = (loop.id for loop in program.program.loops)
    found = timed(program, [first, inner])
    assert found.entries.tolist() == [1, 3]
    assert found.seconds[0] >= 20e-3
    assert found.seconds[1] >= 15e-3
    assert found.seconds.sum() < found.program_s < found.seconds.sum() + 0.1


def test_a_loop_whose_results_nothing_reads_is_not_left_out(tmp_path: Path) -> None:
    program = compiled(UNREAD, tmp_path)
    large, small = (loop.id for loop in program.program.loops)
    found = timed(program, [large, small])
    # 16 MiB at more than 4 TB/s: no memory is as fast
    assert found.seconds[0] > 4e-6
    assert found.seconds[0] > found.seconds[1] > 0


def test_a_sum_that_nothing_reads_is_made(tmp_path: Path) -> None:
    text = "static double a[1 << 20]; int main(void) { double s = 0;\n"
    text += "for (int i = 0; i < 1 << 20; i++) s += a[i] * a[i]; return 0; }"
    found = timed(compiled(text, tmp_path), [0])
    # 8 MiB at more than 4 TB/s: no memory is as fast
    assert found.seconds[0] > 2e-6


@pytest.mark.parametrize("memory", ["static double a[1 << 20];", "double *a = malloc(8 << 20);"])
def test_the_first_loop_is_not_charged_for_pages(memory: str, tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 1 << 20; i++) a[i] = 2.0 * i;\n"
    text = f"#include <stdlib.h>\nint main(void) {{ {memory}\n{loop}{loop}return a[5] > 99; }}"
    program = compiled(text, tmp_path)
    runs = [timed(program, [0, 1]).seconds for _ in range(3)]
    first, second = (min(run[which] for run in runs) for which in (0, 1))
    # 2,048 pages at a microsecond each would be five times as much
    assert first < 2.5 * second + 1e-4


def test_loops_that_are_left_in_several_ways(tmp_path: Path) -> None:
    program = compiled(LEAVING, tmp_path)
    loops = [loop.id for loop in program.program.loops]
    found = timed(program, loops)
    assert found.stdout == b"85\n"
    entries = dict(zip([program.program.loops[n].line for n in loops], found.entries, strict=True))
    # the loop of f runs inside of the one that calls it
    assert entries == {5: 0, 14: 1, 15: 1, 17: 1}
    alone = timed(program, [loop.id for loop in program.program.loops if loop.line == 5])
    assert alone.entries.tolist() == [4]
    assert np.all(alone.seconds > 0)


@pytest.mark.parametrize("name", ["control", "odd", "data"])
def test_programs_print_what_they_print(name: str, tmp_path: Path) -> None:
    source = PROGRAMS / f"{name}.c"
    program = compile_program(source)
    executable = tmp_path / name
    command = link_command(program.toolchain, [source], executable)
    subprocess.run(command, env=program.toolchain.environment(), check=True)
    plain = subprocess.run([executable], capture_output=True, cwd=tmp_path).stdout
    outermost = [
        loop.id
        for loop in program.program.loops
        if loop.parent is None and loop.function != "interpret"
    ]
    assert timed(program, outermost).stdout == plain


def test_a_loop_around_computed_jumps_is_refused() -> None:
    program = compile_program(PROGRAMS / "control.c")
    (loop,) = (loop.id for loop in program.program.loops if loop.function == "interpret")
    with pytest.raises(TraceError, match="computed jump"):
        timed(program, [loop])


@pytest.mark.parametrize("name", ["jacobi-2d", "gramschm", "floyd-warshall"])
def test_kernels_compute_what_they_compute(name: str, tmp_path: Path) -> None:
    program = compile_program(POLYBENCH / f"{name}.c", defines={"N": 40})
    executable = tmp_path / name
    command = link_command(
        program.toolchain, [POLYBENCH / f"{name}.c"], executable, flags=["-DN=40"]
    )
    subprocess.run(command, env=program.toolchain.environment(), check=True)
    plain = subprocess.run([executable], capture_output=True).stdout
    loops = [loop.id for loop in program.program.loops if loop.parent is None]
    found = timed(program, loops)

    # vectorised sums and fused products round otherwise
    def numbers(text: bytes) -> list[float]:
        return [float(word) for word in text.split() if word.replace(b".", b"").isdigit()]

    assert numbers(found.stdout) == pytest.approx(numbers(plain), rel=1e-3)


def test_a_program_that_takes_too_long_or_crashes_says_so(tmp_path: Path) -> None:
    endless = compiled("int main(void) { for (volatile int i = 0;; i++) ; }", tmp_path)
    with pytest.raises(TraceError, match=r"optimised for this machine: .*within 0.3 s"):
        timed(endless, [0], limits=Limits(time_s=0.3))
    crash = compiled(
        "int main(int n, char **p) { for (int i = 0; i < n; i++) *(volatile int *)8 = 1; }",
        tmp_path,
    )
    with pytest.raises(TraceError, match="SIGSEGV"):
        timed(crash, [0])
