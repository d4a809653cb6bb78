"""The report of a fit of shapes as one HTML page: boundary, parts, formulas and shapes."""

from collections.abc import Iterator
from html import escape

from logca.derive.core.catalogue import formula
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.derive.notation.text_latex_python import equation
from logca.numeric.shapes.fit import ShapeFit
from logca.plots.shapes import ShapePicture
from logca.report.figures import figure
from logca.report.formulas import inserted
from logca.report.sections import facts_html, limits_section, page_of, section, table_html
from logca.show.shapes import boundary_table, part_table, shape_answer, shapes_table

__all__ = ["shapes_report_html"]

_TIMES = ("shape_time_host", "shape_time_accelerated")


def shapes_report_html(fit: ShapeFit) -> str:
    """One HTML file, which loads nothing and runs nothing."""
    title = f"Fit of {fit.provenance.get('timings', 'timings')}"
    timings = fit.timings
    rows = (*timings.host, *timings.accelerated, *timings.ratio)
    what = "ratios of times" if fit.relative else "times"
    measured = f"{len(timings)} shapes of {', '.join(fit.columns)}; {sum(map(len, rows)):,} {what}."
    return page_of(title, shape_answer(fit), measured, _sections(fit))


def _sections(fit: ShapeFit) -> Iterator[str]:
    yield section("The boundary", _boundary_figure(fit), table_html(boundary_table(fit)))
    yield limits_section(fit.warnings)
    yield section("Times of the parts", table_html(part_table(fit)))
    yield section("Formulas", *_formulas(fit))
    shapes = f"<details><summary>Speedup of each</summary>{table_html(shapes_table(fit))}</details>"
    yield section("Shapes in numbers", shapes)
    yield section("Where this comes from", facts_html(fit.provenance))


def _boundary_figure(fit: ShapeFit) -> str:
    return figure(
        "boundary",
        "Shapes at which offloading pays, by the model, and which path was faster where measured",
        "Where offloading most likely pays, by the model; lines of equal speedup; and the shapes "
        "measured, by the faster path.",
        ShapePicture(title="Boundary", fit=fit),
    )


def _formulas(fit: ShapeFit) -> Iterator[str]:
    """Amounts of a shape, and times of both paths with their numbers, as markup."""
    amounts = (f"<li>{role}: {escape(each.text)}</li>" for role, each in fit.formulas.items())
    unit = "in a unit that is not known" if fit.relative else "in seconds"
    yield f"<p>Of a shape:</p><ul>{''.join(amounts)}</ul>"
    yield f"<p>Times are {unit}; numbers have four digits.</p>"
    for name in _TIMES:
        entry = formula(name)
        relation = equation(entry, "linear")
        yield f"<h3>{escape(entry.meaning)}</h3>"
        for node in (typeset(relation), inserted(relation, fit.parameters)):
            yield f'<div class="formula" tabindex="0">{element(node, "", display=True)}</div>'
