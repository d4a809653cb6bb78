"""Caches of two cores, exactly, for every partition: signatures, designs, couplings.

Modules that end in `_loops`, and `interning`, import numba: import them inside functions.
"""
