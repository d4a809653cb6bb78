"""Findings of a run: strides, footprints, reuse distances and counts; tables and trace files."""
