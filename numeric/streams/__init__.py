"""Streams of requests of which several are in flight: decisions, and where they pay."""
