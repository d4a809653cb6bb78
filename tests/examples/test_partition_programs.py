"""The programs of examples/partition do what their names say; the toolbox has its own file."""

import hashlib
import math
import re
import subprocess
from collections.abc import Callable
from functools import reduce
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from logca import trace

for package in ("llvmlite", "networkx", "ziglang"):
    pytest.importorskip(package, reason="pip install 'logca[trace]'")

Printed = Callable[..., str]
Build = Callable[..., "subprocess.CompletedProcess[str]"]

PROGRAMS = Path(__file__).parents[2] / "examples" / "partition"
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.c"))


def noise(count: int) -> list[int]:
    """The 32 bits of the congruential generator that the programs draw from."""
    states = [1]
    for _ in range(count):
        states.append((states[-1] * 1664525 + 1013904223) % 2**32)
    return states[1:]


def fnv(data: bytes) -> str:
    return f"{reduce(lambda h, byte: (h ^ byte) * 16777619 % 2**32, data, 2166136261):08x}"


@pytest.fixture(scope="module")
def run() -> Callable[..., trace.Profile]:
    """Each program with some macros, run once: run(name, MACRO=value)."""
    kept: dict[object, trace.Profile] = {}

    def run_one(name: str, **macros: object) -> trace.Profile:
        key = name, *macros.items()
        if key not in kept:
            found = trace.profile(PROGRAMS / f"{name}.c", defines=macros, accesses=False)
            assert (found.run.status, found.run.message, found.run.stderr) == (0, "", b"")
            kept[key] = found
        return kept[key]

    return run_one


@pytest.fixture
def printed(run: Callable[..., trace.Profile]) -> Printed:
    return lambda name, **macros: run(name, **macros).run.stdout.decode()


def columns(text: str, name: str) -> NDArray[np.float64]:
    lines = [line.split()[1:] for line in text.splitlines() if line.split()[0] == name]
    return np.array(lines, dtype=float)


@pytest.mark.parametrize("name", NAMES)
def test_no_compiler_complains(name: str, build: Build, tmp_path: Path) -> None:
    done = build(PROGRAMS / f"{name}.c", tmp_path / name)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_sizes_are_those_of_the_readme(name: str, run: Callable[..., trace.Profile]) -> None:
    """Other versions of clang may differ by a few blocks; the order of magnitude is promised."""
    found = run(name)
    rows = (PROGRAMS / "README.md").read_text().splitlines()
    row = next(line for line in rows if line.startswith(f"| `{name}.c` |")).split("|")
    for assignment in row[4].strip().strip("`").split():
        macro, value = assignment.split("=")
        assert f"#ifndef {macro}\n#define {macro} {value}\n" in (PROGRAMS / f"{name}.c").read_text()
    blocks, accesses, executed = (int(cell.strip().replace(" ", "")) for cell in row[5:8])
    counts = found.run.block_counts
    touched = sum(int(counts[access.block]) for access in found.program.accesses)
    assert len(found.program.blocks) == pytest.approx(blocks, rel=0.02)
    assert touched == pytest.approx(accesses, rel=0.02)
    assert found.executed == pytest.approx(executed, rel=0.02)
    assert 500_000 <= touched <= 5_000_000
    assert name != "toolbox" or len(found.program.blocks) >= 1000


def test_aes_yields_the_cipher_texts_of_the_standards(printed: Printed) -> None:
    assert printed("aes", BYTES=2048).splitlines()[:3] == [
        "FIPS-197-B 3925841d02dc09fbdc118597196a0b32",
        "FIPS-197-C.1 69c4e0d86a7b0430d8cdb78070b4c55a",
        "SP-800-38A-F.1.1 "
        "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
        "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
    ]


def product(a: int, b: int) -> int:
    total = 0
    for bit in range(8):
        total ^= (a << bit) * (b >> bit & 1)
    for bit in range(14, 7, -1):
        total ^= (0x11B << bit - 8) * (total >> bit & 1)
    return total


