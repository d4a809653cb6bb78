"""Who may import whom: rooms, the folders inside them, and the libraries each room is for.

An import counts wherever it stands, in functions and under TYPE_CHECKING too. The order of the
folders of a package is what the line "Folders, lowest first: ..." of its docstring says.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from networkx import DiGraph, strongly_connected_components
from rooms import ROOMS, ROOT, Source, sources

MAY_IMPORT = {
    "common": set(),
    "derive": {"common"},
    "trace": {"common"},
    "numeric": {"common", "trace"},
    "numeric.generate": {"common", "trace", "numeric", "derive"},
    "gpu": {"common", "trace", "numeric"},
    "offloading": {"common", "trace", "numeric", "gpu"},
    "proofs": {"common", "derive", "numeric", "gpu"},
    "examples": {"common", "numeric"},
    "logca": {
        *("common", "derive", "trace", "numeric", "numeric.generate", "gpu", "offloading"),
        "proofs",
    },
}
ONLY_IN = {
    "sympy": {"derive", "numeric.generate", "proofs", "logca"},
    "mpmath": {"derive", "numeric.generate", "proofs"},
    "z3": {"proofs"},
    "cvc5": {"proofs"},
    "flint": {"proofs"},
    "numpy": {
        *("trace", "numeric", "numeric.generate", "gpu", "offloading", "proofs", "examples"),
        "logca",
    },
    "scipy": {"numeric", "numeric.generate", "gpu", "proofs", "examples", "logca"},
    "xarray": {"numeric", "logca"},
    "zarr": {"numeric"},
    "h5netcdf": {"numeric"},
    "h5py": {"numeric"},
    "pandas": {"common", "numeric", "logca"},
    "matplotlib": {"common", "numeric", "logca"},
    "pyarrow": {"numeric", "trace"},
    "dask": {"numeric"},
    "llvmlite": {"trace"},
    "ziglang": {"trace"},
    "elftools": {"trace"},
    "networkx": {"trace"},
    "numba": {"numeric", "trace", "gpu", "examples"},
    "pygraphviz": {"logca"},
    "rich": {"common", "logca"},
    "typer": {"logca"},
}
MOST_MODULES = 25
MOST_FILES_AT_THE_FACE = 8


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


@cache
def modules() -> dict[str, Source]:
    """Every file of the rooms by the name of its module."""
    return {source.module: source for source in sources()}


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Which module imports which; `__init__` files, which load lazily, start no arrow."""
    return frozenset(
        (module, target)
        for module, source in modules().items()
        if source.path.name != "__init__.py"
        for name in imported(source.tree())
        for target in [name if name in modules() else name.rpartition(".")[0]]
        if target in modules() and target != module
    )


def folders(package: str) -> set[str]:
    """Names of the packages that lie directly in a package; of the face, those that are no room."""
    inside = {
        module.rpartition(".")
        for module, source in modules().items()
        if source.path.name == "__init__.py" and "." in module
    }
    names = {name for parent, _, name in inside if parent == package}
    return names - ROOMS if package == "logca" else names


def order_of(docstring: str) -> list[str]:
    """The folders that a package's docstring names, lowest first."""
    told = re.search(r"Folders, lowest first: ([\w, \n]+)\.", docstring)
    return re.findall(r"\w+", told[1]) if told else []


def upward(order: list[str], package: str, drawn: Iterable[tuple[str, str]]) -> list[str]:
    """Arrows from a folder of a package to one that is not lower."""

    def place(module: str) -> int | None:
        inside = module.removeprefix(f"{package}.")
        name = inside.partition(".")[0]
        return order.index(name) if inside != module and name in order else None

    return [
        f"{source} -> {target}"
        for source, target in sorted(drawn)
        if None not in (above := place(source), below := place(target)) and above < below
    ]


PACKAGES = [module for module in modules() if folders(module) and module != "logca.examples"]


def test_every_room_has_a_rule() -> None:
    assert set(MAY_IMPORT) >= ROOMS


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("numeric.paper.devices", "numeric"),
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


def test_imports_follow_the_rules() -> None:
    wrong = {
        module: found
        for module, source in modules().items()
        if (found := objections(source.tree(), room_of(module.partition(".")[2])))
    }
    assert wrong == {}


