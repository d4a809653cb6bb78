"""Each dependency says what it is for, and is used; each library used is a dependency."""

import ast
import re
import sys
from typing import TypeGuard

import pytest
from rooms import PROJECT, ROOT, sources

IMPORTED_AS = {
    "array-api-compat": "array_api_compat",
    "pyelftools": "elftools",
    "python-flint": "flint",
    "z3-solver": "z3",
}
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
REQUIREMENTS = [
    *PROJECT["project"]["dependencies"],
    *(r for group in EXTRAS.values() for r in group),
]

LOADED_BY_LAMBDIFY = {"scipy"}
NOT_FOR_USERS = {"all", "bench", "docs", "test"}


def _is_text(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant)


def distribution(requirement: str) -> str:
    """The name in a requirement, without version and extras."""
    return re.split(r"[\[<>=!~; ]", requirement)[0]


def test_every_requirement_has_its_purpose_beside_it() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    silent = [
        requirement
        for requirement in REQUIREMENTS
        if not all(re.search(r"# \S+ \S+", line) for line in lines if f'"{requirement}"' in line)
    ]
    assert silent == []


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_requirement_has_a_lower_bound(requirement: str) -> None:
    assert ">=" in requirement or distribution(requirement) == "logca"


def test_all_is_the_union_of_the_extras_for_users() -> None:
    named = re.fullmatch(r"logca\[(.*)\]", EXTRAS["all"][0])
    assert named is not None
    assert len(EXTRAS["all"]) == 1
    assert {name.strip() for name in named[1].split(",")} == EXTRAS.keys() - NOT_FOR_USERS


def test_rooms_import_what_is_declared_and_nothing_else() -> None:
    imported = set()
    for source in sources():
        for node in ast.walk(source.tree()):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "require":
                imported |= {each.value.split(".")[0] for each in node.args[:1] if _is_text(each)}
    user_extras = [r for name, group in EXTRAS.items() if name not in NOT_FOR_USERS for r in group]
    declared = {
        IMPORTED_AS.get(name, name)
        for name in map(distribution, PROJECT["project"]["dependencies"] + user_extras)
    }
    found = imported | LOADED_BY_LAMBDIFY
    assert found - sys.stdlib_module_names - {"logca"} == declared
