"""Decisions for terminal and programs."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from logca.common.json_output import attributes
from logca.common.readable_numbers import percent, probability, time_text
from logca.common.sizes import format_size
from logca.common.tables import Column, Table
from logca.common.terminal import facts
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.change import Change
from logca.numeric.fit.decide import Decision
from logca.numeric.fit.hysteresis_thresholds import pays_where, words
from logca.numeric.fit.size_ranges import CANNOT_BE_TOLD, DOES_NOT_PAY, PAYS, Ranges
from logca.show.cheapest import change_answer, change_words
from logca.show.results import View

__all__ = [
    "VIEWS",
    "decision_data",
    "decision_facts",
    "decision_table",
    "decisions_answer",
    "explanation",
    "explanation_data",
]


_MOST_LISTED = 4
"""Sizes that a sentence names [1]."""


def explanation(decision: Decision, name: str, form: str = "") -> list[Text]:
    """One size in words: if it pays, why, and what would have to change.

    `form` is the clause on the form of latency, here and below, where one is due.
    """
    lines = [Text(line) for line in (*decision.reasons, *_notes(decision, form))]
    return [Text(decision.answer(name), style="bold"), *lines]


def _notes(decision: Decision, form: str) -> tuple[str, ...]:
    return (*decision.notes, form) if form else decision.notes


def explanation_data(decision: Decision, name: str, form: str = "") -> dict[str, Any]:
    """The explanation as JSON has it; what does not exist is null."""
    found = decision.accelerator
    kept = ["certainty", "speedup", "speedup_lower", "speedup_upper"]
    kept += ["time_host", "time_accelerated", "unit", "shares", "notes"]
    told = _decision(decision, form)
    return {
        "answer": decision.answer(name),
        "accelerator": name or _called(decision),
        "granularity": decision.size,
        **{key: told[key] for key in kept},
        "elasticities": found.elasticity(decision.size) if found else None,
        "text": "\n".join(map(str, explanation(decision, name, form))),
    }


def decision_facts(decision: Decision, name: str, form: str = "") -> RenderableType:
    """One decision: what to do, why, and what would have to change."""
    told = facts([(key, Text(text)) for key, text in _reasons(decision, form)])
    return Group(Text(_headline(decision, name), style="bold"), "", told)


def _reasons(decision: Decision, form: str = "") -> list[tuple[str, str]]:
    shares = sorted(decision.shares._asdict().items(), key=lambda each: -each[1])
    largest, *others = [f"{100 * share:.3g} %" for _, share in shares]
    rest = ", ".join(f"{name} {share}" for (name, _), share in zip(shares[1:], others, strict=True))
    rows = [
        ("speedup", _speedup(decision)),
        ("host", time_text(decision.time_host, decision.unit)),
        ("accelerated", time_text(decision.time_accelerated, decision.unit)),
        ("bottleneck", f"{decision.binds} ({largest} of the accelerated time; {rest})"),
        ("worth improving", _worth_improving(decision.bottlenecks)),
        *_pays(decision).items(),
        ("breaks even with", "\n".join(_needed(decision))),
    ]
    if decision.host_share < 1:
        rows.append(("if work is shared", _shared(decision)))
    if decision.cheapest is not None:
        rows.append(("cheapest change", _cheapest(decision, decision.cheapest)))
    return rows + [("note", note) for note in _notes(decision, form)]


def _worth_improving(parameters: str) -> str:
    improved = ", ".join(name for name in parameters if name != "C") or "no single parameter"
    # A greater C raises the speedup, and a slower host has one: that is no improvement of a time.
    more = "; C only by more work a byte: a slower host saves no time" * ("C" in parameters)
    return improved + more


def _shared(decision: Decision) -> str:
    kept, faster = percent(decision.host_share, 1), decision.speedup_shared
    return f"best: the host keeps {kept} % of it; {faster:.4g} times as fast as the host alone"


def _headline(decision: Decision, name: str) -> str:
    """The answer, and what a caller with a state is to do."""
    text, state = decision.answer(name), decision.offloading
    if state is None:
        return text
    if state:
        return f"{text} {'Keep offloading' if decision.offload else 'Stop offloading'}."
    return f"{text} {'Start offloading' if decision.offload else 'Do not start offloading'}."


def decisions_answer(decisions: Sequence[Decision], name: str) -> str:
    """Sentence that says at which of several sizes offloading pays."""
    if len(decisions) == 1:
        return _headline(decisions[0], name)
    basis = decisions[0].basis
    fitted = not isinstance(basis, Accelerator)
    start = f"By {name}, offloading" if fitted and name else f"Offloading{name and f' to {name}'}"
    at = {
        certainty: [format_size(each.size) for each in decisions if each.certainty == certainty]
        for certainty in (PAYS, DOES_NOT_PAY, CANNOT_BE_TOLD)
    }
    surely = "for certain " * bool(at[CANNOT_BE_TOLD])
    pays = f"pays at {_listed(at[PAYS])}" if at[PAYS] else f"pays {surely}at none of these sizes"
    rest = f", not at {_listed(at[DOES_NOT_PAY], 'or')}" if at[DOES_NOT_PAY] and at[PAYS] else ""
    open_ = f", perhaps at {_listed(at[CANNOT_BE_TOLD], 'or')}" if at[CANNOT_BE_TOLD] else ""
    return f"{start} {pays}{rest}{open_}; {pays_where(basis)}."


def _listed(sizes: Sequence[str], last: str = "and") -> str:
    if len(sizes) > _MOST_LISTED:
        return f"{len(sizes)} of the sizes"
    return f" {last} ".join(filter(None, (", ".join(sizes[:-1]), sizes[-1])))


def decision_table(decisions: Sequence[Decision], form: str = "") -> Table:
    """Several decisions of one fit or accelerator, a row each."""
    notes = [f"{name}: {text}" for name, text in _pays(decisions[0]).items()]
    told = dict.fromkeys(note for each in decisions for note in _notes(each, form))
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
                time_text(each.time_host, each.unit),
                time_text(each.time_accelerated, each.unit),
                each.binds,
            )
            for each in decisions
        ),
        notes=("", *notes, *told),
    )


def decision_data(decisions: Sequence[Decision], name: str, form: str = "") -> dict[str, Any]:
    """Decisions as JSON has them; what does not exist is null."""
    ranges, basis = decisions[0].thresholds, decisions[0].basis
    return {
        "answer": decisions_answer(decisions, name),
        "accelerator": name or _called(decisions[0]),
        "level": _level(decisions[0]),
        "thresholds": {
            "pays": _ends(ranges.likely),
            "begins": _ends(ranges.starting),
            "goes_on": _ends(ranges.staying),
            "none": ranges.none,
            "told": ranges.told,
            "contradicted": ranges.contradicted,
        },
        "decisions": [{"answer": each.answer(name), **_decision(each, form)} for each in decisions],
        "warnings": () if isinstance(basis, Accelerator) else basis.warnings,
    }


def _decision(decision: Decision, form: str) -> dict[str, Any]:
    within = decision.speedup_interval
    return {
        **attributes(decision, "size offloading offload certainty speedup"),
        "speedup_lower": within.lower if within else None,
        "speedup_upper": within.upper if within else None,
        **attributes(decision, "time_host time_accelerated unit shares binds bottlenecks"),
        **attributes(decision, "host_share speedup_shared break_even_with cheapest"),
        "notes": _notes(decision, form),
    }


def _called(decision: Decision) -> str:
    return decision.accelerator.name if decision.accelerator else ""


def _ends(ranges: Ranges) -> list[dict[str, float]]:
    return [{"above": each.above, "below": each.below} for each in ranges]


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


def _needed(decision: Decision) -> list[str]:
    """For each parameter the value with which the speedup is one, beside what it is now."""
    now, lines, none = decision.parameters, [], []
    for name, value in decision.break_even_with.items():
        if value is None:
            none.append(name)
        else:
            known, needed = (_with_unit(name, each, decision) for each in (now[name], value))
            lines.append(f"{name} = {needed} (now {known})")
    if none:
        lines.append(f"no {' or '.join(none)} alone" if lines else "no single parameter")
    return lines


def _cheapest(decision: Decision, change: Change) -> str:
    now = {**decision.parameters, "latency": decision.basis.latency}
    return change_words(change, now, decision.unit) or change_answer(change, now, decision.unit)


def _with_unit(name: str, value: float, decision: Decision) -> str:
    if name in ("A", "beta"):
        return f"{value:.4g}"
    linear = name == "L" and decision.basis.latency == "linear"
    return time_text(value, decision.unit) + ("/B" if linear else "/B**beta" if name == "C" else "")


VIEWS = {
    "Decision": View(
        answer=lambda found: found.answer(), tables=lambda found: [Table.facts(_reasons(found))]
    )
}
"""View of a decision in Python."""
