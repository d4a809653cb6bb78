"""Theorems of ours, one subject a file, most of them named as in `derive/logca`."""
