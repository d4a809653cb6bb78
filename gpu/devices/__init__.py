"""GPUs as data: parameters by file, cache geometry, and which device is fastest."""

__all__ = ["DEFAULT_DEVICE"]

DEFAULT_DEVICE = "rtx-4090"
"""The GPU that is predicted where none is named."""
