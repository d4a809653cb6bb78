"""Partitions without a bound: the paper's greedy, clusters, single moves, swaps and exchanges."""
