"""Whole answers: copies as the source has them, laws between them, what is refused."""

from pathlib import Path
from typing import Any

import pytest

from logca.common.errors import FileError, LogcaError, TraceError
from logca.numeric.partition.answer.partition import partition
from logca.offloading import gpu_times
from logca.offloading import offload as offload_module
from logca.offloading.given_accelerator import given_accelerator
from logca.offloading.links.copy_link import CopyLink, copy_link
from logca.offloading.offload import offload
from logca.offloading.result import Offload
from logca.offloading.ways import batched_way, remedied_way, way_to_offload

SUM = """
#ifndef N
#define N 4096
#endif
float a[N], b[N], c[N];
int main(void) {
  for (int i = 0; i < N; i++) { a[i] = i; b[i] = 2 * i; }
  for (int t = 0; t < 2; t++)
    #pragma logca offload
    for (int i = 0; i < N; i++) c[i] = a[i] + b[i];
  return (int)c[3] == 0;
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "sum.c"
    path.write_text(text)
    return path


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few sizes, all of them predicted in this process: others take seconds to start."""
    monkeypatch.setattr(offload_module, "_POINTS", 4)
    monkeypatch.setattr(gpu_times, "usable_cores", lambda: 1)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Offload:
    # passes enough for the copies to pay on a host with a fast memory, too
    source = written(tmp_path_factory.mktemp("offload"), SUM.replace("t < 2", "t < 6"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offload_module, "_POINTS", 5)
        return offload(source, size="N=1024:1000000", device="h100-pcie", link="pcie5")


def test_the_copies_are_the_arrays_of_the_source(found: Offload) -> None:
    for point in found.points:
        assert point.bytes == 12 * point.size
        assert point.copied(()) == (3, 12 * point.size)
        assert point.copies_s(found.link) == pytest.approx(
            3 * 10e-6 + 12 * point.size / 50.4e9, rel=1e-9
        )
        assert point.copied(("a", "c")) == (1, 4 * point.size)
        assert point.gpu.launches == 6


def test_the_host_was_timed_at_every_size_and_takes_longer_for_more(found: Offload) -> None:
    assert all(point.measured for point in found.points)
    assert found.points[-1].host_s > 10 * found.points[0].host_s
    # two passes over 12 bytes an element at less than 1 TB/s
    assert found.points[-1].host_s > 6 * 12e6 / 1e12


def test_it_pays_where_the_times_cross(found: Offload) -> None:
    where = found.break_even
    assert where.least is not None
    assert where.lasting is not None
    sides = [
        (point.size, point.host_s - time)
        for point, time in zip(found.points, found.way.accelerated_s, strict=True)
    ]
    below = max(size for size, gain in sides if gain < 0)
    above = min(size for size, gain in sides if size > below)
    assert below <= where.least <= above
    assert above / below < 2


def test_no_alternative_is_later_than_what_was_asked_for(found: Offload) -> None:
    asked = found.break_even
    for way in found.alternatives:
        other = found.of(way)
        assert (other.least or 0) <= asked.least
        assert other.best >= asked.best * (1 - 1e-9)
    names = [way.name for way in found.alternatives]
    assert "a, b, c resident" in names
    assert not any("pcie" in name for name in names)


def test_calls_that_go_together_share_what_starts_them(found: Offload) -> None:
    for calls in (1, 8):
        way = batched_way(found.points, found.link, (), calls)
        for point, time in zip(found.points, way.accelerated_s, strict=True):
            once = point.gpu.launching_s + 3 * 10e-6
            rest = point.gpu.time_s - point.gpu.launching_s + 12 * point.size / 50.4e9
            assert time == pytest.approx(once / calls + rest, rel=1e-6)


def test_remedies_leave_launches_and_copies_as_they_are(found: Offload) -> None:
    way = remedied_way("", 0.25, found.points, found.link, ())
    for point, time in zip(found.points, way.accelerated_s, strict=True):
        saved = 0.75 * (point.gpu.time_s - point.gpu.launching_s)
        assert time == pytest.approx(
            point.gpu.time_s + point.copies_s(found.link) - saved, rel=1e-9
        )


def test_resident_arrays_are_as_one_memory(found: Offload) -> None:
    resident = way_to_offload("", found.points, found.link, {"a", "b", "c"})
    one_memory = way_to_offload("", found.points, copy_link("integrated"), ())
    assert resident.accelerated_s == one_memory.accelerated_s
    assert resident.accelerated_s == tuple(point.gpu.time_s for point in found.points)


def test_a_slower_link_pays_later(found: Offload) -> None:
    def least(link: CopyLink) -> float:
        way = way_to_offload("", found.points, link, ())
        return found.of(way).least or float("inf")

    leasts = [least(copy_link(name)) for name in ("integrated", "pcie5", "pcie4", "pcie3")]
    assert leasts[1:] == sorted(leasts[1:])
    assert least(copy_link("pcie5").pageable) >= leasts[1]


def test_the_interval_holds_the_break_even(found: Offload) -> None:
    where = found.break_even
    early, late = where.early[-1], where.late[-1]
    assert (early.least or 0) <= (where.least or 0) <= (late.least or float("inf"))


def test_the_fit_has_the_link_in_it(found: Offload) -> None:
    assert found.fitted is not None
    low, high = found.interval("L")
    # 12 bytes in and out for 12 bytes of data, and what kernels take for a byte beside it
    assert low <= 1 / 50.4e9 * 1.2
    assert high >= 1 / 50.4e9 * 0.8
    low, high = found.interval("o")
    assert low < 50e-6 < high * 1.2


def test_the_parts_are_the_whole(found: Offload) -> None:
    for place, time in enumerate(found.way.accelerated_s):
        assert sum(found.parts_at(place).values()) == pytest.approx(time)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"resident": ["x"]}, FileError, "reach no array 'x' that would be copied; known: a, b, c"),
        ({"link": "pcie9"}, FileError, "there is no link 'pcie9'"),
        ({"device": "rtx-9999"}, FileError, "rtx-9999"),
        ({"device": "jetson-tk1"}, LogcaError, "bounds"),
        ({"size": "M=1:8"}, TraceError, "macro M"),
    ],
)
def test_what_is_refused(
    change: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        offload(written(tmp_path, SUM), **({"size": "N=1024:4096"} | change))


@pytest.mark.usefixtures("here")
def test_what_the_host_reaches_between_launches_is_copied_each_time(tmp_path: Path) -> None:
    text = SUM.replace("c[i] = a[i] + b[i];", "c[i] += a[i] + b[i];").replace("t < 2", "t < 50")
    text = text.replace("for (int t = 0; t < 50; t++)", "for (int t = 0; t < 50; t++) {")
    text = text.replace("  return (int)", "    b[t] = c[t] + 1; }\n  return (int)")
    found = offload(written(tmp_path, text), size="N=4096:65536", device="h100-pcie")
    for point in found.points:
        assert point.gpu.launches == 50
        # a once; b in and c out in each iteration, c in once
        assert point.copied(()) == (102, 4 * point.size * 102)
    assert any("the host reaches b, c between launches" in note for note in found.notes)
    assert found.alternatives[0].name == "a resident"


@pytest.mark.usefixtures("here")
def test_a_size_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    text = SUM.replace("int main", "#ifndef M\n#define M 7\n#endif\nint m = M;\nint main")
    with pytest.raises(TraceError, match="M changes nothing that the loops do"):
        offload(written(tmp_path, text), size="M=1:8")


def test_a_program_without_loops_says_so(tmp_path: Path) -> None:
    text = "#ifndef N\n#define N 5\n#endif\nint main(void) { return N == 3; }"
    with pytest.raises(LogcaError, match="loop"):
        offload(written(tmp_path, text), size="N=1:8")


@pytest.mark.usefixtures("here")
def test_an_accelerator_by_its_numbers_follows_the_model(tmp_path: Path) -> None:
    found = offload(
        written(tmp_path, SUM),
        size="N=10000:1000000",
        device="A=4,o=50us",
        others=["A=8,o=50us", "h100-pcie"],
        link="1GB/s,1us",
    )
    for point, time in zip(found.points, found.way.accelerated_s, strict=True):
        copies = 3e-6 + 12 * point.size / 1e9
        assert time == pytest.approx(2 * 50e-6 + point.host_s / 4 + copies)
    faster, gpu = found.alternatives[-2:]
    assert found.of(faster).best >= found.break_even.best
    assert gpu.name.startswith("device NVIDIA H100 PCIe")
    assert gpu.interval_s[0][0] < gpu.accelerated_s[0] < gpu.interval_s[0][1]


@pytest.mark.parametrize("text", ["A=1", "A=x", "o=5us", "A=20,o=5", "A=20,A=30", "A=20,L=1us"])
def test_numbers_that_are_no_accelerator(text: str) -> None:
    with pytest.raises(FileError, match=r"write A=20 or A=20,o=5us"):
        given_accelerator(text)


@pytest.mark.usefixtures("here")
def test_another_host_takes_its_share_of_the_time(tmp_path: Path) -> None:
    source = written(tmp_path, SUM)
    found = offload(
        source, size="N=10000:1000000", host="cores=4,speed=2,peak=100", from_specs=True
    )
    assert found.host.startswith("4 cores, each 2 times as fast as one of")
    # 128 multiprocessors with 128 lanes each, which multiply and add; and 400 GFLOP/s
    peak = 2 * 128 * 128 * 2.52e9 / 4e11
    (way,) = (way for way in found.alternatives if "specifications" in way.name)
    assert way.name == f"by specifications alone (altaf2017, section 4), A = {peak:.4g}"
    last = found.points[-1]
    # it computes so many times as fast as one core of this machine, 8 times the time of that host
    assert way.accelerated_s[-1] == pytest.approx(
        last.gpu.launching_s + 8 * last.host_s / peak + last.copies_s(found.link), rel=1e-3
    )


@pytest.mark.usefixtures("here")
def test_a_partition_beside_the_caches_is_that_of_the_partition_verb(tmp_path: Path) -> None:
    source = written(tmp_path, SUM)
    found = offload(source, size="N=500:50000", accelerator="reconfigurable")
    assert [each.size for each in found.beside_caches] == list(found.sizes[:4])
    first = found.beside_caches[0]
    assert first.speedup == partition(source, defines={"N": first.size}).speedup
    assert first.proven


@pytest.mark.usefixtures("here")
def test_devices_that_are_compared_have_their_energy(tmp_path: Path) -> None:
    found = offload(
        written(tmp_path, SUM), size="N=1000:100000", device="h100-pcie", others=["l4", "A=3"]
    )
    assert found.way.energy_j == pytest.approx(350 * found.way.accelerated_s[-1])
    *_, l4, numbers = found.alternatives
    assert l4.energy_j == pytest.approx(72 * l4.accelerated_s[-1])
    assert numbers.energy_j is None


@pytest.mark.usefixtures("here")
def test_loops_are_those_of_the_source_at_every_size(tmp_path: Path) -> None:
    text = SUM.replace(
        "  return (int)", "  for (int i = 0; i < N / 2000; i++) a[i] *= c[i];\n  return (int)"
    )
    text = text.replace("    #pragma logca offload\n", "")
    found = offload(written(tmp_path, text), size="N=2000:100000")
    assert {len(point.gpu.kernels) for point in found.points} == {len(found.loops)}


def test_another_kind_of_accelerator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="reconfigurable is the only other kind"):
        offload(written(tmp_path, SUM), accelerator="quantum")


@pytest.mark.usefixtures("here")
def test_a_value_that_a_loop_gathers_comes_back_after_each_launch(tmp_path: Path) -> None:
    text = SUM.replace("    for (int i = 0; i < N; i++) c[i] =", "{ float s = 0; FOR s +=")
    text = text.replace("t < 2", "t < 30").replace(" + b[i];", " * b[i]; c[t] = s; }")
    text = text.replace("#pragma logca offload\n{", "{").replace(
        "FOR", "\n#pragma logca offload\nfor (int i = 0; i < N; i++)"
    )
    found = offload(written(tmp_path, text), size="N=1000:100000")
    for point in found.points:
        # a and b once, the sum after each launch
        assert point.copied() == (32, 8 * point.size + 30 * 8)
        assert point.bytes == 8 * point.size
