"""The rooms of the repository as files and as modules, for the tests in this folder."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
ROOMS = {package.removeprefix("logca.") for package in FOLDERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One Python file of a room."""

    room: str
    module: str
    path: Path

    def tree(self) -> ast.Module:
        """Its syntax tree; nothing is imported."""
        return ast.parse(self.path.read_text(encoding="utf-8"), filename=str(self.path))


def sources() -> Iterator[Source]:
    """Every Python file of every room, with the name it has when installed."""
    for package, folder in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            module = ".".join((package, *parts)).removesuffix(".__init__")
            yield Source(room=package.removeprefix("logca."), module=module, path=path)
