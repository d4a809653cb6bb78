"""Evaluates generated functions fast: in blocks, on several cores, compiled, whole numbers exactly.

Files, lowest first: tape, blocks, arrays, whole_numbers, compiled, by_name.
"""
