"""The ledger of kenter2010's conclusions as tables, and two that its greedy may have caused."""

from collections.abc import Sequence
from typing import Any

from logca.common.json_output import attributes
from logca.common.tables import Column, Table
from logca.numeric.partition.exploration.conclusions import (
    Conclusion,
    ConclusionVerdict,
    conclusion,
)
from logca.numeric.partition.exploration.kenter_flips import (
    DESIGNS_COMPARED,
    FLIPS,
    AssumptionResult,
    Tally,
    tally,
)
from logca.numeric.partition.exploration.sweeps import COMPARED
from logca.plots.explore import METHOD_NAMES

__all__ = [
    "PRINTED",
    "agreement_words",
    "changed_conclusions",
    "conclusion_tables",
    "conclusions_answer",
    "conclusions_data",
    "flip_tables",
    "flip_words",
]

PRINTED = (
    "The speedups that kenter2010 prints (0.16 to 38.16 %) cannot be matched: its sources, "
    "inputs, compiler, line size and write-back cost are not published. Only its "
    "conclusions are compared."
)
"""Note on what these tables are not."""


def conclusions_answer(found: Sequence[ConclusionVerdict]) -> str:
    """Sentence that says how many conclusions hold under the defaults, by each method."""
    defaults = [each for each in found if each.assumption == found[0].assumption]
    said = []
    for way in dict.fromkeys(each.method for each in defaults):
        mine = [each.holds for each in defaults if each.method == way and each.holds is not None]
        said.append(f"{sum(mine)} of {len(mine)} conclusions by {METHOD_NAMES[way]}")
    return f"Under the defaults hold {' and '.join(said)}."


def conclusion_tables(
    conclusions: Sequence[Conclusion], found: Sequence[ConclusionVerdict]
) -> tuple[Table, ...]:
    """Verdict on each conclusion, what was found, and under which assumptions it turns."""
    methods = tuple(dict.fromkeys(each.method for each in found))
    assumptions = tuple(dict.fromkeys(each.assumption for each in found))
    own = {
        (each.id, way): [v for v in found if (v.conclusion, v.method) == (each.id, way)]
        for each in conclusions
        for way in methods
    }
    names = (Column("id"), [each.id for each in conclusions])
    verdict_columns = []
    for way in methods:
        mine = [own[each.id, way] for each in conclusions]
        verdict_columns += [
            (Column("holds", METHOD_NAMES[way]), [_sign(each[0]) for each in mine]),
            (
                Column.number(f"of {len(assumptions)}", METHOD_NAMES[way]),
                [agreement_words(each) for each in mine],
            ),
        ]
    unproven = sum(each.unproven > 0 for each in found)
    tables = [
        Table.by_columns(
            (
                names,
                (Column("section"), [e.place for e in conclusions]),
                *verdict_columns,
                (Column("statement"), [e.statement for e in conclusions]),
            ),
            title="What kenter2010 concludes",
            notes=(
                f'"holds": under the defaults; "of {len(assumptions)}": under how many sets of '
                f"assumptions, which are: {', '.join(assumptions)}. –: not "
                "applicable; 1/2: applicable under two assumptions, and it holds under one.",
                f"{unproven} of {len(found)} verdicts rest on partitions that are not proven "
                "optimal; they have a question mark, or are counted as found."
                if unproven
                else "",
                PRINTED,
            ),
        ),
        Table.by_columns(
            (
                names,
                *(
                    (
                        Column(METHOD_NAMES[way]),
                        [own[each.id, way][0].found for each in conclusions],
                    )
                    for way in methods
                ),
            ),
            title="Findings under the defaults",
        ),
    ]
    turned = [
        each for c in conclusions for way in methods for each in changed_conclusions(own[c.id, way])
    ]
    if turned:
        tables.append(
            Table.by_columns(
                (
                    (Column("id"), [v.conclusion for v in turned]),
                    (Column("method"), [METHOD_NAMES[v.method] for v in turned]),
                    (Column("assumption"), [each.assumption for each in turned]),
                    (Column("found"), [v.found for v in turned]),
                ),
                title="Where verdicts differ from the defaults",
            )
        )
    return tuple(tables)


