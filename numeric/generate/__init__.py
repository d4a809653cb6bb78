"""From the formulas of `logca.derive` to code: the only part of this room that loads SymPy.

Folders, lowest first: codegen, languages, offload.
"""
