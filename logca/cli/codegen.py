"""`logca codegen`: quantities of the model as source code in another language."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.completion import complete_quantities
from logca.cli.options.ranges import LATENCY, listed
from logca.cli.terminal.errors import UsageFailure, one_of
from logca.cli.terminal.files import OutputOption, check_writable, write
from logca.cli.terminal.output import say, show, show_json
from logca.common.near_misses import did_you_mean

if TYPE_CHECKING:
    from logca.numeric.generate.codegen.source_program import Offered

__all__ = ["codegen"]

_DEFAULT = "speedup,g1,should_offload"
_DECISION = "should_offload"
_THRESHOLDS = "With an accelerator"

_LANGUAGES = {
    "c": ".c .h",
    "cpp": ".cpp .cc .cxx .hpp .hh .hxx .h",
    "cuda": ".cu .cuh .hpp .h",
    "rust": ".rs",
    "julia": ".jl",
    "fortran": ".f90 .f95 .f03 .f08",
    "javascript": ".js .mjs .cjs",
    "python": ".py",
}
"""Languages, and how names of their files end."""


@with_accelerator
def codegen(
    lang: Annotated[
        str | None,
        typer.Option(
            help="Language of the source.",
            metavar=f"<{'|'.join(_LANGUAGES)}>",
            autocompletion=lambda incomplete: [
                each for each in _LANGUAGES if each.startswith(incomplete)
            ],
            show_default=False,
        ),
    ] = None,
    what: Annotated[
        str | None,
        typer.Option(
            help="Quantities, separated by commas.",
            autocompletion=complete_quantities,
            show_default=f"{_DEFAULT}; with an accelerator {_DECISION}",
        ),
    ] = None,
    latency: Annotated[
        Literal["constant", "linear", "both"] | None,
        typer.Option(
            help=LATENCY.format("; both gives one function for each"),
            show_default="both, with an accelerator its own",
        ),
    ] = None,
    name: Annotated[
        str,
        typer.Option(
            help="Part of the names of the environment variable and of functions, such as aes.",
            metavar="NAME",
            rich_help_panel=_THRESHOLDS,
            show_default="none",
        ),
    ] = "",
    most_likely: Annotated[
        bool,
        typer.Option(
            "--most-likely",
            help="Use the most likely break-even even if it is uncertain whether there is one.",
            rich_help_panel=_THRESHOLDS,
        ),
    ] = False,
    in_flight: Annotated[
        int | None,
        typer.Option(
            help="Requests in flight; decides for a stream of them, on either path.",
            min=1,
            rich_help_panel=_THRESHOLDS,
            show_default="one at a time",
        ),
    ] = None,
    output: Annotated[Path | None, OutputOption.to()] = None,
    force: OutputOption.force = False,
    list_: Annotated[bool, typer.Option("--list", help="List the quantities.")] = False,
    as_json: OutputOption.as_json = False,
    *,
    accelerator: Chosen,
) -> None:
    """Print quantities of the model, or the thresholds of an accelerator, as code on its own.

    Parameters keep their names and units, which the comments give with the formulas' sources.
    Granularities for a target speedup come with the solver that finds them; NaN says that there is
    none, infinity or zero that it is outside the range of floating point (in Python an
    OverflowError, or a ZeroDivisionError where a host time is too small for a double).

    **Examples**

        logca codegen --lang c                                 speedup, break-even, decision

        logca codegen --lang rust --latency linear -o logca.rs  to a file

        logca codegen --lang python --what speedup,g_s,g_s_upper

        logca codegen --list                                   all that can be generated

        logca codegen --lang c --fit fit.json -o offload.h     thresholds that `logca fit` found

        logca codegen --lang rust --fit aes.json --name aes    one of several kernels

        logca codegen --lang cpp --device ultrasparc-t2 --kernel aes     break-even of a device

        logca codegen --lang python --o 10us --L 1.5ns/B --C 36ns/B --A 12     or of your own

        logca codegen --lang c --fit fit.json --in-flight 8     a stream of requests, 8 at a time

        logca codegen --lang c --what host_share --fit fit.json     part of the work the host keeps

    **With an accelerator** (a fit, a device or parameters of your own) the file has
    should_offload(size) and should_offload_from(size, offloading), with the break-evens as
    constants, in C, C++, CUDA, Rust, JavaScript or Python; of a fit with hysteresis around their
    intervals, and with --in-flight of a stream of requests. The environment variable LOGCA_OFFLOAD,
    or LOGCA_OFFLOAD_NAME, overrides the thresholds. With --what host_share it has host_share(g)
    instead, in all languages: the part of the work that the host keeps so that all is done soonest.
    Formulas are for parameters that vary: ask for them without an accelerator, and put them into a
    file of their own.
    """
    if list_:
        from logca.numeric.generate.codegen.source_program import offered

        _list(list(offered().values()), as_json)
        return
    if as_json:
        raise UsageFailure("--json goes with --list; leave it out for code")
    if lang is None:
        raise UsageFailure(f"name a language: --lang {one_of([*_LANGUAGES])}")
    _check_language(lang, output, thresholds=accelerator.is_anything())
    if output is not None:
        check_writable(output, (), force=force)
    names = listed(what or "")
    if what is not None and not names:
        raise UsageFailure(f"--what names nothing; the default is {_DEFAULT}")
    if not accelerator.is_anything():
        if name or most_likely or in_flight is not None:
            raise UsageFailure(
                "--name, --most-likely and --in-flight go with an accelerator, such as --fit"
            )
        text = _formulas(lang, names or _DEFAULT.split(","), latency or "both")
    else:
        names = names or [_DECISION]
        text = _thresholds(lang, names, accelerator, name, most_likely, in_flight)
    if output is None:
        typer.echo(text, nl=False)
        return
    write(output, text.encode(), force=force)
    say(f"{output}: {len(text.splitlines())} lines", err=True)


def _check_language(lang: str, output: Path | None, *, thresholds: bool) -> None:
    """Refuse a language without such code, and the name of a file of another language."""
    if lang not in _LANGUAGES:
        from logca.numeric.generate.offload.source import LANGUAGES

        offered = [each for each in _LANGUAGES if each in LANGUAGES or not thresholds]
        hint = did_you_mean(lang, offered, quote=str, before="; ")
        raise UsageFailure(f"--lang {lang!r} must be {one_of(offered)}{hint}")
    end = "" if output is None else output.suffix.lower()
    others = [each for each, ends in _LANGUAGES.items() if end in ends.split()]
    if others and lang not in others:
        raise UsageFailure(
            f"{output} is a file of {one_of(others)}, and the code is {lang}: write --lang "
            f"{others[0]}, or a name that ends in {one_of(_LANGUAGES[lang].split())}"
        )


def _formulas(lang: str, names: list[str], latency: str) -> str:
    from logca.numeric.generate.languages.registry import source

    return source(lang, names, latency)


def _thresholds(
    lang: str,
    names: list[str],
    asked: Chosen,
    name: str,
    most_likely: bool,
    in_flight: int | None,
) -> str:
    from logca.numeric.generate.codegen.source_program import check_name
    from logca.numeric.generate.offload.host_share import HOST_SHARE, host_share_source
    from logca.numeric.generate.offload.source import source

    if in_flight is not None and names != [_DECISION]:
        raise UsageFailure(f"--in-flight goes with {_DECISION}, not with {', '.join(names)}")
    if asked.latency != "both" and not most_likely and names == [HOST_SHARE]:
        return host_share_source(lang, asked.basis(), asked.words(), name=name)
    others = [each for each in names if each != _DECISION]
    if others:
        for each in others:
            check_name(each)
        raise UsageFailure(
            f"an accelerator is for {_DECISION} or {HOST_SHARE}; put {', '.join(others)} into a "
            f"file of its own, with `logca codegen --lang {lang} --what {','.join(others)}`"
        )
    from logca.cli.options.shapes import fit_of_shapes, shape_source

    shapes = fit_of_shapes(asked)
    if shapes is not None:
        if most_likely:
            raise UsageFailure("--most-likely goes with sizes, not with a fit of shapes")
        if in_flight is not None:
            raise UsageFailure("--in-flight goes with sizes, not with a fit of shapes")
        return shape_source(shapes, lang, asked, name)
    if asked.latency == "both":
        raise UsageFailure("--latency both goes with formulas; an accelerator has one form")
    return source(
        lang,
        asked.basis(),
        asked.words(),
        name=name,
        most_likely=most_likely,
        in_flight=in_flight,
    )


def _list(offered: "list[Offered]", as_json: bool) -> None:
    """By the forms of latency under which there is something to generate."""
    from logca.api.display import formula_table

    rows: list[dict[str, Any]] = [
        {
            "name": each.name,
            "latency": tuple(each.functions),
            "unit": each.unit,
            "meaning": each.meaning,
        }
        for each in offered
    ]
    if as_json:
        show_json(rows)
        return
    topics = {
        ("constant", "linear"): "under constant and linear latency",
        ("constant",): "under constant latency",
        ("linear",): "under linear latency",
    }
    rows.sort(key=lambda row: list(topics).index(row["latency"]))
    show(formula_table([{**row, "topic": topics[row["latency"]]} for row in rows]))
