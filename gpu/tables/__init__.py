"""Figures printed in wang2017, and the GPUs that come with the package."""
