"""The handbook in parts: directives and roles for formulas, notation and claims of the package."""

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

import logca
from logca import numeric
from logca.book import blocks as parts
from logca.book.handbook import handbook
from logca.derive.core.catalogue import MODULES, formula
from logca.derive.notation.boxes import Name
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.derive.notation.text_latex_python import equation
from logca.proofs.claims.catalogue import all_claims


@cache
def chapters() -> dict[str, tuple[parts.Block, ...]]:
    """Blocks below each heading of the handbook, by its anchor."""
    records = {claim.id: claim.record for claim in logca.claims()}
    found: dict[str, list[parts.Block]] = {}
    anchor = ""
    for block in handbook(all_claims(), records).blocks:
        if isinstance(block, parts.Heading) and block.level < 3:
            anchor = block.anchor
            found[anchor] = []
        else:
            found[anchor].append(block)
    return {name: tuple(blocks) for name, blocks in found.items()}


class Handbook(SphinxDirective):
    """A chapter of the handbook, by the anchor of its heading."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A section for each heading of the third level."""
        name = self.arguments[0]
        if name not in chapters():
            raise self.error(f"the handbook has no '{name}'; it has {', '.join(chapters())}")
        found: list[nodes.Node] = []
        section: nodes.Element | None = None
        last = ""
        for block in chapters()[name]:
            if isinstance(block, parts.Heading):
                section = _section(block, "formula-" if name.startswith("topic-") else "")
                self.state.document.note_explicit_target(section, section)
                found.append(section)
                last = block.anchor
                continue
            made = _block(block)
            if isinstance(block, parts.FactsBlock) and name.startswith("topic-"):
                made = [_facts((*block.rows, *_callable(last)))]
            if section is None:
                found += made
            else:
                section += made
        return found


def _section(block: parts.Heading, prefix: str) -> nodes.section:
    names = [part.text for part in block.content if isinstance(part, parts.CodeSpan)]
    verdicts = [part for part in block.content if isinstance(part, parts.VerdictMark)]
    title = nodes.title("", "", nodes.literal(text=names[0]))
    for verdict in verdicts:
        title += [nodes.Text(" "), *_spans((verdict,))]
    anchor = prefix + block.anchor
    return nodes.section("", title, ids=[anchor], names=[anchor.lower()])


def _callable(name: str) -> Iterator[tuple[str, parts.Spans]]:
    """How the array function of that name is called, if there is one."""
    function = getattr(numeric, name, None)
    if inspect.isfunction(function):
        taken = inspect.signature(function)
        shown = taken.replace(
            parameters=[p.replace(annotation=p.empty) for p in taken.parameters.values()],
            return_annotation=taken.empty,
        )
        yield "Python", (parts.CodeSpan(f"logca.numeric.{name}{shown}"),)


def _block(block: parts.Block) -> list[nodes.Node]:
    match block:
        case parts.Paragraph(content):
            return [nodes.paragraph("", "", *_spans(content))]
        case parts.Equation(expr, remark):
            shown = f"<figcaption>{escape(remark)}</figcaption>" if remark else ""
            return [_raw(f'<figure class="equation">{shown}{_display(expr)}</figure>')]
        case parts.FactsBlock(rows):
            return [_facts(rows)]
        case parts.StepsBlock(rows):
            lines = "".join(f"<li>{escape(step)}{_display(expr)}</li>" for step, expr in rows)
            shown = f"Derivation, {len(rows)} steps"
            return [
                _raw(f'<details class="steps"><summary>{shown}</summary><ol>{lines}</ol></details>')
            ]
        case parts.TableBlock(head, rows, numeric_columns):
            return [_table(head, rows, numeric_columns)]
    raise AssertionError(block)


def _raw(markup: str) -> nodes.raw:
    return nodes.raw("", markup, format="html")


def _display(expr: Any) -> str:
    """A formula on its own line, which scrolls where it is wider than the page."""
    return f'<div class="formula">{element(typeset(expr), "", display=True)}</div>'


def _facts(rows: tuple[tuple[str, parts.Spans], ...]) -> nodes.definition_list:
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", head),
            nodes.definition("", nodes.paragraph("", "", *_spans(body))),
        )
        for head, body in rows
    ]
    return nodes.definition_list("", *items, classes=["facts"])


