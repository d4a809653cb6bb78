"""Timings from what tools write: StarPU, GPU-BLOB, openssl speed, NVBench, nccl-tests, OSU.

The texts are made up, in the formats that the tools' sources print; `openssl speed` is that of
OpenSSL 3.0.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from logca.common.errors import LogcaError
from logca.numeric.timings.reading import read, read_each
from logca.numeric.timings.timings import Spread, TimingsError

FILES = Path(__file__).parents[3] / "examples" / "timings" / "tools"
SIZES = (4096, 65536, 1048576, 16777216)


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# StarPU: perfmodel_history.c, dump_model_file and what it calls
Entries = Sequence[tuple[str, int, float, float, int]]  # footprint, size, mean and deviation, n


def model(devices: Mapping[tuple[int, int, int], Sequence[Entries]]) -> str:
    """A performance model; keys are type, id and cores, values entries of each implementation."""
    rule = "####################"
    lines = ["##################", "# Performance Model Version", "45", "", rule, "# COMBs"]
    lines += ["# number of combinations", f"{len(devices)}"]
    for comb, ((kind, which, cores), implementations) in enumerate(devices.items()):
        lines += [rule, f"# COMB_{comb}", "# number of types devices", "1"]
        types = "# device type (CPU - 0, CUDA - 1, OPENCL - 2, MIC - 3)"
        for title, value in ((types, kind), ("# device id ", which), ("# number of cores ", cores)):
            lines += [rule, "# DEV_0", title, f"{value}"]
        lines += ["##########", "# number of implementations", f"{len(implementations)}"]
        for entries in implementations:
            lines += ["#####", "# Model for ...", "# number of entries", f"{len(entries)}"]
            lines += ["# sumlnx\tsumlnx2\t...", "0.0\t0.0\t0.0\t0.0\tnan\tnan\t0\t0\t0"]
            lines += ["# a\t\tb\t\tc", "nan\tnan\tnan", "# not multiple-regression-base", "0"]
            lines += ["# hash\t\tsize\t\tflops\t\tmean (us)\tdev (us)\tsum\t\tsum2\t\tn"]
            for footprint, size, mean, deviation, n in entries:
                square = n * (mean**2 + deviation**2)
                lines.append(
                    f"{footprint}\t{size:<15d}\t1.0e+06\t{mean:<15e}\t{deviation:<15e}\t"
                    f"{mean * n:<15e}\t{square:<15e}\t{n}"
                )
            lines.append("")
    return "\n".join(lines) + "\n"


def entries(per_byte: float, overhead: float, n: int = 30) -> Entries:
    return [
        (f"{size:08x}", size, overhead + size * per_byte, 0.02 * (overhead + size * per_byte), n)
        for size in reversed(SIZES)
    ]


CODELET = model(
    {
        (0, 0, 1): [entries(1e-3, 0)],
        (1, 0, 1): [entries(1e-4, 20), entries(2e-4, 20)],
        (1, 1, 1): [entries(5e-5, 20)],
    }
)


def matrix(*rows: Sequence[float]) -> str:
    full = [[*row, float("nan")] for row in rows]
    lines = ["# to 0\t\tto 1\t\tto 2\t\tto 3\t\t"]
    return "\n".join([*lines, *("\t".join(f"{each:f}" for each in row) for row in full)]) + "\n"


def test_a_codelet_of_starpu(tmp_path: Path) -> None:
    path = saved(tmp_path, "gemm.mira", CODELET)
    with pytest.raises(TimingsError, match="'cuda0_impl0', 'cuda0_impl1', 'cuda1_impl0' may be"):
        read(path)
    reading = read(path, accelerated="cuda0_impl1")
    timings = reading.timings
    assert timings.granularity == SIZES
    assert [each[0] for each in timings.host] == pytest.approx([g * 1e-9 for g in SIZES])
    assert timings.accelerated[0][0] == pytest.approx((20 + SIZES[0] * 2e-4) * 1e-6)
    assert timings.host_spread[-1] == pytest.approx(Spread(0.02 * SIZES[-1] * 1e-9, 30))
    assert "without transfers" in reading.notes[0]
    assert [*read_each(path)] == ["cuda0_impl0", "cuda0_impl1", "cuda1_impl0"]


def test_transfers_by_bus_files_of_starpu(tmp_path: Path) -> None:
    """Latency and size over bandwidth, there with all operands and back with a third of them."""
    path = saved(tmp_path, "gemm.mira", CODELET)
    bandwidth = saved(tmp_path, "mira.bandwidth", matrix((0, 8000, 4000), (2000, 0, 1), (1, 1, 0)))
    latency = saved(tmp_path, "mira.latency", matrix((0, 10, 11), (12, 0, 1), (1, 1, 0)))
    alone = read(path, accelerated="cuda0_impl0").timings.accelerated
    for bus in (bandwidth, latency, tmp_path):
        reading = read(path, accelerated="cuda0_impl0", bus=bus)
        for size, bare, with_ in zip(SIZES, alone, reading.timings.accelerated, strict=True):
            moved = 10 + size / 8000 + 12 + size / 3 / 2000
            assert with_[0] - bare[0] == pytest.approx(moved * 1e-6)
        assert any("a third of them back" in note for note in reading.notes)
        assert reading.provenance["bus"] == bus.name
    with pytest.raises(TimingsError, match="give it with a model of a codelet: --bus"):
        read(latency)
    with pytest.raises(TimingsError, match="for performance models of StarPU, not"):
        read(saved(tmp_path, "t.csv", "granularity_B,host_s,gpu_s\n1,1,1\n"), bus=latency)
    (tmp_path / "mira.latency").unlink()
    with pytest.raises(TimingsError, match=r"there is no file .*mira\.latency"):
        read(path, accelerated="cuda0_impl0", bus=bandwidth)


def test_nodes_of_opencl_come_after_those_of_cuda(tmp_path: Path) -> None:
    """Their number is in the machine's configuration, without which they are left out."""
    both = {(0, 0, 1): [entries(1e-3, 0)], (1, 0, 1): [entries(1e-4, 20)]}
    path = saved(tmp_path, "gemm.mira", model({**both, (2, 0, 1): [entries(1e-4, 20)]}))
    saved(tmp_path, "mira.bandwidth", matrix((0, 8000, 4000), (2000, 0, 1), (1000, 1, 0)))
    saved(tmp_path, "mira.latency", matrix((0, 10, 11), (12, 0, 1), (13, 1, 0)))
    assert "opencl0_impl0: left out" in " ".join(read(path, bus=tmp_path).notes)
    saved(
        tmp_path,
        "mira.config",
        "# Current configuration\n8 # Number of CPUs\n1 # Number of CUDA "
        "devices\n1 # Number of OpenCL devices\n",
    )
    found = read(path, accelerated="opencl", bus=tmp_path).timings.accelerated[0][0]
    size = SIZES[0]
    moved = 11 + size / 4000 + 13 + size / 3 / 1000
    assert found == pytest.approx((20 + size * 1e-4 + moved) * 1e-6)


