"""Who may import whom: the rooms stay apart, and each brings only the libraries it is for."""

import ast
from collections.abc import Iterator

import pytest
from rooms import ROOMS, Source, sources

MAY_IMPORT = {
    "derive": set(),
    "examples": set(),
    "trace": set(),
    "numeric": {"trace"},
    "numeric.generate": {"trace", "numeric", "derive"},
    "gpu": {"trace", "numeric"},
    "proofs": {"derive", "numeric", "gpu"},
    "logca": {"derive", "trace", "numeric", "numeric.generate", "gpu", "proofs"},
}
ONLY_IN = {
    "sympy": {"derive", "numeric.generate", "proofs", "logca"},
    "mpmath": {"derive", "numeric.generate", "proofs"},
    "z3": {"proofs"},
    "cvc5": {"proofs"},
    "flint": {"proofs"},
    "numpy": {"trace", "numeric", "numeric.generate", "gpu", "proofs", "logca"},
    "scipy": {"numeric", "numeric.generate", "gpu", "proofs", "logca"},
    "xarray": {"numeric", "logca"},
    "zarr": {"numeric"},
    "h5netcdf": {"numeric"},
    "h5py": {"numeric"},
    "pyarrow": {"numeric", "trace"},
    "dask": {"numeric"},
    "llvmlite": {"trace"},
    "ziglang": {"trace"},
    "networkx": {"trace"},
    "numba": {"numeric", "trace", "gpu"},
    "rich": {"proofs", "logca"},
    "typer": {"logca"},
}


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module, of ours every name, that the code imports anywhere; `.` if relatively."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "."
            elif node.module and node.module.partition(".")[0] == "logca":
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""


def room_of(module: str) -> str:
    """The room of a module within `logca`, named without it; the face if it is in no other room.

    A part of a room that has rules of its own counts as a room: `numeric.generate`, which alone
    may read `derive`, so that the rest of `numeric` runs without SymPy.
    """
    parts = module.split(".")
    rooms = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((room for room in rooms if room in MAY_IMPORT), "logca")


def objections(tree: ast.Module, room: str) -> list[str]:
    """What a file of the room imports and must not."""
    found = []
    for name in imported(tree):
        top, _, rest = name.partition(".")
        if name == ".":
            found.append("a relative import")
        elif top == "logca":
            target = room_of(rest)
            if target != room and target not in MAY_IMPORT[room]:
                found.append(f"{name}: {room} must not import {target}")
        elif room not in ONLY_IN.get(top, {room}):
            found.append(f"{name}: {top} has no business in {room}")
    return found


def test_every_room_has_a_rule() -> None:
    assert set(MAY_IMPORT) >= ROOMS


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("numeric.devices", "numeric"),
        ("numeric.generated.speedup", "numeric"),
        ("numeric.generate", "numeric.generate"),
        ("numeric.generate.printer", "numeric.generate"),
        ("cli.devices", "logca"),
        ("prove", "logca"),
        ("", "logca"),
    ],
)
def test_a_module_is_in_one_room(module: str, room: str) -> None:
    assert room_of(module) == room


@pytest.mark.parametrize("source", list(sources()), ids=lambda source: source.module)
def test_imports_follow_the_rules(source: Source) -> None:
    _, _, inside = source.module.partition(".")
    assert objections(source.tree(), room_of(inside)) == []


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
        ("proofs", "from logca.numeric.generate import printer"),
        ("numeric", "import sympy as sp"),
        ("numeric", "def late():\n    import mpmath"),
        ("numeric", "from logca.derive.symbols import g"),
        ("numeric", "from logca.numeric.generate.printer import printed"),
        ("numeric", "from logca.numeric import generate"),
        ("numeric", "import rich"),
        ("numeric.generate", "from logca.proofs.claims import all_claims"),
        ("numeric.generate", "import z3"),
        ("derive", "import numpy as np"),
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
        ("proofs", "from logca.numeric.devices import devices"),
        ("numeric", "import numpy as np"),
        ("numeric", "from logca.numeric.generated.speedup import speedup"),
        ("numeric.generate", "import sympy as sp"),
        ("numeric.generate", "from logca.derive.symbols import g"),
        ("numeric.generate", "from logca.numeric.tape import run"),
        ("logca", "from logca.proofs.claims import all_claims"),
        ("logca", "from logca.cli import main"),
    ],
)
def test_the_check_lets_the_rest_pass(room: str, code: str) -> None:
    assert objections(ast.parse(code), room) == []
