"""Tables of timings: what is written is what is read; what is wrong is named, with its line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logca.numeric.timings.reading import Reading, read, read_each, read_timings
from logca.numeric.timings.timings import TimingsError

WIDE = """granularity_B,host_s,accelerated_s
1024,1.0e-6,9.0e-6
4096,4.0e-6,9.5e-6
16384,1.6e-5,1.1e-5
65536,6.4e-5,1.7e-5
"""
SIZES = (1024, 4096, 16384, 65536)
HOST = [[1.0e-6], [4.0e-6], [1.6e-5], [6.4e-5]]
ACCELERATED = [[9.0e-6], [9.5e-6], [1.1e-5], [1.7e-5]]


def saved(folder: Path, text: str) -> Path:
    path = folder / "timings.csv"
    path.write_text(text, encoding="utf-8")
    return path


def holds(reading: Reading) -> None:
    timings = reading.timings
    assert timings.granularity == SIZES
    for found, wanted in ((timings.host, HOST), (timings.accelerated, ACCELERATED)):
        assert [list(each) for each in found] == [pytest.approx(each) for each in wanted]


@pytest.mark.parametrize(
    "text",
    [
        WIDE,
        WIDE.replace(",", "\t"),
        WIDE.replace(",", " ; "),
        "# by a script\n\n" + WIDE.replace("\n", "\r\n"),
        "\ufeff" + WIDE,
        "note,size [KiB],cpu time (us),gpu time [ms]\na,1,1,0.009\nb,4,4,0.0095\n"
        "c,16,16,0.011\nd,64,64,0.017\n",
        "bytes,host_ns,device_\N{MICRO SIGN}s\n1024,1000,9\n4096,4000,9.5\n16384,16000,11\n"
        "65536,64000,17\n",
        'size,host,accelerated\n1 KiB,1 us,9 us\n4 KiB,4us,9.5 us\n"16 KiB",16 us,11 us\n'
        "64KiB,0.064 ms,0.017 ms\n",
        WIDE.replace("granularity_B", "copied_B"),
        "granularity_KiB,path,time_us\n"
        + "".join(
            f"{size},{path},{time}\n"
            for size, host, accelerated in ((1, 1, 9), (4, 4, 9.5), (16, 16, 11), (64, 64, 17))
            for path, time in (("cpu", host), ("gpu", accelerated))
        ),
    ],
    ids=[
        "commas",
        "tabs",
        "semicolons",
        "comments",
        "bom",
        "other units",
        "ns",
        "cells",
        "one in bytes",
        "long",
    ],
)
def test_forms_of_the_same_table(tmp_path: Path, text: str) -> None:
    holds(read(saved(tmp_path, text)))


def test_options_instead_of_a_header(tmp_path: Path) -> None:
    path = saved(tmp_path, "n,a,b\n128,1,9\n512,4,9.5\n2048,16,11\n8192,64,17\n")
    units = {"granularity": "8 B", "host": "us", "b": "us"}
    columns = {"granularity": "n", "host": "a", "accelerated": "b"}
    holds(read(path, columns=columns, units=units))
    holds(read(path, columns={"granularity": "n"}, units=units, host="a", accelerated="b"))
    tabs = saved(tmp_path, "\n" + path.read_text(encoding="utf-8").replace(",", "\t"))
    holds(read(tabs, columns={"granularity": "n"}, units=units, host="a", accelerated="b"))


def test_repetitions_are_rows_or_columns(tmp_path: Path) -> None:
    text = "granularity_B,host_1_s,host_2_s,accelerated_s\n" + "".join(
        f"{size},{size}e-9,{'' if size == 1024 else f'{size + 1}e-9'},1e-6\n" for size in SIZES
    )
    timings = read_timings(saved(tmp_path, text + "1024,3e-9,4e-9,2e-6\n"))
    assert [each.size for each in timings.host] == [3, 2, 2, 2]
    assert list(timings.host[0]) == pytest.approx([1024e-9, 3e-9, 4e-9])
    assert list(timings.accelerated[0]) == pytest.approx([1e-6, 2e-6])


def test_sizes_out_of_order_are_sorted_and_told(tmp_path: Path) -> None:
    header, *rows = WIDE.splitlines()
    reading = read(saved(tmp_path, "\n".join([header, *reversed(rows)])))
    holds(reading)
    assert reading.notes == (
        "line 3: sizes are not in ascending order (16 KiB after 64 KiB): sorted",
    )
    assert read(saved(tmp_path, WIDE)).notes == ()


def test_a_path_that_stops_early_and_other_paths_are_told(tmp_path: Path) -> None:
    rows = [f"{size},{path},1e-3" for size in SIZES for path in ("cpu", "gpu")]
    text = "\n".join(["granularity_B,path,time_s", *rows, "131072,cpu,2e-3", "1024,npu,1"])
    reading = read(saved(tmp_path, text))
    assert reading.timings.granularity == (*SIZES, 131072)
    assert reading.timings.accelerated[-1].size == 0
    assert reading.notes[0] == "npu: left out"
    assert "sizes without accelerated times: 128 KiB" in reading.notes
    other = read(saved(tmp_path, text), host="cpu", accelerated="gpu")
    assert other.timings.granularity == reading.timings.granularity


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4.0e-6", "0", r"line 3: host_s: time 0; the clock is too coarse"),
        ("4.0e-6", "-4e-6", r"line 3: host_s: negative time '-4e-6'"),
        ("4.0e-6", "nan", r"line 3: host_s: not a number \(NaN\)"),
        ("4.0e-6", "inf", r"line 3: host_s: infinite"),
        ("4.0e-6", "", r"line 3: host_s: empty; fill it in"),
        ("4.0e-6", "four", r"line 3: host_s: 'four' is no number"),
        ("4.0e-6", "4_0e-6", r"line 3: host_s: '4_0e-6' is no number"),
        ("4.0e-6", "٤", r"line 3: host_s: '٤' is no number"),
        ("4096", "4_096", r"line 3: granularity_B: '4_096' is no number"),
        ("4.0e-6", "4 us", r"line 3: host_s: mixed units: '4 us' has a unit.* in s already"),
        ("4096", "4 KiB", r"line 3: granularity_B: mixed units: '4 KiB'.* in B already"),
        ("4096", "0", r"line 3: granularity_B: granularity '0' is not above 0"),
        ("4096", "-1", r"line 3: granularity_B: granularity '-1' is not above 0"),
        ("4096", "NaN", r"line 3: granularity_B: not a number \(NaN\)"),
        ("4096,", "", r"line 3: 2 values, and the header has 3"),
        ("9.5e-6", '"9,5"', r"line 3: accelerated_s: '9,5' is no number; write decimals with a po"),
        (",accelerated_s", ",other_s", r"line 1: no column for accelerated among granularity_B, h"),
        ("granularity_B", "run", r"line 1: no column for granularity among run, host_s"),
        ("host_s", "host", r"line 2: host: '1.0e-6' has no unit; name the column such as"),
        ("granularity_B", "size", r"line 2: size: '1024' has no unit"),
        ("host_s", "host_cycles", r"'1.0e-6' has no unit"),
        ("host_s", "host_KiB", r"line 2: host_KiB: 'KiB' is no unit of time; write s, ms, us or"),
        ("65536,6.4e-5,1.7e-5\n", "", r"3 sizes are too few"),
        ("granularity_B,host_s,accelerated_s", "sizes", r"the header 'sizes' has one column only"),
        ("granularity_B,host_s", "host_user_s,host_wall_s", r"2 columns may be host"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in WIDE
    with pytest.raises(TimingsError, match=message) as caught:
        read_timings(saved(tmp_path, WIDE.replace(old, new, 1)))
    assert "timings.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"units": {"host": "ms"}},
            "mixed units: column 'host_s' says s, the option units says ms",
        ),
        ({"units": {"hosts": "ms"}}, "units: there is no column 'hosts'; there are granularity_B"),
        ({"columns": {"host": "cpu"}}, "there is no column 'cpu' for host; there are granularity"),
        ({"host": "cpu"}, "there is no column 'cpu' for host; there are granularity_B, host_s"),
        ({"columns": {"cpu": "host_s"}}, "unknown role 'cpu'; known are granularity"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TimingsError, match=message):
        read_timings(saved(tmp_path, WIDE), **options)


def test_of_three_paths_the_user_says_which(tmp_path: Path) -> None:
    rows = [f"{size},{path},1e-3" for size in SIZES for path in ("avx2", "avx512", "npu")]
    path = saved(tmp_path, "\n".join(["granularity_B,variant,time_s", *rows]))
    with pytest.raises(TimingsError, match=r"'avx2', 'avx512', 'npu' none is clearly the host pa"):
        read(path)
    with pytest.raises(TimingsError, match=r"'avx2', 'avx512' match 'avx'"):
        read(path, host="avx", accelerated="npu")
    with pytest.raises(TimingsError, match=r"host and accelerated are both 'npu'"):
        read(path, host="npu", accelerated="npu")
    assert len(read(path, host="avx2", accelerated="npu").timings) == 4


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TimingsError, match="there is no file"):
        read(tmp_path / "none.csv")
    with pytest.raises(TimingsError, match="cannot read"):
        read(tmp_path)
    with pytest.raises(TimingsError, match="cannot read"):
        read("a\0b")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TimingsError, match="not UTF-8"):
        read(tmp_path / "binary")
    for text in ("", "\n# nothing\n", ","):
        with pytest.raises(TimingsError, match="empty; write a header"):
            read(saved(tmp_path, text))
    with pytest.raises(TimingsError, match="a header and no rows"):
        read(saved(tmp_path, "granularity_B,host_s,accelerated_s"))


positive = st.floats(min_value=1e-9, max_value=1e3)


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 2**40), positive, positive), min_size=4, max_size=30, unique=True
    ),
    time=st.sampled_from([("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)]),
)
def test_every_run_arrives_once(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[int, float, float]],
    time: tuple[str, float],
) -> None:
    unit, factor = time
    if len({size for size, _, _ in rows}) < 4:
        return
    text = f"granularity_B,host_{unit},accelerated_s\n" + "".join(
        f"{size},{host * factor!r},{accelerated!r}\n" for size, host, accelerated in rows
    )
    timings = read_timings(saved(tmp_path_factory.mktemp("rows"), text))
    found = [
        (size, run)
        for size, row in zip(timings.granularity, timings.host, strict=True)
        for run in row
    ]
    wanted = sorted(((size, host) for size, host, _ in rows), key=lambda each: each[0])
    assert [size for size, _ in found] == [size for size, _ in wanted]
    assert [run for _, run in found] == pytest.approx([run for _, run in wanted], rel=1e-12)


ROWS = [f"{64 << n},{(1 << n) * 1.2345678e-7!r},{9.87654321e-6!r}" for n in range(6)]


def test_a_copy_of_a_row_is_counted_once(tmp_path: Path) -> None:
    header = "granularity_B,host_s,accelerated_s"
    once = read(saved(tmp_path, "\n".join([header, *ROWS])))
    twice = read(saved(tmp_path, "\n".join([header, *ROWS, *ROWS[:2]])))
    assert [row.tolist() for row in twice.timings.host] == [
        row.tolist() for row in once.timings.host
    ]
    assert [each for each in twice.notes if each not in once.notes] == [
        "line 8 is a copy of line 2 (2 rows are copies): counted once, as its times agree to 7"
        " digits and more"
    ]


def test_the_same_time_by_a_coarse_clock_is_another_run(tmp_path: Path) -> None:
    rows = [f"{64 << n},{1 << n}.0e-6,{9 + n}e-6" for n in range(6)]
    text = "\n".join(["granularity_B,host_s,accelerated_s", *rows, *rows])
    assert [row.size for row in read_timings(saved(tmp_path, text)).host] == [2] * 6
    # several columns of few digits are not many digits
    text = "size_B,cpu_1_us,cpu_2_us,gpu_1_us,gpu_2_us\n" + 2 * "".join(
        f"{64 << n},{12 << n},{12 << n},99,99\n" for n in range(6)
    )
    assert [row.size for row in read_timings(saved(tmp_path, text)).host] == [4] * 6


def test_ticks_over_a_number_of_calls_have_many_digits(tmp_path: Path) -> None:
    rows = [f"{64 << n},{tick / 7e6!r},{9 / 7e6!r}" for n in range(6) for tick in (3, 3, 4)]
    text = "\n".join(["granularity_B,host_s,accelerated_s", *rows])
    assert [row.size for row in read_timings(saved(tmp_path, text)).host] == [3] * 6


@settings(max_examples=60)
@given(text=st.text())
def test_no_text_makes_it_fall_over(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("text") / "timings"
    path.write_text(text, encoding="utf-8", errors="ignore")
    with pytest.raises(TimingsError):
        read(path)


@pytest.mark.parametrize(
    ("unit", "written"),
    [
        ("GB/s", lambda size, time: size / time / 1e9),
        ("GiB_per_s", lambda size, time: size / time / 2**30),
        ("MBps", lambda size, time: size / time / 1e6),
        ("Gbit/s", lambda size, time: 8 * size / time / 1e9),
        ("kops/s", lambda _, time: 1 / time / 1e3),
        ("calls per second", lambda _, time: 1 / time),
        ("MB/ms", lambda size, time: size / time / 1e9),
        ("bytes per us", lambda size, time: size / time / 1e6),
        ("ops/us", lambda _, time: 1 / time / 1e6),
        ("ns/byte", lambda size, time: 1e9 * time / size),
        ("us/KiB", lambda size, time: 1e6 * time / (size / 1024)),
        ("MB_sec", lambda size, time: size / time / 1e6),
        ("Mbit_s", lambda size, time: 8 * size / time / 1e6),
        ("MB s^-1", lambda size, time: size / time / 1e6),
        ("MB\u00b7s\u207b\u00b9", lambda size, time: size / time / 1e6),
        ("ns B-1", lambda size, time: 1e9 * time / size),
        ("req/s", lambda _, time: 1 / time),
    ],
)
def test_rates_are_times_of_a_call(tmp_path: Path, unit: str, written: Any) -> None:
    rows = [
        f"{size},{written(size, host[0])!r},{written(size, other[0])!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    reading = read(saved(tmp_path, "\n".join([f"size_B,host {unit},gpu {unit}", *rows])))
    holds(reading)
    inverse = unit in ("ns/byte", "us/KiB", "ns B-1")
    told = "times of a byte" if inverse else "rates, of which a time of a call is the inverse"
    assert told in reading.notes[0]
    by_option = read(
        saved(tmp_path, "\n".join(["size_B,cpu,gpu", *rows])),
        units={"host": unit, "accelerated": unit},
    )
    holds(by_option)


@pytest.mark.parametrize(
    "unit",
    [
        *("GFLOP/s", "MFLOP/ms", "elements/us", "ns/element", "cycles/byte", "mops/s"),
        *("points per s", "ops_s", "mb_s", "bytes_s", "gflop_s", "throughput_s", "ns_byte", "B_ns"),
    ],
)
def test_rates_of_something_else_are_no_times(tmp_path: Path, unit: str) -> None:
    """The last word is a unit of time, and a rate that was taken for a time reverses the answer."""
    rows = [f"{size},1,2" for size in SIZES]
    with pytest.raises(TimingsError, match=r"no column for host among .* is no time, and no rate"):
        read(saved(tmp_path, "\n".join([f"size_B,host {unit},gpu {unit}", *rows])))


def test_who_names_the_unit_of_a_doubtful_column_knows_it(tmp_path: Path) -> None:
    rows = [
        f"{size},{1e9 * host[0]!r},{1e9 * other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    path = saved(tmp_path, "\n".join(["size_B,cpu_B_ns,gpu_B_ns", *rows]))
    with pytest.raises(TimingsError, match="'cpu_B_ns' is no time"):
        read(path)
    holds(read(path, units={"cpu_B_ns": "ns", "gpu_B_ns": "ns"}))


@pytest.mark.parametrize(
    "unit",
    [
        *("ms", "us/call", "ms per iteration", "[us/msg]", "us_per_image", "t / ms", "time/ms"),
        *("/ms", "mean/us", "wall / s", "time per call/us", "time/call/us"),  # of ISO 80000
    ],
)
def test_times_of_a_call(tmp_path: Path, unit: str) -> None:
    by = 1e6 if "us" in unit else 1.0 if unit.endswith(" s") else 1e3
    rows = [
        f"{size},{by * host[0]!r},{by * other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    holds(read(saved(tmp_path, "\n".join([f"size_B,host {unit},gpu {unit}", *rows]))))


@pytest.mark.parametrize(
    ("title", "told"),
    [("size [8 B]", "pieces of 8 B"), ("size of 8 B", "pieces of 8 B"), ("size_16kB", "16 kB")],
)
def test_pieces_of_several_units_are_asked_for(tmp_path: Path, title: str, told: str) -> None:
    rows = [
        f"{size},{host[0]!r},{other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    path = saved(tmp_path, "\n".join([f"{title},host_s,gpu_s", *rows]))
    with pytest.raises(TimingsError, match=told):
        read(path)
    if title.endswith(" B]"):
        sizes = read(path, units={title: "8 B"}).timings.granularity
        assert sizes == tuple(8.0 * size for size in SIZES)


def test_a_rate_beside_a_time_checks_it(tmp_path: Path) -> None:
    rows = [
        line + f",{size / other[0] / 1e9:.3f}"
        for line, size, other in zip(WIDE.splitlines()[1:], SIZES, ACCELERATED, strict=True)
    ]
    text = "\n".join(["granularity_B,host_s,accelerated_s,accelerated_GB/s", *rows])
    holds(read(saved(tmp_path, text)))
    with pytest.raises(TimingsError, match=r"line 5: accelerated_s 1\.7e-5 is 1\.7e-05 s, and acc"):
        read(saved(tmp_path, text[:-5] + "7.855"))


@pytest.mark.parametrize(
    "header",
    [
        "size_B,host_s,host_sd_s,host_n,gpu_s,gpu_sd_s,gpu_n",
        "size_B,host_mean_s,host_std,host_runs,gpu_mean_s,gpu_stddev,gpu_samples",
        "size_B,host_s,host_var_s2,host_n,gpu_s,gpu_var_s2,gpu_n",
    ],
)
def test_deviations_and_numbers_of_runs_are_the_spread(tmp_path: Path, header: str) -> None:
    power = 2 if "var" in header else 1
    rows = [
        f"{size},{host[0]!r},{(0.1 * host[0]) ** power!r},30,{other[0]!r},"
        f"{(0.2 * other[0]) ** power!r},40"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    reading = read(saved(tmp_path, "\n".join([header, *rows])))
    holds(reading)
    assert reading.timings.host_spread[2] == pytest.approx((1.6e-6, 30))
    assert reading.timings.accelerated_spread[0] == pytest.approx((1.8e-6, 40))


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("host_sd_MB/s", lambda rate, _: 0.1 * rate / 1e6),
        ("host_sd_kB/s", lambda rate, _: 0.1 * rate / 1e3),
        ("host_sd", lambda rate, _: 0.1 * rate / 1e6),
        ("host_sd_us", lambda _, time: 0.1 * time * 1e6),
    ],
)
def test_the_deviation_of_a_rate_has_its_own_unit(tmp_path: Path, title: str, written: Any) -> None:
    rows = [
        f"{size},{size / host[0] / 1e6!r},{written(size / host[0], host[0])!r},30,{other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    text = "\n".join([f"size_B,host_MB/s,{title},host_n,gpu_s", *rows])
    found = read(saved(tmp_path, text)).timings.host_spread
    assert found[2] == pytest.approx((0.1 * HOST[2][0], 30))


@pytest.mark.parametrize(
    "title",
    [
        *("cpu_sd_%", "cpu_sd_percent", "cpu_rel_sd", "cpu_std_err_us", "cpu_se_us"),
        *("cpu_stddev_of_mean_us", "cpu_sd_of_the_mean_us", "cpu_cv", "log10_cpu_sd_us"),
        *("cpu_std_mean_us", "cpu sd avg us"),
    ],
)
def test_what_is_no_deviation_of_a_run_is_not_used(tmp_path: Path, title: str) -> None:
    rows = [
        f"{size},{host[0] * 1e6!r},3,30,{other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    reading = read(saved(tmp_path, "\n".join([f"size_B,cpu_us,{title},cpu_n,gpu_s", *rows])))
    holds(reading)
    assert not any(reading.timings.host_spread)
    assert f"column {title!r} is not used" in reading.notes


def with_two_counts(tmp_path: Path, first: str, second: str) -> Path:
    """A table with deviations of the host's times, and two columns that are 20 and 256."""
    rows = [
        f"{size},{host[0]!r},{0.1 * host[0]!r},20,256,{other[0]!r}"
        for size, host, other in zip(SIZES, HOST, ACCELERATED, strict=True)
    ]
    return saved(tmp_path, "\n".join([f"size_B,cpu_s,cpu_sd_s,{first},{second},gpu_s", *rows]))


