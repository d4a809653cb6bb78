"""Trusted evaluation: exact rationals, balls, integer roots; counterexamples and covered boxes."""