def agreement_words(found: Sequence[ConclusionVerdict]) -> str:
    """Under how many assumptions a conclusion holds, and of how many if it does not apply to all.

    Examples
    --------
    >>> agreement_words([])
    '–'
    """
    holding = sum(each.holds is True for each in found)
    applies = sum(each.holds is not None for each in found)
    if applies == len(found) > 0:
        return str(holding)
    return f"{holding}/{applies}" if applies else "–"


def changed_conclusions(found: Sequence[ConclusionVerdict]) -> list[ConclusionVerdict]:
    """The verdicts that are not as the first one."""
    return [each for each in found if each.holds != found[0].holds]


def _sign(verdict: ConclusionVerdict) -> str:
    if verdict.holds is None:
        return "–"
    return ("✓" if verdict.holds else "✗") + ("?" if verdict.unproven else "")


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


_UNITS = {"area": "instructions", "line": "B", "write-back": "times the default"}


def flip_tables(rows: Sequence[AssumptionResult]) -> tuple[Table, ...]:
    """A table for each conclusion: how often it holds, over all and for each value."""
    return tuple(_flip_table(rows, name) for name in FLIPS)


def flip_words(rows: Sequence[AssumptionResult], name: str) -> str:
    """Counts of the combinations in which a conclusion holds, and the verdict, in words."""
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


def _flip_table(rows: Sequence[AssumptionResult], name: str) -> Table:
    entry = conclusion(name)
    cells = tally(rows, name)
    shown = [(cell.axis, cell.value) for cell in cells if cell.method == COMPARED[0]]
    by_method = {way: {(c.axis, c.value): c for c in cells if c.method == way} for way in COMPARED}
    numbers = _fft if name.startswith("fft") else _designs
    columns = [Column("varied"), Column("value"), Column.number("combinations")]
    for way in COMPARED:
        columns += [
            Column.number(heading, METHOD_NAMES[way]) for heading in ("holds", *numbers(None))
        ]
    table = []
    for key in shown:
        first = by_method[COMPARED[0]][key]
        line = [key[0], f"{key[1]} {_UNITS.get(key[0], '')}".strip(), str(first.number)]
        for way in COMPARED:
            cell = by_method[way][key]
            line += [str(cell.holds), *numbers(cell)]
        table.append(line)
    unproven = sum(each.unproven > 0 for each in rows)
    return Table.by_rows(
        columns,
        table,
        title=f"{entry.id} (section {entry.place})",
        notes=(
            f"{entry.statement} {flip_words(rows, name)}",
            _SHARES[name],
            f"{unproven} of {len(rows)} rows rest on an optimum that is not proven."
            * (unproven > 0),
            PRINTED,
        ),
    )


def _designs(cell: Tally | None) -> tuple[str, ...]:
    if cell is None:
        return (*DESIGNS_COMPARED, "no better")
    return (*(f"{100 * share:.1f}" for _, share in cell.means), f"{cell.no_better:.1f}")


def _fft(cell: Tally | None) -> tuple[str, ...]:
    if cell is None:
        return ("FFT", "FFT at 64")
    return f"{100 * cell.fft:.1f}", f"{100 * cell.fft_far:.1f}"


def _of(rows: Sequence[AssumptionResult], method: str) -> list[AssumptionResult]:
    return [each for each in rows if each.method == method]


def conclusions_data(found: Sequence[ConclusionVerdict]) -> list[dict[str, Any]]:
    """Each conclusion with what was found of it, for JSON."""
    return [
        {
            "id": each.conclusion,
            "section": conclusion(each.conclusion).place,
            "statement": conclusion(each.conclusion).statement,
            **attributes(each, "method assumption holds found unproven"),
        }
        for each in found
    ]
