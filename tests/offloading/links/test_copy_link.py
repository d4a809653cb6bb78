"""Links by name, by numbers and from files; and what is none."""

from math import inf
from pathlib import Path

import pytest

from logca.common.errors import FileError
from logca.gpu.devices.parameters import device
from logca.offloading.links.copy_link import INTEGRATED, copy_link, copy_links, link_of_device

RAW = {"pcie3": 15.75e9, "pcie4": 31.51e9, "pcie5": 63.02e9, "nvlink-c2c": 450e9}
"""Bandwidth one way by the standard, or the vendor's whitepaper [B/s]."""


@pytest.mark.parametrize("name", RAW)
def test_a_link_moves_less_than_its_wires(name: str) -> None:
    found = copy_link(name)
    assert 0.5 * RAW[name] < found.bandwidth < RAW[name]
    assert found.pageable_bandwidth <= found.bandwidth
    assert set(found.sources) == {"bandwidth", "pageable_bandwidth", "latency"}
    assert found.pageable.bandwidth == found.pageable_bandwidth


def test_links_by_numbers_and_from_a_file(tmp_path: Path) -> None:
    assert copy_link("12GB/s").latency == pytest.approx(10e-6)
    assert copy_link("1.5e3 MB/s,2ms").bandwidth == pytest.approx(1.5e9)
    file = tmp_path / "mine.toml"
    file.write_text('title = "mine"\nbandwidth = "7 GB/s"\nlatency = "3 us"\n')
    found = copy_link(file)
    assert (found.title, found.pageable_bandwidth) == ("mine", 7e9)
    assert copy_link("integrated") is INTEGRATED
    assert INTEGRATED.bandwidth == inf
    assert len(copy_links()) == len(RAW) + 1


def test_the_link_of_a_device_is_the_one_of_that_name() -> None:
    found = link_of_device(device("rtx-4090"))
    assert found is not None
    assert (found.name, found.latency) == ("pcie4", pytest.approx(10e-6))
    assert link_of_device(device("jetson-tk1")) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pcie9", "there is no link 'pcie9'; did you mean"),
        ("fast", "known: integrated, nvlink-c2c, pcie3"),
        ("20GB/s,5min", "latency"),
        ("0GB/s", "out of range"),
        ("20 KB/s", "bandwidth"),
        ("nothere.toml", "there is no file"),
    ],
)
def test_what_is_no_link(name: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        copy_link(name)
