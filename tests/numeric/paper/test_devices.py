"""The paper's tables, typed in here a second time from the paper, and how they are asked for."""

import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from decimal import Decimal
from pathlib import Path

import pytest

import logca
from logca.numeric.paper.devices import (
    Device,
    DeviceError,
    device,
    devices,
    find_device,
    kernels_of,
)
from logca.numeric.paper.platforms import kernels, platforms

BIBLIOGRAPHY = Path(__file__).parents[3] / "docs" / "references.bib"

TABLE5 = """
discrete-gpu          aes           linear   3000 2e8    174 30 1
discrete-gpu          radix-sort    linear   3000 2e8    290 30 1
discrete-gpu          gemm          linear   3000 2e8    2   30 1.7
discrete-gpu          fft           linear   3000 2e8    290 30 1.2
discrete-gpu          binary-search linear   3000 2e8    116 30 0.14
apu                   aes           linear   15   4e8    174 7  1
apu                   radix-sort    linear   15   4e8    290 7  1
apu                   gemm          linear   15   4e8    2   7  1.7
apu                   fft           linear   15   4e8    290 7  1.2
apu                   binary-search linear   15   4e8    116 7  0.14
ultrasparc-t2         aes           constant 1500 2.9e4  90  19 1
ultrasparc-t2         sha           constant 1500 10.5e3 72  12 1
sparc-t3              aes           constant 1500 2.7e4  90  12 1
sparc-t3              sha           constant 1500 10.5e3 72  10 1
sparc-t4              aes           constant 500  435    32  12 1
sparc-t4              sha           constant 500  16e3   32  10 1
sparc-t4-instructions aes           constant 4    111    32  12 1
sparc-t4-instructions sha           constant 4    1638   32  10 1
sandy-bridge          aes           constant 3    10     35  6  1
"""
"""Device, kernel, form of latency (section 4), L, o, C, A, beta (section 5)."""

TABLE5_TITLES = {
    "discrete-gpu": "Discrete GPU",
    "apu": "APU",
    "ultrasparc-t2": "UltraSPARC T2",
    "sparc-t3": "SPARC T3",
    "sparc-t4": "SPARC T4",
    "sparc-t4-instructions": "SPARC T4 instr.",
    "sandy-bridge": "Sandy Bridge",
}

TABLE4 = {
    "aes": ("AES", "Advanced Encryption Standard (AES)", "n", "1", "1.01"),
    "sha": ("SHA", "Secure Hashing Algorithm (SHA)", "n", "1", "0.97"),
    "gemm": ("GEMM", "Matrix Multiplication (GEMM)", "n^3", "1.7", "1.7"),
    "fft": ("FFT", "Fast Fourier Transform (FFT)", "n log n", "1.2", "1.2"),
    "radix-sort": ("Radix Sort", "Radix Sort", "k n", "1", "0.94"),
    "binary-search": ("Binary Search", "Binary Search", "log n", "0.14", "0.14"),
}

TABLE2 = """
PCI Crypto    | AMD A8-3850        | 2.9 GHz  | 0.98o        | Ubuntu 3.13.0-55
UltraSPARC T2 | S2                 | 1.16 GHz | 0.98o        | Oracle Solaris 11
SPARC T3      | S2                 | 1.65 GHz | 0.98o        | Oracle Solaris 11
SPARC T4      | S3                 | 3 GHz    | 1.02, 1.0.1k | Oracle Solaris 11.2
Sandy Bridge  | Intel Core i7-2600 | 3.4 GHz  | 0.98o        | Linux2.6.32-504
"""

TABLE3 = """
Discrete GPU   | Tesla C2070 | Fermi | 16 | 448 | 1.5 | 1000 | Intel Xeon E5520 | 2.27
Integrated APU | Radeon HD 6550 | Beaver Creek | 5 | 400 | 0.6 | 480 | AMD A8-3850 | 2.9
AMD HSA        | Radeon R7 | Kaveri | 8 | 512 | 0.72 | 856 | AMD A10-7850K | 1.7
"""


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def test_table_5() -> None:
    found = [
        (row.device, row.kernel, row.latency, row.L, row.o, row.C, row.A, row.beta)
        for row in devices()
    ]
    words = [line.split() for line in TABLE5.strip().splitlines()]
    assert found == [(*line[:3], *map(float, line[3:])) for line in words]
    assert len(found) == 19


def test_whole_numbers_stay_whole() -> None:
    for row in devices():
        assert {type(number) for number in (row.o, row.L, row.C, row.A)} == {int}
        assert type(row.beta) is float


def test_titles_are_those_of_table_5() -> None:
    assert {row.device: row.device_title for row in devices()} == TABLE5_TITLES
    assert {row.kernel: row.kernel_title for row in devices()} == {
        name: title for name, (title, *_) in TABLE4.items()
    }


def test_table_4() -> None:
    assert {
        kernel.kernel: (
            kernel.title,
            kernel.full_title,
            kernel.complexity,
            str(kernel.beta),
            str(kernel.beta_table4),
        )
        for kernel in kernels()
    } == TABLE4
    assert [kernel.kernel for kernel in kernels()] == list(TABLE4)
    assert all(isinstance(kernel.beta, Decimal) for kernel in kernels())


def test_table_2() -> None:
    found = [
        [platform.title, *(cell for _, cell in platform.facts)]
        for platform in platforms()
        if platform.source.startswith("altaf2017, Table 2")
    ]
    assert found == cells(TABLE2)


