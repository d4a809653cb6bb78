"""`logca derive`: a formula step by step, each step checked again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.formula import FormulaLatency
from logca.cli.options.completion import complete_formulas
from logca.cli.options.ranges import LATENCY
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_answer, show_json, width

if TYPE_CHECKING:
    from logca.api.formulas import Quantity
    from logca.derive.algebra.derivation import Step

__all__ = ["derive"]

_SHOWN = 5
_INDENT = 5
_PLACE = (0, 0, 0, _INDENT)


def derive(
    name: Annotated[
        str, typer.Argument(help="Name of a formula.", autocompletion=complete_formulas)
    ],
    latency: Annotated[
        FormulaLatency,
        typer.Option(help=LATENCY.format("; affine, L0 + L1*g, holds both")),
    ] = "affine",
    as_json: OutputOption.as_json = False,
) -> None:
    """Show how a formula is derived; every step is verified again before it gets its tick.

    A tick means that the equation follows from the one before it, or that the given expression
    solves it. Which of several solutions is meant, and on which domain, is proved in the ledger;
    the last line names its claims about the formula. A step marked "posed" is a definition or a
    question: there is nothing to verify.

    With --latency constant or linear the result is also shown in that form.

    Exit code 1 if a step does not hold.

    **Examples**

        logca derive gA2

        logca derive speedup_peak --latency linear

        logca derive g1 --json
    """
    from logca.api.formulas import formula
    from logca.proofs.claims.catalogue import claims_mentioning

    quantity = formula(name, latency)
    steps = [(step, step.check()) for step in quantity.derivation()]
    posed, wrong = sum(step.posed for step, _ in steps), sum(not holds for _, holds in steps)
    verified = f"{wrong} do not hold" if wrong else f"{len(steps) - posed} verified again"
    answer = f"{name} follows in {len(steps)} steps: {posed} posed, {verified}."
    claims = claims_mentioning(name)
    if as_json:
        from logca.derive.notation.text_latex_python import abbreviated, latex

        rows = (
            {
                "name": step.name,
                "latex": latex(abbreviated(step.relation)),
                "posed": step.posed,
                "holds": holds,
            }
            for step, holds in steps
        )
        data = {"answer": answer, "name": name, "latency": latency, "steps": [*rows]}
        result = {"latex": quantity.latex(), "where": quantity.conditions() or None}
        show_json({**data, **result, "claims": claims})
    else:
        _show(quantity, answer, steps, claims)
    if wrong:
        raise typer.Exit(1)


def _show(
    quantity: "Quantity", answer: str, steps: "Sequence[tuple[Step, bool]]", claims: Sequence[str]
) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from logca.derive.notation.text_latex_python import abbreviated, pretty

    show_answer(answer)
    for number, (step, holds) in enumerate(steps, start=1):
        kind = ("posed", "dim") if step.posed else ("✓", "green")
        tick = kind if holds else ("✗ does not hold", "bold red")
        show(Text.assemble((f"{number:3}. ", "dim"), step.name, "  ", tick))
        drawn = pretty(abbreviated(step.relation), width() - 8)
        show(Padding(Text(drawn, no_wrap=True), (1, 0, 1, 5)))
    if quantity.latency != "affine":
        show(Text(f"     under {quantity.latency} latency", style="dim"))
        show(Padding(Text(quantity.pretty(width() - 8), no_wrap=True), (1, 0, 1, 5)))
    where = dict(quantity.facts(width() - _INDENT - len("where "))).get("where")
    if where:
        show(Padding(Text.assemble(("where ", "dim"), where.replace("\n", f"\n{'':6}")), _PLACE))
    if claims:
        more = f" and {len(claims) - _SHOWN} more" if len(claims) > _SHOWN else ""
        ledger = f"in the ledger: {', '.join(claims[:_SHOWN])}{more}"
        show(Padding(Text(ledger, style="dim"), _PLACE))
