"""`logca reproduce`: the tables and figures of a paper, beside what the models say."""

from collections.abc import Iterator, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from logca.cli.options.explorations import (
    points_found,
    show_answers,
    stable_ranges,
    tables_of,
)
from logca.cli.options.ranges import Shared
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write_telling
from logca.cli.terminal.output import progress, show_answer, show_json, show_tables

if TYPE_CHECKING:
    from logca.common.kept_results import KeptResults
    from logca.common.tables import Table
    from logca.gpu.paper.calibration import Calibration
    from logca.gpu.paper.reproduction import Job, Outcomes
    from logca.plots.explore import SweepResult

__all__ = [
    "FIGURES",
    "PROGRAMS",
    "reproduce",
    "reproduce_kenter",
]

PROGRAMS = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")
"""The programs, in the order of the paper."""

FIGURES = (2, 3, 4, 5, 6)
"""The figures that have numbers [1]."""

_SOLVE_WITHIN = 20.0
"""Longest time that the search for one optimum may take [s]."""


def reproduce_kenter(
    figures: Sequence[int], *, as_json: bool, jobs: int, output: Sequence[tuple[Path, int]]
) -> None:
    """Draw figures, and decide conclusions."""
    for figure in figures:
        if figure not in FIGURES:
            raise UsageFailure(f"--figure {figure} must be from {FIGURES[0]} to {FIGURES[-1]}")
    from logca.common.kept_results import kept_results

    folder = files("logca.examples.partition")
    with (
        as_file(folder.joinpath(f"{PROGRAMS[0]}.c")) as first,
        kept_results("reproduce-kenter", *figures) as kept,
    ):
        _reproduce(first.parent, figures, kept, as_json=as_json, jobs=jobs, output=output)


def _reproduce(
    folder: Path,
    figures: Sequence[int],
    kept: "KeptResults",
    *,
    as_json: bool,
    jobs: int,
    output: Sequence[tuple[Path, int]],
) -> None:
    from logca.numeric.partition.exploration.conclusions import CONCLUSIONS, needed, verdicts
    from logca.numeric.partition.exploration.explorer import Explorer
    from logca.numeric.partition.exploration.sweeps import COMPARED, SWEEPS, settings_of, steps_of
    from logca.plots.explore import sweep_results

    explorer = Explorer(
        {name: str(folder / f"{name}.c") for name in PROGRAMS}, time_limit=_SOLVE_WITHIN
    )
    asked = tuple(figures) or FIGURES
    steps = {
        name: steps_of(name, explorer.platform)
        for name, each in SWEEPS.items()
        if each.figure in asked
    }
    wanted = [each for own in steps.values() for each in settings_of(own, PROGRAMS)]
    if not figures:
        wanted += needed(explorer)
    points = points_found(explorer, wanted, jobs, kept)
    found = () if figures else verdicts(explorer, points.__getitem__)
    swept = sweep_results(steps, PROGRAMS, COMPARED, points)
    stable = {} if figures else stable_ranges(explorer, steps["latency"], "SL2+", False)
    tables = [*tables_of(swept, stable, explorer).values()]
    answer = ""
    if found:
        from logca.show.reproduce.kenter import conclusion_tables, conclusions_answer

        tables = [*conclusion_tables(CONCLUSIONS, found), *tables]
        answer = conclusions_answer(found)
    for path, figure in output:
        write_telling(path, _contents(path, figure, swept, tables))
    if as_json:
        from logca.show.explore import ranges_data, sweep_data
        from logca.show.reproduce.kenter import conclusions_data

        data = {
            "paper": "kenter2010",
            "figures": [sweep_data(each) for each in swept],
            "conclusions": conclusions_data(found),
            "ranges": ranges_data(stable),
        }
        show_json(data)
        return
    if answer:
        show_answer(answer)
    else:
        show_answers(swept)
    show_tables(tables)


