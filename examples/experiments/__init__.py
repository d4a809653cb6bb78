"""Experiments that run on ordinary machines, by the names in `registry`."""
