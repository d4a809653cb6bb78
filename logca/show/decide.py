"""Decisions for terminal and programs."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.readable_numbers import duration, probability
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.common.terminal import facts
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.fit.decide import Decision
from logca.numeric.fit.hysteresis_thresholds import CANNOT_BE_TOLD, SizesBetween, words
from logca.show.results import View

__all__ = ["VIEWS", "decision_data", "decision_facts", "decision_headline", "decision_table"]

_SHORT = {"seconds": "s", "cycles": "cycles"}


def decision_facts(decision: Decision) -> RenderableType:
    """One decision: what to do, why, and what would have to change."""
    told = facts([(name, Text(text)) for name, text in _reasons(decision)])
    return Group(Text(decision_headline(decision), style="bold"), "", told)


def _reasons(decision: Decision) -> list[tuple[str, str]]:
    shares = sorted(decision.shares._asdict().items(), key=lambda each: -each[1])
    largest, *others = [f"{100 * share:.3g} %" for _, share in shares]
    rest = ", ".join(f"{name} {share}" for (name, _), share in zip(shares[1:], others, strict=True))
    rows = [
        ("speedup", _speedup(decision)),
        ("host", _time(decision.time_host, decision)),
        ("accelerated", _time(decision.time_accelerated, decision)),
        ("bottleneck", f"{decision.binds} ({largest} of the accelerated time; {rest})"),
        ("worth improving", ", ".join(decision.bottlenecks) or "no single parameter"),
        *_pays(decision).items(),
        ("breaks even with", "\n".join(_needed(decision))),
    ]
    if decision.cheapest is not None:
        rows.append(("cheapest change", str(decision.cheapest)))
    return rows + [("note", note) for note in decision.notes]


def decision_headline(decision: Decision) -> str:
    """Advice for a size, and how sure it is."""
    size, offload, state = format_size(decision.size), decision.offload, decision.offloading
    if state is None:
        action = f"Offload {size}" if offload else f"Do not offload {size}"
    elif state:
        action = f"Keep offloading {size}" if offload else f"Stop offloading {size}"
    else:
        action = f"Start offloading {size}" if offload else f"Do not start offloading {size}"
    if decision.certainty == CANNOT_BE_TOLD:
        likely = "pays" if decision.speedup > 1 else "does not pay"
        return f"{action}: it most likely {likely}, but this is uncertain."
    return f"{action}: it {decision.certainty}."


def decision_table(decisions: Sequence[Decision]) -> Table:
    """Several decisions of one fit or accelerator, a row each."""
    notes = [f"{name}: {text}" for name, text in _pays(decisions[0]).items()]
    told = dict.fromkeys(note for each in decisions for note in each.notes)
    return Table.by_rows(
        (
            *(Column.number("size"), "offload", "", "speedup"),
            *(Column.number("host"), Column.number("accelerated"), "bottleneck"),
        ),
        (
            (
                format_size(each.size),
                "yes" if each.offload else "no",
                each.certainty,
                _speedup(each),
                _time(each.time_host, each),
                _time(each.time_accelerated, each),
                each.binds,
            )
            for each in decisions
        ),
        notes=("", *notes, *told),
    )


def decision_data(decisions: Sequence[Decision], source: str) -> dict[str, Any]:
    """Decisions as JSON has them; what does not exist is null."""
    ranges, basis = decisions[0].thresholds, decisions[0].basis
    return {
        "source": source,
        "level": _level(decisions[0]),
        "thresholds": {
            "pays": _ends(ranges.likely),
            "begins": _ends(ranges.starting),
            "goes_on": _ends(ranges.staying),
            "none": ranges.none,
            "told": ranges.told,
        },
        "decisions": [_decision(each) for each in decisions],
        "warnings": () if isinstance(basis, Accelerator) else basis.warnings,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    within, change = decision.speedup_interval, decision.cheapest
    return {
        "size": decision.size,
        "offloading": decision.offloading,
        "offload": decision.offload,
        "certainty": decision.certainty,
        "speedup": decision.speedup,
        "speedup_lower": within.lower if within else None,
        "speedup_upper": within.upper if within else None,
        "time_host": decision.time_host,
        "time_accelerated": decision.time_accelerated,
        "unit": decision.unit,
        "shares": decision.shares,
        "binds": decision.binds,
        "bottlenecks": decision.bottlenecks,
        "break_even_with": decision.break_even_with,
        "cheapest": change,
        "notes": decision.notes,
    }


def _ends(sizes: SizesBetween) -> dict[str, float | None] | None:
    if not sizes.above < sizes.below:
        return None
    return {"above": sizes.above, "below": sizes.below}


def _level(decision: Decision) -> float | None:
    return None if isinstance(decision.basis, Accelerator) else decision.basis.level


def _pays(decision: Decision) -> dict[str, str]:
    return words(decision.thresholds, _level(decision))


def _speedup(decision: Decision) -> str:
    within, level = decision.speedup_interval, _level(decision)
    text = f"{decision.speedup:.4g}"
    if within is None or level is None:
        return text
    return f"{text} ({probability(level)}: {within.lower:.4g} to {within.upper:.4g})"


def _time(time: float, decision: Decision) -> str:
    return duration(time, 3) if decision.unit == "seconds" else f"{time:.4g} {decision.unit}"


def _needed(decision: Decision) -> list[str]:
    """For each parameter the value with which the speedup is one, beside what it is now."""
    unit = _SHORT[decision.unit]
    per_byte = "/B" if decision.basis.latency == "linear" else ""
    units = {"o": f" {unit}", "L": f" {unit}{per_byte}", "C": f" {unit}/B**beta"}
    now, lines, none = decision.parameters, [], []
    for name, value in decision.break_even_with.items():
        if value is None:
            none.append(name)
        else:
            lines.append(f"{name} = {value:.4g}{units.get(name, '')} (now {now[name]:.4g})")
    if none:
        lines.append(f"no {' or '.join(none)} alone" if lines else "no single parameter")
    return lines


VIEWS = {
    "Decision": View(answer=decision_headline, tables=lambda found: [Table.facts(_reasons(found))])
}
"""View of a decision in Python."""
