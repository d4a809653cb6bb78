"""What was recorded before a fault, and lines of addresses that the program itself prints."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile
from numpy.typing import NDArray

from logca.trace.compile.driver import Compiled
from logca.trace.compile.machine_code import emit, link_command
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.run import Run, run
from logca.trace.instrument.faults import image
from logca.trace.instrument.plan import plan
from logca.trace.instrument.rewriting import instrumented

Compile = Callable[..., Compiled]
PLACES = 60
ROUNDS = 15_000
"""More records than the ring has room for: what lies behind the cursor looks like a stretch."""


def straight(random: Random) -> str:
    """A program of one long block, each of whose places can be made to lie where nothing is."""
    lines = []
    for n in range(0, PLACES - 4, 4):
        a, b, c, d = (f"*p[{place}]" for place in range(n, n + 4))
        lines.append(
            random.choice(
                [
                    f"{a} = {b} + {c}; sum += {d};",
                    f"sum += {a} * {b}; t[{n}] += sum; sum -= {c} / {d};",
                    f"{a} += 1; {b} -= {a}; sum *= (float){c} + {d};",
                    f"sum += (int){a} + u[{n} + (long){b}] + {c}; u[3] += {d};",
                    f"if_any |= ({a} < {b}) + ({c} != {d});",
                    f"{a} = {b}; {c} = {d}; sum += {a} + {c};",
                    f"many = *(struct many *)p[{n}]; sum += many.v[1] + {b}; {c} = {d};",
                    f"sum += u[7] / (int)({a} + 1) + {b} + u[5] % (int)({c} + 1) + {d};",
                ]
            )
        )
    body = "\n    ".join(lines)
    return f"""
#include <stdlib.h>
static double x[{PLACES} + 6], t[{PLACES}], *p[{PLACES}];
static int u[{PLACES}];
static volatile double result;
struct many {{ double v[6]; }} many;
static double all(void) {{
    double sum = 0;
    int if_any = 0;
    {body}
    return sum + if_any;
}}
int main(int argc, char **argv) {{
    int bad = atoi(argv[1]);
    *(volatile double *)x = 1;
    for (int n = 0; n < {PLACES}; n++)
        p[n] = x + n;
    for (int n = 0; n < {ROUNDS}; n++)
        result = all();
    p[bad] = bad < {PLACES} - 1 ? (double *)16 : x;
    result = all();
    return 0;
}}
"""


def traced(compiled: Compiled, bad: int) -> tuple[NDArray[np.uint64], Run]:
    """Accesses and addresses of a run in which a place lies where nothing is, from `all` on."""
    parts: list[NDArray[np.uint64]] = []

    def take(chunk: Chunk) -> None:
        parts.append(np.column_stack([chunk.access.astype(np.uint64), chunk.address]))

    ended = run(compiled, arguments=[f"{bad:03d}"], on_chunk=take)
    return np.concatenate(parts), ended


@pytest.fixture
def as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is taken for a large one, whose code is compact and not optimised."""
    monkeypatch.setattr("logca.trace.compile.machine_code.LARGE_TEXT", 0)


def test_everything_before_a_fault_is_there_in_a_large_program(
    compiled: Compile, as_large: None
) -> None:
    faults_in(compiled(straight(Random(5))), Random(5), 3)


@pytest.mark.parametrize("level", ["as-written", "O1"])
def test_everything_before_a_fault_is_there(compiled: Compile, level: str) -> None:
    random = Random(2)
    faults_in(compiled(straight(random), level=level), random, 6)


def faults_in(program: Compiled, random: Random, number: int) -> None:
    """Check what was recorded before some faults in a program."""
    whole, done = traced(program, PLACES - 1)
    assert done.ending == "exit"
    accesses, numbers = program.program.accesses, whole[:, 0].astype(int)
    base = whole[np.array([access.array == "x" for access in accesses])[numbers], 1][0]
    # the last call follows the store of main that sets a pointer
    setting = [access.function == "main" and access.array == "p" for access in accesses]
    start = 1 + int(np.flatnonzero(np.array(setting)[numbers])[-1])
    for bad in random.sample(range(PLACES - 4), number):
        rows, ended = traced(program, bad)
        assert ended.ending == "crash"
        fault = start + int(np.flatnonzero(whole[start:, 1] == base + np.uint64(8 * bad))[0])
        assert len(rows) == fault
        assert np.array_equal(rows[start:], whole[start:fault])


