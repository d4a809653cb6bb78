"""The paper's six programs in the five designs: proven optima with memory."""

from dataclasses import replace
from pathlib import Path

import pytest

from logca.numeric.partition.costs import costs_of
from logca.numeric.partition.instance import Instance
from logca.numeric.partition.memory.coupling import Coupling, coupling_of
from logca.numeric.partition.memory.designs import DESIGNS
from logca.numeric.partition.memory.latencies import Latencies
from logca.numeric.partition.platform import platform
from logca.numeric.partition.solvers.coupled import check_coupled, coupled_optimum
from logca.numeric.partition.solvers.coupled_greedy import coupled_greedy
from logca.numeric.partition.solvers.greedy import greedy
from logca.numeric.partition.tracing import traced

PROGRAMS = Path(__file__).parents[4] / "examples/partition"
SIX = ("aes", "md5", "jpeg", "fft", "sor", "whetstone")


@pytest.fixture(scope="module", params=SIX)
def program(request: pytest.FixtureRequest) -> tuple[Instance, dict[str, Coupling]]:
    """What a program costs on the paper's platform, and its memory by design."""
    for library in ("llvmlite", "ziglang", "networkx"):
        pytest.importorskip(library)
    costs = platform("kenter2010")
    trace = traced(PROGRAMS / f"{request.param}.c", costs)
    instance = costs_of(trace.problem, costs).instance
    scale = instance.scale
    times = Latencies(l1=3 * scale, l2=15 * scale, memory=200 * scale, write_back=15 * scale)
    far = replace(times, write_back=200 * scale)
    return replace(instance, capacity=128), {
        name: coupling_of(trace.signatures, design, far if "SMM" in name else times)
        for name, design in DESIGNS.items()
    }


def test_optima_of_the_six_programs_are_proven_in_all_designs(
    program: tuple[Instance, dict[str, Coupling]],
) -> None:
    instance, couplings = program
    for name, coupling in couplings.items():
        found = coupled_optimum(instance, coupling, time_limit=20)
        check_coupled(instance, coupling, found)
        assert found.proof == "certificate"
        assert found.gap == 0, name
        for start in (greedy(instance), coupled_greedy(instance, coupling)):
            known = coupled_optimum(instance, coupling, start=start, most_nodes=0)
            assert found.cost <= known.cost
