"""Tables: what is left out where there is no room, and where the names of groups stand."""

import pytest
from rich.console import Console

from logca.common.tables import (
    Column,
    Section,
    Styled,
    Table,
    booktabs,
    csv,
    head_lines,
    latex,
    markdown,
    text,
)
from logca.common.terminal import drawn, folding

GROUPED = Table.by_columns(
    [
        (Column("a"), ["1"]),
        (Column.number("b", "G", spare=1), ["2"]),
        (Column.number("c", "G"), ["3"]),
        (Column("never"), [""]),
    ]
)


def printed(*parts: object, width: int = 80) -> list[str]:
    console = Console(width=width, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(*parts, sep="\n")
    return [line.rstrip() for line in captured.get().splitlines()]


def test_groups_stand_above_their_first_column() -> None:
    assert head_lines(GROUPED) == [("", "G", "", ""), ("a", "b", "c", "never")]
    assert text([GROUPED]) == "   G\na  b  c\n1  2  3"


def test_every_heading_in_a_file_has_its_group() -> None:
    assert markdown([GROUPED]) == "| a | G: b | G: c |\n|:--|--:|--:|\n| 1 | 2 | 3 |\n"
    assert csv(GROUPED) == "a,G: b,G: c,never\n1,2,3,\n"


def test_spare_columns_go_first_the_last_of_them_before_others() -> None:
    columns = [Column("aaaa"), Column("bbbb", spare=1), Column("cccc", spare=1)]
    columns.append(Column("dddd", spare=2))
    table = Table.by_rows(columns, ["1234"])
    shown = [printed(drawn([table], width), width=width)[0] for width in (22, 21, 15, 9)]
    assert shown == ["aaaa  bbbb  cccc  dddd", "aaaa  bbbb  cccc", "aaaa  bbbb", "aaaa"]


def test_one_text_goes_on_below_itself_and_never_a_number() -> None:
    table = Table.by_rows(("name", Column.number("n")), [("one two three four five", "123456")])
    lines = [line.split() for line in printed(drawn([table], 22), width=22)]
    assert lines == [["name", "n"], ["one", "two", "three", "123456"], ["four", "five"]]


def test_columns_that_do_not_fit_are_a_further_table() -> None:
    heads = ("key", *(Column.number(name, "G") for name in "abc"))
    table = Table.by_rows(heads, [("k", "11111", "22222", "33333")])
    lines = [line.split() for line in printed(drawn([table], 17), width=17)]
    assert lines[:3] == [["G"], ["key", "a", "b"], ["k", "11111", "22222"]]
    assert lines[4:] == [["G"], ["key", "c"], ["k", "33333"]]


def test_what_is_said_goes_on_below_itself() -> None:
    table = Table.facts([("note", "one two three four five six")])
    assert printed(drawn([table], 20), width=20) == ["note  one two three", "      four five six"]


def test_a_line_of_source_stands_below_its_file() -> None:
    section = Section(heading="a.c", line=(7, "x = y;"), rows=(("load",),))
    unknown = Section(line=(0, ""), rows=(("store",),))
    table = Table(columns=(Column(),), sections=(section, unknown))
    lines = ["a.c", "   7  x = y;", "load", "   ?  (no source)", "store"]
    assert text([table]).splitlines() == printed(drawn([table], 80)) == lines


def test_the_head_of_several_sections_is_ruled_off() -> None:
    sections = Section(rows=(("one", "1"),)), Section(rows=((Styled(("all", "bold")), "1"),))
    table = Table(columns=(Column(), Column.number("claims")), sections=sections)
    lines = [line for line in printed(folding(table)) if line]
    assert [line.split() for line in lines if "─" not in line] == [
        ["claims"], ["one", "1"], ["all", "1"],
    ]  # fmt: skip
    assert sum("─" in line for line in lines) == 1


@pytest.mark.parametrize("render", [text, markdown, lambda tables: latex(tables[0], "l")])
def test_a_text_with_styles_is_a_text(render: object) -> None:
    assert callable(render)
    table = Table.by_rows(("head",), [(Styled(("bo", "bold"), ("th", "")),)])
    assert "both" in render([table])


def test_tables_of_a_paper_have_three_rules_and_no_letter_that_latex_lacks() -> None:
    columns = [Column("device"), Column.number("β\n[cycles\n/B**beta]\n[1]"), Column(symbol=True)]
    table = Table(
        columns=tuple(columns),
        sections=(
            Section(rows=(("a_b 50 %", "-2.5", "gA/2"),)),
            Section(rows=(("≥ 1", "3e8", ""),)),
        ),
    )
    lines = booktabs([table, table], symbol=lambda name: f"g_{{{name[1:]}}}").splitlines()
    assert lines.count(r"\begin{tabular}{lrl}") == lines.count(r"\end{tabular}") == 2
    assert lines.count(r"\toprule") == lines.count(r"\bottomrule") == 2
    assert lines.count(r"\midrule") == 4
    assert r"device & $\beta$ &  \\" in lines
    assert r" & [cycles/B$^{\beta}$] or [1] &  \\" in lines
    assert r"a\_b 50 \% & $-$2.5 & $g_{A/2}$ \\" in lines
    assert r"$\geq$ 1 & $3 \cdot 10^{8}$ &  \\" in lines
