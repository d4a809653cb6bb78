"""Choices that verbs on formulas share: forms of latency, markups."""

from enum import StrEnum

__all__ = [
    "FormulaLatency",
    "Markup",
]


class FormulaLatency(StrEnum):
    """Forms of latency."""

    affine = "affine"
    constant = "constant"
    linear = "linear"


class Markup(StrEnum):
    """Ways to print a formula."""

    text = "text"
    latex = "latex"
    mathml = "mathml"
    markdown = "markdown"
    python = "python"
