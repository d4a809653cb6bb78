"""Chance: parameters as distributions; probabilities and quantiles of speedups and sizes."""
