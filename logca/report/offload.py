"""The report of an offload as one HTML page: both paths, alternatives, source, fit."""

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from logca.common.files import source_text
from logca.offloading.result import Offload
from logca.plots.offload import OffloadPicture
from logca.report.figures import figure
from logca.report.formulas import formulas_html
from logca.report.sections import facts_html, limits_section, page_of, section, table_html
from logca.show.offload.tables import loop_names, offload_tables
from logca.show.offload.words import offload_answer

__all__ = ["offload_report_html"]

_LINES = 40
"""Lines of the source that are shown of each loop, at most [1]."""


def offload_report_html(found: Offload) -> str:
    """One HTML file, which loads nothing and runs nothing."""
    loops = ", ".join(loop_names(found))
    timed = sum(point.measured for point in found.points)
    measured = (
        f"{loops} on {found.device} over {found.link.title}; {len(found.points)} sizes, the host "
        f"timed at {timed} of them."
    )
    return page_of(f"Offload of {loops}", offload_answer(found), measured, _sections(found))


def _sections(found: Offload) -> Iterator[str]:
    yield section("Times and what they consist of", _figure(found))
    yield section("The loops", *_source(found))
    for table in offload_tables(found):
        if table.title:
            yield section(table.title, table_html(replace(table, title="")))
    yield limits_section(found.notes)
    if found.fitted is not None:
        yield section(
            "Formulas",
            "<p>Times are in seconds, granularities in bytes of the data; numbers have four "
            "digits.</p>",
            *formulas_html(found.fitted),
        )
        yield section("Where this comes from", facts_html(found.fitted.provenance))


def _figure(found: Offload) -> str:
    return figure(
        "paths",
        "Times of host and accelerated path over the size, and parts of the accelerated time",
        f"The host as it was timed, and the accelerated path as it is predicted, over "
        f"{found.macro}; the band is the interval of the prediction. Beside it what the "
        "accelerated time consists of.",
        OffloadPicture(title="Both paths", found=found),
    )


def _source(found: Offload) -> Iterator[str]:
    """The first lines of each loop, as markup."""
    for (file, line, end), name in zip(found.loops, loop_names(found), strict=True):
        # a line directive may name a file that is not there, or that was not compiled
        text = source_text(file) if file in found.compiled_files else None
        if text is None:
            continue
        lines = text.split("\n")
        shown = enumerate(lines[line - 1 : min(end, line - 1 + _LINES)], start=line)
        code = escape("\n".join(f"{number:>5}  {text}" for number, text in shown))
        yield f"<h3>{escape(name)}</h3><pre>{code}</pre>"
