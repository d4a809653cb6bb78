"""What a fit says as one HTML file: answer, curves, numbers, formulas, and what is not known."""
