"""Titles of columns: what is wholly read is right, and what is not is asked about; nothing else."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from logca.numeric.timings.reading import Reading, read, read_each
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.titles import read_title

SIZES = [1024, 4096, 16384, 65536, 262144]
HOST = [1.013e-9 * size for size in SIZES]
ACCELERATED = [1e-5 + 1e-10 * size for size in SIZES]
Cell = Callable[[float, float], object]


def table(folder: Path, titles: Sequence[str], *cells: Sequence[object], sep: str = ",") -> Path:
    path = folder / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=sep).writerows([titles, *zip(*cells, strict=True)])
    return path


def cells(cell: Cell) -> tuple[list[object], list[object]]:
    """Cells of both paths, from the size and the time."""
    host, accelerated = (
        [cell(size, time) for size, time in zip(SIZES, times, strict=True)]
        for times in (HOST, ACCELERATED)
    )
    return host, accelerated


def is_right(reading: Reading) -> bool:
    timings = reading.timings
    return all(
        np.allclose([np.median(each) for each in found], wanted, rtol=1e-5)
        for found, wanted in (
            ([[size] for size in timings.granularity], SIZES),
            (timings.host, HOST),
            (timings.accelerated, ACCELERATED),
        )
    )


def times(scale: float) -> Cell:
    return lambda _, time: f"{scale * time:.7g}"


def gigabytes(size: float, time: float) -> str:
    return f"{size / time / 1e9:.7g}"


SECONDS, MILLI, MICRO = times(1), times(1e3), times(1e6)
GIGA: Cell = gigabytes

READ: dict[Cell, list[str]] = {
    SECONDS: [
        *("{} [s]", "{}_seconds", "{}_s", "t_{} [s]", "{} wall / s", "{} time, s", "{}_time_s"),
        *("total seconds {}", "{} time in s", "seconds ({})", "sort {} (s)", "{}_elapsed_sec"),
    ],
    MILLI: [
        *(
            "{} time (ms)",
            "Time[ms] {}",
            "{}_ms",
            "{} / ms",
            "time_{}_ms",
            "{} avg [ms]",
            "{}'s ms",
        ),
        *("[ms] {}", "{} sort avx512 ms", "{}0_ms", "{} ms per call", "{}_ms_1"),
    ],
    MICRO: [
        *("{}_latency_us", "{}_us", "{}_aes_us", "{} [$\\mu$s]", "{} [\\mu s]", "{} [\\textmu s]"),
        *("{} (mu s)", "{} [micro s]", "{} (micro-seconds)", "{} us/call", "{}_us_per_image"),
        *("{}_time_per_call_us", "{} latency / call [us]"),
        "{} [\N{MICRO SIGN}s]",
    ],
    lambda _, time: f"{1e9 * time:.7g}": ["{} real_time (ns)", "{} ns/op", "{}_1_ns"],
    GIGA: [
        *("{} GB/s", "{} GB / sec.", "{}_GB_s", "{} GB-per-s", "{} throughput [GB/s]", "{} GBps"),
        *("{} GB s^{{-1}}", "{} [GB s$^{{-1}}$]", "{} GB.s-1", "{} [GB s\N{MINUS SIGN}1]"),
        "{} GB\N{MIDDLE DOT}s\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ONE}",
    ],
    lambda _, time: f"{1 / time:.7g}": [
        *("{} ops\N{DIVISION SLASH}s", "{} ops\N{FRACTION SLASH}s", "{} ops\N{DIVISION SIGN}s"),
        *("{} [images/s]", "images_per_sec {}"),
    ],
}


@pytest.mark.parametrize(
    ("title", "cell"), [(title, cell) for cell, titles in READ.items() for title in titles]
)
def test_titles_that_are_read(tmp_path: Path, title: str, cell: Cell) -> None:
    titles = ["size_B", title.format("cpu"), title.format("gpu")]
    assert is_right(read(table(tmp_path, titles, SIZES, *cells(cell))))


COUNTS = (
    *("images", "frames", "tasks", "queries", "jobs", "steps", "messages", "transactions"),
    *("launches", "reqs", "iters", "tokens", "packets", "pixels", "keys", "rows", "hashes"),
    *("signs", "imgs", "tps", "gbs"),
)

DOUBTFUL = [
    # rates that end as times do
    *("{} [1/s]", "{} throughput [1 / s]", "{} s^-1", "{} throughput [s\N{MINUS SIGN}1]", "1/{} s"),
    *("{} /s", "{} s-1", "{} s\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ONE}", "{} [s^{{-1}}]"),
    *("{} $s^{{-1}}$", "{} s**-1", "{} s^\N{EN DASH}1", "{} throughput in 1/ms", "inverse {} s"),
    *("{} rate (s)", "{} [GB]/[s]", "{} GB/(s)", "{} (GB)/(s)", "{} GB//s", "{} GB/each s"),
    *("{} bandwidth-s", "{} bandwidth (GB) over s", "{} kHz s", "{} hashes a s", "{} per s"),
    *(
        "{} ops (s)",
        "{} tokens [s]",
        "{} calls in s",
        "{} t/s",
        "{} speed, s",
        "{} fps ms",
        "{} elements/us",
        "{} s / GPU s",
        "{} 1/s",
    ),
    *(f"{{}}_{word}_s" for word in COUNTS),
    # scales beside the unit
    *("{} [10^6 B/s]", "{} [1e6 B/s]", "{} [x1000 B/s]", "{} [1000s B/s]", "{} million ops/s"),
    *("{} [10^6 ops/s]", "{} [1000 ops/s]", "{} 10^-6 s", "{} (1e-6 s)", "{} x10^-6 s", "{} 1e3 s"),
    *("{} 100 ns", "{} [10 us]", "{} ms per 100 iterations", "{} ms per 1000 calls", "{} ms/1000"),
    *("{} s/1000 ops", "{} ms (100 iterations)", "{} ms x1000", "{} time 1000 calls ms"),
    *("{}_ms_total_100", "{} time (10 runs) [ms]", "{} 10\N{SUPERSCRIPT SIX} B/s", "{} x 100 [ms]"),
    # times of something else
    *("{} us per 4 KiB", "{} ns/64 B", "{} ns [per element]", "{} ns a byte", "{} ns each byte"),
    *("{} us/page", "{} s/Mop", "{}_ns_elem", "{} us each page"),
    # prefixes apart from the unit, and several units
    *(
        "{} [u s]",
        "{} milli seconds",
        "{} m s",
        "{} m.s",
        "{} m-sec",
        "{} n sec",
        "{} kilo seconds",
    ),
    *("{} us (64 threads 2 s warmup)", "time in ms of {} s", "ms for {}'s", "ms: {}(s)"),
    *("time [ms] ({} 2 s warmup)", "{} [(ms)]", "{} ms #"),
    *("{} gain s", "{} diff s", "{} idle s", "{} launch overhead s", "{} ms of mean of 5"),
]
FIGURES = [
    *("{}_sum_us", "{}_cumulative_us", "{}_lower_us", "{}_99th_us", "{}_2sd_us"),
    *("{} gain s", "{} launch overhead ms", "{} copy us", "{} delta ms", "{}_p99_us", "{}_q25_us"),
    *("{} +/- us", "{}_+/-_us", "{} +- (us)", "{}_\N{PLUS-MINUS SIGN}_us", "{}_us_+", "{}_us_-"),
    *("lg {} s", "log10 {} s", "{} speedup us", "{} + npu us", "{} to fpga and cpu us"),
]


@pytest.mark.parametrize("title", DOUBTFUL)
def test_titles_that_are_asked_about(tmp_path: Path, title: str) -> None:
    """No number of them is taken, and with the unit of the column they are."""
    titles = ["size_B", title.format("cpu"), title.format("gpu")]
    path = table(tmp_path, titles, SIZES, *cells(SECONDS))
    with pytest.raises(TimingsError, match=r"no column for host among .* \(['\"].* is ") as told:
        read(path)
    assert "--columns host=TITLE" in str(told.value)
    columns = {"host": titles[1], "accelerated": titles[2]}
    assert is_right(read(path, columns=columns, units=dict.fromkeys(titles[1:], "s")))


@pytest.mark.parametrize("title", FIGURES)
def test_other_figures_are_not_taken(tmp_path: Path, title: str) -> None:
    titles = ["size_B", title.format("cpu"), title.format("gpu")]
    path = table(tmp_path, titles, SIZES, HOST, ACCELERATED)
    with pytest.raises(TimingsError, match=r"no column for host among .* \(['\"].* is "):
        read(path)


@pytest.mark.parametrize(
    "names",
    [
        *(["cpu_fp32_us", "cpu_fp64_us"], ["cpu_p50_us", "cpu_p99_us"]),
        *(["host_50_us", "host_99_us"], ["cpu_batch1_us", "cpu_batch32_us"]),
        *(["cpu_v1_us", "cpu_v2_us"], ["cpu_q25_us", "cpu_q50_us", "cpu_q75_us"]),
        *(
            ["cpu_16_us", "cpu_32_us"],
            ["cpu_8_cores_us", "cpu_64_cores_us"],
            ["cpu_us", "cpu_8_us"],
        ),
        *(["cpu_2_us", "cpu_3_us"], ["cpu_1_cores_us", "cpu_2_cores_us"], ["cpu_us", "cpu_1_us"]),
        *(["cpu 16 [us]", "cpu 32 [us]"], ["cpu_us", "cpu_kernel_s"], ["cpu_us", "cpu 2 [us]"]),
        *(["openmp_us", "host_to_device_us"], ["numpy us", "cpu-gpu copy us"]),
        *(["naive us", "gpu baseline us"], ["numpy us", "cpu launch overhead us"]),
        *(["numpy us", "cpu us / gpu us"], ["software + gpu us", "serial us"]),
        *(["cpu_t1_us", "cpu_t2_us"], ["cpu_avg1_us", "cpu_avg2_us"]),
    ],
)
@pytest.mark.parametrize("both", [False, True])
def test_columns_that_are_no_repetitions(tmp_path: Path, names: list[str], both: bool) -> None:
    others = [each.replace("cpu", "gpu").replace("host", "gpu") for each in names]
    titles = ["size_B", *names, *(others if both and "gpu" not in str(names) else ["gpu_us"])]
    times = [[f"{1e6 * (place + 1) * t:.7g}" for t in HOST] for place in range(len(titles) - 1)]
    with pytest.raises(
        TimingsError, match=r"columns may be host: .*; say which|no column for host"
    ):
        read(table(tmp_path, titles, SIZES, *times))


@pytest.mark.parametrize(
    "names",
    [
        *(["gpu_kernel_us", "gpu_with_transfer_us"], ["gpu_us", "gpu_incl_setup_us"]),
        *(["GPU kernel [us]", "GPU with transfers [us]"], ["gpu us", "gpu and copies us"]),
    ],
)
def test_times_of_a_whole_call_are_not_passed_over(tmp_path: Path, names: list[str]) -> None:
    own, other = cells(MICRO)
    with pytest.raises(TimingsError, match=r"2 columns may be accelerated: .*; say which"):
        read(table(tmp_path, ["size_B", "cpu_us", *names], SIZES, own, other, other))


@pytest.mark.parametrize(
    "title",
    ["gpu time excl. PCIe with setup [us]", "gpu copy and transfer us", "gpu copy + init us"],
)
def test_times_of_less_than_a_call_are_no_path(tmp_path: Path, title: str) -> None:
    own, other = cells(MICRO)
    with pytest.raises(TimingsError, match="no column for accelerated"):
        read(table(tmp_path, ["size_B", "cpu_us", title], SIZES, own, other))


def test_memory_is_no_size(tmp_path: Path) -> None:
    own, other = cells(MICRO)
    titles = ["elements", "cpu_us", "gpu_us", "peak_mem_B"]
    with pytest.raises(TimingsError, match="column"):
        read(table(tmp_path, titles, SIZES, own, other, SIZES))


def test_numbers_that_part_rows_of_one_size_are_told(tmp_path: Path) -> None:
    for title, are_told in (("threads", True), ("run", False)):
        path = tmp_path / f"{title}.csv"
        rows = [f"{g},{n},{1e-9 * g * n},{1e-5 + 1e-10 * g}" for g in SIZES for n in (1, 2)]
        path.write_text("\n".join([f"size_B,{title},cpu_s,gpu_s", *rows]))
        noted = [each for each in read(path).notes if "rows of one size differ" in each]
        assert bool(noted) is are_told


@pytest.mark.parametrize(
    "names",
    [
        *(["cpu_1_us", "cpu_2_us"], ["cpu_us_1", "cpu_us_2"], ["cpu run1 [us]", "cpu run2 [us]"]),
        *(["cpu_rep_1_us", "cpu_rep_2_us", "cpu_rep_3_us"], ["cpu_trial1_us", "cpu_trial2_us"]),
    ],
)
def test_columns_that_are_repetitions(tmp_path: Path, names: list[str]) -> None:
    own, other = cells(MICRO)
    titles = ["size_B", *names, "gpu_us"]
    reading = read(table(tmp_path, titles, SIZES, *(own for _ in names), other))
    assert is_right(reading)
    assert {len(each) for each in reading.timings.host} == {len(names)}
    titles = ["size_B", "cpu_us", *(each.replace("cpu", "gpu") for each in names)]
    assert len(read_each(table(tmp_path, titles, SIZES, own, *(other for _ in names)))) == 1


def test_numbers_of_devices_are_ranked_apart(tmp_path: Path) -> None:
    own, other = cells(MICRO)
    titles = ["size_B", "cpu_us", "gpu_16_us", "gpu_32_us"]
    assert [*read_each(table(tmp_path, titles, SIZES, own, other, other))] == titles[2:]


@pytest.mark.parametrize(
    "title",
    [
        *("size in elements of 8 bytes", "size (doubles, 8 B each)", "size (words of four bytes)"),
        *("size (elements a 8 B)", "number of elements (bytes: 8)", "size [B/8]", "size/8 B"),
        *("size (float, 4 B each)", "size (10^3 B)", "size (1e3 B)", "size (x 1000 B)"),
        *("size (B x 1000)", "size (thousand B)", "2^x bytes", "2**n bytes", "size (4 byte words)"),
        *("size_elements_B", "size in doubles (B)", "size (1000 B)"),
        *("size_KB", "size_B/rank", "size bytes [KiB]"),
    ],
)
def test_sizes_that_are_asked_about(tmp_path: Path, title: str) -> None:
    path = table(tmp_path, [title, "cpu_s", "gpu_s"], SIZES, HOST, ACCELERATED)
    with pytest.raises(TimingsError, match=r"is not clear|or in pieces of") as told:
        read(path)
    assert title in str(told.value)
    assert "--units" in str(told.value)
    assert is_right(read(path, units={title: "B"}))


@pytest.mark.parametrize(
    "title", ["lg size_B", "log2(bytes)", "size_log2_B", "size n for 4-byte floats"]
)
def test_what_is_no_size(tmp_path: Path, title: str) -> None:
    with pytest.raises(TimingsError, match="no column for granularity"):
        read(table(tmp_path, [title, "cpu_s", "gpu_s"], SIZES, HOST, ACCELERATED))


@pytest.mark.parametrize(
    "title",
    [
        *("size / B", "size_bytes", "message bytes", "total size (B)", "size in bytes", "copied_B"),
        *("nbytes", "bytes_sent", "n_bytes", "payload [B]", "bytes per call", "buffer size, B"),
    ],
)
def test_sizes_that_are_read(tmp_path: Path, title: str) -> None:
    assert is_right(read(table(tmp_path, [title, "cpu_s", "gpu_s"], SIZES, HOST, ACCELERATED)))


@pytest.mark.parametrize(
    "spread",
    ["{}_\N{PLUS-MINUS SIGN}_us", "{} +/- us", "{}_+/-_us", "{} +- (us)", "{}_us_+", "{} gain us"],
)
def test_what_stands_beside_a_time_is_no_run_of_it(tmp_path: Path, spread: str) -> None:
    own, other = cells(MICRO)
    titles = ["size_B", "cpu_us", spread.format("cpu"), "gpu_us", spread.format("gpu")]
    reading = read(table(tmp_path, titles, SIZES, own, [1e-3] * 5, other, [1e-3] * 5))
    assert is_right(reading)
    assert f"column {titles[2]!r} is not used" in reading.notes


def test_points_that_may_stand_for_thousands(tmp_path: Path) -> None:
    titles = ["size_B", "cpu_ns", "gpu_ns"]
    own = ["1.024", "4.096", "16.384", "65.536", "262.144"]
    other = ["10.102", "10.410", "11.638", "16.554", "36.214"]
    path = table(tmp_path, titles, SIZES, own, other, sep=";")
    with pytest.raises(
        TimingsError, match=r"line 2: cpu_ns: is 1\.024 1024\? Each point of the 10"
    ):
        read(path)
    assert read(path, units={"cpu_ns": "ns", "gpu_ns": "ns"}).timings.host[0][0] == pytest.approx(
        1.024e-9
    )
    for cell in ("0.512", "1.02", "1024.125"):  # a point of thousands stands in none of these
        read(table(tmp_path, titles, SIZES, [*own[:4], cell], other, sep=";"))
    read(table(tmp_path, titles, SIZES, own, other))


def test_columns_of_text_that_part_rows_are_told(tmp_path: Path) -> None:
    rows = [(size, kind) for size in SIZES for kind in ("f32", "f64")]
    sizes, kinds = zip(*rows, strict=True)
    for title in ("dtype", "variant"):
        titles = ["size_B", title, "cpu_s", "gpu_s"]
        found = read(table(tmp_path, titles, sizes, kinds, range(1, 11), range(2, 12)))
        assert f"column {title!r} is not used" in found.notes
        assert f"rows of one size differ in {title!r} (f32, f64) and count as" in str(found.notes)


def test_runs_of_google_benchmark_that_differ_in_their_label(tmp_path: Path) -> None:
    def bench(*labels: str) -> Path:
        entries = [
            {"name": f"BM_{path}/{size}", "real_time": time * 1e9 * (1 + place), "label": label}
            for path, times in (("cpu", HOST), ("gpu", ACCELERATED))
            for size, time in zip(SIZES, times, strict=True)
            for place, label in enumerate(labels)
        ]
        path = tmp_path / "bench.json"
        path.write_text(json.dumps({"context": {}, "benchmarks": entries}))
        return path

    with pytest.raises(TimingsError, match="'BM_cpu f32', 'BM_cpu f64' may be the host path"):
        read(bench("f32", "f64"))
    assert is_right(read(bench("f32", "f64"), host="BM_cpu f32", accelerated="BM_gpu f32"))
    assert {len(each) for each in read(bench("f32", "f32")).timings.host} == {2}


def test_a_title_is_read_in_parts() -> None:
    title = read_title("sort gpu_2 time [ms]")
    assert (title.label, title.unit) == (("sort", "gpu", "2", "time"), "ms")
    assert (title.run, title.stem, title.beside) == (2, ("sort", "gpu", "time"), False)
