"""The model of bounds: each unit of a GPU at its own rate; the slowest bounds the time."""
