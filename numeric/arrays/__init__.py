"""What generated functions stand on: they run on arrays of any library, in blocks on several cores.

Files, lowest first: tape, blocks, arrays, whole_numbers.
"""