def test_earlier_versions_of_a_model_of_starpu(tmp_path: Path) -> None:
    new = read(saved(tmp_path, "gemm.mira", CODELET), accelerated="cuda1").timings
    # no line of a multiple regression, and other blanks
    text = CODELET.replace("# not multiple-regression-base\n0\n", "").replace("\n45\n", "\n44\n")
    tabs = text.replace("# Performance Model Version", "#\tPerformance\tModel\tVersion")
    assert str(read(saved(tmp_path, "44", tabs), accelerated="cuda1").timings) == str(new)
    # kinds of devices one after the other, each device with its workers
    parts = ["# Performance Model Version\n42\n"]
    for kind in ([entries(1e-3, 0)], [entries(1e-4, 20), entries(5e-5, 20)], [], [], []):
        parts.append(f"# number of devices\n{len(kind)}\n")
        for found in kind:
            parts.append("# workers\n1\n# implementations\n1\n# number of entries\n4\n")
            parts.append("0.0\t0.0\t0.0\t0.0\tnan\tnan\t0\t0\t0\n# a b c\nnan\tnan\tnan\n")
            for footprint, size, mean, deviation, n in found:
                parts.append(f"{footprint}\t{size}\t0\t{mean}\t{deviation}\t{mean * n}\t0\t{n}\n")
    assert str(read(saved(tmp_path, "42", "".join(parts)), accelerated="cuda1").timings) == str(new)


