"""The claim language: text to a checked syntax tree, and the tree to SymPy; never evaluated."""
