"""Measurements of speed and accuracy, run from the repository's folder as ``make`` does."""
