"""The ledger of kenter2010's conclusions, and the two flips, as tables."""

from collections.abc import Sequence

from logca.columns import Column, Columns
from logca.exploration import NAMES
from logca.numeric.partition.conclusions import Conclusion, Verdict

__all__ = ["PRINTED", "ledger_tables", "turns"]

PRINTED = (
    "The speedups that kenter2010 prints (0.16 to 38.16 %) are not to be matched: its sources, "
    "inputs, compiler, line size and write-back cost are not published. What is looked at is "
    "whether its conclusions hold."
)
"""What these tables are not [text]."""


def ledger_tables(
    conclusions: Sequence[Conclusion], found: Sequence[Verdict]
) -> tuple[Columns, ...]:
    """Whether each conclusion holds, what was found, and under which assumptions it turns.

    Parameters
    ----------
    conclusions : sequence of Conclusion
        The conclusions.
    found : sequence of Verdict
        Their verdicts; the first assumption is that of the defaults.
    """
    methods = tuple(dict.fromkeys(each.method for each in found))
    assumptions = tuple(dict.fromkeys(each.assumption for each in found))
    own = {
        (each.id, way): [v for v in found if (v.conclusion, v.method) == (each.id, way)]
        for each in conclusions
        for way in methods
    }
    names = Column(heading="id", cells=tuple(each.id for each in conclusions), right=False)
    verdict_columns = []
    for way in methods:
        mine = [own[each.id, way] for each in conclusions]
        verdict_columns += [
            Column(
                group=NAMES[way],
                heading="holds",
                cells=tuple(_sign(each[0]) for each in mine),
                right=False,
            ),
            Column(
                group=NAMES[way],
                heading=f"of {len(assumptions)}",
                cells=tuple(str(sum(v.holds for v in each)) for each in mine),
            ),
        ]
    unproven = sum(each.unproven > 0 for each in found)
    tables = [
        Columns(
            title="What kenter2010 concludes",
            columns=(
                names,
                Column(heading="section", cells=tuple(e.place for e in conclusions), right=False),
                *verdict_columns,
                Column(
                    heading="statement", cells=tuple(e.statement for e in conclusions), right=False
                ),
            ),
            notes=(
                f'"holds": under the defaults; "of {len(assumptions)}": under how many sets of '
                f"assumptions, which are: {', '.join(assumptions)}.",
                f"{unproven} of {len(found)} verdicts rest on partitions that are not proven "
                "optimal; they have a question mark, or are counted as found."
                if unproven
                else "",
                PRINTED,
            ),
        ),
        Columns(
            title="What was found under the defaults",
            columns=(
                names,
                *(
                    Column(
                        heading=NAMES[way],
                        cells=tuple(own[each.id, way][0].found for each in conclusions),
                        right=False,
                    )
                    for way in methods
                ),
            ),
        ),
    ]
    turned = [(c.id, way, turns(own[c.id, way])) for c in conclusions for way in methods]
    turned = [row for row in turned if row[2]]
    if turned:
        tables.append(
            Columns(
                title="Where it is otherwise than under the defaults",
                columns=(
                    Column(heading="id", cells=tuple(row[0] for row in turned), right=False),
                    Column(
                        heading="method", cells=tuple(NAMES[row[1]] for row in turned), right=False
                    ),
                    Column(
                        heading="assumption",
                        cells=tuple("; ".join(row[2]) for row in turned),
                        right=False,
                    ),
                ),
            )
        )
    return tuple(tables)


def turns(found: Sequence[Verdict]) -> list[str]:
    """The assumptions under which a verdict is not that of the first one [text]."""
    return [each.assumption for each in found if each.holds != found[0].holds]


def _sign(verdict: Verdict) -> str:
    return ("✓" if verdict.holds else "✗") + ("?" if verdict.unproven else "")