def test_several_footprints_of_a_size_are_runs_of_it(tmp_path: Path) -> None:
    twice = [*entries(1e-3, 0), ("ff", SIZES[0], 12.0, 0.0, 30)]
    path = saved(tmp_path, "gemm.mira", model({(0, 0, 1): [twice], (1, 0, 1): [entries(1e-4, 20)]}))
    timings = read(path).timings
    mean = (4.096 + 12.0) / 2 * 1e-6
    assert timings.host[0][0] == pytest.approx(mean)
    # of 30 runs around 4.096 and 30 at 12 us
    spread = (29 * (0.02 * 4.096) ** 2 + 60 * ((12 - 4.096) / 2) ** 2) / 59
    assert timings.host_spread[0] == pytest.approx((spread**0.5 * 1e-6, 60))


def test_a_footprint_with_two_sizes_is_left_out(tmp_path: Path) -> None:
    other = [*entries(1e-4, 20), ("ff", 8192, 21.0, 1.0, 30)]
    host = [*entries(1e-3, 0), ("ff", 16384, 16.0, 1.0, 30)]
    path = saved(tmp_path, "gemm.mira", model({(0, 0, 1): [host], (1, 0, 1): [other]}))
    reading = read(path)
    assert reading.timings.granularity == SIZES
    assert "footprint ff has the sizes 8 KiB and 16 KiB on its devices" in reading.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t30\n", "\t0\n", r"line \d+: n: '0' runs; a mean is of 1, 2, 3"),
        ("8.192000e-02", "-8.19200e-02", r"line \d+: dev: deviation '-8.19200e-02' is negative"),
        ("1.228800e+02", "9.000000e+02", r"mean 4.096000e\+00 us contradicts sum 9.000000e\+02 us"),
        ("\n45\n", "\n46\n", ""),
        (
            "# number of entries\n4\n",
            "# number of entries\n5\n",
            r"1 values, and an entry has 8 .*version 45",
        ),
        ("# number of combinations\n3\n", "# number of combinations\n4\n", "ends before number of"),
        ("4096           \t", "0\t", "size: granularity '0' is not above 0"),
        ("\t30\n", "\n", r"line \d+"),
    ],
)
def test_what_is_wrong_in_a_codelet_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in CODELET
    path = saved(tmp_path, "gemm.mira", CODELET.replace(old, new))
    if not message:  # a later version of the same form
        assert len(read(path, accelerated="cuda1").timings) == len(SIZES)
        return
    with pytest.raises(TimingsError, match=message):
        read(path, accelerated="cuda1")


BLOB = "Device,Kernel,M,N,K,Total Problem Size (KiB),Iterations,Total Seconds,GFLOP/s\n"


def blob(iterations: int = 10) -> str:
    """include/utilities.hh: size with three decimals, seconds with five."""
    rows = []
    for n in (8, 64, 128, 256, 512):
        kib = 3 * n * n * 4 / 1024
        times = {"cpu": n**3 * 2e-9, "gpu_offloadOnce": 1e-5 + n**3 * 1e-10}
        times |= {"gpu_offloadAlways": 1e-4 + n**3 * 1e-10, "gpu_unified": 5e-5 + n**3 * 1e-10}
        for device, seconds in times.items():
            total = seconds * iterations
            rate = 2 * n**3 * iterations / total / 1e9
            rows.append(
                f"{device},sgemm,{n},{n},{n},{kib:.3f},{iterations},{total:.5f},{rate:.3f}\n"
            )
    return BLOB + "".join(rows)


