"""`logca reproduce kenter`: Figs. 2 to 6 with programs of our own, and the paper's conclusions."""

import json
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from logca.cli.choices import show_tables
from logca.cli.errors import UsageFailure
from logca.cli.exploring import points_found, stable_ranges, tables_of
from logca.cli.files import write_telling

if TYPE_CHECKING:
    from logca.columns import Columns
    from logca.exploration import Swept
    from logca.numeric.partition.exploration.conclusions import Verdict

__all__ = ["FIGURES", "PROGRAMS", "reproduce_kenter"]

PROGRAMS = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")
"""The programs, in the order of the paper [text]."""

FIGURES = (2, 3, 4, 5, 6)
"""The figures that have numbers [1]."""

_SOLVE_WITHIN = 20.0
"""How long the search for one optimum may take [s]."""


def reproduce_kenter(
    figures: Sequence[int], *, as_json: bool, jobs: int, output: Sequence[tuple[Path, int]]
) -> None:
    """Draw figures, and decide conclusions.

    Parameters
    ----------
    figures : sequence of int
        Only these, without the conclusions; all and the conclusions if empty [1].
    as_json : bool
        Whether to print JSON.
    jobs : int
        Programs that are looked at at a time [1].
    output : sequence of (path, int)
        Files to write, with the figure that each takes; 0 for one that takes tables.

    Raises
    ------
    UsageFailure
        If there is no such figure.
    """
    for figure in figures:
        if figure not in FIGURES:
            raise UsageFailure(f"--figure must be from {FIGURES[0]} to {FIGURES[-1]}, not {figure}")
    folder = files("logca.examples.partition")
    with as_file(folder.joinpath(f"{PROGRAMS[0]}.c")) as first:
        _reproduce(first.parent, figures, as_json=as_json, jobs=jobs, output=output)


def _reproduce(
    folder: Path,
    figures: Sequence[int],
    *,
    as_json: bool,
    jobs: int,
    output: Sequence[tuple[Path, int]],
) -> None:
    from logca.exploration import swept_of
    from logca.numeric.partition.exploration.conclusions import CONCLUSIONS, needed, verdicts
    from logca.numeric.partition.exploration.exploring import Explorer
    from logca.numeric.partition.exploration.sweeps import METHODS, SWEEPS, settings_of, steps_of

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
    points = points_found(explorer, wanted, jobs)
    found = () if figures else verdicts(explorer, points.__getitem__)
    swept = swept_of(steps, PROGRAMS, METHODS, points)
    stable = {} if figures else stable_ranges(explorer, steps["latency"], "SL2+", False)
    tables = [*tables_of(swept, stable, explorer).values()]
    if found:
        from logca.kenter_tables import ledger_tables

        tables = [*ledger_tables(CONCLUSIONS, found), *tables]
    for path, figure in output:
        write_telling(path, _contents(path, figure, swept, tables))
    if as_json:
        from logca.exploration_data import ranges_data, sweep_data

        data = {
            "paper": "kenter2010",
            "figures": [sweep_data(each) for each in swept],
            "conclusions": _conclusions_data(found),
            "ranges": ranges_data(stable),
        }
        typer.echo(json.dumps(data, indent=1))
        return
    show_tables(tables)


def _contents(
    path: Path, figure: int, swept: "Sequence[Swept]", tables: "Sequence[Columns]"
) -> bytes:
    if not figure:
        from logca.columns import as_grid
        from logca.grids import markdown

        return markdown([as_grid(each) for each in tables]).encode()
    from logca.exploration_figures import picture_of
    from logca.plots.files import picture

    drawn = next(each for each in swept if each.sweep.figure == figure)
    return picture(picture_of(drawn), path.suffix.lower())


def _conclusions_data(found: "Sequence[Verdict]") -> list[dict[str, Any]]:
    from logca.numeric.partition.exploration.conclusions import conclusion

    return [
        {
            "id": each.conclusion,
            "section": conclusion(each.conclusion).place,
            "statement": conclusion(each.conclusion).statement,
            "method": each.method,
            "assumption": each.assumption,
            "holds": each.holds,
            "found": each.found,
            "unproven": each.unproven,
        }
        for each in found
    ]
