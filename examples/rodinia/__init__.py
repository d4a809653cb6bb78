"""Programs with OpenMP, in the style of Rodinia."""
