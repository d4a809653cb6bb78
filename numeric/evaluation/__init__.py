"""Evaluates quantities by name, with NumPy or in one compiled loop.

Files, lowest first: compiled, by_name.
"""
