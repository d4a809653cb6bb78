"""Files of devices: what is written is what is read, and what is wrong is told in one line."""

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import logca
from logca.common.errors import FileError
from logca.numeric.paper.device_files import checked_rows
from logca.numeric.paper.devices import DeviceFileError, devices, load_devices

ROOT = Path(__file__).parents[3]

GOOD = """
[devices.fpga]
latency = "linear"
o = 20000
L = 2.5

[devices.fpga.kernels.aes]
C = 90
A = 12

[devices.fpga.kernels.stencil]
C = 35
A = 40
beta = 1.5
"""


def saved(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_not_written_has_defaults(tmp_path: Path) -> None:
    path = saved(tmp_path, GOOD)
    aes, stencil = load_devices(path)
    assert (aes.o, aes.L, aes.C, aes.A, aes.beta) == (20000, 2.5, 90, 12, 1)
    assert (stencil.o, stencil.L, stencil.C, stencil.A, stencil.beta) == (20000, 2.5, 35, 40, 1.5)
    assert (aes.device, aes.device_title, aes.kernel, aes.kernel_title) == (
        "fpga",
        "fpga",
        "aes",
        "AES",
    )
    assert (stencil.kernel_title, stencil.unit, stencil.reading) == ("stencil", "cycles", "")
    assert stencil.source == str(path)
    assert aes.source == f"{path}; beta: altaf2017, §5.1"
    assert load_devices(str(path)) == logca.load_devices(path) == (aes, stencil)


def test_what_is_nearer_goes_before_and_readings_add_up() -> None:
    text = """
    source = "file"
    unit = "us"
    readings = { one = "First.", two = "Second." }
    [devices.d]
    title = "Device"
    latency = "constant"
    source = "device"
    o = 1
    L = 1
    A = 2
    reading = ["one"]
    [devices.d.kernels]
    k = { C = 1, beta = 1 }
    l = { title = "Ell", C = 1, beta = 1, L = 7, latency = "linear", source = "kernel" }
    m = { C = 1, beta = 1, reading = ["two"] }
    [devices.e]
    latency = "linear"
    kernels.k = { o = 1, L = 0, C = 1, A = 2, beta = 1 }
    """
    rows = {(row["device"], row["kernel"]): row for row in checked_rows(text, "mine.toml")}
    k, l, m, e = rows.values()
    assert (k["source"], k["L"], k["latency"], k["reading"]) == ("device", 1, "constant", "First.")
    assert (l["source"], l["L"], l["latency"], l["kernel_title"]) == ("kernel", 7, "linear", "Ell")
    assert m["reading"] == "First.\nSecond."
    assert (e["source"], e["reading"], e["device_title"]) == ("file", "", "e")
    assert {row["unit"] for row in rows.values()} == {"us"}
    assert {row["device_title"] for row in (k, l, m)} == {"Device"}


def test_the_papers_table_is_a_file_of_this_format() -> None:
    assert load_devices(ROOT / "numeric" / "paper" / "table5.toml") == devices()


def test_the_documented_example_loads(tmp_path: Path) -> None:
    [example] = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "devices.md").read_text(encoding="utf-8"), re.DOTALL
    )
    aes, convolution = load_devices(saved(tmp_path, example))
    assert (aes.device_title, aes.C, aes.L, aes.beta) == ("My FPGA", 90, 2.5, 1)
    assert (convolution.L, convolution.beta) == (2, 1.5)
    assert convolution.reading == "the three smallest sizes are left out of the fit"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert len(load_devices(path)) == 2


def one(values: str) -> str:
    return f"devices.d.kernels.k = {{ {values} }}"


