"""Formulas, claims, and proofs of one's own: `import logca` beyond the rooms."""
