"""Forged certificates, each of which an outside reader got past an earlier checker or tried to."""

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_partition import instance_of
from hypothesis import given
from hypothesis import strategies as st

from logca.numeric.partition.memory.caches import Geometry
from logca.numeric.partition.memory.coupling import coupling_cost, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS, Latencies
from logca.numeric.partition.memory.recording import Recorder
from logca.numeric.partition.problem.instance_and_objective import cost
from logca.numeric.partition.solvers.bounds.integer_program import integer_program
from logca.numeric.partition.solvers.certificates import checker
from logca.numeric.partition.solvers.certificates.checker import check
from logca.numeric.partition.solvers.certificates.coupled_checker import check_coupled_bound
from logca.numeric.partition.solvers.certificates.format import (
    Certificate,
    CoupledCertificate,
    CoupledDuals,
    CoupledLeaf,
    Duals,
    Leaf,
    Terms,
)
from logca.numeric.partition.solvers.certificates.tree import CertificateError
from logca.numeric.partition.solvers.optimum import check_optimum, optimal

NONE = np.zeros(0, np.int64)


def leaf(bound: Any, *, price: Any = 0, below: Any = 1) -> Certificate:
    """A certificate of one leaf whose duals are all zero."""
    duals = Duals(
        base=-1,
        denominator=below,
        pair=NONE,
        pair_dual=NONE,
        consumer=NONE,
        consumer_dual=NONE,
    )
    return Certificate(bound=bound, bases=(), nodes=(Leaf(price=price, duals=duals),))


@pytest.mark.parametrize(
    "forged",
    [
        leaf(6),
        leaf(5.9),
        leaf(float("nan")),
        leaf(np.int64(-(2**63))),
        leaf(np.int64(2**62), below=8),
        leaf(10**6, below=np.int64(2**58)),
        leaf(10**6, price=None, below=np.int64(2**58)),
        leaf(100, price=float("nan")),
        leaf(100, price=-0.5),
    ],
)
def test_numbers_that_overflow_or_compare_with_nothing(forged: Certificate) -> None:
    instance = instance_of(cpu=[5, 7], accelerator=[2, 3], area=[1, 1], capacity=2)
    check(instance, leaf(5))
    with pytest.raises(CertificateError):
        check(instance, forged)


@pytest.mark.parametrize("terms", [2, 5, 2**12])
def test_terms_of_a_row_that_add_up_to_nothing_in_64_bits(terms: int) -> None:
    """Some terms are worth 4 each, the rest nothing; all together wrap around."""
    instance = instance_of(
        cpu=[13, 3], accelerator=[0, 4], area=[1, 1], capacity=2, pinned=[False, True]
    )
    recorder = Recorder(2, Geometry(line=64, l1=64, l2=128))
    recorder.push([0, 1], [0, 0], [4, 4], [True, False])
    coupling = coupling_of(
        recorder.signatures(), DESIGNS["SL2+"], Latencies(l1=0, l2=1, memory=1, write_back=3)
    )
    least = min(
        cost(instance, mapped) + coupling_cost(coupling, mapped)
        for mapped in ([False, False], [True, False])
    )
    (row,) = (n for n in range(coupling.rows) if coupling.block[n] == 1 and not coupling.side[n])
    real = min(terms, 5)
    below = 2**64 // max(terms, 2**12)
    forged = CoupledCertificate(
        bound=least + 4,
        denominator=below,
        terms=Terms(
            row=np.full(terms, row, np.int64),
            start=np.minimum(np.arange(terms + 1), real).astype(np.int64) * 2,
            block=np.array([0, 1] * real, np.int64),
            side=np.array([True, False] * real),
        ),
        duals=(
            CoupledDuals(
                base=-1,
                price=0,
                pair=NONE,
                pair_dual=NONE,
                consumer=NONE,
                consumer_dual=NONE,
                term=np.arange(terms),
                term_dual=np.full(terms, below, np.int64),
            ),
        ),
        nodes=(CoupledLeaf(duals=0),),
    )
    with pytest.raises(CertificateError, match="terms of a row count more than once"):
        check_coupled_bound(instance, coupling, forged)


@given(st.integers(50, 61), st.integers(1, 40))
def test_a_push_that_nearly_overflows_is_no_reason_to_refuse(power: int, pull: int) -> None:
    instance = instance_of(
        cpu=[1, 50],
        accelerator=[1, 10],
        area=[1, 1],
        capacity=1,
        pinned=[True, False],
        values=[(0, 1 << power, [(1, pull)])],
    )
    check_optimum(instance, optimal(instance))


@given(st.lists(st.integers(10**13, 10**14), min_size=3, max_size=7))
def test_what_highs_says_of_large_costs_is_no_more_than_it_can_know(saved: list[int]) -> None:
    blocks = len(saved)
    instance = instance_of(
        cpu=saved, accelerator=[0] * blocks, area=[3] * blocks, capacity=3 * (blocks // 2)
    )
    least = sum(sorted(saved)[: blocks - blocks // 2])
    solved = integer_program(instance)
    assert solved.bound is not None
    assert solved.bound <= least


def test_checkers_share_nothing_with_what_they_check() -> None:
    """A checker that computes with the code of the search would share its mistakes."""
    part = "logca.numeric.partition."
    own = part + "solvers.certificates."
    allowed = {
        part + "memory.coupling",
        part + "problem.instance_and_objective",
        "logca.common.errors",
    }
    for path in Path(checker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level), path.name
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [node.module or ""]
                if node.module == part + "memory.levels_and_write_backs":
                    # the names of states, which are data
                    assert [alias.name for alias in node.names] == ["OUTCOMES"]
                    continue
            else:
                continue
            for name in imported:
                ours = name.split(".")[0] == "logca"
                assert not ours or name in allowed or name.startswith(own), f"{path.name}: {name}"
