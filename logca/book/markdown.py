"""The handbook in Markdown, with mathematics between dollar signs."""

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
from logca.derive.notation.signs import latex_of
from logca.derive.notation.text_latex_python import latex

__all__ = ["render"]


def render(document: Document) -> str:
    """The whole document."""
    parts = [f"# {document.title}", document.subtitle, _contents(document)]
    return "\n\n".join([*parts, *(_block(block) for block in document.blocks)]) + "\n"


def _contents(document: Document) -> str:
    return "\n".join(
        f"{'  ' * (block.level - 1)}- [{_spans(block.content)}](#{block.anchor})"
        for block in document.blocks
        if isinstance(block, Heading) and block.listed
    )


def _block(block: Block) -> str:
    match block:
        case Heading(level, content, anchor):
            return f'<a id="{anchor}"></a>\n\n{"#" * (level + 1)} {_spans(content)}'
        case Paragraph(content):
            return _spans(content)
        case Equation(expr, remark):
            heading = f"*{remark}:*\n\n" if remark else ""
            return f"{heading}$$\n{latex(expr)}\n$$"
        case FactsBlock(rows):
            return "\n".join(f"- *{heading}:* {_spans(content)}" for heading, content in rows)
        case StepsBlock(rows):
            return "\n\n".join(
                f"{number}. {name}\n\n   $$ {latex(expr)} $$"
                for number, (name, expr) in enumerate(rows, start=1)
            )
        case TableBlock(head, rows, numeric):
            marks = ("---:" if index in numeric else "---" for index in range(len(head)))
            lines = [_row(head), "|" + "|".join(marks) + "|", *map(_row, rows)]
            return "\n".join(lines)


def _row(cells: tuple[Spans, ...]) -> str:
    return "| " + " | ".join(_spans(cell).replace("|", r"\|") for cell in cells) + " |"


def _spans(spans: Spans) -> str:
    return "".join(map(_inline, spans))


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return part.replace("*", r"\*").replace("_", r"\_").replace("<", "&lt;")
    if isinstance(part, LineBreak):
        return "; "
    if isinstance(part, Math):
        return f"${latex(part.expr)}$"
    if isinstance(part, Symbol):
        return f"${latex_of(part.name)}$"
    if isinstance(part, CodeSpan):
        return f"`{part.text}`"
    return f"**{part.name}**"
