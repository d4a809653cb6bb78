"""Loop detection: which loops of a program become kernels, and why the others do not."""
