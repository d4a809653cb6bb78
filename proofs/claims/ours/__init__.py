"""Theorems of ours, and the lemmas that the provers use."""
