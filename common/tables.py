"""A table as data, and as plain text, Markdown, HTML, CSV and LaTeX.

`logca.common.terminal` draws it in colours.
"""

import csv as comma_separated
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import groupby, zip_longest
from typing import Self

__all__ = [
    "Column",
    "FilledColumn",
    "Section",
    "Styled",
    "Table",
    "booktabs",
    "csv",
    "escape_latex",
    "head_lines",
    "html",
    "latex",
    "longtable",
    "markdown",
    "text",
    "widths",
]


class Styled(str):
    """A text of parts with styles, such as "bold" or "italic"; who knows no styles reads a text."""

    parts: tuple[tuple[str, str], ...]

    def __new__(cls, *parts: tuple[str, str]) -> Self:
        """Join the texts of (text, style)."""
        joined = super().__new__(cls, "".join(part for part, _ in parts))
        joined.parts = parts
        return joined


@dataclass(frozen=True, slots=True)
class Column:
    """Heading and layout of a column of a table."""

    heading: str = ""  # of several lines if need be
    group: str = ""  # what it belongs to with its neighbours
    right: bool = False  # aligned on the right
    spare: int = 0  # larger ones are left out first where there is no room for all, 0 never
    heat: bool = False  # percentages in which large ones stand out
    fold: bool = False  # goes on below itself where there is no room
    least: int = 0  # at least so wide in a terminal, and never left out though empty [1]
    style: str = ""  # of all its cells in a terminal
    symbol: bool = False  # names of quantities, set as mathematics where that is possible

    @classmethod
    def number(cls, heading: str, group: str = "", *, spare: int = 0, heat: bool = False) -> Self:
        """A column that is aligned on the right."""
        return cls(heading, group, right=True, spare=spare, heat=heat)


