"""Report of a fit, one HTML file: answer, curves, numbers, formulas, and what is not known."""
