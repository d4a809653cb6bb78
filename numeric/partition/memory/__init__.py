"""Caches of two cores, exactly, for every partition of a program."""
