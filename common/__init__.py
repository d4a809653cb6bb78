"""The ground that every room stands on: errors, arguments, files, numbers, tables.

Imports nothing of ours.
"""

import copyreg
from types import MappingProxyType
from typing import Any


def _unchangeable(values: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    return MappingProxyType(values)


def _reduced(mapping: "MappingProxyType[Any, Any]") -> tuple[Any, ...]:
    return _unchangeable, (dict(mapping),)


# results hold mappings that nobody can change, which Python neither pickles nor copies by itself
copyreg.pickle(MappingProxyType, _reduced)
