"""Dependencies with their purpose, lowest version and licence, as docs/dependencies.md has them.

``python tools/dependencies.py`` writes the page anew, from pyproject.toml and what is installed.
"""

import re
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "dependencies.md"
REQUIREMENT = re.compile(
    r'^\s*"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?([<>=!~][^"]*)?",?\s*(?:#\s*(.*))?$'
)
GROUP = re.compile(r"^(\w+) = \[$")
LICENCES = {
    "BSD License": "BSD", "MIT License": "MIT", "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
}  # fmt: skip
FROM_THEIR_FILES = {
    "ziglang": "MIT", "z3-solver": "MIT", "cvc5": "BSD-3-Clause", "pycachesim": "AGPL-3.0",
    "sphinx": "BSD-2-Clause", "furo": "MIT", "myst-nb": "BSD-3-Clause",
    "ipykernel": "BSD-3-Clause", "sphinx-design": "MIT", "sphinx-copybutton": "MIT",
    "numpydoc": "BSD-2-Clause",
}  # fmt: skip
"""Licences of which metadata say nothing, or too much: read in the projects' own files."""


def requirements() -> list[tuple[str, str, str, str]]:
    """Name, versions, purpose and group of each dependency, as pyproject.toml lists them."""
    found, group = [], "always"
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if named := GROUP.match(line):
            group = "always" if named[1] == "dependencies" else named[1]
        elif (match := REQUIREMENT.match(line)) and match[2] and match[1] != "setuptools":
            found.append((match[1], match[2], (match[3] or "").strip(), group))
    return found


def licence(name: str) -> str:
    """The licence that an installed distribution names; a question mark if it is not here."""
    if name in FROM_THEIR_FILES:
        return FROM_THEIR_FILES[name]
    try:
        data = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return "?"
    if told := data.get("License-Expression"):
        return str(told)
    classes = [
        each.rpartition(":: ")[2]
        for each in data.get_all("Classifier") or []
        if each.startswith("License ::")
    ]
    if classes and classes != ["OSI Approved"]:
        return ", ".join(LICENCES.get(each, each) for each in classes)
    return ((data.get("License") or "?").splitlines() or ["?"])[0][:40]


def page() -> str:
    """The page of documentation."""
    lines = [
        "# Dependencies and their licences",
        "",
        "logca itself is under the BSD-3-Clause licence. It imports these libraries and contains",
        "none of them; `pip install 'logca[EXTRA]'` installs extras. `make oldest` runs the",
        "tests with the lowest versions; `python tools/dependencies.py` writes this page.",
        "",
        "| library | versions | extra | licence | purpose |",
        "|:--|:--|:--|:--|:--|",
    ]
    for name, versions, purpose, group in requirements():
        lines.append(f"| {name} | {versions} | {group} | {licence(name)} | {purpose} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
