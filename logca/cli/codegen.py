"""`logca codegen`: quantities of the model as source code in another language."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.choices import show
from logca.cli.errors import UsageFailure

if TYPE_CHECKING:
    from logca.numeric.generate.codegen.wanted import Offer

__all__ = ["Lang", "codegen"]

_DEFAULT = "speedup,g1,should_offload"

_EXAMPLES = """
**Examples**

    logca codegen --lang c                                 speedup, break-even, decision

    logca codegen --lang rust --latency linear -o logca.rs  to a file

    logca codegen --lang python --what speedup,g_s,g_s_upper

    logca codegen --list                                   all that can be generated
"""


class Lang(StrEnum):
    """Languages."""

    c = "c"
    cuda = "cuda"
    rust = "rust"
    julia = "julia"
    fortran = "fortran"
    javascript = "javascript"
    python = "python"


class Latencies(StrEnum):
    """Forms of latency to generate for."""

    constant = "constant"
    linear = "linear"
    both = "both"


def _complete_what(incomplete: str) -> list[str]:
    from logca.numeric.generate.codegen.wanted import offers

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in offers() if name.startswith(last)]


def codegen(
    lang: Annotated[
        Lang | None, typer.Option(help="Language of the source.", show_default=False)
    ] = None,
    what: Annotated[
        str,
        typer.Option(help="Quantities, separated by commas.", autocompletion=_complete_what),
    ] = _DEFAULT,
    latency: Annotated[
        Latencies, typer.Option(help="Form of the latency; both gives one function for each.")
    ] = Latencies.both,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write.", show_default="the terminal"),
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace the file if it exists.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the quantities.")] = False,
) -> None:
    """Print quantities of the model as source code that needs no library.

    Parameters keep their names and units, which the comments give with the formulas' sources.
    Granularities for a target speedup come with the solver that finds them; NaN says that there is
    none, infinity or zero that it is outside the range of floating point.
    """
    from logca.numeric.generate.codegen.source import source
    from logca.numeric.generate.codegen.wanted import CodegenError, offers

    if list_:
        _list(list(offers().values()))
        return
    if lang is None:
        raise UsageFailure(f"name a language: --lang {'|'.join(Lang)}")
    names = [name for each in what.split(",") if (name := each.strip())]
    if not names:
        raise UsageFailure(f"--what names nothing; the default is {_DEFAULT}")
    if output is not None and output.is_dir():
        raise UsageFailure(f"{output} is a folder; name a file in it")
    if output is not None and output.exists() and not force:
        raise UsageFailure(f"{output} exists; --force replaces it")
    try:
        text = source(lang.value, names, latency.value)
    except CodegenError as error:
        raise UsageFailure(str(error)) from error
    if output is None:
        typer.echo(text, nl=False)
        return
    _write(output, text, force)
    typer.echo(f"{output}: {len(text.splitlines())} lines", err=True)


codegen.__doc__ = (codegen.__doc__ or "") + _EXAMPLES


def _write(output: Path, text: str, force: bool) -> None:
    try:
        with output.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageFailure(f"{output} exists; --force replaces it") from None
    except OSError as error:
        raise UsageFailure(f"{output} cannot be written to: {error.strerror}") from None


def _list(offered: "list[Offer]") -> None:
    """By the forms of latency under which there is something to generate."""
    from logca.tables import formula_table

    topics = {
        ("constant", "linear"): "under constant and linear latency",
        ("constant",): "under constant latency",
        ("linear",): "under linear latency",
    }
    rows = [
        {
            "name": each.name,
            "topic": topics[each.latencies],
            "unit": each.unit,
            "meaning": each.meaning,
        }
        for each in sorted(offered, key=lambda each: list(topics).index(each.latencies))
    ]
    show(formula_table(rows))
