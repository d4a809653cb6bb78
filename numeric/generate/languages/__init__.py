"""How programs are written in each language: one module per language."""
