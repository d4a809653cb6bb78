"""Ways to find a partition, and to prove how good it is."""
