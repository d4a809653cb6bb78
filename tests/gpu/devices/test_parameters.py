"""Files of GPUs: what comes with the package, and what a user's file must hold."""

from importlib.resources import files
from pathlib import Path

import pytest

from logca.common.errors import FileError
from logca.gpu.devices.parameters import KEYS, device, devices, load_device

TEXT = files("logca.gpu.devices").joinpath("jetson-tk1.toml").read_text(encoding="utf-8")


def test_tables_1_and_3() -> None:
    tk1 = device("jetson-tk1")
    assert (tk1.frequency, tk1.cycles_per_instruction) == (852e6, 0.5)
    assert (tk1.latency_L2, tk1.latency_dram, tk1.latency_shared) == (164, 332, 67)
    assert (tk1.latency_load_shared, tk1.delay_L2, tk1.delay_dram) == (506, 2, 10)
    assert (tk1.l2_size, tk1.l2_line) == (128 * 1024, 64)
    assert (tk1.max_threads, tk1.warp_size, tk1.banks, tk1.bank_width) == (2048, 32, 32, 8)


def test_every_number_has_a_source() -> None:
    for name in devices():
        assert all(row["source"] and row["source"] != f"{name}.toml" for row in device(name).rows())


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
        ("max_blocks = 16", "max_blocks = 16.5", "must be a whole number from 1 to 1024, not 16.5"),
        (
            'l2_line = "64 B"',
            "l2_line = 0.5",
            "must be a whole number of B from 1 to 4096, not 0.5",
        ),
        ('"modulo"', '"random"', "l2_index must be 'modulo' or 'hashed', not 'random'"),
        ("max_threads = 2048", "max_threads = 512", "max_threads_per_block = 1024 exceeds"),
        ("[sources]", "[source]", "unknown key 'source'; did you mean 'sources'"),
        ('banks = "wang', 'bancs = "wang', "sources: unknown key 'bancs'; did you mean 'banks'"),
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
