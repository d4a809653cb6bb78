"""Options of explorations, for `logca explore` and `reproduce`: read, and run with progress."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logca.cli.options.ranges import listed
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.output import progress, show_answer
from logca.common.readable_numbers import fraction_from

if TYPE_CHECKING:
    from logca.common.kept_results import KeptResults
    from logca.common.tables import Table
    from logca.numeric.partition.exploration.explorer import Explorer, Point, Setting
    from logca.numeric.partition.exploration.latency_ranges import LatencyRange
    from logca.numeric.partition.exploration.sweeps import SweepPoint
    from logca.plots.explore import SweepResult

__all__ = [
    "points_found",
    "programs_of",
    "show_answers",
    "stable_ranges",
    "sweeps_of",
    "tables_of",
    "values_of",
]

_ALL = "all"
_MOST = 1000


def points_found(
    explorer: "Explorer",
    wanted: "Sequence[Setting]",
    jobs: int,
    kept: "KeptResults | None" = None,
) -> "dict[Setting, Point]":
    """Points found in all settings; progress is shown meanwhile."""
    from logca.numeric.partition.exploration.explorer import points_of

    with progress(len(dict.fromkeys(wanted)), "Partitioning") as done:
        return points_of(
            explorer,
            wanted,
            processes=jobs,
            kept=kept,
            done=lambda each: done(f"{each.setting.program}, {each.setting.method}"),
        )


def sweeps_of(given: Sequence[str]) -> tuple[str, ...]:
    """Names of sweeps, as given after --sweep.

    Examples
    --------
    >>> sweeps_of(["latency,area"])
    ('area', 'latency')
    """
    from logca.numeric.partition.exploration.sweeps import SWEEPS

    names = [name.strip() for text in given for name in text.split(",")]
    for name in names:
        if name not in (_ALL, *SWEEPS):
            raise UsageFailure(f"--sweep {name!r}: it must be {', '.join(SWEEPS)} or {_ALL}")
    return tuple(name for name in SWEEPS if name in names or _ALL in names)


def values_of(text: str | None, names: Sequence[str]) -> list[Fraction] | None:
    """The numbers after --values, which are those of one sweep [unit of its axis].

    Examples
    --------
    >>> [str(each) for each in values_of("1/2:4,10", ["latency"])]
    ['1/2', '1', '2', '4', '10']
    """
    if text is None:
        return None
    from logca.numeric.partition.exploration.sweeps import SWEEPS

    if len(names) != 1 or not SWEEPS[names[0]].values:
        over = [name for name, each in SWEEPS.items() if each.values]
        raise UsageFailure(f"--values belongs to one sweep: --sweep {' or '.join(over)}")
    found: list[Fraction] = []
    for piece in text.split(","):
        ends = [_fraction(end, text) for end in piece.split(":")]
        if len(ends) > 2 or (len(ends) == 2 and not 0 < ends[0] <= ends[1]):
            raise UsageFailure(f"--values {text!r}: write LOW:HIGH with 0 < LOW <= HIGH")
        place = ends[0]
        while place <= ends[-1] and len(found) <= _MOST:
            found.append(place)
            place = 2 * place if place else ends[-1] + 1
        if len(found) > _MOST:
            raise UsageFailure(f"--values {text!r}: more than {_MOST} values")
    return list(dict.fromkeys(found))


def _fraction(text: str, all_of_it: str) -> Fraction:
    try:
        return fraction_from(text.strip())
    except ValueError:
        raise UsageFailure(
            f"--values {all_of_it!r}: {text.strip()!r} is no number; write such as 0.5, 1/8 or 32"
        ) from None


def programs_of(sources: Sequence[str]) -> dict[str, Any]:
    """Programs by the names of their first files; each once."""
    found: dict[str, Any] = {}
    for text in sources:
        paths = [Path(part) for part in listed(text)]
        if not paths:
            raise UsageFailure(f"{text!r} names no file")
        for path in paths:
            if path.is_dir():
                raise UsageFailure(f"{path} is a folder; name the C files in it")
            if not path.is_file():
                raise UsageFailure(f"there is no file {path}")
        name = paths[0].stem
        if name in found:
            raise UsageFailure(f"two programs are called {name}: rename a file")
        found[name] = paths
    return found


def stable_ranges(
    explorer: "Explorer", steps: "Sequence[SweepPoint]", design: str, penalty: bool
) -> "dict[str, tuple[LatencyRange, ...]]":
    """In which ranges the optimal partitions of all programs stay optimal."""
    from logca.numeric.partition.exploration.explorer import Setting
    from logca.numeric.partition.exploration.latency_ranges import latency_ranges

    factors = [step.value for step in steps if step.value is not None]
    low, high = min(factors), max(factors)
    if low == high:
        raise UsageFailure("--values has one factor; ranges need two, or --no-ranges")
    found = {}
    with progress(len(explorer.programs), "Finding ranges") as done:
        for program in explorer.programs:
            asked = Setting(program=program, design=design, penalised=penalty)
            found[program] = latency_ranges(explorer, asked, low=low, high=high)
            done(program)
    return found


def show_answers(swept: "Sequence[SweepResult]") -> None:
    """Print one sentence for each sweep."""
    from logca.show.explore import sweep_answer

    show_answer("\n".join(map(sweep_answer, swept)))


def tables_of(
    swept: "Sequence[SweepResult]",
    stable: "dict[str, tuple[LatencyRange, ...]]",
    explorer: "Explorer",
) -> "dict[str, Table]":
    """All tables, by what they are called."""
    from logca.show.explore import ranges_table, sweep_table

    found = {each.sweep.name: sweep_table(each) for each in swept}
    if stable:
        found["ranges"] = ranges_table(stable, explorer.platform)
    return found
