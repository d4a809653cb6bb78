"""The page: template, style and scripts of this folder, with data and generated functions in them.

No formula is typed here or in the scripts: every number that the page shows is computed by the
JavaScript that `logca codegen --lang javascript` emits.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import combinations
from math import isfinite
from typing import Any

from logca.common.json_output import attributes
from logca.derive.core.catalogue import formula
from logca.derive.notation.boxes import Number
from logca.derive.notation.layout import typeset
from logca.derive.notation.mathml import element
from logca.derive.notation.text_latex_python import equation
from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.explain import TENFOLD
from logca.numeric.accelerator.parameter_ranges import LATENCIES, MODEL, RANGES
from logca.numeric.fit.decide import speedup_band
from logca.numeric.fit.estimate import observed_speedups
from logca.numeric.fit.fit import Fit
from logca.numeric.generate.codegen.functions import CUTOFFS
from logca.numeric.generate.codegen.source_program import first_and_named, offered, program
from logca.numeric.generate.languages.registry import source
from logca.numeric.generated.units import ENTRIES
from logca.numeric.paper.devices import Device
from logca.plots.fit import shown_sizes
from logca.plots.style import BANDS
from logca.report.formulas import math_style, replaced
from logca.show.fit.words import answer

__all__ = ["QUANTITIES", "SCRIPTS", "explorer_html"]

QUANTITIES = (
    *("speedup", "T0", "T1", "share_o", "share_L", "share_C"),
    *("e_o", "e_L", "e_C", "e_A", "gain_o", "gain_L", "gain_C", "gain_A"),
    *("g1", "g1_upper", "gA2", "gA2_upper", "g_s", "g_s_upper"),
    *("limit_large", "g_peak", "speedup_peak", "o_for", "L_for", "C_for", "A_for"),
    *("cutoff_o", "cutoff_L", "cutoff_C", "cutoff_A", *CUTOFFS),
)
"""Quantities that the page computes, by their names in `logca codegen --list`."""

SCRIPTS = ("numbers", "state", "findings", "chart", "panels", "copies", "page")
"""The page's own scripts, in the order in which they follow the generated functions."""

_GAIN = 1.2  # of the speedup, from which on an improvement counts: altaf2017, §3.2
_SLOT = re.compile(r"\{\{(\w+)\}\}")


def explorer_html(
    accelerator: Accelerator, devices: Sequence[Device], *, fit: Fit | None = None
) -> str:
    """One HTML file that loads nothing: sliders for an accelerator, another beside it, its fit."""
    data = {
        "version": version("logca"),
        "start": _numbers(accelerator),
        "presets": [
            _numbers(each.accelerator()) | {"group": each.device_title, "source": each.source}
            for each in devices
        ],
        "ranges": {
            name: {"least": RANGES[name].least, "included": RANGES[name].included} for name in MODEL
        },
        "meanings": {form: {name: ENTRIES[form][name] for name in MODEL} for form in LATENCIES},
        "improvement": TENFOLD,
        "gain": _GAIN,
        "bands": BANDS,
        "formulas": _formulas(),
        "fit": None if fit is None else _measured(fit),
    }
    parts = {
        "style": math_style() + _file("page.css"),
        # what ends a script would end it inside of a text, too
        "data": json.dumps(data, allow_nan=False).replace("<", "\\u003c"),
        "script": "\n".join([_model(), *(_file(f"{name}.js") for name in SCRIPTS)]),
    }
    return _SLOT.sub(lambda match: parts[match[1]], _file("page.html"))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _numbers(accelerator: Accelerator) -> dict[str, Any]:
    return attributes(accelerator, ("name", "latency", "unit", *MODEL))


@cache
def _model() -> str:
    """The generated functions, and a table of them by form of latency and name."""
    lines = ["const MODEL = {"]
    functions = {each.name: each for each in program("javascript", QUANTITIES, "both").functions}
    for latency in LATENCIES:
        lines.append(f"  {latency}: {{")
        for name in QUANTITIES:
            if own := offered()[name].functions.get(latency):
                by_place, _ = first_and_named(functions[own].parameters, public=True)
                first = "".join(f"at.{each}, " for each in by_place)
                lines.append(f"    {name}: (at) => {own}({first}at),")
        lines.append("  },")
    return "\n".join([source("javascript", QUANTITIES), *lines, "};", ""])


@cache
def _formulas() -> dict[str, dict[str, str]]:
    """The speedup as MathML: with letters, and with slots for numbers.

    What is left out of the latter, as o and L that are zero and beta that is one, is its key.
    """
    slots = {name: Number(f"{{{name}}}") for name in MODEL}
    found = {}
    for latency in LATENCIES:
        relation = equation(formula("speedup"), latency)
        own = {"letters": element(typeset(relation), "", display=True)}
        plain = {"o": 0, "L": 0, "beta": 1}
        for some in (each for size in range(4) for each in combinations(plain, size)):
            fixed = {each: plain[str(each)] for each in relation.free_symbols if str(each) in some}
            node = replaced(typeset(relation.subs(fixed)), slots)
            own["".join(some)] = element(node, "", display=True)
        found[latency] = own
    return found


def _measured(fit: Fit) -> dict[str, Any]:
    """Measured speedups, and those that the times do not refute; null where there is no end.

    Beside them the sizes from which on times are others than those of the parameters, with factors.
    """
    seen = observed_speedups(fit.estimates[fit.latency])
    points = [row for row in zip(*seen, strict=True) if all(map(isfinite, row))]
    return {
        "answer": answer(fit),
        "level": fit.level,
        "call_cost": fit.call_cost,
        "stretches": [
            {"start": each.above, "host": each.host, "accelerated": each.accelerated}
            for each in fit.stretches
        ],
        "points": [list(map(float, row)) for row in points],
        "ribbon": [
            [g, *(end if isfinite(end) else None for end in interval[:2])]
            for g, interval in speedup_band(fit, *shown_sizes(fit))
        ],
    }
