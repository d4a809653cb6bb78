"""Files of GPUs: what comes with the package, and what a user's file must hold."""

from importlib.resources import files
from pathlib import Path

import pytest

from logca.common.errors import FileError
from logca.gpu.devices.file_format import PROVENANCES
from logca.gpu.devices.parameters import (
    KEYS,
    device,
    devices,
    load_device,
    unit_rates,
)

TEXT = files("logca.gpu.devices").joinpath("jetson-tk1.toml").read_text(encoding="utf-8")


def test_tables_1_and_3() -> None:
    tk1 = device("jetson-tk1")
    assert (tk1.frequency, tk1.cycles_per_instruction) == (852e6, 0.5)
    assert (tk1.latency_L2, tk1.latency_dram, tk1.latency_shared) == (164, 332, 67)
    assert (tk1.latency_load_shared, tk1.delay_L2, tk1.delay_dram) == (506, 2, 10)
    assert (tk1.l2_size, tk1.l2_line) == (128 * 1024, 64)
    assert (tk1.max_threads, tk1.warp_size, tk1.banks, tk1.bank_width) == (2048, 32, 32, 8)


CURRENT = [name for name in devices() if name != "jetson-tk1"]
LANES = {  # a multiprocessor's operations in a cycle: FP32, integer, FP64 (CUDA programming guide)
    "volta": (64, 64, 32),
    "turing": (64, 64, 2),
    "ampere-ga100": (64, 64, 32),
    "ampere-ga10x": (128, 64, 2),
    "ada": (128, 64, 2),
    "hopper": (128, 64, 64),
}
SINGLE = {  # peak rate of vendors' data sheets, single precision [TFLOP/s]
    "v100-pcie": 14.1,
    "titan-v": 14.9,
    "rtx-2080-ti": 14.2,
    "t4": 8.1,
    "a100-40gb": 19.5,
    "a10": 31.2,
    "a40": 37.4,
    "rtx-a6000": 38.7,
    "rtx-3080": 29.8,
    "rtx-3090": 35.6,
    "rtx-4070": 29.1,
    "rtx-4090": 82.6,
    "l4": 30.3,
    "l40": 90.5,
    "h100-pcie": 51.2,
    "h100-sxm": 66.9,
    "h200": 66.9,
}


@pytest.mark.parametrize("name", devices())
def test_every_number_has_a_source_that_says_where_it_is_from(name: str) -> None:
    gpu = device(name)
    for row in gpu.rows():
        said, _, text = str(row["source"]).partition(": ")
        assert said in PROVENANCES, row
        assert text, row


@pytest.mark.parametrize("name", CURRENT)
def test_numbers_of_a_gpu_agree_with_each_other(name: str) -> None:
    gpu = device(name)
    rates = unit_rates(gpu)
    assert 0.7 * rates.peak_bandwidth <= gpu.bandwidth <= rates.peak_bandwidth
    by_multiprocessors = rates.l2_bandwidth * gpu.multiprocessors * gpu.frequency
    by_slices = rates.l2_slices * gpu.l2_sector * gpu.frequency
    assert gpu.bandwidth < by_multiprocessors <= by_slices
    assert rates.latency_L1 < gpu.latency_L2 < gpu.latency_L2 + gpu.latency_dram
    assert (rates.fp32_lanes, rates.int_lanes, rates.fp64_lanes) == LANES[gpu.architecture]
    assert gpu.launch_overhead < rates.launch_synchronised


@pytest.mark.parametrize(("name", "peak"), SINGLE.items())
def test_lanes_and_clock_give_the_rate_of_the_data_sheet(name: str, peak: float) -> None:
    gpu = device(name)
    flops = 2 * unit_rates(gpu).fp32_lanes * gpu.multiprocessors * gpu.frequency
    assert flops / 1e12 == pytest.approx(peak, rel=0.06)


def test_what_a_current_gpu_leaves_out_follows_from_its_rates() -> None:
    gpu = device("a100-40gb")
    assert gpu.cycles_per_instruction == 32 / 64
    assert gpu.delay_L2 == pytest.approx(32 / 35.5)
    assert gpu.delay_dram == pytest.approx(32 / (1370e9 / 108 / 1.41e9))
    assert gpu.delay_dram_uncoalesced == gpu.delay_dram
    assert gpu.latency_load_shared == 211 + 360 + 23
    # as certain as the least certain of what they follow from
    assert gpu.provenance("cycles_per_instruction") == "documented"
    assert device("a40").provenance("delay_dram_uncoalesced") == "documented"
    assert device("a10").provenance("delay_dram") == "estimated"


def test_the_paper_has_no_rates_of_units() -> None:
    with pytest.raises(FileError, match=r"jetson-tk1 has none of the keys .* such as rtx-4090"):
        unit_rates(device("jetson-tk1"))


MINE = """architecture = "ada"
frequency = "2535 MHz"
multiprocessors = 34
bandwidth = "260 GB/s"
l2_size = "32 MiB"
l2_slices = 32
l2_bandwidth = 15

[sources]
bandwidth = "measured: triad"
"""


