"""What a name of a pin means: a block, a function, or a function of a file."""

import pytest

from logca.numeric.partition.problem.blocks import Block, Problem, ProblemError
from logca.numeric.partition.program.pins import pinned_blocks


def problem(*places: tuple[str, str, str]) -> Problem:
    blocks = [
        Block(name=name, executions=9, operations=1, function=function, file=file)
        for name, function, file in places
    ]
    return Problem(name="pins", blocks=tuple(blocks), flows=(), values=())


TWO = problem(
    ("main:entry", "main", "src/a.c"),
    ("helper:entry", "helper", "src/a.c"),
    ("helper:loop", "helper", "src/a.c"),
    ("helper.3:entry", "helper.3", "src/b.c"),
)


@pytest.mark.parametrize(
    ("name", "blocks"),
    [
        ("main", ["main:entry"]),
        ("helper:loop", ["helper:loop"]),
        ("a.c:helper", ["helper:entry", "helper:loop"]),
        ("src/a.c:helper", ["helper:entry", "helper:loop"]),
        ("b.c:helper", ["helper.3:entry"]),
        ("helper.3", ["helper.3:entry"]),
    ],
)
def test_what_a_name_means(name: str, blocks: list[str]) -> None:
    assert pinned_blocks(TWO, {name: "cpu"}) == dict.fromkeys(blocks, "cpu")


@pytest.mark.parametrize("name", ["c.c:helper", "elsewhere/src/a.c:helper", "helper.4"])
def test_a_name_without_a_meaning_is_refused(name: str) -> None:
    with pytest.raises(ProblemError, match=f"pin '{name}': there is no such block or function"):
        pinned_blocks(TWO, {name: "cpu"})


def test_a_name_of_several_functions_is_refused() -> None:
    with pytest.raises(ProblemError, match=r"'helper': functions .*: a.c:helper, b.c:helper$"):
        pinned_blocks(TWO, {"helper": "cpu"})
    same = problem(("f", "step", "one/a.c"), ("g", "step", "two/a.c"))
    with pytest.raises(ProblemError, match=r": one/a.c:step, two/a.c:step$"):
        pinned_blocks(same, {"step": "cpu"})
    with pytest.raises(ProblemError, match=r": one/a.c:step, two/a.c:step$"):
        pinned_blocks(same, {"a.c:step": "cpu"})


def test_a_block_is_on_one_core() -> None:
    with pytest.raises(ProblemError, match="block 'helper:loop' is pinned to both cores"):
        pinned_blocks(TWO, {"a.c:helper": "cpu", "helper:loop": "accelerator"})
