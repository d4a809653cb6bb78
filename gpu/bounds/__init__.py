"""Model bounds: each unit of the GPU at its own rate, and the slowest bounds the time."""