def _contents(
    path: Path, figure: int, swept: "Sequence[SweepResult]", tables: "Sequence[Table]"
) -> bytes:
    if not figure:
        from logca.common.tables import markdown

        return markdown(tables).encode()
    from logca.plots.explore import picture_of
    from logca.plots.render import picture

    drawn = next(each for each in swept if each.sweep.figure == figure)
    return picture(picture_of(drawn), path.suffix.lower())


_PICTURES, _TEXTS = (".svg", ".png", ".pdf"), (".md",)
_MOST = 256


def reproduce(
    paper: Annotated[
        Literal["cgpredict", "kenter"], typer.Argument(help="The paper.", show_default=False)
    ],
    table: Annotated[
        list[int] | None,
        typer.Option(
            help="Only this table of cgpredict, 4 to 7; may be repeated.",
            metavar="N",
            show_default=False,
        ),
    ] = None,
    figure: Annotated[
        list[int] | None,
        typer.Option(
            help="Only this figure, 8 or 9, of kenter 2 to 6; may be repeated.",
            metavar="N",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        Literal["paper", "logca", "both"],
        typer.Option(
            help="Model to predict with: paper, CGPredict as printed; logca, ours; or both."
        ),
    ] = "both",
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", help="Only find the constant of model logca that is calibrated."
        ),
    ] = False,
    as_json: OutputOption.as_json = False,
    jobs: Shared.jobs = 1,
    output: Annotated[
        list[Path] | None,
        OutputOption.to(
            *_PICTURES, *_TEXTS, what="File to write, may be repeated; a picture, or the tables"
        ),
    ] = None,
    force: OutputOption.force = False,
) -> None:
    """Reproduce a paper's results, and compare.

    **cgpredict**: predict the kernels of wang2017 (CGPredict) from C. Every row of Tables 4 to 7 is
    compiled, traced and predicted by two models, and shown beside the time that the paper measured
    on a Jetson TK1 and the time that it estimated. All of it takes some minutes; a table or figure
    less. Notes say what the paper leaves open and why a model is far off.

    **kenter**: Figs. 2 to 6 of kenter2010 with six programs of our own, the paper's greedy beside
    proven optima, and whether each conclusion holds by either, and under which assumptions.

    Interrupted, the same command resumes: what it has found is kept until it is complete.

    **Examples**

        logca reproduce cgpredict                          all tables and figures

        logca reproduce cgpredict --table 4 --model paper

        logca reproduce cgpredict --figure 9 -o fig9.svg   the picture and its numbers

        logca reproduce cgpredict --jobs 4 -o tables.md

        logca reproduce cgpredict --calibrate              the one constant of model logca

        logca reproduce kenter --jobs 2 -o kenter.md       conclusions and all figures

        logca reproduce kenter --figure 3 -o fig3.svg
    """
    for path in output or []:
        check_writable(path, (*_TEXTS, *_PICTURES), force=force)
    if not 1 <= jobs <= _MOST:
        raise UsageFailure(f"--jobs {jobs} must be from 1 to {_MOST}")
    if paper == "kenter":
        if table or calibrate or model != "both":
            raise UsageFailure("--table, --model and --calibrate are those of cgpredict")
        wanted = tuple(sorted({*(figure or ())}))
        takes = [(path, _figure_of(path, wanted or FIGURES)) for path in output or []]
        reproduce_kenter(wanted, as_json=as_json, jobs=jobs, output=takes)
        return
    tables, figures = _asked(table or [], figure or [], calibrate)
    for path in output or []:
        _figure_of(path, figures)
    models = ("paper", "logca") if model == "both" else (model,)
    if calibrate and model == "paper":
        raise UsageFailure("model paper has no constant to calibrate; leave out --model")
    from logca.common.kept_results import kept_results
    from logca.gpu.paper.calibration import ROWS
    from logca.gpu.paper.reproduction import Job, jobs_for, outcomes_of

    rows = jobs_for(tables, figures, models)
    if calibrate:
        rows = tuple(Job(table="table4", name=name, model="logca") for name in ROWS)
    with (
        kept_results("reproduce-cgpredict", *rows) as kept,
        progress(len(rows), "Predicting") as done,
    ):
        found = outcomes_of(rows, processes=jobs, done=lambda job: done(_named(job)), kept=kept)
    calibration = _calibration(found)
    shown = tuple(_shown(found, tables, figures, models, calibration))
    _write(output or [], found, figures, models, shown)
    if as_json:
        from logca.show.reproduce.cgpredict_data import reproduction_data

        data = reproduction_data(
            found, tables=tables, figures=figures, models=models, calibration=calibration
        )
        show_json(data)
        return
    from logca.show.reproduce.cgpredict import reproduction_answer

    if answer := reproduction_answer(found, tables, models, calibration):
        show_answer(answer)
    show_tables(shown)