FilledColumn = tuple[Column, Sequence[str]]
"""A column and its cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Rows that belong together."""

    rows: tuple[tuple[str, ...], ...]
    heading: str = ""  # what stands above them, over the whole width; nothing if empty
    line: tuple[int, str] | None = None  # a line of source below the heading: number, text

    @property
    def number(self) -> str:
        """The number of the line, as wide in all sections."""
        return f"{self.line[0] or '?':>4}  " if self.line else ""

    @property
    def source(self) -> str:
        """The text of the line."""
        return (self.line[1] or "(no source)") if self.line else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns, rows in sections, and what is said of them."""

    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    title: str = ""  # what it is about; nothing if that is clear
    notes: tuple[str, ...] = ()  # what stands below it

    @classmethod
    def by_rows(
        cls,
        columns: Iterable[Column | str],
        rows: Iterable[Sequence[str]],
        *,
        title: str = "",
        notes: Iterable[str] = (),
    ) -> Self:
        """One section; a text is the heading of a column of texts."""
        return cls(
            columns=tuple(Column(each) if isinstance(each, str) else each for each in columns),
            sections=(Section(rows=tuple(map(tuple, rows))),),
            title=title,
            notes=tuple(notes),
        )

    @classmethod
    def by_columns(
        cls,
        columns: Iterable[FilledColumn],
        *,
        title: str = "",
        notes: Iterable[str] = (),
    ) -> Self:
        """Columns with their cells."""
        heads, cells = zip(*columns, strict=True)
        return cls.by_rows(heads, zip(*cells, strict=True), title=title, notes=notes)

    @classmethod
    def facts(cls, rows: Iterable[tuple[str, str]], title: str = "") -> Self:
        """Names, and what is said of each."""
        return cls.by_rows((Column(style="dim"), Column(fold=True)), rows, title=title)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """All rows."""
        return tuple(row for section in self.sections for row in section.rows)

    def shown(self) -> list[int]:
        """The places of columns that are not empty.

        Examples
        --------
        >>> Table.by_rows(("a", "b"), [("x", ""), ("y", "")]).shown()
        [0]
        """
        rows = self.rows
        return [
            place
            for place, column in enumerate(self.columns)
            if column.least or any(row[place] for row in rows)
        ]

    def headings(self) -> list[str]:
        """One heading for each column, with the name of its group."""
        return [f"{column.group}: {column.heading}".strip(": ") for column in self.columns]


def _heads(table: Table) -> list[list[str]]:
    """Lines of headings; the name of a group stands above its first column."""
    heads, group = [], ""
    for column in table.columns:
        above = [column.group] if column.group not in ("", group) else []
        heads.append([*above, *column.heading.split("\n")])
        group = column.group
    return heads


def head_lines(table: Table) -> list[tuple[str, ...]]:
    r"""The headings line by line; shorter ones stand at the bottom.

    Examples
    --------
    >>> head_lines(Table.by_rows(("name", "misses\n1 MiB"), []))
    [('', 'misses'), ('name', '1 MiB')]
    """
    heads = _heads(table)
    if not any(map(any, heads)):
        return []
    tall = max(map(len, heads))
    return list(zip(*([""] * (tall - len(lines)) + lines for lines in heads), strict=True))


def widths(table: Table) -> dict[int, int]:
    """Widths of the columns that are not empty, by their places [1].

    Examples
    --------
    >>> widths(Table.by_rows(("a", "b"), [("long", ""), ("x", "")]))
    {0: 4}
    """
    heads, rows = _heads(table), table.rows
    return {
        place: max(
            table.columns[place].least,
            *(len(row[place]) for row in rows),
            *map(len, heads[place]),
        )
        for place in table.shown()
    }


def text(tables: Sequence[Table]) -> str:
    """Tables as plain text.

    Examples
    --------
    >>> section = Section(heading="one file", rows=(("a", "1"), ("b", "22")))
    >>> print(text([Table(columns=(Column("name"), Column.number("n")), sections=(section,))]))
    name   n
    one file
    a      1
    b     22
    """
    return "\n\n".join("\n".join(_text_lines(table)) for table in tables)


def _text_lines(table: Table) -> Iterator[str]:
    columns = widths(table)

    def aligned(row: Sequence[str]) -> str:
        cells = (
            row[place].rjust(width) if table.columns[place].right else row[place].ljust(width)
            for place, width in columns.items()
        )
        return "  ".join(cells).rstrip()

    if table.title:
        yield table.title
    yield from map(aligned, head_lines(table))
    for section in table.sections:
        if section.heading:
            yield section.heading
        if section.line:
            yield f"{section.number}{section.source}"
        yield from map(aligned, section.rows)
    yield from table.notes


_MARKDOWN = str.maketrans({"|": "\\|", "*": "\\*", "_": "\\_", "<": "&lt;", ">": "&gt;"})


def markdown(tables: Sequence[Table]) -> str:
    """Tables as one text in Markdown.

    Examples
    --------
    >>> print(markdown([Table.by_rows(("g", "speedup"), [("1 KiB", "2.6")])]), end="")
    | g | speedup |
    |:--|:--|
    | 1 KiB | 2.6 |
    """
    parts = []
    for table in tables:
        shown, headings = table.shown(), table.headings()
        rule = ["--:" if table.columns[place].right else ":--" for place in shown]
        lines = [f"## {table.title}", ""] if table.title else []
        lines += [_markdown_row([headings[place] for place in shown]), f"|{'|'.join(rule)}|"]
        lines += [_markdown_row([row[place] for place in shown]) for row in table.rows]
        for note in filter(None, table.notes):
            lines += ["", note.translate(_MARKDOWN)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _markdown_row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.translate(_MARKDOWN) for cell in cells)} |"


def html(table: Table, *, symbol: Callable[[str], str] = escape) -> str:
    """Markup of a table without its title and notes; `symbol` writes the names of quantities.

    Numbers have the class "number", what stands above several rows "section".

    Examples
    --------
    >>> print(html(Table.by_rows(("g", Column.number("speedup")), [("< 1 KiB", "2.6")])))
    <table><thead><tr><th>g</th><th class="number">speedup</th></tr></thead>
    <tbody><tr><td>&lt; 1 KiB</td><td class="number">2.6</td></tr></tbody></table>
    """
    shown = [(place, table.columns[place]) for place in table.shown()]
    heads = [_html_groups([column for _, column in shown])]
    if any(column.heading for _, column in shown):
        heads.append("".join(_html_cell("th", escape(c.heading), c) for _, c in shown))
    bodies = []
    for section in table.sections:
        above = [*section.heading.split("\n"), f"{section.number}{section.source}"]
        bodies += [
            f'<th class="section" colspan="{len(shown)}">{escape(text)}</th>'
            for text in filter(None, above)
        ]
        bodies += [
            "".join(
                _html_cell("td", (symbol if c.symbol else escape)(row[k].strip()), c)
                for k, c in shown
            )
            for row in section.rows
        ]
    head, body = ("".join(f"<tr>{row}</tr>" for row in rows if row) for rows in (heads, bodies))
    return f"<table><thead>{head}</thead>\n<tbody>{body}</tbody></table>"


def _html_groups(columns: Sequence[Column]) -> str:
    """Names of groups above their columns; empty if there are none."""
    groups = [(name, len(list(each))) for name, each in groupby(columns, lambda c: c.group)]
    if not any(name for name, _ in groups):
        return ""
    return "".join(f'<th colspan="{wide}">{escape(name)}</th>' for name, wide in groups)


def _html_cell(tag: str, content: str, column: Column) -> str:
    kind = ' class="number"' if column.right else ""
    written = content.replace("B**beta", "Bᵝ").replace("\n", "<br>")
    return f"<{tag}{kind}>{written}</{tag}>"


def csv(table: Table) -> str:
    """A table as comma-separated values, with a line of headings.

    Examples
    --------
    >>> print(csv(Table.by_columns([(Column("speedup", "greedy"), ["1,5"])])), end="")
    greedy: speedup
    "1,5"
    """
    written = StringIO()
    writer = comma_separated.writer(written, lineterminator="\n")
    writer.writerow(table.headings())
    writer.writerows(table.rows)
    return written.getvalue()


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    }
)  # fmt: skip
_COMMANDS = {"code": r"\texttt", "italic": r"\emph"}


def escape_latex(text: str) -> str:
    r"""Text in which LaTeX sees no commands.

    Examples
    --------
    >>> escape_latex("beta == 1 & 50%")
    'beta == 1 \\& 50\\%'
    """
    return text.translate(_LATEX)


def latex(table: Table, layout: str) -> str:
    r"""A table for the packages longtable and array, its columns laid out as in "p{4cm}rl".

    Examples
    --------
    >>> print(latex(Table.by_rows(("claim", "%"), [(Styled(("a_1", "code")), "5")]), "lr"))
    % needs \usepackage{longtable,array}
    \begin{longtable}{lr}
    claim & \% \\ \hline \endhead
    \texttt{a\_1} & 5 \\
    \end{longtable}
    """
    rows = [[_latex_cell(cell) for cell in row] for row in table.rows]
    head = [_latex_cell(column.heading) for column in table.columns]
    return "% needs \\usepackage{longtable,array}\n" + longtable(layout, head, rows)


def longtable(layout: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """LaTeX's table over pages, of cells that are LaTeX."""
    lines = [" & ".join(row) + r" \\" for row in (head, *rows)]
    lines[0] += r" \hline \endhead"
    return "\n".join([rf"\begin{{longtable}}{{{layout}}}", *lines, r"\end{longtable}"])


