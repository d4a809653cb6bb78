"""From the accesses of threads to the time of a launch, one stage a file.

In order: grid, warps, coalescing, cache and DRAM, shared memory, instructions, latency,
occupancy, timing.
"""
