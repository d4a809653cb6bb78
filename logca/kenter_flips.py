"""Tables of the two conclusions of kenter2010 that may be the fault of its greedy."""

from collections.abc import Sequence

from logca.exploration import NAMES
from logca.grids import Grid
from logca.kenter_tables import PRINTED
from logca.numeric.partition.exploration.conclusions import conclusion
from logca.numeric.partition.exploration.flips_of_kenter import (
    DESIGNS_COMPARED,
    FLIPS,
    Cell,
    Row,
    tally,
)
from logca.numeric.partition.exploration.sweeps import METHODS

_DESIGNS = (
    "Designs: mean relative speedup of the six programs [%]. No better: how many of them gain in "
    "SMM+ less than twice what they gain without a cache, or less than 2 %."
)
_FFT = (
    "FFT: its relative speedup in SL2+ at the default latency, and at 64 times that [%]. "
    "fft-default is what the paper says; fft-latency is weaker."
)
_SHARES = {
    "smm-no-better": _DESIGNS,
    "smm-low": _DESIGNS,
    "fft-default": _FFT,
    "fft-latency": _FFT,
}

__all__ = ["flip_grids", "said"]

_UNITS = {"area": "instructions", "line": "B", "write-back": "times the default"}


def flip_grids(rows: Sequence[Row]) -> tuple[Grid, ...]:
    """A table for each conclusion: how often it holds, over all and for each value.

    Parameters
    ----------
    rows : sequence of Row
        What was found under all assumptions.
    """
    return tuple(_grid(rows, name) for name in FLIPS)


def said(rows: Sequence[Row], name: str) -> str:
    """What follows for a conclusion, in a sentence [text].

    Parameters
    ----------
    rows : sequence of Row
        What was found under all assumptions.
    name : str
        Id of the conclusion [text].
    """
    total = {cell.method: cell for cell in tally(rows, name) if cell.axis == "all"}
    greedy, optimum = total["greedy"], total["optimal"]
    place = FLIPS.index(name)
    turned = sum(
        first.holds[place] and not second.holds[place]
        for first, second in zip(_of(rows, "greedy"), _of(rows, "optimal"), strict=True)
    )
    if greedy.holds == 0 and optimum.holds == 0:
        verdict = "It holds by neither method."
    elif turned == 0:
        verdict = "The optimum never overturns what greedy says."
    elif optimum.holds == 0:
        verdict = "Wherever it holds, it is an artefact of greedy."
    else:
        verdict = "It is an artefact of greedy in part of the combinations."
    return (
        f"It holds in {greedy.holds} of {greedy.number} combinations by greedy, and in "
        f"{optimum.holds} by the optimum; in {turned} it holds by greedy and not by the optimum. "
        f"{verdict}"
    )


def _grid(rows: Sequence[Row], name: str) -> Grid:
    entry = conclusion(name)
    cells = tally(rows, name)
    shown = [(cell.axis, cell.value) for cell in cells if cell.method == METHODS[0]]
    by_method = {way: {(c.axis, c.value): c for c in cells if c.method == way} for way in METHODS}
    numbers = _fft if name.startswith("fft") else _designs
    headings = ["varied", "value", "combinations"]
    for way in METHODS:
        headings += [f"{NAMES[way]}: holds", *(f"{NAMES[way]}: {h}" for h in numbers(None))]
    table = []
    for key in shown:
        first = by_method[METHODS[0]][key]
        line = [key[0], f"{key[1]} {_UNITS.get(key[0], '')}".strip(), str(first.number)]
        for way in METHODS:
            cell = by_method[way][key]
            line += [str(cell.holds), *numbers(cell)]
        table.append(tuple(line))
    unproven = sum(each.unproven > 0 for each in rows)
    return Grid(
        title=f"{entry.id} (section {entry.place})",
        headings=tuple(headings),
        rows=tuple(table),
        notes=(
            f"{entry.statement} {said(rows, name)}",
            _SHARES[name],
            f"{unproven} of {len(rows)} rows rest on an optimum that is not proven."
            * (unproven > 0),
            PRINTED,
        ),
        right=frozenset(headings[2:]),
    )


def _designs(cell: Cell | None) -> tuple[str, ...]:
    if cell is None:
        return (*DESIGNS_COMPARED, "no better")
    return (*(f"{100 * share:.1f}" for _, share in cell.means), f"{cell.no_better:.1f}")


def _fft(cell: Cell | None) -> tuple[str, ...]:
    if cell is None:
        return ("FFT", "FFT at 64")
    return f"{100 * cell.fft:.1f}", f"{100 * cell.fft_far:.1f}"


def _of(rows: Sequence[Row], method: str) -> list[Row]:
    return [each for each in rows if each.method == method]
