"""Lines from addresses, against addresses that the program itself prints."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.compile.driver import Compiled
from logca.trace.instrument.line_table import Reader, image

SOURCE = """#include <stdio.h>
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


@pytest.mark.parametrize("version", [4, 5])
def test_lines_of_addresses(
    tmp_path: Path, compiled: Callable[..., Compiled], version: int
) -> None:
    tool = compiled("int main(void) { return 0; }").toolchain
    source, executable = tmp_path / "where.c", tmp_path / "where"
    source.write_text(SOURCE)
    command = tool.link_command(
        [source], executable, flags=["-g", f"-gdwarf-{version}", "-O0", "-no-pie", "-fno-inline"]
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


@pytest.mark.parametrize(
    ("data", "signed", "value"),
    [
        # the examples of the DWARF 5 standard, figures C.1 and C.2 in appendix C
        (b"\x02", False, 2),
        (b"\x7f", False, 127),
        (b"\x80\x01", False, 128),
        (b"\x81\x01", False, 129),
        (b"\x02", True, 2),
        (b"\x7e", True, -2),
        (b"\xff\x00", True, 127),
        (b"\x81\x7f", True, -127),
        (b"\x80\x01", True, 128),
        (b"\x80\x7f", True, -128),
    ],
)
def test_numbers_of_variable_size(data: bytes, signed: bool, value: int) -> None:
    assert Reader(data).leb(signed=signed) == value
