"""Docstrings begin with what is returned or done."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("common", "derive", "examples", "gpu", "logca", "numeric", "offloading", "proofs", "trace")
RIDDLES = ("What ", "Whether ", "How ", "The same ")
HEADING = ("derive/logca/bounds.py", 1)
"""The title of a chapter of the handbook, and of a topic of `logca formula`."""


def told(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and texts of all docstrings, those below constants among them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement in body:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
            ):
                yield statement.lineno, statement.value.value


@pytest.mark.parametrize("room", ROOMS)
def test_no_docstring_begins_with_a_riddle(room: str) -> None:
    files = [path for path in (ROOT / room).rglob("*.py") if "generated" not in path.parts]
    assert files
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in sorted(files)
        for line, text in told(path)
        if text.lstrip().startswith(RIDDLES) and (str(path.relative_to(ROOT)), line) != HEADING
    ]
    assert not wrong
