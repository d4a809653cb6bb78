"""Audits of thresholds for terminal and programs."""

from collections.abc import Iterator
from math import inf
from typing import Any

from logca.common.json_output import attributes
from logca.common.readable_numbers import duration
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.numeric.audit.audit import Audit
from logca.numeric.fit.size_ranges import ranges_text
from logca.plots.fit import FitPicture
from logca.show.results import View

__all__ = ["VIEWS", "audit_data", "audit_tables"]

_MOST_ROWS, _ROUNDING = 16, 1e-9
_LARGE = 9.995  # share from which on whole percent are written [1]


def audit_tables(found: Audit) -> list[Table]:
    """Costs of each rule, and the sizes at which the present one loses."""
    if found.confirming:  # the costs of such times are as wrong as they are
        return []
    return [_rules(found), *_losses(found)]


def _rules(found: Audit) -> Table:
    calls = sum(found.workload.calls)
    return Table.by_rows(
        ("rule", *map(Column.number, ("all calls", "per call", "more than the best"))),
        [
            (name, duration(total), duration(total / calls), _more(total, found.best))
            for name, total in _costs(found).items()
        ],
        notes=found.notes,
    )


def _costs(found: Audit) -> dict[str, float]:
    """Times of the rules that one may choose from, by what they are [s]."""
    return {
        f"now: {found.rule.name}": found.present,
        "the faster path at each size": found.best,
        f"one threshold: offload {_single(found)}": found.best_single,
        "never offload": found.never,
        "always offload": found.always,
    }


def _single(found: Audit) -> str:
    size = found.best_threshold
    if size in (0.0, inf):
        return "no size" if (size == inf) != found.rule.below else "every size"
    return f"{'below' if found.rule.below else 'from'} {format_size(size)} ({size:.0f} B)"


def _more(total: float, best: float) -> str:
    share = total / best - 1
    if share >= _LARGE:
        return f"{100 * share:,.0f} %"
    return f"{100 * share if share > _ROUNDING else 0:.3g} %"


def _losses(found: Audit) -> Iterator[Table]:
    """Sizes at which the rule takes the slower path, if there are any."""
    wrong = sorted((row for row in found.rows if row.lost > 0), key=lambda row: -row.lost)
    if not wrong:
        return
    rest = len(wrong) - _MOST_ROWS
    rows = (
        (
            format_size(row.size),
            f"{row.calls:g}",
            duration(row.host),
            duration(row.accelerated),
            "offloaded" if row.offloaded else "host",
            duration(row.lost),
            row.known,
        )
        for row in wrong[:_MOST_ROWS]
    )
    yield Table.by_rows(
        (
            *map(Column.number, ("size", "calls", "host", "accelerated")),
            *("now", Column.number("lost"), "times"),
        ),
        rows,
        title="Sizes at which the rule takes the slower path, the most costly first",
        notes=(f"and {rest} more sizes (--json has all)",) if rest > 0 else (),
    )


def audit_data(found: Audit) -> dict[str, Any]:
    """An audit as JSON has it; times in seconds, sizes in bytes; what does not exist is null."""
    loss = found.loss
    low, high = loss.share_interval
    return {
        "answer": found.answer(),
        "rule": found.rule.name,
        "offloaded": found.rule.ranges,
        "workload": found.workload.name,
        **attributes(found, "told stale present best never always best_threshold best_single"),
        "pays": ranges_text(found.thresholds.likely),
        "loss": {
            **attributes(loss, "total lower upper per_call share"),
            "share_lower": low,
            "share_upper": high,
            "level": found.basis.level,
        },
        "confirming": {
            **attributes(found.confirming, "tested steps same"),
            "found": bool(found.confirming),
        },
        "sizes": [*_sizes(found)],
        "notes": found.notes,
    }


def _sizes(found: Audit) -> Iterator[dict[str, Any]]:
    names = "size calls host accelerated known offloaded pays lost"
    return (attributes(row, names) for row in found.rows)


def _picture(found: Audit) -> FitPicture:
    """Times and speedup of the fit, with the ends of the present rule."""
    ends = {end for each in found.rule.ranges for end in (each.above, each.below)}
    return FitPicture(
        title=found.rule.name,
        fit=found.basis,
        panels=("times", "speedup"),
        thresholds=tuple(sorted(end for end in ends if 0 < end < inf)),
    )


VIEWS = {
    "Audit": View(
        answer=lambda found: found.answer(),
        tables=audit_tables,
        rows={"sizes": _sizes},
        picture=_picture,
    )
}
"""View of an audit in Python."""
