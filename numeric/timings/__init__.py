"""Timings of host and accelerator: checked values, and readers of the files that tools write.

Files, lowest first: timings, units, benchmarks, one reader per tool, text_tables, pairing,
sample_file, machine, crossing, reading.
"""
