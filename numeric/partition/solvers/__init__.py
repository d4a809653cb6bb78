"""Ways to find a partition, and to prove how good it is.

Folders, lowest first: certificates, bounds, heuristics, search. "Coupled" is what takes into
account that blocks share memory costs through caches.
"""