@pytest.mark.parametrize(
    "title",
    [
        *("n_threads", "n_gpus", "n_elements", "n_batches", "n_dims", "matrix n", "n-1", "n of 10"),
        *("n skipped", "n_outliers", "failed runs", "dropped samples", "inner_reps"),
        *("reps (inner)", "warmup_runs", "runs discarded", "n 2"),
    ],
)
def test_what_counts_no_runs_is_not_the_number_of_runs(tmp_path: Path, title: str) -> None:
    for first, second, runs in ((title, "runs", 256), ("runs", title, 20), (title, "other", None)):
        reading = read(with_two_counts(tmp_path, first, second))
        spread = reading.timings.host_spread
        assert (spread[0].runs if spread else None) == runs
        assert f"column {title!r} is not used" in reading.notes


def test_two_numbers_of_runs_are_asked_about_and_the_paths_own_counts(tmp_path: Path) -> None:
    with pytest.raises(TimingsError, match="2 columns may be the number of runs: n, samples; le"):
        read(with_two_counts(tmp_path, "n", "samples"))
    for titles, runs in ((("cpu_n", "n"), 20), (("n", "cpu_n"), 256)):
        reading = read(with_two_counts(tmp_path, *titles))
        assert reading.timings.host_spread[0].runs == runs


