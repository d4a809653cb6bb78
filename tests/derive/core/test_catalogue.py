"""Every formula: its derivation runs, its unit is the stated one."""

import pytest

from logca.derive.core.catalogue import all_formulas, check_dimension
from logca.derive.core.formula import Formula


@pytest.mark.parametrize("formula", tuple(all_formulas()), ids=lambda formula: formula.name)
def test_derivation_and_unit(formula: Formula) -> None:
    formula.derivation.check()
    check_dimension(formula)
