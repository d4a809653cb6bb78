"""`logca trace`, as a user meets it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import pytest

from logca import trace
from logca.trace.source.compiler import checked_toolchain

Run = Callable[..., tuple[int, str, str]]

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 16
#endif
double A[N][N], B[N][N], C[N][N];
static void multiply(double scale)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = scale * sum;
        }
}
int main(int argc, char **argv)
{
    multiply(argc > 1 ? atof(argv[1]) : 1);
    char line[80];
    while (fgets(line, sizeof line, stdin))
        printf("read %s", line);
    printf("done %g\\n", C[0][0]);
    if (argc > 2) {
        fprintf(stderr, "going down\\n");
        abort();
    }
    while (argc > 1 && argv[1][0] == '9')
        C[0][0] += 1;
    return argc > 1 ? 3 : 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("sources") / "multiply.c"
    path.write_text(SOURCE)
    return str(path)


@pytest.fixture(scope="module")
def on_terminal(source: str) -> Callable[..., list[str]]:
    """Lines that a terminal of some width shows."""

    def lines(width: int, *words: str) -> list[str]:
        # no pty.fork: a library with threads may have been imported by an earlier test
        screen, terminal = pty.openpty()
        ioctl(terminal, TIOCSWINSZ, pack("HHHH", 40, width, 0, 0))
        running = subprocess.Popen(
            [sys.executable, "-m", "logca", *words],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=os.environ | {"TERM": "xterm", "COLUMNS": str(width)},
        )
        os.close(terminal)
        text = b""
        while True:
            try:
                text += os.read(screen, 1 << 16)
            except OSError:
                break
            if not text:
                break
        running.wait()
        os.close(screen)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", text.decode()).split("\n")

    return lines


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("trace", "--help")
    assert code == 0
    assert "Examples" in out
    assert "logca trace gemm.c" in out
    assert "cannot use a network" in " ".join(out.split())


def test_the_summary(run: Run, source: str) -> None:
    code, out, err = run("trace", source)
    assert (code, err) == (0, "")
    # beside the products: argc and argv are registers; stdin and C[0][0] are read once each
    assert f"{2 * 16**3 + 2:,} loads, 256 stores" in out
    assert "sum += A[i][k] * B[k][j];" in out
    (b,) = (line.split() for line in out.splitlines() if line.split()[:2] == ["load", "B"])
    assert b[2:6] == ["4,096", "48.5", "2", "KiB"]
    assert " ".join(b[6:]).startswith("k: +128 B j: +8 B, i: 0 B")
    loops = [line.partition("++)")[2].split() for line in out.splitlines() if "for (int" in line]
    # an outer loop's line ends with a brace
    assert [[word for word in loop if word != "{"][:3] for loop in loops] == [
        ["1", "16", "16"],
        ["16", "256", "16"],
        ["256", "4,096", "16"],
    ]
    assert "done 0" not in out


@pytest.mark.parametrize("width", [80, 120])
def test_it_fits_a_terminal(on_terminal: Callable[..., list[str]], source: str, width: int) -> None:
    shown = on_terminal(width, "trace", source)
    start = next(n for n, line in enumerate(shown) if "program " in line)
    table = shown[start + 1 :]
    assert max(map(len, table)) <= width
    assert any("sum += A[i][k] * B[k][j];" in line for line in table)
    assert any("k: +128 B" in line for line in table)
    assert any("j: +8 B, i: 0 B" in line for line in table) == (width == 120)
    assert any("compiling" in line for line in shown[: start + 1])


@pytest.mark.parametrize(
    ("stage", "says"),
    [
        ("cfg", "for.cond"),
        ("values", "sum"),
        ("instructions", "fmul"),
        ("counts", "4,096"),
        ("loops", "for (int k = 0; k < N; k++)"),
        ("lines", "C[i][j] = scale * sum;"),
        ("strides", "+128"),
        ("reuse", "first touch"),
    ],
)
def test_each_stage_prints(run: Run, source: str, stage: str, says: str) -> None:
    code, out, err = run("trace", source, "--stage", stage)
    assert (code, err) == (0, "")
    assert says in out
    assert not any(line.endswith(" ") for line in out.splitlines())


def test_several_stages_and_a_region(run: Run, source: str) -> None:
    code, out, _ = run(
        "trace", source, "--region", "pragma", "--stage", "instructions", "--stage", "loops",
        "-D", "N=8",
    )  # fmt: skip
    assert code == 0
    assert out.index("Instructions") < out.index("Loops")
    (fmul,) = (line.split() for line in out.splitlines() if line.startswith("fmul"))
    assert fmul[:4] == ["fmul", "double", "2", str(8**3 + 8**2)]
    assert "while" not in out


def test_json(run: Run, source: str) -> None:
    code, out, _ = run("trace", source, "--json", "--level", "O1", "--function", "multiply")
    found = json.loads(out)
    assert code == 0
    assert found["program"]["level"] == "O1"
    assert found["region"]["title"] == "function multiply"
    assert found["loads"] == 2 * 16**3
    (line,) = (each for each in found["lines"] if each["text"].startswith("sum +="))
    assert line["footprint"] == {"bytes": 4096, "lines": line["footprint"]["lines"]}
    assert {loop["trip"] for loop in found["loops"]} == {16}


def test_a_trace_in_a_file(run: Run, source: str, tmp_path: Path) -> None:
    output = tmp_path / "t.parquet"
    code, out, _ = run("trace", source, "-o", str(output), "--region", "pragma")
    assert code == 0
    assert str(output) in out
    _, batches = trace.read_trace(output)
    assert sum(batch.num_rows for batch in batches) == 2 * 16**3 + 16**2
    code, out, err = run("trace", source, "-o", str(output))
    assert (code, out) == (2, "")
    assert "exists; --force" in err
    assert run("trace", source, "-o", str(output), "--force", "--stage", "counts")[0] == 0


def test_what_the_program_prints_is_shown_on_request(run: Run, source: str, tmp_path: Path) -> None:
    given = tmp_path / "input.txt"
    given.write_text("one\ntwo\n")
    code, out, _ = run("trace", source, "--stdin", str(given), "--show-output", "-DN=4")
    assert code == 0
    assert out.startswith("read one\nread two\ndone 0\nmultiply.c executes ")
    assert "\n\nprogram " in out


def test_a_program_that_fails_by_itself(run: Run, source: str) -> None:
    code, out, err = run("trace", source, "--arg", "1.5", "-DN=4")
    assert code == 0
    assert "exit status 3" in out
    assert err.endswith("  done 0\nlogca: the program ended with exit status 3\n")


def test_a_crash(run: Run, source: str) -> None:
    code, out, err = run("trace", source, "--arg", "1", "--arg", "2", "-DN=4")
    assert code == 1
    assert "for (int k = 0; k < N; k++)" in out
    assert "  going down\n" in err
    assert "abort()" in err.splitlines()[-1]
    assert "multiply.c:28" in err.splitlines()[-1]


def test_an_endless_loop(run: Run, source: str) -> None:
    code, out, err = run(
        "trace", source, "--arg", "9", "-DN=4", "--time-limit", "0.3", "--record-limit", "1000"
    )
    assert code == 1
    assert "then the trace ends" in out
    assert "did not end within 0.3 s" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-D", "N=oops"], "error: use of undeclared identifier 'oops'"),
        (["--function", "nobody"], "there is no function 'nobody'"),
        (["--region", "pragma", "--function", "main"], "no loop of function main has"),
    ],
)
def test_bad_input_is_one_line(run: Run, source: str, words: list[str], says: str) -> None:
    code, out, err = run("trace", source, *words)
    assert code == (5 if "compiler" in says else 2)
    assert out == ""
    assert says in err
    assert err.startswith("logca: ")
    assert len(err.splitlines()) == 1


def test_a_compile_error_has_its_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.c"
    path.write_text("int main(void)\n{\n    return 1 +;\n}\n")
    code, _, err = run("trace", str(path))
    assert code == 2
    assert f"logca: {path}:3:15: error: expected expression" in err
    missing = str(tmp_path / "none.c")
    assert run("trace", missing) == (2, "", f"logca: there is no file {missing}\n")


@pytest.mark.parametrize(
    ("package", "words"),
    [("llvmlite", []), ("ziglang", ["--compiler", "zig"]), ("pyarrow", ["-o", "t.parquet"])],
)
def test_a_missing_package_says_how_to_get_it(
    run: Run,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    words: list[str],
) -> None:
    checked_toolchain.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    code, out, err = run("trace", source, *words)
    assert (code, out) == (5, "")
    assert err == (
        f"logca: this needs {package}, which is not installed: pip install 'logca[trace]'\n"
    )


@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        (signal.SIGINT, 130, "interrupted: nothing is written\n"),
        (signal.SIGTERM, 143, ""),
        (signal.SIGHUP, 129, ""),
    ],
)
def test_an_interrupt_ends_it_and_leaves_nothing(
    source: str, tmp_path: Path, number: signal.Signals, code: int, told: str
) -> None:
    output = tmp_path / "t.arrow"
    words = ["trace", source, "--arg", "9", "-o", str(output)]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "logca", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    deadline = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    (home,) = temporary.glob("logca-run-*")
    process.send_signal(number)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (code, "", told)
    assert list(tmp_path.iterdir()) == [temporary]
    assert list(temporary.iterdir()) == []
    assert str(home) not in running_programs()


def running_programs() -> str:
    """The executables of all processes that may be asked for theirs."""
    found = []
    for each in Path("/proc").glob("[0-9]*/exe"):
        with suppress(OSError):
            found.append(os.readlink(each))
    return "\n".join(found)


def test_the_limit_of_time_is_the_one_that_help_says(run: Run) -> None:
    _, out, _ = run("trace", "--help")
    words = " ".join(out.replace("│", " ").split())
    said = re.search(r"Time limit of the program, [^\[]*\[s\]\. \[default: \(?(\d+)", words)
    assert said is not None
    assert float(said[1]) == trace.Limits().time_s
