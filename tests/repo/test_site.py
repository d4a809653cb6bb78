"""The sources of the site are whole, without building it: pages, navigation, links, names."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rooms import ROOT

import logca
from logca import gpu, numeric, trace
from logca.cli.app import app
from logca.derive.core.catalogue import MODULES

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(`{3,}).*?^\1", re.DOTALL | re.MULTILINE)
TITLED_AT_BUILD = "tools/docs/introductions.py"


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def entries(page: Path) -> Iterator[Path]:
    """Pages that the navigation of a page names."""
    for block in TOCTREE.findall(text(page)):
        globbed = ":glob:" in block
        for line in block.splitlines():
            if not line or line.startswith(":"):
                continue
            if globbed:
                yield from sorted(page.parent.glob(f"{line}.md"))
            else:
                yield (page.parent / f"{line}.md").resolve()


def test_every_page_of_the_navigation_exists() -> None:
    assert [str(each) for page in PAGES for each in entries(page) if not each.is_file()] == []


def test_every_page_is_in_the_navigation_once() -> None:
    listed = [each for page in PAGES for each in entries(page)]
    assert sorted(listed) == [page for page in PAGES if page != DOCS / "index.md"]


def slugs(page: Path) -> set[str]:
    headings = re.findall(r"^#+ +(.*)$", CODE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_internal_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(CODE.sub("", text(page))):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        if anchor and found.suffix == ".md":
            assert anchor in slugs(found), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_files_that_pages_show_exist(page: Path) -> None:
    shown = re.findall(r"\{(?:include|literalinclude|image)\} (\S+)", text(page))
    assert [name for name in shown if not (page.parent / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_pages_begin_with_a_title(page: Path) -> None:
    body = re.sub(r"\A---\n.*?\n---\n", "", text(page), flags=re.DOTALL).lstrip()
    titled_at_build = f'"{page.stem}": ' in text(ROOT / TITLED_AT_BUILD)
    assert body.startswith(("# ", "```{include}")) or titled_at_build


def test_every_verb_has_its_page() -> None:
    group: Any = typer.main.get_command(app)
    verbs = set(group.commands)
    assert {path.stem for path in (DOCS / "reference/verbs").glob("*.md")} == verbs | {"index"}


def test_every_topic_of_formulas_has_its_page() -> None:
    topics = {module.rpartition(".")[2] for module in MODULES}
    assert {path.stem for path in (DOCS / "reference/formulas").glob("*.md")} == topics | {"index"}


def test_every_public_name_is_in_the_reference() -> None:
    pages = "".join(map(text, (DOCS / "reference/python").glob("*.md")))
    shown = set(re.findall(r"^\.\. auto\w+:: logca\.(\S+)$", pages, re.MULTILINE))
    rooms = {"gpu", "numeric", "trace"}
    public = {name for name in logca.__all__ if name not in rooms | {"__version__"}}
    for room, module in (("gpu", gpu), ("numeric", numeric), ("trace", trace)):
        public |= {f"{room}.{name}" for name in module.__all__}
    assert public - shown == set()
