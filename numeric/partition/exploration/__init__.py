"""Many partitions: sweeps, exact ranges of latency, and what kenter2010 concludes from its own."""
