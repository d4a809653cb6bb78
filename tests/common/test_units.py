"""Numbers with units: which are read."""

from logca.common.units import with_unit


def test_a_unit_is_one_of_the_base_unit() -> None:
    assert with_unit(" 1.5 GHz ", "Hz") == ("1.5", 1e9)
    assert with_unit("1.5 GHz", "B") is None
    assert with_unit("1.5", "Hz") is None
    assert with_unit("3 cycles", "cycles") is None
