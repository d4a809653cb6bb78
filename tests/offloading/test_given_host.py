"""Hosts by numbers, and what the system tells of this machine's cores."""

from pathlib import Path

import pytest

from logca.common.errors import FileError
from logca.offloading.given_host import ONE_CORE, GivenHost, given_host, peak_rate

CPUINFO = (
    "cpu MHz : 2000.0\nflags : fpu sse2 avx fma\n\ncpu MHz : 2500.0\nflags : fpu sse2 avx fma\n"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, ONE_CORE),
        ("cores", GivenHost(measured=True)),
        ("cores=16", GivenHost(cores=16)),
        (" speed = 1.5 , peak=90", GivenHost(speed=1.5, peak=9e10)),
    ],
)
def test_hosts(text: str | None, found: GivenHost) -> None:
    assert given_host(text) == found


@pytest.mark.parametrize(
    "text",
    ["", "fast", "cores=0", "cores=1.5", "speed=0", "speed=inf", "cores=2,cores=3", "peak=-1"],
)
def test_what_is_no_host(text: str) -> None:
    with pytest.raises(FileError, match="write cores for all cores of this machine"):
        given_host(text)


def test_words() -> None:
    assert ONE_CORE.words("Z80") == "Z80, one core, optimised for it"
    assert (
        given_host("cores=2,speed=1.5").words("Z80")
        == "2 cores, each 1.5 times as fast as one of Z80"
    )


def test_peak_rates_follow_registers_and_clock(tmp_path: Path) -> None:
    facts = tmp_path / "cpuinfo"
    facts.write_text(CPUINFO)
    # two units that multiply and add eight single-precision numbers at 2.5 GHz
    assert peak_rate(ONE_CORE, 4, facts) == 2 * 2 * 8 * 2.5e9
    assert peak_rate(given_host("cores=3,speed=2"), 8, facts) == 3 * 2 * 2 * 2 * 4 * 2.5e9
    assert peak_rate(given_host("cores=3,peak=100"), 8, facts) == 3e11
    assert peak_rate(ONE_CORE, 4, tmp_path / "none") is None
