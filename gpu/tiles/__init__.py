"""Kernels in tiles: loops that are blocks, arrays in shared memory, barriers."""
