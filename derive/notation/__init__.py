"""Formulas as printed: text, LaTeX, MathML, Markdown, Python, boxes on a terminal."""
