"""What the models say: symbols, formulas and derivations that run."""