def test_table_3() -> None:
    found = [
        [platform.title, *(re.sub(" (GHz|GFLOP/s)$", "", cell) for _, cell in platform.facts)]
        for platform in platforms()
        if platform.source.startswith("altaf2017, Table 3")
    ]
    assert found == cells(TABLE3)


def test_every_device_with_parameters_is_a_machine_of_tables_2_and_3() -> None:
    described = [name for platform in platforms() for name in platform.devices]
    assert len(described) == len(set(described))
    assert set(described) == {*TABLE5_TITLES, "pci-crypto", "hsa-gpu"}


def test_only_machines_without_parameters_have_their_latency_in_tables_2_and_3() -> None:
    named = {name: platform.latency for platform in platforms() for name in platform.devices}
    assert {name: form for name, form in named.items() if form} == {
        "pci-crypto": "linear",
        "hsa-gpu": "constant",
    }


def test_the_reading_of_the_sha_rows_is_told_where_it_was_needed() -> None:
    disputed = [row for row in devices() if "transcriptions disagree" in row.reading]
    assert [row.device for row in disputed] == [
        "ultrasparc-t2",
        "sparc-t3",
        "sparc-t4",
        "sparc-t4-instructions",
    ]
    assert {row.kernel for row in disputed} == {"sha"}


def test_the_reason_for_that_reading_holds() -> None:
    first = {"sparc-t4": 16_000, "sparc-t4-instructions": 1_638}
    for name, column in first.items():
        assert find_device(name, "sha").o == column
    assert len({find_device(name, "sha").C for name in first}) == 1
    assert len({find_device(name, "aes").C for name in first}) == 1
    assert len(set(first.values())) == 2


def test_everything_has_a_source_and_a_reading() -> None:
    bibliography = BIBLIOGRAPHY.read_text(encoding="utf-8")
    for entry in (*devices(), *kernels(), *platforms()):
        assert f"{{{entry.source.partition(',')[0]}," in bibliography
        assert entry.reading


def test_units_follow_the_form_of_latency() -> None:
    assert find_device("apu", "aes").units["L"] == "cycles/B"
    assert find_device("sparc-t3", "aes").units["L"] == "cycles"
    assert find_device("apu", "aes").units["C"] == "cycles/B**beta"


def test_entries_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        devices()[0].o = 1  # type: ignore[misc]
    assert len({*devices()}) == 19


@pytest.mark.parametrize("row", devices(), ids=lambda row: f"{row.device}-{row.kernel}")
def test_a_row_becomes_an_accelerator(row: Device) -> None:
    made = device(row.device, row.kernel)
    assert (made.o, made.L, made.C, made.A, made.beta) == (row.o, row.L, row.C, row.A, row.beta)
    assert (made.latency, made.unit) == (row.latency, "cycles")
    assert made.name == f"{row.device_title} {row.kernel_title}"
    assert made == row.accelerator()


def test_exponent_and_latency_can_be_replaced() -> None:
    assert device("apu", "aes", beta=1.01).beta == 1.01
    assert device("apu", "aes", latency="constant").latency == "constant"
    with pytest.raises(ValueError, match="latency"):
        device("apu", "aes", latency="cubic")
    with pytest.raises(ValueError, match="beta"):
        device("apu", "aes", beta=-1)


def test_the_only_kernel_of_a_device_need_not_be_named() -> None:
    assert find_device("sandy-bridge") == find_device("sandy-bridge", "aes")
    with pytest.raises(
        DeviceError,
        match="sparc-t4 has several kernels; name one with kernel or --kernel: aes, sha",
    ):
        find_device("sparc-t4")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ultrasparc-t1"], r"no device 'ultrasparc-t1'; did you mean 'ultrasparc-t2'"),
        (["UltraSPARC T2", "aes"], r"did you mean 'ultrasparc-t2'\? known: discrete-gpu, apu,"),
        (["sparc_t4", "aes"], r"did you mean 'sparc-t4'\?"),
        (["abacus"], r"no device 'abacus'; known: discrete-gpu.*sandy-bridge$"),
        ([""], r"no device ''; known:"),
        (
            ["sparc-t4", "sha256"],
            r"sparc-t4 has no kernel 'sha256'; did you mean 'sha'\? .*: aes, sha$",
        ),
        (["sandy-bridge", "sha"], r"sandy-bridge has no kernel 'sha'; known: aes"),
        (["hsa-gpu", "gemm"], r"hsa-gpu \(AMD HSA\).*altaf2017, Table 3.*prints none"),
        (["pci-crypto"], r"pci-crypto \(PCI Crypto\).*altaf2017, Table 2.*latency is linear"),
    ],
)
def test_unknown_names(words: list[str], message: str) -> None:
    with pytest.raises(DeviceError, match=message) as caught:
        device(*words)
    assert "\n" not in str(caught.value)


def test_other_entries_can_be_searched() -> None:
    mine = [row for row in devices() if row.device == "apu"]
    assert kernels_of("apu", among=mine) == tuple(mine)
    with pytest.raises(DeviceError, match=r"known: apu$"):
        find_device("hsa-gpu", among=mine)


def test_the_face_has_the_functions() -> None:
    assert logca.devices is devices
    assert logca.device is device


@pytest.mark.parametrize(
    "code",
    [
        "import logca; logca.devices()",
        "import logca.proofs.claims.isca2017.tables",
    ],
)
def test_no_heavy_library_is_loaded(code: str) -> None:
    check = f"import sys\n{code}\nassert not {{'sympy', 'numpy', 'scipy', 'z3'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, timeout=60)
