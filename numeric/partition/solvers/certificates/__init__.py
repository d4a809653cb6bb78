"""Proofs of bounds as data, and their checkers, which share no code with the solvers."""
