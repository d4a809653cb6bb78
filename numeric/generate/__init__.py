"""From the formulas of `logca.derive` to code: the only part of this room that loads SymPy."""
