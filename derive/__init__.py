"""The models as mathematics: symbols, formulas and derivations that run.

Folders, lowest first: algebra, core, logca, cgpredict, gpu_bounds, partition, notation.
"""
