"""The compiler's complaints, the first one first."""

import re
from pathlib import Path

__all__ = ["complaint"]

ERROR = re.compile(r"^(?P<place>.+?:\d+:\d+): (?:fatal )?error: (?P<message>.*)$", re.MULTILINE)
OTHER = re.compile(r"^(?:.*?: )?(?:fatal )?error: (.*)$", re.MULTILINE)


def complaint(source: Path, output: str) -> str:
    r"""The first error in what the compiler printed, with the place as the user writes it.

    Parameters
    ----------
    source : Path
        The file that was compiled.
    output : str
        All that the compiler printed [text].

    Examples
    --------
    >>> complaint(Path("a.c"), "a.c:3:9: error: expected ';'\na.c:9:1: error: and so on")
    "a.c:3:9: error: expected ';' (and 1 more)"
    """
    found = list(ERROR.finditer(output))
    if found:
        place = found[0]["place"].replace(str(source.resolve()), str(source))
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return f"{place}: error: {found[0]['message']}{more}"
    if other := OTHER.search(output):
        return f"{source}: error: {other.group(1)}"
    return f"{source}: the compiler failed: {output.strip() or 'it says nothing'}"