def test_gpu_blob(tmp_path: Path) -> None:
    path = saved(tmp_path, "sgemm_square.csv", blob())
    ways = "'gpu_offloadOnce', 'gpu_offloadAlways', 'gpu_unified' may be the accelerated path"
    with pytest.raises(TimingsError, match=ways):
        read(path)
    reading = read(path, accelerated="Always")
    assert reading.timings.granularity == tuple(12 * n * n for n in (8, 64, 128, 256, 512))
    assert reading.timings.accelerated[1][0] == pytest.approx(1e-4 + 64**3 * 1e-10, abs=1e-6)
    assert reading.timings.resolution == pytest.approx(1e-6)
    assert any("1/10 of the transfers" in note for note in read(path, accelerated="Once").notes)
    # at 8 the host's 1e-6 s for ten are .00001, at one iteration they are nothing
    few = read(saved(tmp_path, "few.csv", blob(1)), accelerated="unified")
    assert few.timings.host[0].size == 0
    assert any("five decimals do not show" in note for note in few.notes)
    assert len(read_each(path)) == 3
    row = "{},sspmm,{},{},{},{:.3f},{},100,{:.5f},1.0\n"
    header = blob().partition("\n")[0].replace("Iterations", "Sparsity,Iterations")
    rows = [
        row.format(path, n, n, n, 3 * n * n / 256, sparsity, (1 - sparsity) * n**3 * 1e-6)
        for path in ("cpu", "gpu_unified")
        for n in (64, 128, 256, 512)
        for sparsity in (0.5, 0.99)
    ]
    sparse = read_each(
        saved(tmp_path, "sparse.csv", "".join([header, "\n", *rows])), host="cpu sparsity 0.5"
    )
    assert [*sparse] == [
        "cpu sparsity 0.99",
        *(f"gpu_unified sparsity {each}" for each in (0.5, 0.99)),
    ]
    turned = saved(
        tmp_path, "turned.csv", blob() + blob().partition("\n")[2].replace("64,64,64", "32,72,96")
    )
    assert any(
        "have the same size, 48 KiB" in note for note in read(turned, accelerated="Once").notes
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "48.000,10",
            "84.000,10",
            r"line 6: .*84\.000 contradicts M = 64, N = 64, K = 64 of sgemm",
        ),
        ("48.000,10", "48.000,0", "line 6: Iterations '0' must be 1, 2, 3"),
        ("48.000,10", "48.000,ten", "line 6: Iterations: 'ten' is no number"),
        ("48.000,10", "48.000", "line 6: 8 values, and the header has 9"),
    ],
)
def test_what_is_wrong_in_gpu_blob_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = saved(tmp_path, "sgemm.csv", blob().replace(old, new, 1))
    with pytest.raises(TimingsError, match=message):
        read(path, accelerated="Once")


SPEED = """Doing aes-128-cbc for 3s on 16 size blocks: 9000000 aes-128-cbc's in 3.00s
version: 3.0.19
options: bn(64,64)
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
aes-128 cbc      48000.00k    60000.00k    64000.00k    65000.00k    66000.00k    66000.00k
slow              9000.00    60000.00k    64000.00k    65000.00k    66000.00k    66000.00k
                  sign    verify    sign/s verify/s
rsa 2048 bits 0.000797s 0.000035s   1255.3  28400.5
"""


