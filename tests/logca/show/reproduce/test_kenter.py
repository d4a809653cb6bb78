"""docs/kenter.md says what the tables say that were written from results."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from logca.common.tables import markdown
from logca.numeric.partition.exploration.conclusions import CONCLUSIONS, ConclusionVerdict
from logca.numeric.partition.exploration.kenter_flips import FLIPS, assumptions
from logca.numeric.partition.problem.links import links
from logca.show.reproduce.kenter import (
    agreement_words,
    changed_conclusions,
    flip_tables,
    flip_words,
)

DOCS = Path(__file__).parents[4] / "docs"

SAID = re.compile(r"`([a-z0-9-]+)`\s+\(greedy\s+(\d|–),\s+optimum\s+(\d|–)\)")
GROUPS = {
    "Hold by greedy and by the optimum, under all readings.": lambda a, b: a == b == 8,
    "Hold under all readings by one method only.": lambda a, b: (a == 8) != (b == 8),
    "Hold under some readings.": lambda a, b: a + b > 0 and 8 not in (a, b),
    "Hold by neither method, under no reading, with our programs.": lambda a, b: a == b == 0,
}


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "kenter.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tables() -> str:
    return (DOCS / "kenter-tables.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def flips() -> str:
    return (DOCS / "kenter-flips.md").read_text(encoding="utf-8")


def ledger(tables: str) -> dict[str, list[str]]:
    first = tables.split("\n## ")[0]
    rows = [[c.strip() for c in row.split("|")[1:-1]] for row in first.splitlines() if "|" in row]
    return {row[0]: row for row in rows[2:]}


def paragraphs(page: str) -> dict[str, str]:
    part = page.split("## The conclusions")[1].split("\n## ")[0]
    found = re.findall(r"\*\*(.+?)\*\*(.+?)(?=\n\n|$)", part.strip(), re.DOTALL)
    return {" ".join(title.split()): text for title, text in found}


def test_the_tables_have_every_conclusion_as_it_is_stated_now(tables: str) -> None:
    found = ledger(tables)
    assert list(found) == [each.id for each in CONCLUSIONS]
    for each in CONCLUSIONS:
        assert found[each.id][-1] == each.statement


def test_every_conclusion_is_on_the_page_once_with_its_counts(page: str, tables: str) -> None:
    said = SAID.findall(page)
    known = {name: (row[3], row[5]) for name, row in ledger(tables).items()}
    assert sorted(name for name, *_ in said) == sorted(known)
    assert {name: (greedy, optimum) for name, greedy, optimum in said} == known


@pytest.mark.parametrize("title", GROUPS)
def test_every_conclusion_stands_where_its_counts_put_it(title: str, page: str) -> None:
    said = SAID.findall(paragraphs(page)[title])
    assert said
    for name, *counts in said:
        greedy, optimum = (0 if count == "–" else int(count) for count in counts)
        assert GROUPS[title](greedy, optimum), name


def test_every_share_on_the_page_is_in_a_table(page: str, tables: str, flips: str) -> None:
    shares = {share for share in re.findall(r"(\d+\.\d+)\s%", page)}
    known = set(re.findall(r"\d+\.\d+", tables + flips)) | {"38.16"}  # the paper's largest
    assert len(shares) > 20
    assert shares <= known


def test_counts_of_combinations_are_those_of_the_flips(page: str, flips: str) -> None:
    part = page.split("## The two flips")[1].split("\n## ")[0]
    said = re.findall(r"(\d+) of 384(?:\s+combinations)?\s+by\s+(greedy|the\s+optimum)", part)
    totals = re.findall(r"holds in (\d+) of 384 combinations by greedy, and in (\d+)", flips)
    greedy, optimum = (set(numbers) for numbers in zip(*totals, strict=True))
    assert {number for number, way in said if way == "greedy"} == greedy
    assert {number for number, way in said if way != "greedy"} == optimum
    assert "optimum that is not proven" not in flips  # "every optimum is proven"
    assert "| no |" not in tables_of_ranges(DOCS / "kenter-tables.md")


def tables_of_ranges(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("## Over which range")[1]


def test_how_many_ranges_there_are(page: str, tables: str) -> None:
    rows = tables.split("## Over which range")[1].splitlines()
    names = [row.split("|")[1].strip() for row in rows if row.startswith("| ")][1:]
    number = {name: names.count(name) for name in names}
    assert min(number, key=number.__getitem__) == "sor"
    assert max(number, key=number.__getitem__) == "aes"
    words = {4: "four", 11: "eleven"}
    said = f"have {words[number['sor']]} (SOR) to {words[number['aes']]} (AES)"
    assert said in page


def test_what_is_said_of_links_is_so(page: str) -> None:
    part = page.split("## Links")[1]
    least = {name for name, each in links().items() if each.taken.startswith("the least")}
    assert least == {"chiplet", "cxl-cache", "pcie4"}
    for name in (*least, "axi-fpga-soc", "pcie5"):
        assert f"`{name}`" in part


def verdict(*, holds: bool | None) -> ConclusionVerdict:
    return ConclusionVerdict(
        conclusion="casts-why", method="greedy", assumption="", holds=holds, found="", unproven=0
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([True, False, True], "2"),
        ([False, False], "0"),
        ([None, True, False], "1/2"),
        ([None, None], "–"),
    ],
)
def test_what_does_not_apply_is_neither_held_nor_refuted(
    found: list[bool | None], said: str
) -> None:
    own = [verdict(holds=each) for each in found]
    assert agreement_words(own) == said
    assert len(changed_conclusions(own)) == sum(each != found[0] for each in found)


ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = ROOT / "benchmarks" / "partition" / "flips.py"
    spec = importlib.util.spec_from_file_location("partition_flips", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_data(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    assert markdown(flip_tables(rows)) == study.TABLES.read_text(encoding="utf-8")


def test_the_data_has_every_combination_by_both_methods(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    assert len(rows) == 2 * len(assumptions())
    assert len({(row.values, row.method) for row in rows}) == len(rows)


def test_the_optimum_is_never_below_greedy(study: ModuleType) -> None:
    rows = study.read(study.DATA)
    greedy = {row.values: row for row in rows if row.method == "greedy"}
    for row in rows:
        if row.method == "optimal":
            twin = greedy[row.values]
            assert row.fft >= twin.fft
            assert row.fft_far >= twin.fft_far
            for (_, most), (_, least) in zip(row.means, twin.means, strict=True):
                assert most >= least - 1e-6


def test_what_is_written_can_be_read(study: ModuleType, tmp_path: Path) -> None:
    rows = study.read(study.DATA)[:4]
    study.written(rows, tmp_path / "some.csv")
    assert study.read(tmp_path / "some.csv") == rows
    for name in FLIPS:
        assert "of 2 combinations by greedy" in flip_words(rows, name)
