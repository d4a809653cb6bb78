"""Several accelerated paths beside one host, in words, as a table and as plain data."""

from collections.abc import Sequence
from typing import Any

from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.fit.hysteresis_thresholds import pays_where
from logca.numeric.fit.rank import Ranked
from logca.show.fit.words import answer

__all__ = ["rank_answer", "rank_data", "rank_table"]


def rank_answer(found: Sequence[Ranked]) -> str:
    """The best path, by its speedup at the largest size."""
    best = found[0]
    if best.largest is None:
        return "None of these paths can be fitted."
    size, speedup = best.largest
    if speedup <= 1:
        return (
            f"No path beats the host at its largest size: {best.name} is the best, "
            f"{speedup:.4g} times as fast at {format_size(size)}."
        )
    return (
        f"Of {len(found)} paths, {best.name} gains most: {speedup:.4g} times as fast as the "
        f"host at {format_size(size)}."
    )


def rank_table(found: Sequence[Ranked]) -> Table:
    """A row for each path: where it pays, and its speedup at the largest size."""
    columns = [Column("path"), Column("largest size", right=True), Column("speedup", right=True)]
    rows = []
    for each in found:
        size, speedup = (
            (format_size(each.largest[0]), f"{each.largest[1]:.4g}") if each.largest else ("", "")
        )
        rows.append((each.name, size, speedup, answer(each.fit) if each.fit else each.why))
    return Table.by_rows([*columns, Column("answer", fold=True)], rows)


def rank_data(found: Sequence[Ranked]) -> dict[str, Any]:
    """Ranked paths as JSON has them."""
    return {
        "answer": rank_answer(found),
        "paths": [
            {
                "name": each.name,
                "answer": answer(each.fit) if each.fit else each.why,
                "pays": pays_where(each.fit) if each.fit else None,
                "largest_size": each.largest[0] if each.largest else None,
                "speedup": each.largest[1] if each.largest else None,
                "g1": each.fit.intervals["g1"]._asdict() if each.fit else None,
            }
            for each in found
        ],
        "notes": list(dict.fromkeys(note for each in found for note in each.notes)),
    }
