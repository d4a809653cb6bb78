"""`logca formula`: one formula in any markup, or the list of all."""

from enum import StrEnum
from typing import Annotated

import typer

from logca.cli.options.completion import complete_formulas
from logca.cli.options.ranges import LATENCY
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_json

__all__ = ["FormulaLatency", "Markup", "formula"]


class FormulaLatency(StrEnum):
    """Forms of latency."""

    affine = "affine"
    constant = "constant"
    linear = "linear"


class Markup(StrEnum):
    """Ways to print a formula."""

    text = "text"
    latex = "latex"
    mathml = "mathml"
    markdown = "markdown"
    python = "python"


_EXAMPLES = """
**Examples**

    logca formula                                 list all formulas by topic

    logca formula g1                              the break-even granularity

    logca formula g1 --latency constant           as in Eq. 5 of the papers

    logca formula g1 --latency linear --as latex  to paste into a paper

    logca formula cgpredict-eq16 --as latex       by its number in a paper

    logca formula kenter-te                       by what a paper calls it

    logca formula --json                          all of them as LaTeX, for a program
"""


def formula(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Name of a formula, such as g1, or number in a paper, such as cgpredict-eq16.",
            autocompletion=complete_formulas,
            show_default="list all",
        ),
    ] = None,
    latency: Annotated[
        FormulaLatency,
        typer.Option(help=LATENCY.format("; affine, L0 + L1*g, holds both")),
    ] = FormulaLatency.affine,
    markup: Annotated[
        Markup | None, typer.Option("--as", help="Markup.", show_default="for the terminal")
    ] = None,
    as_json: OutputOption.as_json = False,
) -> None:
    """Show a formula, or list all formulas.

    A formula's name is also what it is called in claims: see `logca check --help`.
    """
    if name is None:
        _list(latency, markup, as_json)
        return
    from logca.api.formulas import formula as named

    quantity = named(name, latency.value)
    if as_json and markup is not None:
        raise UsageFailure("--json is LaTeX already; leave out --as")
    if as_json:
        show_json({"name": name, "latex": quantity.latex()}, indent=None)
    elif markup is None:
        show(quantity)
    else:
        typer.echo(getattr(quantity, markup.value)())


formula.__doc__ = (formula.__doc__ or "") + _EXAMPLES


def _list(latency: FormulaLatency, markup: Markup | None, as_json: bool) -> None:
    if as_json:
        from logca.derive.notation.text_latex_python import formulas_in_latex

        show_json(formulas_in_latex(latency.value))
        return
    if markup is not None or latency is not FormulaLatency.affine:
        raise UsageFailure("name a formula to print it; `logca formula` alone lists them")
    from logca.api.display import formula_table
    from logca.api.formulas import formula_rows

    show(formula_table(formula_rows()))
