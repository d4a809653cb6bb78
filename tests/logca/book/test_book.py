"""The handbook: whole, well-formed, and nobody's file is overwritten."""

import re
from base64 import b64decode
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from logca.book import html, markdown, tex
from logca.book.blocks import (
    Block,
    CodeSpan,
    Document,
    Equation,
    FactsBlock,
    Heading,
    LineBreak,
    Math,
    Paragraph,
    StepsBlock,
    Symbol,
    TableBlock,
    VerdictMark,
)
from logca.book.handbook import handbook
from logca.derive.core.catalogue import names
from logca.derive.core.symbols import TABLE, A, C, beta, g
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.proofs.claims.catalogue import all_claims
from logca.proofs.engine.answer import Record

Run = Callable[..., tuple[int, str, str]]
VOID = {"meta", "br", "mspace"}


@pytest.fixture(scope="module")
def document() -> Document:
    proved = Record(verdict="PROVED", methods=("symbolic (whole domain)",))
    point = {"A": "3/2", "latency": "linear"}
    corrected = Record(verdict="CORRECTED", counterexample=point, failing="A > 2")
    records = {claim.id: corrected if claim.corrected else proved for claim in all_claims()}
    return handbook(all_claims(), records)


@pytest.fixture(scope="module")
def page(document: Document) -> str:
    return html.render(document)