def test_openssl_speed(tmp_path: Path) -> None:
    software = saved(tmp_path, "software.txt", SPEED)
    faster = SPEED.replace("66000.00k", "660000.00k").replace("48000.00k", "4800.00k")
    engine = saved(tmp_path, "engine.txt", faster)
    with pytest.raises(TimingsError, match="'aes-128 cbc', 'slow' none is clearly the host path"):
        read(software)
    reading = read(software, other=engine, host="aes")
    assert [*read_each(software, other=engine, host="aes")] == ["aes-128 cbc", "slow"]
    assert reading.timings.granularity == (16, 64, 256, 1024, 8192, 16384)
    assert reading.timings.host[0][0] == pytest.approx(16 / 48e6)
    assert reading.timings.accelerated[-1][0] == pytest.approx(16384 / 660e6)
    assert "host is 'aes-128 cbc' of" in reading.notes[0]
    assert {"timings", "accelerated_timings"} <= {*reading.provenance}
    alone = read(software, host="slow", accelerated="aes").timings
    assert alone.host[0][0] == pytest.approx(16 / 9000)
    both = saved(tmp_path, "both.txt", SPEED.partition("                  sign")[0] + faster)
    tables = read(both, host="cbc, table 1", accelerated="cbc, table 2").timings
    assert tables.accelerated[0][0] == pytest.approx(16 / 4.8e6)
    with pytest.raises(TimingsError, match="is named twice"):
        read(software, other=software)


def test_openssl_speed_of_one_size_each(tmp_path: Path) -> None:
    """A table for each run with -bytes."""
    runs = [
        f"type             {size} bytes\nAES-128-GCM     {size * rate}.00k\n"
        for rate in (100, 10)
        for size in SIZES
    ]
    timings = read(
        saved(tmp_path, "speed.txt", "".join(runs)), host="table 1", accelerated="table 2"
    ).timings
    assert timings.granularity == SIZES
    assert [each[0] for each in timings.accelerated] == pytest.approx([1e-4] * 4)


def test_openssl_speed_for_machines(tmp_path: Path) -> None:
    text = "+DT:sha256:3:16\n+R:1:sha256:3.0\n+H:16:64:256:1024\n"
    rows = "+F:6:sha256:1600000.00:6400000.00:12800000.00:25600000.00\n+F:2:md5:1.0:2.0:3.0:4.0\n"
    timings = read(saved(tmp_path, "speed.txt", text + rows), host="md5", accelerated="sha256")
    assert [each[0] for each in timings.timings.accelerated] == pytest.approx(
        [1e-5, 1e-5, 2e-5, 4e-5]
    )


def test_clock_and_processes_of_openssl_speed(tmp_path: Path) -> None:
    """Rates by CPU time are refused, and those of several processes are not those of one."""
    plain = saved(tmp_path, "plain.txt", SPEED)
    waits = saved(tmp_path, "waits.txt", SPEED.replace("in 3.00s", "in 0.30s"))
    with pytest.raises(TimingsError, match=r"line 1: 0.30 s of CPU time in 3 s: .* with -elapsed"):
        read(plain, other=waits, host="aes")
    table = SPEED.partition("\n")[2]
    unknown = read(plain, other=saved(tmp_path, "table.txt", table), host="aes")
    assert "rates without -elapsed leave out waiting for an accelerator" in unknown.notes
    several = saved(tmp_path, "several.txt", "Forked child 0\nForked child 1\n" + SPEED)
    with pytest.raises(TimingsError, match=r"of single calls, and .* 2 processes side by side"):
        read(plain, other=several, host="aes")
    both = read(several, host="aes", accelerated="slow")
    assert any("a time is that of a call over 2" in note for note in both.notes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("48000.00k ", "", "line 6: aes-128 cbc: 5 rates, and the header has 6 sizes"),
        ("48000.00k", "0.00k", "line 6: aes-128 cbc: rate '0.00k' must be above 0"),
    ],
)
def test_what_is_wrong_in_openssl_speed_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(TimingsError, match=message):
        read(saved(tmp_path, "speed.txt", SPEED.replace(old, new)), host="slow", accelerated="aes")


