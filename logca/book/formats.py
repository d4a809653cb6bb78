"""Formats of the handbook, chosen by the ending of the file's name."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from logca.book.blocks import Document

__all__ = ["SUFFIXES", "renderer_of"]

_MODULES = {".md": "markdown", ".tex": "tex", ".html": "html"}

SUFFIXES = tuple(_MODULES)
"""Endings of files that the handbook can be written to."""


def renderer_of(suffix: str) -> "Callable[[Document], str]":
    """The function that makes a file's text of a document."""
    module = import_module(f"logca.book.{_MODULES[suffix]}")
    return cast("Callable[[Document], str]", module.render)
