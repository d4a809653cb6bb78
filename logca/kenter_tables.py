"""The ledger of kenter2010's conclusions, and the two flips, as tables."""

from collections.abc import Sequence

from logca.columns import Column, Columns
from logca.exploration import NAMES
from logca.numeric.partition.exploration.conclusions import Conclusion, Verdict

__all__ = ["PRINTED", "held", "ledger_tables", "turns"]

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
                cells=tuple(held(each) for each in mine),
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
                f"assumptions, which are: {', '.join(assumptions)}. –: there is nothing that it "
                "could be said of; 1/2: under two assumptions there is, and it holds under one.",
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
    turned = [each for c in conclusions for way in methods for each in turns(own[c.id, way])]
    if turned:
        tables.append(
            Columns(
                title="Where it is otherwise than under the defaults",
                columns=(
                    Column(heading="id", cells=tuple(v.conclusion for v in turned), right=False),
                    Column(
                        heading="method", cells=tuple(NAMES[v.method] for v in turned), right=False
                    ),
                    Column(
                        heading="assumption",
                        cells=tuple(each.assumption for each in turned),
                        right=False,
                    ),
                    Column(heading="found", cells=tuple(v.found for v in turned), right=False),
                ),
            )
        )
    return tuple(tables)


def held(found: Sequence[Verdict]) -> str:
    """Under how many assumptions a conclusion holds, and of how many if it does not apply to all.

    Parameters
    ----------
    found : sequence of Verdict
        Its verdicts by one method.

    Examples
    --------
    >>> held([])
    '–'
    """
    holding = sum(each.holds is True for each in found)
    applies = sum(each.holds is not None for each in found)
    if applies == len(found) > 0:
        return str(holding)
    return f"{holding}/{applies}" if applies else "–"


def turns(found: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts that are not as the first one."""
    return [each for each in found if each.holds != found[0].holds]


def _sign(verdict: Verdict) -> str:
    if verdict.holds is None:
        return "–"
    return ("✓" if verdict.holds else "✗") + ("?" if verdict.unproven else "")
