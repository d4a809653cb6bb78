"""Evaluation of generated functions: on arrays of any library, in blocks on several cores.

Files, lowest first: tape, blocks, arrays, whole_numbers.
"""
