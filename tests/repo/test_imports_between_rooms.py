"""Who may import whom: the rooms stay apart, and each brings only the libraries it is for."""

import ast
from collections.abc import Iterator

import pytest
from rooms import ROOMS, Source, sources

MAY_IMPORT = {
    "derive": set(),
    "trace": set(),
    "numeric": {"trace"},
    "gpu": {"trace", "numeric"},
    "proofs": {"derive", "numeric", "gpu"},
    "logca": {"derive", "trace", "numeric", "gpu", "proofs"},
}
ONLY_IN = {
    "sympy": {"derive", "proofs", "logca"},
    "mpmath": {"derive", "proofs"},
    "z3": {"proofs"},
    "cvc5": {"proofs"},
    "flint": {"proofs"},
    "numpy": {"proofs"},
    "rich": {"proofs", "logca"},
    "typer": {"logca"},
}


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that the code imports anywhere, as it is named; `.` if relatively."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "."
            elif node.module == "logca":
                yield from (f"logca.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""


def objections(tree: ast.Module, room: str) -> list[str]:
    """What a file of the room imports and must not."""
    found = []
    for name in imported(tree):
        top, _, rest = name.partition(".")
        if name == ".":
            found.append("a relative import")
        elif top == "logca":
            target = rest.split(".")[0]
            target = target if target in MAY_IMPORT and target != "logca" else "logca"
            if target != room and target not in MAY_IMPORT[room]:
                found.append(f"{name}: {room} must not import {target}")
        elif room not in ONLY_IN.get(top, {room}):
            found.append(f"{name}: {top} has no business in {room}")
    return found


def test_every_room_has_a_rule() -> None:
    assert set(MAY_IMPORT) >= ROOMS


@pytest.mark.parametrize("source", list(sources()), ids=lambda source: source.module)
def test_imports_follow_the_rules(source: Source) -> None:
    assert objections(source.tree(), source.room) == []


@pytest.mark.parametrize(
    ("room", "code"),
    [
        ("derive", "from logca.proofs.claims import all_claims"),
        ("derive", "import logca.proofs.claims"),
        ("derive", "from logca import proofs"),
        ("derive", "from .symbols import g"),
        ("derive", "from . import symbols"),
        ("derive", "def late():\n    import z3"),
        ("proofs", "from logca.cli import main"),
        ("proofs", "import logca"),
        ("proofs", "from logca import prove"),
        ("proofs", "import typer"),
    ],
)
def test_the_check_sees_a_violation(room: str, code: str) -> None:
    assert len(objections(ast.parse(code), room)) == 1


@pytest.mark.parametrize(
    ("room", "code"),
    [
        ("derive", "import sympy as sp"),
        ("derive", "from logca.derive.symbols import g"),
        ("proofs", "from logca.derive.symbols import g"),
        ("proofs", "from logca.proofs import claims"),
        ("logca", "from logca.proofs.claims import all_claims"),
        ("logca", "from logca.cli import main"),
    ],
)
def test_the_check_lets_the_rest_pass(room: str, code: str) -> None:
    assert objections(ast.parse(code), room) == []
