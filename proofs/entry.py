"""How the long runs that are started with ``python -m`` end."""

import sys
from collections.abc import Callable

__all__ = ["run"]


def run(main: Callable[[], int | None]) -> None:
    """Exit with the code that it returns; with 130 and no traceback if it is interrupted [1]."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
