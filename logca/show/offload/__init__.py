"""Output of `logca offload`."""
