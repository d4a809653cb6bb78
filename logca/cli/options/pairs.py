"""Options of the form NAME=VALUE."""

from collections.abc import Iterable

from logca.cli.terminal.errors import UsageFailure

__all__ = ["pairs"]


def pairs(
    option: str,
    texts: Iterable[str],
    form: str = "NAME=VALUE",
    *,
    last: bool = False,
    again: str = "has {} twice",
    once: bool = False,
) -> dict[str, str]:
    """Values by name, divided at the first or the last "="; `again` says that a name has two.

    With `once` a name may not even come twice with the same value.

    Examples
    --------
    >>> pairs("--set", ["mode = ctr", "text=a=b"])
    {'mode': 'ctr', 'text': 'a=b'}
    >>> pairs("--pin", ["x=y=cpu"], last=True)
    {'x=y': 'cpu'}
    """
    found: dict[str, str] = {}
    for text in texts:
        parts = text.rpartition("=") if last else text.partition("=")
        name, equals, value = (part.strip() for part in parts)
        if not (equals and name and value):
            raise UsageFailure(f"{option} {text!r}: write {form}")
        if name in found and (once or found[name] != value):
            raise UsageFailure(f"{option} {again.format(name)}")
        found[name] = value
    return found
