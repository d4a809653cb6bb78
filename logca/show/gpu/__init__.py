"""Output of `logca gpu`: predictions, their stages, and advice."""
