"""The examples in docstrings give what they show."""

import doctest
import importlib

import pytest
from rooms import sources


@pytest.mark.parametrize("module", [source.module for source in sources()])
def test_examples_of(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
