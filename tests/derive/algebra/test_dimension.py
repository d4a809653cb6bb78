"""The dimension check sees a wrong formula; that it accepts every one of ours: test_catalogue."""

from dataclasses import replace

import pytest
import sympy as sp

from logca.derive.algebra.dimension import ONE, DimensionError, dimension_of
from logca.derive.core.catalogue import check_dimension, formula
from logca.derive.core.formula import FormulaError
from logca.derive.core.symbols import L0, L1, UNITS, C, beta, g, o


@pytest.mark.parametrize(
    "wrong",
    [o + L1, C + o, C * g**2 + o, sp.log(g), g**o, sp.Max(o, g), sp.Abs(o + g), beta**g],
)
def test_unlike_quantities_are_not_joined(wrong) -> None:
    with pytest.raises(DimensionError):
        dimension_of(wrong, UNITS)


def test_an_exponent_that_is_fixed_fixes_the_unit_of_the_index() -> None:
    half = formula("root_half_lower")
    check_dimension(half)
    with pytest.raises((DimensionError, FormulaError)):
        check_dimension(replace(half, domain=()))
    with pytest.raises(DimensionError):
        check_dimension(half.mutated(half.expr.subs(L1, L1**2)))


def test_a_case_knows_its_exponent() -> None:
    cases = sp.Piecewise((C / (L1 + C), sp.Eq(beta, 1)), (0, True))
    assert dimension_of(cases, UNITS).equals(ONE)
    with pytest.raises(DimensionError):
        dimension_of(cases.subs(beta, 2 * beta), UNITS)


@pytest.mark.parametrize("name", ["speedup_one", "g1_newton", "g_log", "speedup_glog"])
def test_where_bytes_are_numbers_cycles_are_still_checked(name) -> None:
    entry = formula(name)
    check_dimension(entry)
    with pytest.raises((DimensionError, FormulaError)):
        check_dimension(entry.mutated(entry.expr.subs({C: C**2, L0: L0**2})))
