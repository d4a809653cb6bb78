"""Affine nests: fitted at small sizes, extended to the work size, their traces synthesised."""