def _table(
    head: tuple[parts.Spans, ...],
    rows: tuple[tuple[parts.Spans, ...], ...],
    numeric_columns: frozenset[int],
) -> nodes.table:
    def row(cells: tuple[parts.Spans, ...]) -> nodes.row:
        return nodes.row(
            "",
            *(
                nodes.entry(
                    "",
                    nodes.paragraph("", "", *_spans(cell)),
                    classes=["text-right"] if i in numeric_columns else [],
                )
                for i, cell in enumerate(cells)
            ),
        )

    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
    group += nodes.thead("", row(head))
    group += nodes.tbody("", *map(row, rows))
    return nodes.table("", group, classes=["colwidths-auto"])


def _spans(spans: parts.Spans) -> list[nodes.Node]:
    return [_inline(part) for part in spans]


def _inline(part: parts.Inline) -> nodes.Node:
    match part:
        case str():
            return nodes.Text(part)
        case parts.LineBreak():
            return _raw("<br>")
        case parts.Math(expr):
            return _raw(element(typeset(expr), "", display=False))
        case parts.Symbol(name):
            return _raw(element(Name(name), "", display=False))
        case parts.CodeSpan(text):
            return nodes.literal(text=text)
        case parts.VerdictMark(name):
            return nodes.inline("", name, classes=["verdict", name.lower()])
    raise AssertionError(part)


class FormulaDisplay(SphinxDirective):
    """An equation of the package on its own line."""

    required_arguments = 1
    option_spec: ClassVar = {
        "latency": lambda text: directives.choice(text, ("affine", "constant", "linear"))
    }

    def run(self) -> list[nodes.Node]:
        """The equation, beside the page of its formula."""
        entry = formula(self.arguments[0])
        return [_raw(_display(equation(entry, self.options.get("latency", "affine"))))]


class Counts(SphinxDirective):
    """How many claims have which verdict."""

    def run(self) -> list[nodes.Node]:
        """The table of the ledger."""
        [table] = [block for block in chapters()["ledger"] if isinstance(block, parts.TableBlock)]
        return _block(table)


class Meanings(SphinxDirective):
    """What each verdict means."""

    def run(self) -> list[nodes.Node]:
        """The list of the ledger."""
        [facts] = [block for block in chapters()["ledger"] if isinstance(block, parts.FactsBlock)]
        return [
            _facts(facts.rows),
        ]


class ArrayFunctions(SphinxDirective):
    """All array functions with their parameters, and the formulas that they compute."""

    def run(self) -> list[nodes.Node]:
        """A list; each name leads to its formula."""
        up = "../" * self.env.docname.count("/")
        items = nodes.bullet_list()
        for module, members in MODULES.items():
            topic = module.rpartition(".")[2]
            for name in members:
                for _, called in _callable(name):
                    link = nodes.reference("", "", *_spans(called), internal=True)
                    link["refuri"] = f"{up}reference/formulas/{topic}.html#formula-{name}"
                    items += nodes.list_item("", nodes.paragraph("", "", link))
        return [items]


class SymbolRole(SphinxRole):
    """A symbol or quantity as it is typeset."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The symbol."""
        return [_inline(parts.Symbol(self.text))], []


class FormulaRole(SphinxRole):
    """An equation of the package within a line."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The equation; `name/latency` for one form of latency."""
        name, _, latency = self.text.partition("/")
        found = equation(formula(name), latency or "affine")
        return [_raw(element(typeset(found), "", display=False))], []


class ClaimRole(SphinxRole):
    """A claim of the ledger: its verdict, and a link to it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The id, linked, with its verdict."""
        claim = logca.claims()[self.text]
        link = nodes.reference("", "", nodes.literal(text=claim.id), internal=True)
        up = "../" * self.env.docname.count("/")
        link["refuri"] = f"{up}reference/claims/{claim_page(claim.id)}.html#{claim.id}"
        return [link, nodes.Text(" "), _inline(parts.VerdictMark(claim.verdict))], []


def claim_page(identifier: str) -> str:
    """The page that a claim stands on."""
    return identifier.partition("-")[0]


ROLES: dict[str, Callable[[], SphinxRole]] = {
    "symbol": SymbolRole,
    "formula": FormulaRole,
    "claim": ClaimRole,
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Add directives and roles."""
    app.add_directive("handbook", Handbook)
    app.add_directive("formula", FormulaDisplay)
    app.add_directive("array-functions", ArrayFunctions)
    app.add_directive("verdict-counts", Counts)
    app.add_directive("verdict-meanings", Meanings)
    for name, role in ROLES.items():
        app.add_role(name, role())
    return {"parallel_read_safe": True}
