"""Blocks and inline parts of a document, apart from any markup."""

from dataclasses import dataclass

import sympy as sp

__all__ = [
    "Block",
    "CodeSpan",
    "Document",
    "Equation",
    "FactsBlock",
    "Heading",
    "Inline",
    "LineBreak",
    "Math",
    "Paragraph",
    "Spans",
    "StepsBlock",
    "Symbol",
    "TableBlock",
    "VerdictMark",
]


@dataclass(frozen=True, slots=True)
class Math:
    """A formula within a line."""

    expr: sp.Basic


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol or quantity by its name, as it is typeset."""

    name: str


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Something that can be typed, such as a claim."""

    text: str


@dataclass(frozen=True, slots=True)
class VerdictMark:
    """A verdict, which gets a colour where there are colours."""

    name: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The end of a line, or what comes nearest to it."""


Inline = str | Math | Symbol | CodeSpan | VerdictMark | LineBreak
Spans = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `anchor` makes it a target of links, and `listed` puts it into the contents."""

    level: int
    content: Spans
    anchor: str
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    content: Spans


@dataclass(frozen=True, slots=True)
class Equation:
    """A formula on a line of its own, with a remark such as the form of latency."""

    expr: sp.Basic
    remark: str = ""


@dataclass(frozen=True, slots=True)
class FactsBlock:
    """Headings and what they head, one a line."""

    rows: tuple[tuple[str, Spans], ...]


@dataclass(frozen=True, slots=True)
class StepsBlock:
    """A derivation: what was done, and the equation reached."""

    rows: tuple[tuple[str, sp.Basic], ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Columns with headings; those in `numeric` are aligned to the right."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    numeric: frozenset[int] = frozenset()


Block = Heading | Paragraph | Equation | FactsBlock | StepsBlock | TableBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A title, a line below it, and the rest."""

    # title, subtitle: plain text
    title: str
    subtitle: str
    blocks: tuple[Block, ...]  # in reading order
