"""Answers of `logca offload`, kernel by kernel."""
