"""Optional libraries: the error says how to get them."""

import pytest

from logca.common.extras import MissingLibraryError, require


def test_what_is_there_is_returned() -> None:
    import json.decoder

    assert require("json.decoder", "any") is json.decoder


@pytest.mark.parametrize("module", ["no_such_library", "no_such_library.part"])
def test_what_is_not_there_is_named_with_the_extra(module: str) -> None:
    message = r"needs no_such_library, which is not installed: pip install 'logca\[fast\]'"
    with pytest.raises(MissingLibraryError, match=message) as raised:
        require(module, "fast")
    assert isinstance(raised.value, ImportError)
    assert isinstance(raised.value.__cause__, ImportError)
