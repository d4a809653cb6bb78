"""The report of a fit as one HTML page: sections of figures, tables and sentences, in order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files

from logca.common.readable_numbers import duration, probability
from logca.common.sizes import format_size
from logca.common.tables import Table, html
from logca.common.visible_text import visible
from logca.derive.notation.boxes import Name
from logca.derive.notation.mathml import element
from logca.numeric.fit.fit import Fit
from logca.report.figures import curves_figure, regions_figure, residuals_figure
from logca.report.formulas import formulas_html, math_style
from logca.show.fit.tables import granularity_table, model_table, parameter_table, times_table
from logca.show.fit.words import answer
from logca.show.regions import cutoff_table, region_table

__all__ = [
    "facts_html",
    "limits_section",
    "page_of",
    "report_html",
    "section",
    "table_html",
]

_NAMES = {"peak": "speedup_peak"}
_UNIT = re.compile(r"(?<=\d) (?=[KMGTPE]?i?B\b|%)")
_FORMS = {
    "constant": "An offload pays the latency once, whatever its size.",
    "linear": "An offload pays the latency for every byte.",
}


def report_html(fit: Fit) -> str:
    """One HTML file, which loads nothing and runs nothing."""
    title = f"Fit of {fit.provenance.get('timings', 'timings')}"
    return page_of(title, answer(fit), _measured(fit), _sections(fit))


def page_of(title: str, answer: str, measured: str, sections: Iterable[str]) -> str:
    """A page of sections below a title, an answer and a sentence on what was measured."""
    style = files("logca.report").joinpath("report.css").read_text(encoding="utf-8")
    # control characters in names of others: a browser ignores them, a terminal does not
    return visible("\n".join([
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{math_style()}{style}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{escape(title)}</h1>",
        f'<p class="answer">{escape(_unbroken(answer))}</p>',
        f"<p>{escape(_unbroken(measured))}</p></header>",
        "<main>",
        *sections,
        "</main>",
        "</body>",
        "</html>",
        "",
    ]))  # fmt: skip


def _unbroken(text: str) -> str:
    """The text with numbers and their units on one line."""
    return _UNIT.sub("\N{NO-BREAK SPACE}", text)


def _measured(fit: Fit) -> str:
    sizes = fit.timings.granularity
    times = sum(row.size for row in (*fit.timings.host, *fit.timings.accelerated))
    return (
        f"{len(sizes)} sizes from {format_size(float(sizes[0]))} to "
        f"{format_size(float(sizes[-1]))}, {times:,} times; {fit.latency} latency."
    )


def _sections(fit: Fit) -> Iterator[str]:
    yield section("Measured and fitted", curves_figure(fit), residuals_figure(fit))
    yield limits_section(fit.warnings)
    sizes = _unbroken(", ".join(map(format_size, fit.next_sizes)))
    yield section(
        "What to measure next",
        f"<p>Times at these sizes would narrow the answer most, the first one most: {sizes}.</p>",
    )
    yield section(
        "Parameters", table_html(parameter_table(fit)), f'<p class="note">{_intervals(fit)}</p>'
    )
    yield section("Granularities", table_html(granularity_table(fit)))
    if len(fit.models) > 1:
        yield section("Form of latency", table_html(model_table(fit)), f"<p>{_compared(fit)}</p>")
    yield section(
        "Formulas",
        "<p>Times are in seconds, granularities in bytes; numbers have four digits."
        f"{_call(fit)}</p>",
        *formulas_html(fit),
    )
    yield section("What would have to be better", *_regions(fit))
    times = table_html(times_table(fit))
    folded = f"<details><summary>Medians and fitted times</summary>{times}</details>"
    yield section("Times in numbers", folded)
    yield section("Where this comes from", facts_html(fit.provenance))


def limits_section(warnings: Sequence[str]) -> str:
    """Warnings of a fit, as markup."""
    doubts = "".join(f"<li>{escape(_sentence(each))}</li>" for each in warnings)
    return section(
        "Limits of this fit", f"<ul>{doubts}</ul>" if doubts else "<p>Nothing of note.</p>"
    )


def section(title: str, *parts: str) -> str:
    """A part of the page under a title of its own."""
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def _sentence(text: str) -> str:
    whole = (
        text if text[:2] in ("o ", "A ") or text.startswith("beta") else text[0].upper() + text[1:]
    )
    return f"{whole}."


def _intervals(fit: Fit) -> str:
    return (
        f"Intervals hold the values that the data do not reject at {probability(fit.level)} "
        "confidence (profile likelihood)."
    )


def _call(fit: Fit) -> str:
    if fit.call_cost == 0:
        return ""
    cost = _unbroken(duration(fit.call_cost, 3))
    return (
        f" Each call costs {cost} more on both paths, which the model leaves out; break-evens do "
        "not depend on it."
    )


def _compared(fit: Fit) -> str:
    return (
        f"{_FORMS[fit.latency]} AICc is Akaike's criterion, corrected for few data; the weight "
        "says how likely a form is to be the better one of the two. Intervals allow for both."
    )


def _regions(fit: Fit) -> Iterator[str]:
    if fit.parameters["A"] <= 1:
        yield "<p>The accelerated path computes no faster than the host at any size: A ≤ 1.</p>"
        return
    found = fit.accelerator.regions()
    yield regions_figure(fit)
    yield table_html(region_table(found))
    yield table_html(cutoff_table(found))


def facts_html(provenance: Mapping[str, str]) -> str:
    """Where a fit comes from, as markup."""
    rows = (f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in provenance.items())
    return f"<dl>{''.join(rows) or '<dt>timings</dt><dd>unknown</dd>'}</dl>"


def table_html(data: Table) -> str:
    """A table with its symbols in MathML, which scrolls if it is wide, and its notes."""
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in data.notes if note)
    return f'<div class="table" tabindex="0">{html(data, symbol=_symbol)}</div>{notes}'


def _symbol(name: str) -> str:
    return element(Name(_NAMES.get(name, name)), "", display=False)