FAULTS = {
    "*nowhere = a[3];": 4,
    "a[4] = *nowhere;": 3,
    "a[4] = a[3] / zero;": 4,
    "memcpy(nowhere, a, many);": 5,
    "memcpy(nowhere, a, sizeof a);": 5,
    "*(struct some *)a = *(struct some *)nowhere;": 3,
    "__builtin_trap();": 3,
    "__atomic_fetch_add(nowhere, a[3], __ATOMIC_RELAXED);": 4,
    "a[4] = strlen((char *)nowhere);": 3,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_all_kinds(compiled: Compile, fault: str) -> None:
    fault_of_a_kind(compiled, fault)


@pytest.mark.parametrize("fault", ["memcpy(nowhere, a, many);", "a[4] = a[3] / zero;"])
def test_faults_in_large_programs(compiled: Compile, as_large: None, fault: str) -> None:
    fault_of_a_kind(compiled, fault)


def fault_of_a_kind(compiled: Compile, fault: str) -> None:
    """Check what was recorded before a fault among a few accesses."""
    text = f"""
    #include <string.h>
    static int a[64];
    struct some {{ int v[4]; }};
    static void all(int *nowhere, int zero, unsigned long many) {{
        a[0] = 1;
        a[1] = 2;
        a[2] = 3;
        {fault}
        a[5] = 6;
    }}
    int main(int argc, char **argv) {{
        all((int *)(argc * 16l), argc - 1, argc * 64);
        return 0;
    }}
    """
    rows: list[int] = []
    ended = run(compiled(text), on_chunk=lambda chunk: rows.extend(chunk.access.tolist()))
    assert ended.ending == "crash"
    # a copy that the C library does counts as done, as does what other functions of it do
    assert rows == list(range(FAULTS[fault]))


def test_places_of_records_cost_nothing(compiled: Compile, tmp_path: Path) -> None:
    program = compiled(straight(Random(3)))
    what = plan(program.program, program.ir, nests=None)
    text = instrumented(program.program, program.ir, plan=what, counts=True)
    without, marks = re.subn(r"(?m)^(.*logca.*), !dbg !\d+$", r"\1", text)
    assert marks > 100
    code = []
    for ir in (text, without):
        emit(ir, tmp_path / "program.o")
        with (tmp_path / "program.o").open("rb") as stream:
            code.append(ELFFile(stream).get_section_by_name(".text").data())
    assert code[0] == code[1]


WHERE = """#include <stdio.h>
int first(int x) {
    return x + 1;
}

void *where(void) { return __builtin_return_address(0); }

int second(int x) {
    printf("%p\\n", where());
    return x;
}
int main(void) {
    printf("%p %p\\n", (void *)first, (void *)second);
    return second(0);
}
"""


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_lines_of_addresses(
    tmp_path: Path, compiled: Callable[..., Compiled], version: int
) -> None:
    tool = compiled("int main(void) { return 0; }").toolchain
    source, executable = tmp_path / "where.c", tmp_path / "where"
    source.write_text(WHERE)
    command = link_command(
        tool,
        [source],
        executable,
        flags=["-g", f"-gdwarf-{version}", "-O0", "-no-pie", "-fno-inline"],
    )
    subprocess.run(command, env=tool.environment(), check=True)
    words = subprocess.run([executable], capture_output=True, check=True).stdout.split()
    first, second, inside = (int(word, 16) for word in words)
    code = image(executable)
    assert code.place(first) == (str(source), 2)
    assert code.place(second) == (str(source), 8)
    assert code.place(inside - 1) == (str(source), 9)
    assert code.after_call(inside)
    assert not code.after_call(first)
    assert code.place(16) is None
    assert code.place(1 << 40) is None


def test_a_file_that_is_no_executable_has_no_places(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"no executable")
    assert image(path).place(0) is None
    assert not image(path).after_call(0)
