"""Shapes such as m, n, k in place of sizes, for `logca fit`, `decide`, `explain` and others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from logca.cli.options.ranges import pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import write, write_telling
from logca.cli.terminal.output import say, show, show_answer, show_json

if TYPE_CHECKING:
    from logca.cli.options.accelerators import Chosen
    from logca.numeric.shapes.decide import ShapeDecision
    from logca.numeric.shapes.fit import ShapeFit

__all__ = [
    "answer_shape",
    "draw_boundary",
    "explain_shape",
    "fit_of_shapes",
    "fit_table",
    "is_shape",
    "shape_source",
]

_PICTURES = (".svg", ".png", ".pdf")


def fit_table(
    timings: Path,
    formulas: Mapping[str, str | None],
    *,
    kernel: str | None,
    element: int | None,
    confidence: float,
    columns: Mapping[str, str],
    units: Mapping[str, str],
    output: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Fit a table of shapes, and tell the boundary."""
    if element is not None and kernel is None:
        raise UsageFailure(f"--element {element} goes with --kernel, whose bytes it tells")
    from logca.numeric.shapes.fit import fit_shapes
    from logca.show.shapes import boundary_table, part_table, shape_answer, shape_fit_data

    found = fit_shapes(
        timings,
        bytes=formulas["bytes"],
        work=formulas["work"],
        items=formulas["items"],
        kernel=kernel,
        element=4 if element is None else element,
        level=confidence,
        columns=columns,
        units=units,
    )
    if output is not None:
        found.save(output, force=force)
    if plot is not None:
        _draw(found, plot, f"Boundary of {timings.name}", "column", 300)
    if as_json:
        show_json(shape_fit_data(found))
        return
    show_answer(shape_answer(found), part_table(found), "", boundary_table(found))
    limits = found.warnings or ("nothing of note",)
    show("", Text("Limits of this fit", style="bold"), *map(Text, limits))
    if output is not None:
        say(f"{output}: the fit, for `logca report`, `decide` and `codegen`", err=True)


def fit_of_shapes(chosen: "Chosen") -> "ShapeFit | None":
    """The fit of shapes that --fit names; None if it names none, or one of sizes."""
    if chosen.fit is None:
        return None
    from logca.numeric.shapes.storage import is_fit_of_shapes

    if not is_fit_of_shapes(chosen.fit):
        return None
    others = [*(f"--{name}" for name in chosen.texts), *_named(chosen)]
    if others:
        raise UsageFailure(f"{others[0]} does not go with {chosen.fit}, which is a fit of shapes")
    from logca.numeric.shapes.fit import ShapeFit

    return ShapeFit.load(chosen.fit)


def _named(chosen: "Chosen") -> list[str]:
    given = {
        "--device": chosen.device,
        "--kernel": chosen.kernel,
        "--device-file": chosen.device_file,
        "--latency": chosen.latency,
        "--clock": chosen.clock_Hz,
    }
    return [option for option, value in given.items() if value is not None]


def is_shape(words: Sequence[str]) -> bool:
    """True if words are columns of a shape, such as m=512."""
    return any("=" in word for word in words)


def answer_shape(
    chosen: "Chosen", words: Sequence[str], offloading: bool | None, *, as_json: bool
) -> None:
    """Decide whether to offload a shape."""
    decision, name = _decided(chosen, words, offloading)
    from logca.show.shapes import shape_decision_data, shape_decision_table

    if as_json:
        show_json(shape_decision_data(decision, name))
        return
    show_answer(decision.answer(name), shape_decision_table(decision))


def explain_shape(chosen: "Chosen", words: Sequence[str], *, as_json: bool) -> None:
    """Explain whether offloading a shape pays."""
    decision, name = _decided(chosen, words)
    from logca.show.shapes import shape_explanation, shape_explanation_data

    if as_json:
        show_json(shape_explanation_data(decision, name))
        return
    answer, *lines = shape_explanation(decision, name)
    show(Text(answer, style="bold"), *map(Text, lines))


def _decided(
    chosen: "Chosen", words: Sequence[str], offloading: bool | None = None
) -> "tuple[ShapeDecision, str]":
    """The decision for a shape on the command line, and the name of its fit."""
    found = fit_of_shapes(chosen)
    if found is None:
        raise UsageFailure(
            f"{words[0]} is a column of a shape: name a fit of shapes with --fit, which `logca fit "
            "TIMINGS --bytes FORMULA --work FORMULA -o fit.json` writes"
        )
    told = " ".join(f"{name}=..." for name in found.columns)
    if not is_shape(words):
        raise UsageFailure(f"{words[0]} is no shape of {chosen.fit}: write {told}")
    shape = {}
    for name, text in pairs("shape", words, form=told).items():
        try:
            if not text.isascii():
                raise ValueError
            shape[name] = float(text)
        except ValueError:
            raise UsageFailure(f"{name}={text} must be a number, such as {name}=512") from None
    from logca.numeric.shapes.decide import decide_shape

    return decide_shape(
        found, offloading=offloading, **shape
    ), chosen.fit.name if chosen.fit else ""


def draw_boundary(
    found: "ShapeFit",
    files: Sequence[Path],
    *,
    title: str,
    width: str,
    dpi: int,
    as_json: bool,
) -> None:
    """Draw the boundary of a fit of shapes, and print where offloading pays."""
    from logca.show.shapes import boundary_table, shape_answer, shape_fit_data

    for path in files:
        if path.suffix.lower() in _PICTURES:
            _draw(found, path, "Boundary", width, dpi, heading=title, quiet=not as_json)
        else:
            from logca.common.tables import markdown

            write(path, markdown((boundary_table(found),)).encode())
    if as_json:
        show_json(shape_fit_data(found))
    elif files:
        say(f"{', '.join(map(str, files))}: {shape_answer(found)}")
    else:
        show_answer(shape_answer(found), boundary_table(found))


def _draw(
    found: "ShapeFit",
    path: Path,
    title: str,
    width: str,
    dpi: int,
    *,
    heading: str = "",
    quiet: bool = False,
) -> None:
    from logca.plots.render import picture
    from logca.plots.shapes import ShapePicture

    drawn = ShapePicture(title=title, fit=found, heading=heading)
    written = write if quiet else write_telling
    written(path, picture(drawn, path.suffix.lower(), width=width, dpi=dpi))


def shape_source(found: "ShapeFit", lang: str, chosen: "Chosen", name: str) -> str:
    """The source of should_offload for a fit of shapes."""
    from logca.numeric.generate.offload.shapes import source

    return source(lang, found, chosen.words(), name=name)
