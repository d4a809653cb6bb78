"""Timings of host and accelerator: checked values, and readers of the files that tools write.

Files, lowest first: timings, units, benchmark_runs, one reader per tool, formats (which tool
wrote a JSON file), text_tables, pairing, sample_file, machine, crossing, reading.
"""
