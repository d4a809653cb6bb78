"""The loops that are best offloaded together, against all choices there are."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logca.gpu.prediction.result import CopiedArray
from logca.offloading.array_flows import HOST, OUTSIDE, ArrayFlow
from logca.offloading.gpu_times import GpuTime, LoopOnGpu
from logca.offloading.links.copy_link import copy_link
from logca.offloading.result import SizePoint
from logca.offloading.together import best_loops

LINK = copy_link("10GB/s,5us")
SECONDS = st.floats(1e-7, 1e6)
PLACES = st.sampled_from([0, 1, 2, HOST, OUTSIDE])
FLOWS = st.lists(
    st.builds(
        ArrayFlow,
        array=st.sampled_from("AB"),
        writer=PLACES,
        readers=st.frozensets(PLACES, min_size=1),
        times=st.integers(1, 5),
    ),
    max_size=6,
)


def point(host: list[float], gpu: list[float], flows: list[ArrayFlow]) -> SizePoint:
    return SizePoint(
        size=1,
        host_runs_s=(sum(host),),
        measured=True,
        host_loops_s=tuple(host),
        program_s=None,
        gpu=GpuTime(
            time_s=sum(gpu),
            interval_s=(sum(gpu), sum(gpu)),
            launches=len(gpu),
            launching_s=0.0,
            bound="",
            arrays=tuple(CopiedArray(name=name, to_gpu=1e4, to_host=0.0) for name in "AB"),
            flows=tuple(flows),
            kernels=tuple(
                LoopOnGpu(
                    file="",
                    line=place,
                    time_s=time,
                    interval_s=(time, time),
                    launches=1,
                    launching_s=0.0,
                )
                for place, time in enumerate(gpu)
            ),
        ),
    )


@given(
    st.lists(SECONDS, min_size=3, max_size=3),
    st.lists(SECONDS, min_size=3, max_size=3),
    FLOWS,
    st.sets(st.sampled_from("AB")),
)
def test_no_other_choice_takes_less(
    host: list[float], gpu: list[float], flows: list[ArrayFlow], resident: set[str]
) -> None:
    here = point(host, gpu, flows)
    choices = chain.from_iterable(combinations(range(3), number) for number in (1, 2, 3))
    times = {
        choice: sum(gpu[n] if n in choice else host[n] for n in range(3))
        + here.copies_s(LINK, resident, choice)
        for choice in choices
    }
    unit = 1e-10 + 8 * (sum(host) + sum(gpu)) / (1 << 52)  # times become whole numbers
    found = best_loops(here, LINK, resident, gpu)
    assert found.proven
    assert found.time_s == pytest.approx(min(times.values()), abs=unit)
    assert times[found.loops] == pytest.approx(found.time_s, abs=unit)