MARKDOWN = (FILES / "copy.md").read_text(encoding="utf-8")
COLUMNS = (
    "Benchmark,Device,Device Name,Elements (pow2),Elements,Skipped,Samples,CPU Time (sec),"
    "Noise (%),GPU Time (sec),Noise (%),Elem/s (elem/sec)"
)
ROWS = [
    f"copy_gpu,0,NVIDIA A30,2^{power},{2**power},No,50,{time},0.02,{time / 2},0.01,1e9"
    for power, time in ((10, 3e-6), (12, 3.1e-6), (14, 3.5e-6), (16, 4e-6))
]


def test_nvbench(tmp_path: Path) -> None:
    host = saved(tmp_path, "host.md", MARKDOWN)
    skipped = "copy_gpu,0,NVIDIA A30,2^18,262144,Yes,,,,,,"
    other = saved(tmp_path, "gpu.csv", "\n".join([COLUMNS, *ROWS, skipped]) + "\n")
    reading = read(host, other=other, units={"granularity": "1 B"})
    timings = reading.timings
    assert timings.granularity == (1024, 4096, 16384, 65536)
    assert [each[0] for each in timings.host] == pytest.approx([2e-6, 4e-6, 8e-6, 16e-6])
    assert timings.host_spread[0] == pytest.approx((0.04 * 2e-6, 100))
    assert timings.host_spread[1] is None
    assert timings.accelerated_spread[-1] == pytest.approx((0.02 * 4e-6, 50))
    assert "1 rows without a time are left out" in reading.notes
    kernel = read(host, other=other, columns={"time": "GPU Time"}, units={"granularity": "4 B"})
    assert kernel.timings.granularity[0] == 4096
    assert kernel.timings.accelerated[0][0] == pytest.approx(1.5e-6)
    with pytest.raises(TimingsError, match="no column 'Wall' of times; there are CPU Time, GPU Ti"):
        read(host, other=other, columns={"time": "Wall"})


NCCL = (FILES / "all_reduce.txt").read_text(encoding="utf-8")


def test_nccl_tests(tmp_path: Path) -> None:
    path = saved(tmp_path, "nccl.txt", NCCL)
    reading = read(path, host="out-of-place", accelerated="all_reduce in-place")
    assert reading.timings.granularity == (1024, 65536, 1048576, 134217728)
    assert [each[0] for each in reading.timings.host] == pytest.approx(
        [35.49e-6, 50.05e-6, 100.5e-6, 1275.7e-6]
    )
    assert reading.timings.accelerated[-1][0] == pytest.approx(1270e-6)
    wrong = saved(tmp_path, "wrong.txt", NCCL.replace("105.21", "210.42"))
    with pytest.raises(
        TimingsError, match=r"line 11: time 1275.7 is 0.001276 s, and algbw 210.42 "
    ):
        read(wrong, host="out-of-place", accelerated="in-place")


def test_nccl_tests_of_several_types_and_runs(tmp_path: Path) -> None:
    """Rows of one size that differ in type, and tables one after the other, are no repetitions."""
    lines = NCCL.splitlines()
    halves = [each.replace("float", " half") for each in lines if " float " in each]
    types = saved(tmp_path, "types.txt", "\n".join([*lines, *halves]))
    reading = read(types, host="out-of-place float", accelerated="out-of-place half")
    assert [len(each) for each in reading.timings.host] == [1] * 4
    with pytest.raises(TimingsError, match="float', 'all_reduce out-of-place half' match"):
        read(types, host="out-of-place", accelerated="in-place")
    twice = saved(tmp_path, "twice.txt", NCCL + NCCL)
    reading = read(twice, host="all_reduce in-place", accelerated="in-place, table 2")
    assert [len(each) for each in reading.timings.host] == [1] * 4
    tagged = saved(tmp_path, "tag.txt", "".join(f"[1,0]<stdout>:{each}\n" for each in lines))
    assert read(tagged, host="out-of-place", accelerated="in-place").timings.granularity[0] == 1024


