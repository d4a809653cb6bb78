"""Two variables: host and offloaded times over bytes, work and items of shapes such as m, n, k.

Files, lowest first: formulas, timings, estimate, storage, fit, decide.
"""