_SIGNS = str.maketrans(
    {
        "β": r"$\beta$", "·": r"$\cdot$", "−": "$-$", "×": r"$\times$", "≤": r"$\leq$",
        "≥": r"$\geq$", "∞": r"$\infty$", "→": r"$\to$", "µ": r"$\mu$", "–": "--", "…": r"\ldots{}",
    }
)  # fmt: skip
_POWER_OF_TEN = re.compile(r"(-?[\d.]+)e([+-]?\d+)")
_EXPONENT = re.compile(r"\*\*(beta|\d+)")


def booktabs(tables: Sequence[Table], *, symbol: Callable[[str], str] | None = None) -> str:
    r"""Tables as LaTeX's `tabular` with the rules of the package booktabs; notes are comments.

    `symbol` writes the names of quantities as mathematics, without delimiters.

    Examples
    --------
    >>> columns = ("name", Column.number("o\n[cycles]"))
    >>> print(booktabs([Table.by_rows(columns, [("50 %", "-1")], notes=["so"])]))
    % needs \usepackage{booktabs}
    \begin{tabular}{lr}
    \toprule
    name & $o$ \\
     & [cycles] \\
    \midrule
    50 \% & $-$1 \\
    \bottomrule
    \end{tabular}
    % so
    """
    written = "\n\n".join(_tabular(table, symbol) for table in tables)
    return f"% needs \\usepackage{{booktabs}}\n{written}"