def test_osu(tmp_path: Path) -> None:
    rows = [(1, 1.5), (1024, 2.5), (65536, 20.0), (1048576, 200.0)]
    host = "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n0     1.40\n" + "".join(
        f"{size:<10d}{time:18.2f}\n" for size, time in rows
    )
    device = (
        "# OSU MPI-CUDA Bandwidth Test v7.5\n# Send Buffer on DEVICE (D) and Receive Buffer on "
        "DEVICE (D)\n# Size      Bandwidth (MB/s)        Validation\n"
    ) + "".join(f"{size:<10d}{size / time / 2:18.2f}     Pass\n" for size, time in rows)
    rates = host.replace("Latency Test", "Bandwidth Test").replace(
        "Latency (us)", "Bandwidth (MB/s)"
    )
    for size, time in rows:
        rates = rates.replace(f"{size:<10d}{time:18.2f}\n", f"{size:<10d}{size / time:18.6f}\n")
    saved(tmp_path, "rates.txt", rates)
    reading = read(tmp_path / "rates.txt", other=saved(tmp_path, "device.txt", device))
    assert reading.timings.granularity == (1, 1024, 65536, 1048576)
    assert reading.timings.host[1][0] == pytest.approx(2.5e-6)
    assert reading.timings.accelerated[-1][0] == pytest.approx(400e-6, rel=1e-5)
    assert "accelerated is 'OSU MPI-CUDA Bandwidth Test device to device' of" in " ".join(
        reading.notes
    )
    assert "size 0 is left out: the model has no such size" in reading.notes
    collective = host.replace(
        "# Size          Latency (us)",
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations",
    )
    near = saved(tmp_path, "near.txt", host.replace("# Size          Latency", "# Size Latency"))
    blocking = read(near, other=saved(tmp_path, "host.txt", host)).timings
    assert blocking.host[1][0] == pytest.approx(2.5e-6)
    with pytest.raises(TimingsError, match=r"host are of one message at a time, and .* in flight"):
        read(near, other=tmp_path / "device.txt")
    beside = "# Size          Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)"
    several = host.replace("# Size          Latency (us)", beside).replace(
        "2.50\n", "9.00  5.00  3.50  2.49\n"
    )
    several = re.sub(r"^(\d+ +[\d.]+)$", r"\1 5.0 4.0 2.49", several, flags=re.M)
    nonblocking = read(saved(tmp_path, "several.txt", several), other=near).timings
    assert nonblocking.host[1][0] == pytest.approx(3.5e-6)
    with pytest.raises(TimingsError, match="line 3: 2 values, and the header has 5"):
        read(saved(tmp_path, "cut.txt", collective), other=tmp_path / "device.txt")


def test_damaged_files_are_read_or_told(tmp_path: Path) -> None:
    """Cells replaced, lines cut, doubled or lost: a reading, or an error of this package."""
    texts = {each.name: each.read_text(encoding="utf-8") for each in FILES.iterdir()}
    texts |= {"speed.txt": SPEED, "sgemm.csv": blob()}
    rng = random.Random(0)
    cells = ["", "nan", "inf", "-1", "0", "x", "1e400", "|", "#", "4 KiB", "1us", "GB/s", "1_0"]
    told = []
    for _ in range(300):
        name = rng.choice([*texts])
        lines = texts[name].splitlines()
        for _ in range(2):
            at = rng.randrange(len(lines))
            parts = re.split(r"([,\s|]+)", lines[at])
            parts[rng.randrange(len(parts))] = rng.choice(cells)
            cut = lines[at][: rng.randrange(len(lines[at]) + 1)]
            lines[at : at + 1] = rng.choice([["".join(parts)], [cut], [], [lines[at]] * 2])
        path = saved(tmp_path, name, "\n".join(lines))
        try:
            read_each(path, bus=FILES if name == "gemm.mira" else None)
        except LogcaError as error:
            told.append(name in str(error))
    assert 100 < len(told) < 300
    assert all(told)
