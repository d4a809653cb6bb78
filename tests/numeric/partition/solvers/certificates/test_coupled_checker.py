"""Coupled certificates that were tampered with must not pass."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from coupled_instances import Coupled, coupled, random_coupling
from effort import examples
from every_partition import instances
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.problem.instance_and_objective import Instance
from logca.numeric.partition.solvers.certificates.coupled_checker import check_coupled_bound
from logca.numeric.partition.solvers.certificates.format import (
    Branch,
    CoupledCertificate,
    CoupledLeaf,
    Settlement,
)
from logca.numeric.partition.solvers.certificates.tree import CertificateError
from logca.numeric.partition.solvers.optimum import Optimum, check_optimum, optimal

Change = Callable[[CoupledCertificate, np.random.Generator], CoupledCertificate]


def one_changed(array: np.ndarray, random: np.random.Generator, values: Any) -> np.ndarray:
    """An array with one element replaced."""
    if not len(array):
        return array
    made = array.copy()
    made[random.integers(len(made))] = random.choice(values)
    return made


def other_duals(found: CoupledCertificate, random: np.random.Generator) -> CoupledCertificate:
    which = int(random.integers(len(found.duals)))
    duals = found.duals[which]
    below = found.denominator
    name = random.choice(["pair_dual", "consumer_dual", "term_dual", "price", "term", "base"])
    if name in ("price", "base"):
        value: Any = int(random.choice([-1, 0, 1, 5 * below]))
    else:
        choices = [0, 1, 2] if name == "term" else [-3 * below, -below, 0, below, 9 * below]
        value = one_changed(getattr(duals, name), random, choices)
    made = (*found.duals[:which], replace(duals, **{str(name): value}), *found.duals[which + 1 :])
    return replace(found, duals=made)


def other_terms(found: CoupledCertificate, random: np.random.Generator) -> CoupledCertificate:
    terms = found.terms
    name = random.choice(["row", "start", "block", "side"])
    choices: Any = [False, True] if name == "side" else [0, 1, 2, 3]
    made = one_changed(getattr(terms, name), random, choices)
    return replace(found, terms=replace(terms, **{str(name): made}))


def other_nodes(found: CoupledCertificate, random: np.random.Generator) -> CoupledCertificate:
    which = int(random.integers(len(found.nodes)))
    node = found.nodes[which]
    number = int(random.integers(-1, len(found.nodes) + 1))
    if isinstance(node, CoupledLeaf):
        made: Any = CoupledLeaf(duals=int(random.integers(-1, len(found.duals) + 1)))
    elif isinstance(node, Branch):
        name = random.choice(["block", "without", "within"])
        made = replace(node, **{str(name): number})
    else:
        side = one_changed(node.side, random, [False, True])
        made = random.choice(
            np.array([replace(node, side=side), replace(node, then=number)], object)
        )
    return replace(found, nodes=(*found.nodes[:which], made, *found.nodes[which + 1 :]))


CHANGES: tuple[Change, ...] = (other_duals, other_terms, other_nodes)


def solved(case: Coupled) -> tuple[Optimum, CoupledCertificate]:
    found = optimal(case.instance, case.coupling)
    assert isinstance(found.certificate, CoupledCertificate)
    return found, found.certificate


@examples(50, 300, suppress_health_check=[HealthCheck.filter_too_much])
@given(coupled(), st.integers(0, 10**9))
def test_no_tampering_proves_more_than_the_optimum(case: Coupled, seed: int) -> None:
    random = np.random.default_rng(seed)
    assume(case.coupling.rows)
    found, certificate = solved(case)
    wrong = replace(certificate, bound=found.cost + 1)
    for _ in range(int(random.integers(0, 4))):
        wrong = CHANGES[random.integers(len(CHANGES))](wrong, random)
    with pytest.raises(CertificateError):
        check_coupled_bound(case.instance, case.coupling, wrong)


@pytest.fixture(scope="module")
def case() -> Coupled:
    """A problem whose certificate has all kinds of nodes and terms."""
    random = np.random.default_rng(5)
    blocks, none = 14, np.zeros(0, np.int64)
    cpu = random.integers(50, 200, blocks)
    instance = Instance(
        cpu=cpu,
        accelerator=cpu // 3,
        area=random.integers(2, 9, blocks),
        capacity=24,
        pinned=np.arange(blocks) == 0,
        pair_first=np.arange(blocks - 1),
        pair_second=np.arange(1, blocks),
        pair_cost=random.integers(1, 30, blocks - 1),
        producer=none,
        push=none,
        consumer_start=np.zeros(1, np.int64),
        consumer=none,
        pull=none,
    )
    return random_coupling(instance, seed=5, accesses=150)


def first(certificate: CoupledCertificate, kind: type) -> int:
    return next(i for i, node in enumerate(certificate.nodes) if isinstance(node, kind))


def tampered(certificate: CoupledCertificate) -> list[tuple[CoupledCertificate, str]]:
    """Certificates with one part changed each, and what the checker must say."""
    terms, duals = certificate.terms, certificate.duals
    nodes, below = list(certificate.nodes), certificate.denominator
    base = duals[0]
    branch, settle = (nodes[first(certificate, kind)] for kind in (Branch, Settlement))
    assert isinstance(branch, Branch)
    assert isinstance(settle, Settlement)

    def with_node(kind: type, node: Any) -> CoupledCertificate:
        changed = nodes.copy()
        changed[first(certificate, kind)] = node
        return replace(certificate, nodes=tuple(changed))

    def with_base(**changes: Any) -> CoupledCertificate:
        return replace(certificate, duals=(replace(base, **changes), *duals[1:]))

    twice = terms.block.copy()
    twice[terms.start[0] + 1] = twice[terms.start[0]]
    return [
        (replace(certificate, bound=certificate.bound + 1), "less than|not settle"),
        (replace(certificate, denominator=0), "denominator is 0"),
        (replace(certificate, denominator=2 * below), "less than|not settle"),
        (with_base(price=-1), "price of area is -1"),
        (with_base(pair_dual=base.pair_dual + 1000 * below), "exceeds what its pair"),
        (with_base(term_dual=base.term_dual + below), "between 0 and once"),
        (with_base(term_dual=base.term_dual.astype(float)), "no int64"),
        (with_base(term=base.term + len(terms.row)), "what there is not"),
        (with_base(base=0), "no duals 0 before"),
        (replace(certificate, terms=replace(terms, row=terms.row + 10**6)), "there is not"),
        (replace(certificate, terms=replace(terms, side=~terms.side)), "less|not settle"),
        (replace(certificate, terms=replace(terms, block=twice)), "a block twice"),
        (with_node(Branch, replace(branch, within=len(nodes))), "not covered"),
        (with_node(Settlement, replace(settle, then=0)), "reached twice"),
        (with_node(Branch, replace(branch, block=0)), "not free"),
        (with_node(CoupledLeaf, CoupledLeaf(duals=-1)), "fits the area"),
        (with_node(CoupledLeaf, CoupledLeaf(duals=len(duals))), "there are no duals"),
        (with_node(Settlement, replace(settle, side=~settle.side)), "not settle"),
        (
            with_node(Settlement, replace(settle, side=settle.side.astype(np.int64) + 1)),
            "no bool",
        ),
    ]


def test_each_part_of_a_coupled_certificate_matters(case: Coupled) -> None:
    assert case.design is DESIGNS["SL2+"]
    found, certificate = solved(case)
    check_optimum(case.instance, found, case.coupling)
    assert len(certificate.duals[0].term)
    for wrong, message in tampered(certificate):
        with pytest.raises(CertificateError, match=message):
            check_coupled_bound(case.instance, case.coupling, wrong)


def test_what_is_said_of_a_coupled_partition_is_checked(case: Coupled) -> None:
    found, _ = solved(case)
    pinned = found.mapped.copy()
    pinned[0] = True
    for wrong, message in (
        (replace(found, cost=found.cost - 1), "the partition costs"),
        (replace(found, bound=found.bound + 1), "the certificate proves"),
        (replace(found, mapped=pinned), "pinned block"),
        (replace(found, mapped=found.mapped[1:]), "too few"),
    ):
        with pytest.raises(CertificateError, match=message):
            check_optimum(case.instance, wrong, case.coupling)


@settings(max_examples=30, deadline=None)
@given(instances(), st.integers(0, 10**9))
def test_a_certificate_of_other_memory_is_refused_or_right(instance: Instance, seed: int) -> None:
    one, other = (random_coupling(instance, seed=seed + k, accesses=40) for k in range(2))
    assume(one.coupling.rows)
    _, certificate = solved(one)
    best = optimal(instance, other.coupling).cost
    try:
        check_coupled_bound(instance, other.coupling, certificate)
    except CertificateError:
        return
    assert certificate.bound <= best