def _tabular(table: Table, symbol: Callable[[str], str] | None) -> str:
    shown = table.shown()
    columns = [table.columns[place] for place in shown]
    heads = zip_longest(*(_latex_heading(column) for column in columns), fillvalue="")
    bodies = []
    for section in table.sections:
        rows = (
            [_latex_entry(row[place], table.columns[place], symbol) for place in shown]
            for row in section.rows
        )
        bodies.append([f"{' & '.join(row)} \\\\" for row in rows])
    return "\n".join(
        [
            *([f"% {table.title}"] if table.title else []),
            rf"\begin{{tabular}}{{{''.join('r' if column.right else 'l' for column in columns)}}}",
            r"\toprule",
            *(f"{' & '.join(row)} \\\\" for row in heads if any(row)),
            *(line for body in bodies for line in (r"\midrule", *body)),
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in table.notes if note),
        ]
    )


def _latex_heading(column: Column) -> list[str]:
    """Lines of a heading, units on one of them; a single letter is a symbol."""
    whole = re.sub(r"\n(?=/)|(?<=/)\n", "", f"{column.group}: {column.heading}".strip(": "))
    whole = whole.replace("]\n[", "] or [")
    lines = (
        line if len(line) != 1 else f"${_latex_signs(line).strip('$')}$"
        for line in whole.split("\n")
    )
    return [line if line.startswith("$") else _latex_signs(line) for line in lines]


def _latex_entry(cell: str, column: Column, symbol: Callable[[str], str] | None) -> str:
    if column.symbol and symbol is not None and cell:
        return f"${symbol(cell)}$"
    if power := _POWER_OF_TEN.fullmatch(cell.strip()):
        return rf"${power[1]} \cdot 10^{{{int(power[2])}}}$"
    return re.sub(r"^-(?=\d)", "$-$", _latex_signs(cell.strip()))


def _latex_signs(text: str) -> str:
    """Escaped text, with signs as mathematics, which pdfLaTeX has no letters for."""
    parts = _EXPONENT.split(text)
    written = [escape_latex(part).translate(_SIGNS).replace("\n", " ") for part in parts]
    for place in range(1, len(parts), 2):
        power = parts[place] if parts[place].isdigit() else rf"\{parts[place]}"
        written[place] = f"$^{{{power}}}$"
    return "".join(written)


def _latex_cell(cell: str) -> str:
    parts = cell.parts if isinstance(cell, Styled) else ((cell, ""),)
    written = (
        rf"{_COMMANDS[style]}{{{escape_latex(part)}}}" if style in _COMMANDS else escape_latex(part)
        for part, style in parts
    )
    return "".join(written).replace("\n", r"\newline")
