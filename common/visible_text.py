"""Texts of others that are safe to print."""

import re

__all__ = ["visible"]

_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Characters that a terminal obeys instead of showing them, also those that turn text around."""


def visible(text: str) -> str:
    r"""A text whose control characters are written out, so that no terminal obeys them.

    Names of files and of columns, titles, and what programs print may hold any.

    Examples
    --------
    >>> print(visible("a\x1b[31m b"), visible("x\u202egnp.c"))
    a\x1b[31m b x\u202egnp.c
    """
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)