def test_a_column_of_units_that_says_another_is_refused(tmp_path: Path) -> None:
    rows = [f"{size},{path},{time},us" for size in SIZES for path, time in (("cpu", 2), ("gpu", 3))]
    text = "\n".join(["size_B,path,time_us,unit", *rows])
    assert read(saved(tmp_path, text)).timings.host[0][0] == pytest.approx(2e-6)
    with pytest.raises(TimingsError, match="line 9: mixed units: unit is ms, and times are"):
        read(saved(tmp_path, text[: -len("us")] + "ms"))


def test_deviations_of_a_long_table_and_without_numbers_of_runs(tmp_path: Path) -> None:
    rows = [
        f"{size},{path},{time},0.1,20" for size in SIZES for path, time in (("cpu", 2), ("gpu", 3))
    ]
    long = read(saved(tmp_path, "\n".join(["size_B,path,mean_us,sd_us,n", *rows]))).timings
    assert long.host_spread == (pytest.approx((1e-7, 20)),) * 4
    cut = [row.rpartition(",")[0] for row in rows]
    without = read(saved(tmp_path, "\n".join(["size_B,path,mean_us,sd_us", *cut])))
    assert without.timings.host_spread == ()
    assert "deviations are not used: no column, such as host_n, says of how many" in str(without)


