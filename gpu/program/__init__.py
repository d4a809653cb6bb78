"""A program and how often it executes blocks and loops, at the traced and the work size."""
