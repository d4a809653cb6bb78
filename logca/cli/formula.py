"""`logca formula`: one formula in any markup, or the list of all."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from logca.cli.options.accelerators import Chosen, form_of, with_accelerator
from logca.cli.options.axes import Axis
from logca.cli.options.completion import complete_equations
from logca.cli.options.ranges import LATENCY, single
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import say, show, show_json

if TYPE_CHECKING:
    from logca.api.formulas import Quantity
    from logca.api.inserted_numbers import Inserted

__all__ = ["FormulaLatency", "formula"]

FormulaLatency = Literal["affine", "constant", "linear"]
"""Forms of latency."""

_ROOT = re.compile(r"root\}_\{(.+?)\}\^\{\\(up|down)arrow\}")


@with_accelerator
def formula(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Name of a formula, such as g1, or number in a paper, such as isca2017-eq11.",
            autocompletion=complete_equations,
            show_default="list all",
        ),
    ] = None,
    latency: Annotated[
        FormulaLatency | None,
        typer.Option(
            help=LATENCY.format("; affine, L0 + L1*g, holds both"),
            show_default="the accelerator's, or affine",
        ),
    ] = None,
    markup: Annotated[
        Literal["text", "latex", "mathml", "markdown", "python"] | None,
        typer.Option("--as", help="Markup.", show_default="for the terminal"),
    ] = None,
    as_json: OutputOption.as_json = False,
    g: Axis.g = None,
    s: Axis.s = None,
    g_low: Axis.g_low = None,
    g_high: Axis.g_high = None,
    r: Axis.r = None,
    q: Axis.q = None,
    *,
    accelerator: Chosen,
) -> None:
    """Show a formula, with numbers for its symbols, or list all formulas.

    With an accelerator its numbers are inserted, and what the formula comes to stands beside them.
    `--beta` alone sets the exponent, which gives a closed form where there is one. A formula's name
    is also what it is called in claims: see `logca check --help`.

    By the number of an equation, such as isca2017-eq11, it is shown as the paper prints it, with
    what is known of it and the exact one beside it.

    **Examples**

        logca formula                                 list formulas by topic, equations by paper

        logca formula g1                              the break-even granularity

        logca formula g1 --latency constant           as in Eq. 5 of the papers

        logca formula g1 --latency linear --as latex  to paste into a paper

        logca formula g1 --latency linear --beta 1    for linear work; closed forms: --beta 1/2 ...

        logca formula g1 --device ultrasparc-t2 --kernel aes    with its numbers, and the value

        logca formula speedup --g 4KiB --o 29us --L 1.5us --C 90ns/B --A 19 --as latex

        logca formula isca2017-eq11                   an equation as printed, and the exact one

        logca formula cgpredict-eq16 --as latex       by its number in a paper

        logca formula kenter-te                       by what a paper calls it

        logca formula --json                          all of them as LaTeX, for a program
    """
    more = {"g": g, "s": s, "g_low": g_low, "g_high": g_high, "r": r, "q": q}
    given = {each: text for each, text in more.items() if text is not None}
    plain = not given and not accelerator.is_anything()
    if as_json and markup is not None:
        raise UsageFailure("--json is LaTeX already; leave out --as")
    if name is None:
        if not plain:
            raise UsageFailure("name the formula that the numbers are for, such as g1")
        _list(latency, markup, as_json)
        return
    from logca.api.paper_equations import paper_equation

    printed = paper_equation(name)
    if printed is not None:
        if not plain or latency is not None:
            raise UsageFailure(
                f"{name} is shown as it is printed; numbers and forms of latency go with the "
                f"formula's name: logca formula {printed.exact.name}"
            )
        shown: Any = printed
    elif plain:
        shown = named(name, latency)
    else:
        shown = _inserted(name, latency, accelerator, given)
    if as_json:
        answer = "; exactly ".join(shown.text().splitlines())
        show_json({"answer": answer, **shown.to_json()}, indent=None)
    elif markup is None:
        show(shown)
    else:
        written = getattr(shown, markup)()
        if markup == "latex":
            typer.echo(_root_comments(written), nl=False)
        typer.echo(written)
        if reason := getattr(shown, "reason", ""):
            say(f"{name}: {reason}", err=True)


def _root_comments(latex: str) -> str:
    """Comments that say which root of an equation is meant, one for each kind of root."""
    return "".join(
        rf"% root_{letter}^\{way}arrow[...]: the {letter} at which the left side of this equation "
        f"{'rises above' if way == 'up' else 'falls below'} the right\n"
        for letter, way in dict.fromkeys(_ROOT.findall(latex))
    )


def named(name: str, latency: str | None) -> "Quantity":
    """The formula of that name, under a form of latency."""
    from logca.api.formulas import formula as of_name

    return of_name(name, latency or "affine")


def _inserted(
    name: str, latency: str | None, accelerator: Chosen, more: Mapping[str, str]
) -> "Inserted":
    """The formula with the numbers of an accelerator, and those that are given by themselves."""
    from logca.numeric.accelerator.parameter_ranges import MODEL
    from logca.numeric.sweep.axes import checked

    told = {**accelerator.texts, **more}
    timed = accelerator.is_anything() and {*accelerator.texts} != {"beta"}
    if timed and latency == "affine":
        raise UsageFailure("with numbers the latency is constant or linear, not affine")
    known, found = accelerator.parts(more)
    usual = known.latency if known else accelerator.latency or ("constant" if timed else "affine")
    form = form_of(found, accelerator.latency, usual)
    own: dict[str, float] = {"beta": 1.0} if timed else {}
    if known:
        own = {each: getattr(known, each) for each in MODEL}
    asked = single(found)
    for each, value in asked.items():
        checked(each, value, "linear" if form == "linear" else "constant")
    quantity = named(name, form)
    if known and not {*MODEL} & {*quantity.symbols()}:
        raise UsageFailure(
            f"{quantity.name} has none of {', '.join(MODEL)}: an accelerator has no numbers for "
            f"it, leave out {' '.join(accelerator.words()[:2])}"
        )
    strangers = [each for each in told if each not in quantity.symbols()]
    if strangers:
        raise UsageFailure(
            f"{quantity.name} has no {' and no '.join(strangers)}: leave out --"
            f"{', --'.join(each.replace('_', '-') for each in strangers)}"
        )
    of = "" if known is None else accelerator.name()
    return replace(quantity.at(own | asked, time=found.unit), of=of)


def _list(latency: str | None, markup: str | None, as_json: bool) -> None:
    if as_json:
        from logca.api.formulas import formulas_json

        rows = formulas_json(latency or "affine")
        of = f"{latency or 'affine'} latency"
        show_json({"answer": f"{len(rows)} formulas under {of}, as LaTeX.", "rows": rows})
        return
    if markup is not None or latency not in (None, "affine"):
        raise UsageFailure("name a formula to print it; `logca formula` alone lists them")
    from logca.api.display import formula_table
    from logca.api.formulas import formula_rows
    from logca.api.paper_equations import equation_rows

    show(formula_table([*formula_rows(), *equation_rows()]))
