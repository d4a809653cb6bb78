"""`logca plot`: the figures of the paper redrawn, or pictures of any accelerator."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import Chosen, with_accelerator
from logca.cli.options.completion import complete_figures
from logca.cli.options.ranges import Shared, window
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write, write_telling
from logca.cli.terminal.output import say, show, show_json, width
from logca.plots.kinds import What

if TYPE_CHECKING:
    from logca.plots.drawing import Drawing
    from logca.show.plot import Page

__all__ = ["plot"]

_PICTURES = (".svg", ".png", ".pdf")
_TABLES = (".md",)
_DPI = (30, 2400)
_COLUMNS = 80
"""Of a curve in the terminal, at most [1]."""


@with_accelerator
def plot(
    figure: Annotated[
        str | None,
        typer.Argument(
            help="A figure of the paper, such as fig6.",
            autocompletion=complete_figures,
            show_default=False,
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the figures.")] = False,
    what: Annotated[
        What | None,
        typer.Option(help="What to draw of an accelerator.", show_default="speedup"),
    ] = None,
    output: Annotated[
        list[Path] | None,
        OutputOption.to(
            *_PICTURES, *_TABLES, what="File to write, may be repeated; a picture, or the tables"
        ),
    ] = None,
    width: OutputOption.width = "column",
    dpi: Annotated[int, OutputOption.option(help="Dots per inch of a PNG.")] = 300,
    force: OutputOption.force = False,
    sizes: Shared.sizes = None,
    improvement: Shared.improvement = None,
    gain: Shared.gain = None,
    title: Annotated[
        str | None,
        typer.Option(help="Title of the picture.", metavar="TEXT", show_default="the names"),
    ] = None,
    as_json: OutputOption.as_json = False,
    *,
    accelerators: list[Chosen],
) -> None:
    """Redraw a figure of the ISCA paper from its data, or draw any accelerator.

    Each figure comes with a table that compares what the paper says of it with the exact values
    from its own Table 5, and explains differences. Without `-o` only the table is printed. Of any
    accelerator the break-even is printed, and without `-o` the curve of its speedup, in the
    terminal.

    **Examples**

        logca plot --list                                 figures that can be redrawn

        logca plot fig6                                   the table

        logca plot fig6 -o fig6.svg                       the table and the picture

        logca plot fig10 -o fig10.pdf -o fig10.md --width page

        logca plot --device ultrasparc-t2 --kernel aes    the curve, in the terminal

        logca plot --device ultrasparc-t2 --kernel aes --what regions -o t2.png

        logca plot --device apu --device discrete-gpu --kernel gemm -o gpus.svg

        logca plot --fit fit.json --device apu --kernel gemm -o both.svg

        logca plot --fit gemm.json -o boundary.svg        the boundary of shapes

        logca plot --o 20000 --L 2.5 --C 90 --A 12 --latency linear --what sensitivity -o mine.pdf

        logca plot --device-file mine.toml --kernel aes --title "Our FPGA" -o fpga.svg
    """
    if listed:
        _list(as_json)
        return
    files = output or []
    for path in files:
        check_writable(path, (*_PICTURES, *_TABLES), force=force)
    if not _DPI[0] <= dpi <= _DPI[1]:
        raise UsageFailure(f"--dpi {dpi} must be from {_DPI[0]} to {_DPI[1]}")
    if figure is None and len(accelerators) == 1:
        from logca.cli.options.shapes import draw_boundary, fit_of_shapes

        shapes = fit_of_shapes(accelerators[0])
        if shapes is not None:
            given = {"--what": what, "--sizes": sizes, "--improvement": improvement, "--gain": gain}
            for option, value in given.items():
                if value is not None:
                    raise UsageFailure(f"{option} goes with one variable, not with a fit of shapes")
            draw_boundary(shapes, files, title=title or "", width=width, dpi=dpi, as_json=as_json)
            return
    ends = window(sizes)
    if figure is None:
        bottleneck = {"improvement": improvement, "gain": gain}
        page = _of_users(accelerators, what or "speedup", ends, bottleneck, title or "")
    elif accelerators or what or improvement or gain or title is not None:
        raise UsageFailure(
            f"{figure} is a figure of the paper, with its devices; options that name or change an "
            "accelerator, or its title, go without it"
        )
    else:
        page = _of_paper(figure, ends)
    quiet = bool(page.answers) and not as_json
    for path in files:
        if path.suffix.lower() in _PICTURES:
            _draw(page.drawing, path, width, dpi, quiet=quiet)
        else:
            from logca.common.tables import markdown

            write(path, markdown(page.tables).encode())
    if as_json:
        show_json(page.data)
        return
    if files and page.answers:
        for answer in page.answers:
            say(f"{', '.join(map(str, files))}: {answer}")
        return
    show(*page.shown)
    _show_curves(page)
    if not files:
        again = shlex.join(sys.argv[1:])
        say(f"To draw it: logca {again} -o {page.drawing.name}.svg", err=True)


def _show_curves(page: "Page") -> None:
    """Print the curves of accelerators; without the library that draws them say what to install."""
    from logca.common.extras import MissingLibraryError
    from logca.show.plot import curves

    try:
        show(*curves(page, min(width(_COLUMNS), _COLUMNS)))
    except MissingLibraryError as error:
        say(f"no curve: {error}", err=True)


def _list(as_json: bool) -> None:
    from logca.common.tables import Table
    from logca.plots.paper import FIGURES

    drawings = [made() for made in FIGURES.values()]
    if as_json:
        rows = [
            {"figure": each.name, "title": each.title, "caption": each.caption} for each in drawings
        ]
        show_json(rows)
        return
    cells = ((drawing.name, drawing.title) for drawing in drawings)
    show(Table.by_rows(("figure", "what it shows"), cells))


def _of_paper(name: str, ends: dict[str, float]) -> "Page":
    from logca.common.near_misses import did_you_mean
    from logca.numeric.paper.devices import devices
    from logca.plots.paper import FIGURES, paper_figure
    from logca.show.plot import paper_page

    try:
        figure = paper_figure(name)
    except KeyError:
        hint = did_you_mean(name, FIGURES, quote=str) or f"known: {', '.join(FIGURES)}"
        if name in {entry.device for entry in devices()}:
            hint = f"write --device {name} for the device"
        elif name.lower().endswith((".csv", ".jsonl")):
            hint = f"`logca fit {name} --picture fit.svg` draws timings"
        elif name.lower().endswith(".json"):
            hint = f"write --fit {name} for a fit"
        raise UsageFailure(f"there is no figure {name!r} of the paper; {hint}") from None
    return paper_page(replace(figure, low=ends["low"], high=ends["high"]))


def _of_users(
    chosen: list[Chosen],
    what: str,
    ends: dict[str, float],
    bottleneck: dict[str, float | None],
    title: str,
) -> "Page":
    from logca.numeric.fit.fit import Fit
    from logca.plots.drawing import accelerator_drawing
    from logca.show.plot import accelerator_page

    if not chosen:
        raise UsageFailure(
            "name a figure of the paper (see --list), or an accelerator by --fit, --device or "
            "parameters"
        )
    given = {name: value for name, value in bottleneck.items() if value is not None}
    if given and what not in ("regions", "sensitivity"):
        raise UsageFailure("--improvement and --gain go with --what regions or sensitivity")
    accelerators, bases = zip(*((each.accelerator(), each.basis()) for each in chosen), strict=True)
    fits = [basis if isinstance(basis, Fit) else None for basis in bases]
    drawing = accelerator_drawing(accelerators, what, **ends, **given, title=title, fits=fits)
    return accelerator_page(bases, accelerators, drawing)


def _draw(drawing: "Drawing", output: Path, width: str, dpi: int, *, quiet: bool) -> None:
    from logca.plots.render import picture

    written = write if quiet else write_telling
    written(output, picture(drawing, output.suffix.lower(), width=width, dpi=dpi))