def _asked(
    table: Sequence[int], figure: Sequence[int], calibrate: bool
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Tables by their names, and figures; all of them if none is named."""
    for number in table:
        if number not in range(4, 8):
            raise UsageFailure(f"--table {number} must be 4, 5, 6 or 7")
    for number in figure:
        if number not in (8, 9):
            raise UsageFailure(f"--figure {number} must be 8 or 9")
    if calibrate:
        if table or figure:
            raise UsageFailure("--calibrate has its own rows; leave out --table and --figure")
        return (), ()
    if not table and not figure:
        return tuple(f"table{number}" for number in range(4, 8)), (8, 9)
    return tuple(f"table{number}" for number in sorted({*table})), tuple(sorted({*figure}))


def _figure_of(path: Path, figures: Sequence[int]) -> int:
    """The figure that a file of a picture takes; 0 for one that takes tables."""
    if path.suffix.lower() in _TEXTS:
        return 0
    named = [figure for figure in figures if path.stem.endswith(str(figure))]
    if len(named or figures) != 1:
        raise UsageFailure(
            f"{path} takes a picture; name one figure, such as --figure 9, or end the name in its "
            "number, such as fig9.svg"
        )
    return (named or [*figures])[0]


def _named(job: "Job") -> str:
    size = f", N/{job.scale}" if job.scale > 1 else ""
    return f"{job.name}, {job.model}{size}"


def _calibration(found: "Outcomes") -> "Calibration | None":
    """From the rows that it takes, if all were predicted."""
    from logca.gpu.devices.parameters import device
    from logca.gpu.paper.calibration import ROWS, calibrated
    from logca.gpu.paper.reproduction import Job

    rows = [found.get(Job(table="table4", name=name, model="logca")) for name in ROWS]
    there = [row for row in rows if row is not None and row.prediction is not None]
    return calibrated(there, device("jetson-tk1")) if len(there) == len(ROWS) else None


def _shown(
    found: "Outcomes",
    tables: Sequence[str],
    figures: Sequence[int],
    models: tuple[str, ...],
    calibration: "Calibration | None",
) -> "Iterator[Table]":
    from logca.gpu.devices.parameters import device
    from logca.show.reproduce.cgpredict import calibration_table, checks_table, table_of
    from logca.show.reproduce.cgpredict_figures import figure_table

    for table in tables:
        yield from table_of(table, found, models, calibration)
    for figure in figures:
        yield from figure_table(figure, found, models)
    if calibration is not None and ("table4" in tables or not (tables or figures)):
        yield calibration_table(calibration, device("jetson-tk1").delay_dram_uncoalesced)
    if tables:
        yield checks_table()


def _write(
    output: Sequence[Path],
    found: "Outcomes",
    figures: Sequence[int],
    models: tuple[str, ...],
    shown: "Sequence[Table]",
) -> None:
    for path in output:
        suffix = path.suffix.lower()
        if suffix in _TEXTS:
            from logca.common.tables import markdown

            contents = markdown(shown).encode()
        else:
            from logca.plots.render import picture
            from logca.show.reproduce.cgpredict_figures import picture_of

            contents = picture(picture_of(_figure_of(path, figures), found, models), suffix)
        write_telling(path, contents)
