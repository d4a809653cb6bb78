"""What `logca gpu` says: predictions, their stages, and advice."""