def test_there_is_no_circle_of_files() -> None:
    tied = strongly_connected_components(DiGraph(arrows()))
    assert [sorted(circle) for circle in tied if len(circle) > 1] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_the_order_of_its_folders(package: str) -> None:
    docstring = ast.get_docstring(modules()[package].tree()) or ""
    told = set(order_of(docstring))
    left_out = {"tables", "templates"} | (ROOMS if package == "logca" else set())
    wanted = {name for name in folders(package) if name not in left_out}
    assert told == (wanted if len(wanted) > 1 else told)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_arrow_between_folders_runs_upward(package: str) -> None:
    docstring = ast.get_docstring(modules()[package].tree()) or ""
    assert upward(order_of(docstring), package, arrows()) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_files_beside_folders_are_all_above_them_or_all_below(package: str) -> None:
    """So that the files directly in a package have one place in the order, too."""
    inside = {f"{package}.{name}" for name in folders(package)}
    beside = {
        module
        for module, source in modules().items()
        if module.rpartition(".")[0] == package and source.path.name != "__init__.py"
    }

    def folder(module: str) -> bool:
        return any(module.startswith(f"{name}.") for name in inside)

    down = [arrow for arrow in arrows() if arrow[0] in beside and folder(arrow[1])]
    up = [arrow for arrow in arrows() if folder(arrow[0]) and arrow[1] in beside]
    assert not (down and up), (sorted(down), sorted(up))


def test_folders_stay_small() -> None:
    held = defaultdict(list)
    for source in sources():
        held[str(source.path.parent.relative_to(ROOT))].append(source.path.name)
    crowded = {
        folder: len(names)
        for folder, names in held.items()
        if len(names) > MOST_MODULES and folder != "numeric/generated"
    }
    assert crowded == {}
    face = [path.name for path in (ROOT / "logca").iterdir() if path.is_file()]
    assert len(face) <= MOST_FILES_AT_THE_FACE


@pytest.mark.parametrize("package", ["logca", "logca.gpu", "logca.numeric", "logca.trace"])
def test_no_folder_hides_a_public_name(package: str) -> None:
    """A sub-package that is imported becomes an attribute, and would replace a function."""
    from importlib import import_module

    module = import_module(package)
    public = {*module.__all__, *getattr(module, "_HOMES", ())}
    beside = {name.rpartition(".")[2] for name in modules() if name.rpartition(".")[0] == package}
    assert public & (beside - (ROOMS if package == "logca" else set())) == set()


def test_the_checks_of_order_see_a_violation() -> None:
    docstring = "A room.\n\nFolders, lowest first: low,\nhigh. More."
    assert order_of(docstring) == ["low", "high"]
    drawn = {("r.low.a", "r.high.b"), ("r.high.b", "r.low.c"), ("r.low.a", "r.low.c")}
    assert upward(["low", "high"], "r", drawn) == ["r.low.a -> r.high.b"]


@pytest.mark.parametrize(
    ("room", "code"),
    [
        ("common", "from logca.trace.ir.program import Program"),
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
        ("numeric", "from logca.derive.core.symbols import g"),
        ("numeric", "from logca.numeric.generate.printer import printed"),
        ("numeric", "from logca.numeric import generate"),
        ("numeric", "from logca.examples.experiments.registry import EXPERIMENTS"),
        ("numeric", "import rich"),
        ("numeric.generate", "from logca.proofs.claims.catalogue import all_claims"),
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
        ("derive", "from logca.derive.core.symbols import g"),
        ("proofs", "from logca.derive.core.symbols import g"),
        ("proofs", "from logca.proofs import claims"),
        ("proofs", "from logca.numeric.paper.devices import devices"),
        ("numeric", "import numpy as np"),
        ("numeric", "from logca.numeric.generated.speedup import speedup"),
        ("numeric.generate", "import sympy as sp"),
        ("numeric.generate", "from logca.derive.core.symbols import g"),
        ("numeric.generate", "from logca.numeric.arrays.tape import run"),
        ("logca", "from logca.proofs.claims.catalogue import all_claims"),
        ("logca", "from logca.cli import main"),
    ],
)
def test_the_check_lets_the_rest_pass(room: str, code: str) -> None:
    assert objections(ast.parse(code), room) == []