def test_two_columns_of_the_size_tell_the_same(tmp_path: Path) -> None:
    rows = [
        f"{size / 1024:g} KiB," + line
        for size, line in zip(SIZES, WIDE.splitlines()[1:], strict=True)
    ]
    text = "\n".join(["size_in_KiB,granularity_B,host_s,accelerated_s", *rows]).replace(" KiB", "")
    holds(read(saved(tmp_path, text)))
    with pytest.raises(TimingsError, match=r"line 3: size_in_KiB 5 is 5 KiB, and granularity_B 40"):
        read(saved(tmp_path, text.replace("\n4,", "\n5,")))


def test_each_accelerator_of_a_table_has_its_own_columns(tmp_path: Path) -> None:
    header = "size_B,cpu_s,gpu0_s,gpu0_sd_s,gpu1_s,gpu1_sd_s,n,fpga_GB/s,asic_s,asic_GB/s"
    rows = [f"{g},{g}e-9,{g}e-8,1e-9,{g}e-7,2e-9,20,5,{g}e-9,1.0" for g in SIZES]
    path = saved(tmp_path, "\n".join([header, *rows]))
    with pytest.raises(TimingsError, match="2 columns may be accelerated: gpu0_s, gpu1_s; say wh"):
        read(path)
    found = read_each(path, host="cpu_s")
    assert [*found] == ["gpu0_s", "gpu1_s", "fpga_GB/s", "asic_s"]
    timings = [each.timings for each in found.values() if isinstance(each, Reading)]
    assert [each.accelerated_spread[:1] for each in timings] == [
        ((1e-9, 20),),
        ((2e-9, 20),),
        (),
        (),
    ]
    assert [each.accelerated[0][0] for each in timings] == pytest.approx(
        [1024e-8, 1024e-7, 1024 / 5e9, 1024e-9]
    )


def test_numbers_that_both_paths_have_are_repetitions(tmp_path: Path) -> None:
    rows = [f"{g},1,2,3,4" for g in SIZES]
    timings = read_timings(
        saved(tmp_path, "\n".join(["size_B,cpu1_s,cpu2_s,gpu1_s,gpu2_s", *rows]))
    )
    assert [list(row) for row in timings.host] == [[1.0, 2.0]] * 4
