"""Every LaTeX string that is printed, as JSON: ``python -m logca.proofs.latex_strings``."""

import json

from logca.derive.catalogue import all_formulas
from logca.derive.printing import abbreviated, conditions, equation, latex
from logca.derive.symbols import FORMS, TABLE

__all__ = ["all_latex", "formulas_in_latex"]


def formulas_in_latex(latency: str = "affine") -> list[dict[str, str]]:
    """Name and LaTeX of every formula that exists under a form of latency [text]."""
    return [
        {"name": entry.name, "latex": latex(equation(entry, latency))}
        for entry in all_formulas()
        if not any(condition == False for condition in conditions(entry, latency))  # noqa: E712
    ]


def all_latex() -> list[dict[str, str]]:
    """Symbols, formulas under every form of latency, their conditions and steps [text]."""
    found = [{"name": f"symbol {name}", "latex": entry.latex} for name, entry in TABLE.items()]
    for latency in FORMS:
        found += [
            {"name": f"{row['name']}, {latency}", "latex": row["latex"]}
            for row in formulas_in_latex(latency)
        ]
    for entry in all_formulas():
        for condition in entry.domain:
            found.append({"name": f"{entry.name}, condition", "latex": latex(condition)})
        for step in entry.derivation.steps:
            shown = latex(abbreviated(step.relation))
            found.append({"name": f"{entry.name}, {step.name}", "latex": shown})
    return found


if __name__ == "__main__":
    print(json.dumps(all_latex(), indent=1))