def test_an_architecture_says_what_the_file_does_not(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    mine = device(path)
    assert (mine.architecture, unit_rates(mine).l2_bandwidth, mine.max_threads) == ("ada", 15, 1536)
    said = {key: mine.provenance(key) for key in ("bandwidth", "l2_bandwidth", "max_threads")}
    # the source of the architecture's l2_bandwidth is none of the file's own
    assert said == {
        "bandwidth": "measured",
        "l2_bandwidth": "estimated",
        "max_threads": "documented",
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"ada"', '"adda"', "there is no architecture 'adda'; did you mean 'ada'"),
        ('"ada"', "3", "there is no architecture 3; known: ada, ampere-ga100"),
        ('architecture = "ada"', "", "missing .*; architecture = .ada., or another, gives"),
        ("l2_slices = 32", "", "missing l2_slices$"),
        ("l2_slices = 32", "l2_slice = 32", "unknown key 'l2_slice'; did you mean 'l2_slices'"),
        ("260 GB/s", '260 GB/s"\npeak_bandwidth = "200 GB/s', "bandwidth = .* exceeds peak"),
        ("l2_bandwidth = 15", "l1_size = 4096", "shared_memory = 102400 exceeds l1_size = 4096"),
        ("l2_bandwidth = 15", "shared_issue = 2", "shared_issue = 2 is out of range: 0 to 1"),
        ("[sources]", "sources = 3 #", "sources must be a table of texts"),
    ],
)
def test_what_is_wrong_with_a_current_gpu_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "mine.toml"
    text = MINE.replace(old, new, 1)
    if "sources =" in text:
        text = text[: text.index('bandwidth = "measured')]
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=message):
        load_device(path)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace('"852 MHz"', "1.5e9"), encoding="utf-8")
    mine = device(path)
    assert (mine.name, mine.frequency) == ("mine", 1.5e9)
    assert device(mine) is mine


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "latency_L2 = 164",
            "latencyL2 = 164",
            "unknown key 'latencyL2'; did you mean 'latency_L2'",
        ),
        ("latency_L2 = 164\n", "", "missing latency_L2"),
        ("latency_L2 = 164", "latency_L2 = true", "latency_L2 must be a number .cycles., not True"),
        ("latency_L2 = 164", "latency_L2 = -1", "latency_L2 = -1 is out of range: 0 to 100000"),
        ("latency_L2 = 164", "latency_L2 = nan", "latency_L2 must be a number"),
        ('"852 MHz"', "852", "frequency = 852 is out of range: 1e.06"),
        ('"852 MHz"', '"852 mhz"', "frequency must be .* units Hz, kHz, MHz, GHz, not '852 mhz'"),
        ('"852 MHz"', '"8.5.2 MHz"', "frequency must be a number"),
        ('"128 KiB"', '"128 KB"', "l2_size must be .* units B, KiB, MiB, GiB, not '128 KB'"),
        ('"128 KiB"', "131000", "l2_size must be a multiple of l2_line . l2_ways = 1024 B"),
        ('l2_line = "64 B"', "l2_line = 48", "l2_line must be a power of two, not 48"),
        ("warp_size = 32", "warp_size = 31", "warp_size must be a power of two, not 31"),
        ("max_blocks = 16", "max_blocks = 16.5", "must be a whole number from 1 to 1024, not 16.5"),
        (
            'l2_line = "64 B"',
            "l2_line = 0.5",
            "must be a whole number of B from 1 to 4096, not 0.5",
        ),
        ('"modulo"', '"random"', "l2_index must be 'modulo' or 'hashed', not 'random'"),
        ("max_threads = 2048", "max_threads = 512", "max_threads_per_block = 1024 exceeds"),
        ("[sources]", "[source]", "unknown key 'source'; did you mean 'sources'"),
        ('banks = "doc', 'bancs = "doc', "sources: unknown key 'bancs'; did you mean 'banks'"),
        ("title = ", "title = 3 #", "title must be a text"),
        ("title = ", "title ", "not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TEXT
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError, match=message):
        load_device(path)


def test_unknown_device_names_a_near_one() -> None:
    with pytest.raises(FileError, match="did you mean 'jetson-tk1'"):
        device("jetson-tk2")
    with pytest.raises(FileError, match="there is no file"):
        device("nowhere.toml")


def test_every_key_is_explained() -> None:
    assert all(
        key.meaning and key.unit and (key.choices or key.low < key.high) for key in KEYS.values()
    )


def test_every_key_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[3] / "docs" / "gpu-devices.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    told = {row[1].strip(" `"): (row[2].strip(), row[4].strip()) for row in rows}
    assert set(told) == set(KEYS)
    for name, (unit, meaning) in told.items():
        assert meaning.startswith(KEYS[name].meaning)
        assert unit == ("" if KEYS[name].choices else KEYS[name].unit)
