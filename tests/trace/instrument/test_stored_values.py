"""Programs that tell of stores whether they change memory, against the values themselves."""

from pathlib import Path

import numpy as np
import pytest

from logca.trace.compile.driver import compile_program
from logca.trace.execute.run import run
from logca.trace.instrument.stored_values import telling

pytest.importorskip("ziglang")

SOURCE = """\
static {type} x[8], y[8];
int main(void)
{{
    for (int i = 0; i < 64; i++) {{
        y[i % 3] = 1;
        x[i % 8] = {value};
    }}
    return 0;
}}
"""


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("int", "i % 5"),
        ("unsigned char", "i / 10"),
        ("short", "i & 8"),
        ("long", "-(i % 16)"),
        ("float", "i % 16 * 0.25f"),
        ("double", "i % 3 ? 0.5 : -0.5"),
        ("_Bool", "i % 7 > 3"),
        ("int *", "i % 3 ? (int *)0 : &i + 0 * i"),
    ],
)
def test_a_store_tells_whether_it_changes_what_is_there(
    tmp_path: Path, type_: str, value: str
) -> None:
    source = tmp_path / "stores.c"
    source.write_text(SOURCE.format(type=type_, value=value.replace("&i + 0 * i", "(int *)8")))
    compiled = compile_program([source])
    program = compiled.program
    stores = [each.id for each in program.accesses if each.store and each.array in ("x", "y")]
    found = telling(compiled.ir, program, stores)
    assert found is not None
    assert sorted(found.tells.values()) == sorted(found.stores.values()) == sorted(stores)
    assert [(each.header, each.blocks) for each in found.program.loops] == [
        (each.header, each.blocks) for each in program.loops
    ]
    changed = type(compiled)(ir=found.ir, program=found.program, toolchain=compiled.toolchain)
    told: list[tuple[int, int]] = []

    def look(chunk: object) -> None:
        access, address = chunk.access, chunk.address  # type: ignore[attr-defined]
        marks = np.isin(access, list(found.tells))
        told.extend(zip(access[marks].tolist(), (address[marks] & 1).tolist(), strict=True))

    run(changed, nests=(0,), on_chunk=look)
    flags = {name: [] for name in "xy"}  # type: dict[str, list[int]]
    for mark, flag in told:
        flags[program.accesses[found.tells[mark]].array].append(flag)
    assert flags["y"] == [0] * 3 + [1] * 61
    now: dict[int, float] = dict.fromkeys(range(8), 0)
    for i, flag in enumerate(flags["x"]):
        written = values(value, i)
        assert flag == (now[i % 8] == written), i
        now[i % 8] = written
    assert len(flags["x"]) == 64


def values(expression: str, i: int) -> float:
    """The value of a C expression of i, by hand."""
    known = {
        "i % 5": i % 5,
        "i / 10": i // 10,
        "i & 8": i & 8,
        "-(i % 16)": -(i % 16),
        "i % 16 * 0.25f": i % 16 * 0.25,
        "i % 3 ? 0.5 : -0.5": 0.5 if i % 3 else -0.5,
        "i % 7 > 3": i % 7 > 3,
        "i % 3 ? (int *)0 : &i + 0 * i": 0 if i % 3 else 8,
    }
    return known[expression]


def test_what_cannot_be_compared_is_not_told(tmp_path: Path) -> None:
    source = tmp_path / "stores.c"
    source.write_text(SOURCE.format(type="long double", value="i"))
    compiled = compile_program([source])
    stores = [each.id for each in compiled.program.accesses if each.array == "x"]
    assert telling(compiled.ir, compiled.program, stores) is None
