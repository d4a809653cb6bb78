"""The handbook as one HTML file with MathML and its own style: nothing is loaded, nothing runs."""

from html import escape
from importlib.resources import files

from logca.book.blocks import (
    Block,
    CodeSpan,
    Document,
    Equation,
    FactsBlock,
    Heading,
    Inline,
    LineBreak,
    Math,
    Paragraph,
    Spans,
    StepsBlock,
    Symbol,
    TableBlock,
)
from logca.derive.notation.boxes import Name
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.report.formulas import math_style

__all__ = ["render"]


def render(document: Document) -> str:
    """The whole document."""
    style = files("logca.book").joinpath("handbook.css").read_text(encoding="utf-8")
    return "\n".join([
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(document.title)}</title>",
        f"<style>\n{math_style()}{style}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{escape(document.title)}</h1><p>{escape(document.subtitle)}.</p></header>",
        _contents(document),
        "<main>",
        *_grouped(document.blocks),
        "</main>",
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def _contents(document: Document) -> str:
    listed = [block for block in document.blocks if isinstance(block, Heading) and block.listed]
    lines = [
        f'<li class="level{block.level}"><a href="#{block.anchor}">{_spans(block.content)}</a></li>'
        for block in listed
    ]
    return (
        '<nav aria-label="Contents"><details open><summary>Contents</summary><ul>'
        + "".join(lines)
        + "</ul></details></nav>"
    )


def _grouped(blocks: tuple[Block, ...]) -> list[str]:
    """Blocks as markup; what follows a heading of the third level stays with it in a section."""
    found: list[str] = []
    within = False
    for block in blocks:
        if isinstance(block, Heading):
            found += ["</section>"] * within
            within = block.level == 3
            found += [f'<section id="{escape(block.anchor)}">'] * within
        found.append(_block(block))
    return [*found, *["</section>"] * within]


def _block(block: Block) -> str:
    match block:
        case Heading(level, content, anchor):
            place = f' id="{escape(anchor)}"' if level < 3 else ""
            return f"<h{level + 1}{place}>{_spans(content)}</h{level + 1}>"
        case Paragraph(content):
            return f"<p>{_spans(content)}</p>"
        case Equation(expr, remark):
            shown = f"<figcaption>{escape(remark)}</figcaption>" if remark else ""
            return f"<figure>{shown}{_wide(element(typeset(expr), '', display=True))}</figure>"
        case FactsBlock(rows):
            lines = (f"<dt>{escape(head)}</dt><dd>{_spans(body)}</dd>" for head, body in rows)
            return f"<dl>{''.join(lines)}</dl>"
        case StepsBlock(rows):
            lines = (
                f"<li>{escape(name)}{_wide(element(typeset(expr), '', display=True))}</li>"
                for name, expr in rows
            )
            return (
                "<details open><summary>Derivation</summary><ol>"
                + "".join(lines)
                + "</ol></details>"
            )
        case TableBlock(head, rows, numeric):
            top = "".join(_cell("th", cell, i in numeric) for i, cell in enumerate(head))
            body = "".join(
                "<tr>" + "".join(_cell("td", c, i in numeric) for i, c in enumerate(row)) + "</tr>"
                for row in rows
            )
            return _wide(
                f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>", "table"
            )


def _wide(markup: str, kind: str = "formula") -> str:
    """Something that scrolls by itself where it is wider than the page."""
    return f'<div class="{kind}" tabindex="0">{markup}</div>'


def _cell(tag: str, content: Spans, numeric: bool) -> str:
    return f"<{tag}{' class=number' * numeric}>{_spans(content)}</{tag}>"


def _spans(spans: Spans) -> str:
    return "".join(map(_inline, spans))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return escape(part) if part.strip() else '<span class="gap"></span>'
    if isinstance(part, LineBreak):
        return "<br>"
    if isinstance(part, Math):
        return element(typeset(part.expr), "", display=False)
    if isinstance(part, Symbol):
        return element(Name(part.name), "", display=False)
    if isinstance(part, CodeSpan):
        return f"<code>{escape(part.text)}</code>"
    return f'<strong class="verdict {part.name.lower()}">{part.name.lower()}</strong>'
