"""The command line: one module per verb, each loading no more than it needs."""

import sys
import traceback
from io import TextIOWrapper

__all__ = ["main"]


def main() -> None:
    """Run the command line; errors of the user are one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    from logca.cli.app import app
    from logca.cli.errors import BROKEN_PIPE, FAILURE, INTERRUPTED, failure

    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BROKEN_PIPE)
    except Exception as error:
        found = failure(error)
        if found is None:
            traceback.print_exc()
            sys.exit(FAILURE)
        print(f"logca: {found.message}", file=sys.stderr)
        sys.exit(found.code)
