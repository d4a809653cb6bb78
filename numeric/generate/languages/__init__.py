"""How programs are written in each language: one module per language, one for C's variants."""
