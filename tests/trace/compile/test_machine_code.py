"""Programs do what C and the system say, not what an optimiser makes of them."""

import platform
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.common.errors import CompileError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled
from logca.trace.compile.machine_code import QUICK, USUAL, emit, link_command
from logca.trace.compile.optimisation import optimised_as_written
from logca.trace.execute.run import run
from logca.trace.source.compiler import toolchain

Compile = Callable[..., Compiled]

X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="traps are those of x86")
SIGFPE, SIGSEGV = 136, 139

ERRORS = """
#include <errno.h>
#include <math.h>
#include <stdio.h>
volatile double minus = -1, zero = 0, big = 1e6;
int main(void) {
    double sum = 0;
    errno = 0; sum += sqrt(minus); printf("%d", errno == EDOM);
    errno = 0; sum += log(zero); printf("%d", errno == ERANGE);
    errno = 0; sum += exp(big); printf("%d", errno == ERANGE);
    errno = 0; sum += pow(minus, 0.5); printf("%d", errno == EDOM);
    errno = 0; sum += fmod(big, zero); printf("%d", errno == EDOM);
    errno = 0; sum += acos(big); printf("%d", errno == EDOM);
    return sum == 0;
}
"""


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_functions_of_mathematics_set_errno(compiled: Compile, level: str) -> None:
    result = run(compiled(ERRORS, level=level))
    assert (result.status, result.stdout) == (0, b"111111")


def program(statements: str) -> str:
    start = 'puts("before"); fflush(stdout);'
    return f"#include <stdio.h>\nint main(int n, char **v) {{ {start} {statements} return 0; }}\n"


@X86
@pytest.mark.parametrize(
    ("statements", "status"),
    [
        ('int zero = 0; printf("%d", 5 / zero);', SIGFPE),
        ('long k = 7; int zero = 0; printf("%ld", k % zero);', SIGFPE),
        ("unsigned char zero = 0, q = 9; q = q / zero; return q;", SIGFPE),
        ('int zero = 0; for (int i = 0; i < 9 / zero; i++) puts("n");', SIGFPE),
        ('int *nowhere = 0; *nowhere = 3; puts("after");', SIGSEGV),
    ],
)
def test_what_is_undefined_traps_as_the_machine_does(
    compiled: Compile, statements: str, status: int
) -> None:
    result = run(compiled(program(statements)))
    assert (result.ending, result.status, result.stdout) == ("crash", status, b"before\n")
    assert result.last_line.endswith("program.c:2")


def test_static_arrays_of_many_gib(compiled: Compile) -> None:
    made = compiled(
        "static char first[3000000000]; static double other[9], last[300000000];"
        "int main(void) { for (unsigned long i = 0; i < 3; i++) first[i * 1000000000] = i + 1;"
        " last[299999999] = 4; other[8] = 5;"
        " return first[2000000000] + (int)last[299999999] + (int)other[8]; }"
    )
    result = run(made, limits=Limits(memory_B=8 << 30))
    assert (result.ending, result.status, result.recorded) == ("exit", 12, 8)


@pytest.mark.parametrize("level", [USUAL, QUICK])
def test_a_text_that_llvm_does_not_read_is_told_in_a_line(tmp_path: Path, level: str) -> None:
    """In this process and in another one, which has the large texts."""
    text = "define ptr @f() {\n  ret ptr @g\n}\n"
    with pytest.raises(CompileError, match="use of undefined value '@g'") as told:
        emit(text, tmp_path / "a.o", level=level)
    assert len(str(told.value).splitlines()) == 1
    with pytest.raises(CompileError, match="defect of logca: use of undefined value '@g'"):
        optimised_as_written(text)


def test_objects_and_c_sources_are_linked(tmp_path: Path) -> None:
    tool = toolchain()
    part, main = tmp_path / "part.c", tmp_path / "main.c"
    part.write_text("#include <math.h>\ndouble f(double x) { return cbrt(x); }\n")
    main.write_text("double f(double); int main(int c, char **v) { return (int)f(c * 27) + 4; }\n")
    output = tmp_path / "program"
    command = link_command(tool, [main, part], output)
    subprocess.run(command, env=tool.environment(), check=True, capture_output=True)
    assert subprocess.run([output], check=False).returncode == 7
