"""What can be wrong with a kernel in tiles."""

__all__ = ["TileError"]


class TileError(ValueError):
    """Directives of a kernel in tiles that do not fit together; the message says what would do."""
