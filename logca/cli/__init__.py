"""The command line: one module per verb, each loading no more than it needs."""

import sys
from io import TextIOWrapper

__all__ = ["main"]


def main() -> None:
    """Run the command line; errors of the user are one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    from logca.cli.app import app
    from logca.cli.errors import failure

    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except (ImportError, ValueError, AssertionError, RuntimeError, OSError) as error:
        found = failure(error)
        if found is None:
            raise
        print(f"logca: {found.message}", file=sys.stderr)
        sys.exit(found.code)
