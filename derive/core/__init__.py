"""Formulas, the symbols they are made of, and the catalogue that finds them by name."""
