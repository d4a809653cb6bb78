"""Offloads of made-up times, for what shows them."""

from collections.abc import Callable, Sequence

from logca.gpu.loops.host_parts import HostPart
from logca.gpu.prediction.result import CopiedArray
from logca.numeric.timings.crossing import median
from logca.offloading.array_flows import OUTSIDE, ArrayFlow
from logca.offloading.beside_caches import BesideCaches
from logca.offloading.check import CheckedPoint, OffloadCheck
from logca.offloading.gpu_times import GpuTime, LoopOnGpu
from logca.offloading.links.copy_link import copy_link
from logca.offloading.result import Offload, SizePoint
from logca.offloading.threads import OpenMP
from logca.offloading.together import best_way
from logca.offloading.ways import pipelined_way, way_to_offload

SIZES = (16, 64, 256, 1024)


def made(
    host: Callable[[int], float],
    kernels: Callable[[int], float],
    *,
    spread: float = 1.1,
    against: tuple[str, ...] = (),
) -> Offload:
    """Four bytes an element go in and out over pcie4; times in microseconds."""
    points = tuple(
        SizePoint(
            size=size,
            host_runs_s=(1e-6 * host(size),),
            measured=size < SIZES[-1],
            host_loops_s=(0.75e-6 * host(size), 0.25e-6 * host(size)),
            program_s=2e-6 * host(size) if size < SIZES[-1] else None,
            gpu=GpuTime(
                time_s=1e-6 * kernels(size),
                interval_s=(1e-6 * kernels(size) / spread, 1e-6 * kernels(size) * spread),
                launches=1,
                launching_s=min(1e-6, 1e-6 * kernels(size)),
                bound="latency",
                arrays=(
                    CopiedArray(name="a", to_gpu=4.0 * size, to_host=0.0),
                    CopiedArray(name="<b>", to_gpu=0.0, to_host=4.0 * size),
                ),
                flows=(
                    ArrayFlow(array="a", writer=OUTSIDE, readers=frozenset({0}), times=1),
                    ArrayFlow(array="<b>", writer=1, readers=frozenset({OUTSIDE}), times=1),
                ),
                kernels=tuple(
                    LoopOnGpu(
                        file="dir/file.c",
                        line=line,
                        time_s=0.5e-6 * kernels(size),
                        interval_s=(0.5e-6 * kernels(size), 0.5e-6 * kernels(size)),
                        launches=1,
                        launching_s=0.0,
                    )
                    for line in (7, 9)
                ),
            ),
        )
        for size in SIZES
    )
    link = copy_link("pcie4")
    return Offload(
        device="GPU <1>",
        link=link,
        host="CPU",
        macro="N",
        loops=(("dir/file.c", 7, 8), ("dir/file.c", 9, 9)),
        compiled_files=frozenset({"dir/file.c"}),
        share=0.9,
        resident=(),
        points=points,
        way=way_to_offload("as asked for", points, link, ()),
        alternatives=(
            way_to_offload("a, <b> resident", points, link, {"a", "<b>"}),
            pipelined_way(points, link, ()),
            way_to_offload("link integrated: one memory", points, copy_link("integrated"), ()),
        ),
        together=best_way(points, link, ())[1],
        beside_caches=(
            BesideCaches(
                size=SIZES[0],
                speedup=1.5,
                moved=2,
                blocks=3,
                proven=True,
                platform="a machine",
                design="SL2+",
            ),
        ),
        against=against,
        left_out=(
            HostPart(
                file="dir/file.c",
                line=3,
                function="main",
                share=0.1,
                reason="which only writes: it prepares data",
                fix="",
            ),
        ),
        fits=(),
        notes=("a note",),
    )


def checked(
    threads: Sequence[float], predicted: Sequence[float], *, same: bool = True
) -> OffloadCheck:
    """A check of sizes 2, 4, 8, ..., at which one core takes as many seconds."""
    points = tuple(
        CheckedPoint(
            size=2**n,
            entries=1,
            host=median([2.0**n, 2.0**n * 1.01]),
            threads=median([time, time * 1.1]),
            predicted_s=other,
            same=same,
        )
        for n, (time, other) in enumerate(zip(threads, predicted, strict=True), start=1)
    )
    compiler = OpenMP(command="gcc", threads=2, first_s=1e-5, again_s=1e-6)
    return OffloadCheck(macro="N", compiler=compiler, loops=(), points=points)