WHOLE = "latency = 'linear', o = 1, L = 1, C = 1, A = 2, beta = 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no entry; begin one with [devices.NAME.kernels.NAME]"),
        ("devices = 3", "devices: must be a table, not 3"),
        ("devices.d = 3", "devices.d: must be a table, not 3"),
        ("devices.d.kernels = []", "devices.d.kernels: must be a table"),
        ("devices.d.kernels.k = 'x'", "devices.d.kernels.k: must be a table, not 'x'"),
        ("devices.d.o = 1", "devices.d: no kernel"),
        ("this is no TOML", "not TOML"),
        ("a = 1\na = 2", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        ("a = " + "9" * 5000, "not TOML"),
        (one("latency = 'linear', o = 1, L = 1, beta = 1"), "devices.d.kernels.k: missing C, A;"),
        (one(WHOLE.replace("latency = 'linear', ", "")), "missing latency"),
        (one(WHOLE.replace(", beta = 1", "")), "missing beta; only the kernels of altaf2017"),
        (one(WHOLE.replace("'linear'", "'cubic'")), "latency must be 'constant' or 'linear'"),
        (one(WHOLE.replace("'linear'", "['linear']")), "latency must be 'constant' or 'linear'"),
        (one(WHOLE.replace("o = 1", "o = -1")), "o must be a finite number at least 0, not -1"),
        (one(WHOLE.replace("L = 1", "L = -0.5")), "L must be a finite number at least 0, not -0.5"),
        (one(WHOLE.replace("C = 1", "C = 0")), "C must be a finite number above 0, not 0"),
        (one(WHOLE.replace("C = 1", "C = 1e-400")), "C must be a finite number above 0"),
        (one(WHOLE.replace("C = 1", "C = nan")), "C must be a finite number above 0, not NaN"),
        (one(WHOLE.replace("C = 1", "C = inf")), "C must be a finite number above 0, not Infinity"),
        (one(WHOLE.replace("C = 1", "C = 1e400")), "C must be a finite number above 0"),
        (one(WHOLE.replace("C = 1", "C = " + "9" * 400)), "C must be a finite number above 0"),
        (one(WHOLE.replace("C = 1", "C = 0x" + "f" * 9000)), "thousands of digits"),
        (one(WHOLE.replace("C = 1", "C = '1'")), "C must be a finite number above 0, not '1'"),
        (one(WHOLE.replace("C = 1", "C = true")), "C must be a finite number above 0, not True"),
        (one(WHOLE.replace("C = 1", "C = 2024-01-01")), "C must be a finite number above 0"),
        (one(WHOLE.replace("A = 2", "A = 1")), "A must be a finite number above 1, not 1"),
        (one(WHOLE.replace("beta = 1", "beta = 0")), "beta must be a finite number above 0"),
        (one(WHOLE.replace("o = 1, L = 1", "o = 0, L = 0.0")), "o and L are both 0"),
        (one(WHOLE + ", title = 3"), "title must be a text, not 3"),
        (one(WHOLE + ", source = ' '"), "source must be a text, not ' '"),
        (one(WHOLE + ", Beta = 3"), "unknown key 'Beta'; did you mean 'beta'?"),
        (one(WHOLE + ", overhead = 3"), "unknown key 'overhead'; known keys: title, latency, o"),
        (one(WHOLE + ", reading = 'x'"), "reading must be a list of keys of [readings], not 'x'"),
        (one(WHOLE + ", reading = ['x']"), "reading: there is no 'x' in [readings]"),
        (one(WHOLE + ", reading = [[]]"), "reading: there is no [] in [readings]"),
        (f"readings.x = 3\n{one(WHOLE)}", "readings: x must be a text, not 3"),
        (f"readings = 3\n{one(WHOLE)}", "readings: must be a table, not 3"),
        (f"unit = 3\n{one(WHOLE)}", "unit must be a text, not 3"),
        (f"device = 3\n{one(WHOLE)}", "unknown key 'device'; did you mean 'devices'?"),
        ("devices.d.kernel.k.C = 1", "devices.d: unknown key 'kernel'; did you mean 'kernels'?"),
        ("devices.' '.kernels.k.C = 1", "devices: ' ' is no name"),
        ('devices.d.kernels."a\\nb".C = 1', "devices.d.kernels: 'a\\nb' is no name"),
    ],
)
def test_what_is_wrong_is_told_with_file_entry_and_key(
    tmp_path: Path, text: str, message: str
) -> None:
    path = saved(tmp_path, text)
    with pytest.raises(DeviceFileError) as caught:
        load_devices(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 200


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DeviceFileError, match=r"there is no file '.*nothing\.toml'"):
        load_devices(tmp_path / "nothing.toml")
    with pytest.raises(DeviceFileError, match="cannot read"):
        load_devices(tmp_path)
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeviceFileError, match=r"binary\.toml: not TOML, because not UTF-8"):
        load_devices(path)
    with pytest.raises(DeviceFileError, match="cannot read"):
        load_devices("nul\0byte")


positive = st.floats(min_value=5e-324, allow_infinity=False)


@given(
    o=st.floats(min_value=0, allow_infinity=False),
    L=positive,
    C=positive,
    A=st.floats(min_value=1, exclude_min=True, allow_infinity=False),
    beta=positive,
    latency=st.sampled_from(["constant", "linear"]),
)
def test_every_number_is_read_as_it_is_written(
    o: float, L: float, C: float, A: float, beta: float, latency: str
) -> None:
    numbers = {"o": o, "L": L, "C": C, "A": A, "beta": beta}
    written = ", ".join(f"{key} = {value!r}" for key, value in numbers.items())
    [row] = checked_rows(one(f"latency = '{latency}', {written}"), "mine.toml")
    assert {key: row[key] for key in numbers} == numbers
    assert row["latency"] == latency


literals = st.one_of(
    st.floats().map(repr),
    st.integers().map(str),
    st.booleans().map(lambda value: str(value).lower()),
    st.sampled_from(["[]", "{}", "''", "'linear'", "['one']", "1979-05-27", "{ C = 1 }", "[[1]]"]),
)
keys = st.sampled_from(
    ["title", "latency", "o", "L", "C", "A", "beta", "source", "reading", "kernels", "x"]
)


@given(changed=st.dictionaries(keys, literals, min_size=1, max_size=4))
def test_a_file_is_read_or_refused_but_never_breaks(changed: dict[str, str]) -> None:
    parts = dict(part.split(" = ") for part in WHOLE.split(", ")) | changed
    text = one(", ".join(f"{key} = {value}" for key, value in parts.items()))
    rows = []
    with contextlib.suppress(DeviceFileError):
        rows = list(checked_rows(text, "mine.toml"))
    assert all(row["A"] > 1 and row["C"] > 0 and row["o"] + row["L"] > 0 for row in rows)


def test_times_may_have_units() -> None:
    text = """unit = "seconds"
    devices.f = {latency = "linear", o = "10us", L = "1.5ns/B", A = 8, kernels.aes.C = "36ns/B"}"""
    (row,) = checked_rows(text, "mine.toml")
    assert (row["o"], row["L"], row["C"]) == (1e-5, 1.5e-9, 3.6e-8)
    with pytest.raises(FileError, match=r"devices.f.kernels.aes: L = '2us' is a time of an"):
        list(checked_rows(text.replace("1.5ns/B", "2us"), "mine.toml"))
    with pytest.raises(FileError, match="is in seconds, and the accelerator in cycles"):
        list(checked_rows(text.replace('"seconds"', '"cycles"'), "mine.toml"))
