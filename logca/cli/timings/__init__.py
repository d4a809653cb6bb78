"""Verbs that take times, and judge and set thresholds by them."""