def aes_by_bytes(key: bytes, data: bytes) -> bytes:
    """FIPS 197 as its pseudo code has it, byte by byte, without tables of columns."""
    inverse = {a: b for a in range(256) for b in range(256) if product(a, b) == 1} | {0: 0}
    turns = [(inverse[a], inverse[a] * 0x1010101) for a in range(256)]
    box = [
        b ^ (w >> 4 & 255) ^ (w >> 5 & 255) ^ (w >> 6 & 255) ^ (w >> 7 & 255) ^ 0x63
        for b, w in turns
    ]
    words = [key[i : i + 4] for i in range(0, 16, 4)]
    constant = 1
    for i in range(4, 44):
        last = words[-1]
        if i % 4 == 0:
            last = bytes(box[b] for b in last[1:] + last[:1])
            last = bytes([last[0] ^ constant]) + last[1:]
            constant = product(constant, 2)
        words.append(bytes(a ^ b for a, b in zip(words[i - 4], last, strict=True)))
    keys = [b"".join(words[i : i + 4]) for i in range(0, 44, 4)]
    by2, by3 = ([product(a, factor) for a in range(256)] for factor in (2, 3))
    out = bytearray()
    for start in range(0, len(data), 16):
        state = [a ^ b for a, b in zip(data[start : start + 16], keys[0], strict=True)]
        for number in range(1, 11):
            state = [box[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
            if number < 10:
                quads = [state[i : i + 4] for i in range(0, 16, 4)]
                state = [
                    by2[q[r]] ^ by3[q[(r + 1) % 4]] ^ q[(r + 2) % 4] ^ q[(r + 3) % 4]
                    for q in quads
                    for r in range(4)
                ]
            state = [a ^ b for a, b in zip(state, keys[number], strict=True)]
        out += bytes(state)
    return bytes(out)


def test_aes_encrypts_as_a_byte_by_byte_writing_does(printed: Printed) -> None:
    vector = aes_by_bytes(bytes(range(16)), bytes(17 * i for i in range(16)))
    assert vector.hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    plain = bytes(state >> 24 for state in noise(2048))
    digest = fnv(aes_by_bytes(plain[:16], plain))
    assert printed("aes", BYTES=2048).splitlines()[3:] == [f"digest {digest}", "right"]


def test_md5_yields_the_suite_of_the_rfc_and_hashlibs_digest(printed: Printed) -> None:
    *suite, digest, verdict = printed("md5").splitlines()
    assert [line.split(" = ")[1] for line in suite] == [
        "d41d8cd98f00b204e9800998ecf8427e",
        "0cc175b9c0f1b6a831c399e269772661",
        "900150983cd24fb0d6963f7d28e17f72",
        "f96b697d7cb7938d525a2f31aaf161d0",
        "c3fcd3d76192e4007dfb496cca67e13b",
        "d174ab98d277d9f5a5611c2c9f419d9f",
        "57edf4a22be3c955ac49da2e2107b67a",
    ]
    for line in suite:
        match = re.fullmatch(r'MD5 \("(.*)"\) = (\w+)', line)
        assert match is not None
        text, found = match.groups()
        assert hashlib.md5(text.encode(), usedforsecurity=False).hexdigest() == found
    data = bytes(state >> 24 for state in noise(262144))
    assert digest == f"digest {hashlib.md5(data, usedforsecurity=False).hexdigest()}"
    assert verdict == "right"


def image(width: int, height: int) -> NDArray[np.int64]:
    y, x = np.mgrid[:height, :width]
    away = (x - width // 2) ** 2 + (y - height // 2) ** 2
    shade = 32 + 128 * x // width + 64 * y // height
    grain = (x * 2246822519 + y * 3266489917) % 2**32
    grain = (grain ^ grain >> 15) * 2654435761 % 2**32
    disc = 240 - shade + away // 16 % 32
    return np.where(away < (min(width, height) // 3) ** 2, disc, shade) + (grain >> 28)


def noise_ratio(decoded: NDArray[np.int64], drawn: NDArray[np.int64]) -> float:
    """The peak signal-to-noise ratio in decibel."""
    return 10 * math.log10(255**2 / float(((decoded - drawn) ** 2).mean()))


@pytest.mark.parametrize(("width", "height"), [(256, 256), (37, 61)])
def test_jpeg_is_decoded_to_the_image_as_well_as_libjpegs(
    width: int, height: int, run: Callable[..., trace.Profile]
) -> None:
    drawn = image(width, height)
    sizes = {} if width == 256 else {"WIDTH": width, "HEIGHT": height}
    file = run("jpeg", WRITE_FILE=1, **sizes).run.stdout
    with Image.open(BytesIO(file)) as opened:
        assert (opened.format, opened.mode, opened.size) == ("JPEG", "L", (width, height))
        steps = opened.quantization[0]
        decoded = np.array(opened).astype(np.int64)
    assert steps[:8] == [16, 11, 10, 16, 24, 40, 51, 61]
    other = BytesIO()
    Image.fromarray(drawn.astype(np.uint8)).save(other, "jpeg", qtables=[steps])
    with Image.open(other) as opened:
        rival = np.array(opened).astype(np.int64)
    assert noise_ratio(decoded, drawn) > 30
    assert noise_ratio(decoded, drawn) == pytest.approx(noise_ratio(rival, drawn), abs=0.05)
    assert len(file) == pytest.approx(len(other.getvalue()), rel=0.02)
    if width == 256:
        assert run("jpeg").run.stdout.decode() == f"bytes {len(file)}\ndigest {fnv(file)}\n"


def test_fft_is_numpys(printed: Printed) -> None:
    text = printed("fft", N=256, PRINT_RESULTS=1)
    given, found = (columns(text, name) @ [1, 1j] for name in ("input", "spectrum"))
    drawn = np.array(noise(512)).reshape(256, 2) // 2**16 / 2**16 - 0.5
    np.testing.assert_array_equal(given, drawn @ [1, 1j])
    np.testing.assert_allclose(found, np.fft.fft(given), rtol=0, atol=1e-13 * 256)
    assert text.endswith("right\n")


def test_fft_at_its_own_size_has_numpys_checksum(printed: Printed) -> None:
    n = 8192
    drawn = np.array(noise(2 * n)).reshape(n, 2) // 2**16 / 2**16 - 0.5
    spectrum, k = np.fft.fft(drawn @ [1, 1j]), np.arange(n)
    expected = [spectrum.real @ (1 + k % 7), spectrum.imag @ (1 + k % 5)]
    np.testing.assert_allclose(columns(printed("fft"), "checksum")[0], expected, rtol=1e-7)


def test_sor_sweeps_as_a_python_writing_does(printed: Printed) -> None:
    text = printed("sor", N=12, SWEEPS=7, PRINT_RESULTS=1)
    grid = columns(text, "input").reshape(12, 12).tolist()
    for _ in range(7):
        for i in range(1, 11):
            for j in range(1, 11):
                around = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]
                grid[i][j] += 1.25 * (around / 4 - grid[i][j])
    np.testing.assert_allclose(
        columns(text, "result").ravel(), np.ravel(grid), rtol=1e-12, atol=1e-13
    )


def test_sor_converges_to_the_solution_of_the_equations(printed: Printed) -> None:
    n = 17
    text = printed("sor", N=n, SWEEPS=400, PRINT_RESULTS=1)
    grid = columns(text, "input").reshape(n, n)
    inner = np.zeros((n, n), dtype=bool)
    inner[1:-1, 1:-1] = True
    step = np.eye(n, k=1) + np.eye(n, k=-1)
    laplace = 4 * np.eye(n * n) - np.kron(step, np.eye(n)) - np.kron(np.eye(n), step)
    laplace[~inner.ravel()] = np.eye(n * n)[~inner.ravel()]
    solution = np.linalg.solve(laplace, np.where(inner, 0, grid).ravel())
    np.testing.assert_allclose(columns(text, "result").ravel(), solution, rtol=0, atol=1e-12)
    assert columns(text, "moved")[0, 0] < 1e-13


# What the benchmark prints for a million Whetstone instructions, as published with its versions in
# Fortran and C (double precision).
PUBLISHED = """
0 0 0 1.0000e+00 -1.0000e+00 -1.0000e+00 -1.0000e+00
120 140 120 -6.8342e-02 -4.6264e-01 -7.2972e-01 -1.1240e+00
140 120 120 -5.5336e-02 -4.4744e-01 -7.1097e-01 -1.1031e+00
3450 1 1 1.0000e+00 -1.0000e+00 -1.0000e+00 -1.0000e+00
2100 1 2 6.0000e+00 6.0000e+00 -7.1097e-01 -1.1031e+00
320 1 2 4.9041e-01 4.9041e-01 4.9039e-01 4.9039e-01
8990 1 2 1.0000e+00 1.0000e+00 9.9994e-01 9.9994e-01
6160 1 2 3.0000e+00 2.0000e+00 3.0000e+00 -1.1031e+00
0 2 3 1.0000e+00 -1.0000e+00 -1.0000e+00 -1.0000e+00
930 2 3 8.3467e-01 8.3467e-01 8.3467e-01 8.3467e-01
"""


def test_whetstone_prints_what_is_published(printed: Printed) -> None:
    lines = [line.split() for line in printed("whetstone", LOOPS=10).splitlines()]
    shown = [[*line[:3], *(f"{float(cell):.4e}" for cell in line[3:])] for line in lines]
    assert shown == [line.split() for line in PUBLISHED.split("\n") if line]


def sweep_matrix(t: float, last: float) -> NDArray[np.float64]:
    """Modules 2 and 3 are linear: each row of the sweep replaces one element."""
    signs = [[1, 1, 1, -1], [1, 1, -1, 1], [1, -1, 1, 1], [-1, 1, 1, 1]]
    whole = np.eye(4)
    for row, factor in enumerate((t, t, t, last)):
        one = np.eye(4)
        one[row] = np.array(signs[row]) * factor
        whole = one @ whole
    return whole


def test_whetstone_at_its_own_size_is_what_algebra_says(printed: Printed) -> None:
    loops, t, t1 = 50, 0.499975, 0.50025
    found = [
        [float(cell) for cell in line.split()[3:]] for line in printed("whetstone").split("\n")[:-1]
    ]
    start = np.array([1.0, -1, -1, -1])
    second = np.linalg.matrix_power(sweep_matrix(t, t), 12 * loops) @ start
    third = np.linalg.matrix_power(sweep_matrix(t, 0.5), 6 * 14 * loops) @ second
    x = y = 0.5
    for _ in range(32 * loops):
        x = t * math.atan(math.sin(2 * x) / (math.cos(x + y) + math.cos(x - y) - 1))
        y = t * math.atan(math.sin(2 * y) / (math.cos(x + y) + math.cos(x - y) - 1))
    z = (2 * t + t * (2 * t + 1)) / 2
    root = 0.75 ** ((0.5 / t1) ** (93 * loops))
    expected = [
        start,
        second,
        third,
        start,
        [6, 6, *third[2:]],
        [x, x, y, y],
        [1, 1, z, z],
        [3, 2, 3, third[3]],
        start,
        [root] * 4,
    ]
    np.testing.assert_allclose(found, np.array(expected, dtype=float), rtol=2e-6)
