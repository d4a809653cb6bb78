"""The handbook in LaTeX, with packages that every distribution has."""

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
from logca.common.tables import escape_latex, longtable
from logca.derive.notation.signs import latex_of
from logca.derive.notation.text_latex_python import latex

__all__ = ["render"]

_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=22mm]{geometry}
\usepackage{amsmath,amssymb,array,longtable,graphicx,xcolor,textcomp}
\usepackage[hidelinks]{hyperref}
\setcounter{tocdepth}{2}
\setcounter{secnumdepth}{2}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\sloppy
% a displayed formula, shrunk to the width of the line where it is wider
\newsavebox{\formulabox}
\newcommand{\formula}[1]{\par\sbox{\formulabox}{$\displaystyle #1$}%
  {\centering\ifdim\wd\formulabox>\linewidth
    \resizebox{\linewidth}{!}{\usebox{\formulabox}}\else\usebox{\formulabox}\fi\par}}
\newcommand{\fact}[2]{\par\hangindent=8em\hangafter=1\makebox[8em][l]{\textit{#1}}#2\par}
\newcommand{\remark}[1]{\par{\small\textit{#1}}}
\definecolor{PROVED}{HTML}{1A7F37}
\definecolor{CORRECTED}{HTML}{9A6700}
\definecolor{REFUTED}{HTML}{CF222E}
\definecolor{EVIDENCE}{HTML}{0969DA}
\definecolor{UNDECIDED}{HTML}{8250DF}
\newcommand{\verdict}[1]{\textcolor{#1}{\textsf{\footnotesize #1}}}
"""


def render(document: Document) -> str:
    """The whole document."""
    title = rf"\title{{{_text(document.title)}\\[1ex]\large {_text(document.subtitle)}}}"
    opening = [_PREAMBLE + title, r"\author{}\date{}", r"\begin{document}", r"\maketitle"]
    blocks = [_block(block) for block in document.blocks]
    return "\n\n".join([*opening, r"\tableofcontents", *blocks, r"\end{document}"]) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(level, content, anchor, listed):
            command = ("section", "subsection", "subsubsection")[level - 1]
            star = "" if listed else "*"
            plain = "".join(part for part in content if isinstance(part, str)).strip()
            short = rf"[{{{_text(plain)}}}]" if listed else ""
            return rf"\{command}{star}{short}{{{_spans(content)}}}\label{{{anchor}}}"
        case Paragraph(content):
            return _spans(content)
        case Equation(expr, remark):
            heading = rf"\remark{{{_text(remark)}}}" + "\n" if remark else ""
            return heading + rf"\formula{{{latex(expr)}}}"
        case FactsBlock(rows):
            return "\n".join(rf"\fact{{{_text(head)}}}{{{_spans(body)}}}" for head, body in rows)
        case StepsBlock(rows):
            items = (rf"\item {_text(name)} \formula{{{latex(expr)}}}" for name, expr in rows)
            return "\n".join([r"{\small\begin{enumerate}", *items, r"\end{enumerate}}"])
        case TableBlock(head, rows, numeric):
            return _table(head, rows, numeric)


def _table(
    head: tuple[Spans, ...], rows: tuple[tuple[Spans, ...], ...], numeric: frozenset[int]
) -> str:
    longest = [max(sum(map(_length, row[i])) for row in (head, *rows)) for i in range(len(head))]
    columns = "".join(
        "r" if index in numeric else r">{\raggedright\arraybackslash}p{0.4\textwidth}" if size > 40
        else "l"
        for index, size in enumerate(longest)
    )  # fmt: skip
    return longtable(columns, map(_spans, head), (map(_spans, row) for row in rows))


def _length(part: Inline) -> int:
    return len(part) if isinstance(part, str) else 8


def _spans(spans: Spans) -> str:
    return "".join(map(_inline, spans))


def _text(text: str) -> str:
    return escape_latex(text).replace("   ", r"\quad ")


def _inline(part: Inline) -> str:
    if isinstance(part, str):
        return _text(part)
    if isinstance(part, LineBreak):
        return r"\newline "
    if isinstance(part, Math):
        return f"${latex(part.expr)}$"
    if isinstance(part, Symbol):
        return f"${latex_of(part.name)}$"
    if isinstance(part, CodeSpan):
        return rf"\texttt{{{escape_latex(part.text)}}}"
    return rf"\verdict{{{part.name}}}"
