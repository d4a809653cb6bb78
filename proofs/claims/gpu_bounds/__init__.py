"""Theorems of ours on the model of bounds, unit by unit and together."""
