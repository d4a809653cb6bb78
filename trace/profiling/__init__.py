"""What a run says: strides, footprints, reuse distances and counts; tables and trace files."""