class Reader(HTMLParser):
    """Tags that do not close, ids, links and what would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.unbalanced: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.opened.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name == "href":
                self.links.append(str(value))
            if name in ("src", "srcset", "data") or tag in ("link", "script", "iframe"):
                self.loaded.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.opened.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.opened or self.opened.pop() != tag:
            self.unbalanced.append(tag)


@pytest.fixture(scope="module")
def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def test_tags_are_balanced(read: Reader) -> None:
    assert (read.opened, read.unbalanced) == ([], [])


def test_nothing_is_loaded(read: Reader, page: str) -> None:
    assert read.loaded == []
    assert set(re.findall(r"https?://[^\"' <]+", page)) == {"http://www.w3.org/1998/Math/MathML"}
    assert "@import" not in page
    assert re.findall(r"url\(.{20}", page) == ['url("data:font/woff;base']


def test_links_lead_somewhere(read: Reader) -> None:
    assert len(read.ids) == len(set(read.ids))
    assert {link.removeprefix("#") for link in read.links} <= set(read.ids)


def test_everything_is_in_the_page(read: Reader, page: str) -> None:
    assert set(names()) <= set(read.ids)
    assert {claim.id for claim in all_claims()} <= set(read.ids)
    for name in TABLE:
        assert f"<code>{name}</code>" in page
    assert page.count("<ol>") > 100


def test_it_reads_on_a_phone_and_on_paper(page: str) -> None:
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page
    assert "@media (max-width:" in page
    assert "@media print" in page
    assert "prefers-color-scheme: dark" in page


def test_latex_is_balanced_and_escaped(document: Document) -> None:
    text = tex.render(document)
    body = text[text.index(r"\begin{document}") :]
    bare = re.sub(r"\\[{}\\]", "", body)
    assert bare.count("{") == bare.count("}")
    for environment in set(re.findall(r"\\begin\{(\w+)\}", text)):
        assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}")
    prose = re.sub(r"\$[^$]*\$|\\formula\{.*|\\label\{[^}]*\}|\\\w+", "", body)
    assert not re.search(r"(?<!\\)[_^&#](?!.*\\\\)", prose)
    assert len(re.findall(r"\\label\{", text)) == len(set(re.findall(r"\\label\{([^}]*)\}", text)))
    assert body.isascii() or set(re.findall(r"[^\x00-\x7f]", body)) <= {"§"}


def test_markdown_has_its_anchors_and_formulas(document: Document) -> None:
    text = markdown.render(document)
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors
    assert set(names()) <= anchors
    assert text.count("$$") % 2 == 0
    assert text.startswith("# LogCA, derived and proved\n")


BLOCKS: tuple[Block, ...] = (
    Heading(1, ("A & B",), "a", listed=True),
    Paragraph(
        ("50% of ", Symbol("g1"), " <", Math(A / C), "> ", CodeSpan("g_s < 2"), LineBreak(), "x_1")
    ),
    Equation(g**2, "squared"),
    FactsBlock((("where", (VerdictMark("PROVED"),)),)),
    StepsBlock((("multiply", A * C), ("divide", A / C))),
    TableBlock((("n",), ("v|w",)), ((("1",), (CodeSpan("a|b"),)),), numeric=frozenset({0})),
)
SMALL = Document(title="T", subtitle="S", blocks=BLOCKS)


def test_a_small_document_in_html() -> None:
    text = html.render(SMALL)
    for part in (
        '<h2 id="a">A &amp; B</h2>',
        "50% of <math",
        "<code>g_s &lt; 2</code><br>x_1",
        "<figcaption>squared</figcaption>",
        '<strong class="verdict proved">proved</strong>',
        "<li>divide<div",
        "<td class=number>1</td>",
    ):
        assert part in text


def test_a_small_document_in_latex() -> None:
    text = tex.render(SMALL)
    for part in (
        r"\section[{A \& B}]{A \& B}\label{a}",
        r"50\% of $g_1$ \textless{}$\frac{A}{C}$\textgreater{} ",
        r"\texttt{g\_s \textless{} 2}\newline x\_1",
        r"\remark{squared}",
        r"\formula{g^{2}}",
        r"\fact{where}{\verdict{PROVED}}",
        r"\item divide \formula{\frac{A}{C}}",
        r"1 & \texttt{a\textbar{}b} \\",
    ):
        assert part in text


def test_a_small_document_in_markdown() -> None:
    text = markdown.render(SMALL)
    for part in (
        '<a id="a"></a>\n\n## A & B',
        r"50% of $g_1$ &lt;$\frac{A}{C}$> `g_s < 2`; x\_1",
        "*squared:*\n\n$$\ng^{2}\n$$",
        "- *where:* **PROVED**",
        "2. divide\n\n   $$ \\frac{A}{C} $$",
        "|---:|---|\n| 1 | `a\\|b` |",
    ):
        assert part in text


def test_the_verb_writes_and_never_overwrites(
    run: Run, decided: dict[str, Record], tmp_path: Path
) -> None:
    target = tmp_path / "handbook.md"
    code, out, err = run("book", "-o", str(target))
    assert (code, out) == (0, "")
    assert f"{len(decided)} claims" in err
    written = target.read_text(encoding="utf-8")
    assert "isca2017-eq5" in written
    target.write_text("mine", encoding="utf-8")
    code, _, err = run("book", "-o", str(target))
    assert code == 2
    assert "--force" in err
    assert target.read_text(encoding="utf-8") == "mine"
    assert run("book", "-o", str(target), "--force")[0] == 0
    assert target.read_text(encoding="utf-8") == written


def test_every_root_has_its_condition(document: Document, page: str) -> None:
    assert "the root exists" not in page
    facts = {}
    for block in document.blocks:
        if isinstance(block, Heading):
            anchor = block.anchor
        elif isinstance(block, FactsBlock):
            facts.setdefault(anchor, dict(block.rows))
    where = facts["g1"]["where"]
    assert where.count(LineBreak()) == 3
    assert Math(beta > 1) in where
    assert [part for part in where if isinstance(part, str)][:2] == [" and either", " and "]
    shown = page[page.index('<section id="g1_upper">') :].partition("</section>")[0]
    assert ("constant latency" in shown, "linear latency" in shown) == (False, True)


def test_the_font_in_the_page_has_all_that_formulas_are_set_in(page: str) -> None:
    octets = re.search(r"base64,([\w+/=]+)", page)
    assert octets is not None
    assert len(octets[0]) < 120_000
    font = TTFont(BytesIO(b64decode(octets[1])))
    formulas = "".join(
        re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<math.*?</math>", page)
    )
    shown = {*unescape(formulas)} - {"\N{INVISIBLE TIMES}"}
    known = font.getBestCmap()
    assert {letter for letter in shown if ord(letter) not in known} == set()
    slanted = {ord(letter) + 0x1D434 - ord("A") for letter in "ABCXYZ"}
    assert slanted <= known.keys()
    variants = font["MATH"].table.MathVariants
    grown = dict(
        zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True)
    )
    for bracket in "()[]{}√":
        sizes = grown[known[ord(bracket)]].MathGlyphVariantRecord
        heights = [each.AdvanceMeasurement for each in sizes]
        assert heights == sorted(heights)
        assert heights[-1] > 3_000
    names = {record.nameID: str(record) for record in font["name"].names}
    assert names[1] == "Logca Math"
    assert "STI Pub Companies" in names[0]


def test_brackets_grow_around_what_is_tall_only() -> None:
    assert 'stretchy="false"' in element(typeset(C * (A - 1)), "", display=True)
    assert 'stretchy="true"' in element(typeset((A / C) ** beta), "", display=True)
