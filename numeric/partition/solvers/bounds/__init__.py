"""Bounds without shared memory costs: minimum cuts, prices of area, knapsacks, HiGHS."""
