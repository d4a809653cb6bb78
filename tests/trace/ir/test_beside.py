"""What another process says of a module's later functions is what is found without one."""

from collections.abc import Callable

import pytest

from logca.common.processes import asked_beside
from logca.trace.compile.driver import Compiled
from logca.trace.ir import beside
from logca.trace.ir.program import Program
from logca.trace.ir.reading import program_of

TEXT = """
double a[64], b[64];
static double first(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[n - i];
    return sum;
}
static double second(int n) {
    double local[8], most = 0;
    for (int i = 0; i < n; i++) {
        int last = i;
        for (int j = 0; j < 8; j++) { local[j] = b[i] + last; last = j; }
        if (n > 3 && local[i & 7] > most) most = local[i & 7];
    }
    return most;
}
int main(void) {
    for (int i = 0; i < 9; i++) a[i] = second(i);
    do b[0] += first(3); while (b[0] < 5);
    return 0;
}
"""


@pytest.fixture
def ir(compiled: Callable[..., Compiled]) -> str:
    return compiled(TEXT).ir


def program(ir: str) -> Program:
    return program_of(ir, level="as-written", spelling={})[0]


def test_an_answer_is_what_is_found_here(ir: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = program(ir)
    monkeypatch.setattr(beside, "LARGE_TEXT", 0)
    start = beside.boundary(ir)
    assert 0 < ir.find("\ndefine ") < start < ir.rfind("\n!")
    with asked_beside("logca.trace.ir.reading", (ir, start, {})) as answer:
        more = beside.unpacked(*answer())
    names = [each.name for each in more.functions]
    assert names
    assert names == [each.name for each in here.functions[-len(names) :]]
    assert program(ir) == here


def test_without_an_answer_all_is_found_here(ir: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = program(ir)
    monkeypatch.setattr(beside, "LARGE_TEXT", 0)
    monkeypatch.setattr("logca.common.processes.command", lambda _module: ["false"])
    assert program(ir) == here


def test_a_module_of_one_function_is_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "LARGE_TEXT", 0)
    text = "define void @f() {\nentry:\n  ret void\n}\n"
    assert beside.boundary(text) == len(text)
