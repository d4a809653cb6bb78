"""Timing the two ways to compute something: on the host, and accelerated."""
