"""The file of samples: nothing is lost, nothing of others is touched."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from measuring_world import MACHINE, World

from logca.common.errors import FileError
from logca.numeric.fit.fit import fit
from logca.numeric.measure.resumable_file import StoreError, opened, read_samples
from logca.numeric.measure.sizes_and_precision import Plan
from logca.numeric.timings.reading import read
from logca.numeric.timings.sample_file import (
    Failed,
    Header,
    Recorded,
    TimingSample,
    UnmeasuredSize,
    parsed,
    written,
)
from logca.numeric.timings.timings import TimingsError

HEADER = Header(
    experiment="mine",
    title="mine against yours",
    sizes=(1024, 2048, 4096, 8192),
    step=1,
    how={"pin": True, "warm_up": 1},
    machine=MACHINE,
    resolution=1e-7,
    begun="2031-05-04",
    notes=("it is so",),
    once={"start of the device": 1.5},
)


def sample(
    size: int, path: str, seconds: float = 1e-3, calls: int = 4, number: int = 0
) -> TimingSample:
    return TimingSample(size=size, path=path, seconds=seconds, calls=calls, round=number, spent=0.5)


LINES = (
    sample(1024, "host"),
    Failed(size=8192, path="host", message="a\nb\u2028c \udcff ä"),
    UnmeasuredSize(size=4096, message="too long"),
)


def filled(path: Path, *lines: TimingSample | Failed | UnmeasuredSize) -> None:
    with opened(path, HEADER) as store:
        for line in lines:
            store.append(line)


def test_what_is_written_is_read(output: Path) -> None:
    filled(output, *LINES)
    found = read_samples(output)
    assert found.header == HEADER
    assert (found.samples, found.failed, found.left_out) == tuple((line,) for line in LINES)
    assert json.loads(output.read_text().splitlines()[0])["format"] == "logca-samples"


def test_a_line_is_in_the_file_at_once(output: Path) -> None:
    with opened(output, HEADER) as store:
        store.append(LINES[0])
        assert read_samples(output).samples == (LINES[0],)


def test_going_on_appends(output: Path) -> None:
    filled(output, LINES[0])
    with opened(output, HEADER) as store:
        assert store.before.samples == (LINES[0],)
        store.append(sample(2048, "host"))
    assert [each.size for each in read_samples(output).samples] == [1024, 2048]


def test_whatever_the_moment_of_a_kill_only_the_last_line_is_lost(output: Path) -> None:
    filled(output, *(sample(size, "host") for size in (1024, 2048)))
    contents = output.read_bytes()
    for length in range(0, len(contents), 5):
        output.write_bytes(contents[:length])
        whole = contents[:length].count(b"\n") + (contents[length : length + 1] == b"\n")
        with opened(output, HEADER) as store:
            assert len(store.before.samples) == max(whole - 1, 0)
            store.append(sample(4096, "host"))
        kept = [1024, 2048][: max(whole - 1, 0)]
        assert [each.size for each in read_samples(output).samples] == [*kept, 4096]


def test_reading_ignores_a_half_written_line(output: Path) -> None:
    filled(output, *(sample(size, "host") for size in (1024, 2048)))
    contents = output.read_bytes()
    output.write_bytes(contents[:-9])
    assert [each.size for each in read_samples(output).samples] == [1024]
    assert output.read_bytes() == contents[:-9]


@pytest.mark.parametrize(
    "line",
    [
        '{"size": 1024}',
        "nonsense",
        "[1]",
        '{"size": 1024, "path": "gpu", "seconds": 1, "calls": 1, "round": 1}',
        '{"size": 1024, "path": "host", "seconds": -1, "calls": 1, "round": 1}',
        '{"size": 1024, "path": "host", "seconds": NaN, "calls": 1, "round": 1}',
        '{"size": 1024.5, "path": "host", "seconds": 1, "calls": 1, "round": 1}',
        '{"size": 1e400, "path": "host", "seconds": 1, "calls": 1, "round": 1}',
        '{"size": 1024, "path": "host", "seconds": 1, "calls": 1, "round": 1, "spent": -1000}',
        '{"size": 1024, "path": "host", "seconds": 1, "calls": 1, "round": 1, "spent": NaN}',
        '{"size": 1024, "path": "host", "seconds": 1, "calls": 1, "round": 1, "spent": 1e308}',
        '{"size": 1024, "path": "host", "seconds": 1, "calls": 1, "round": -1}',
        '{"size": true, "path": "host", "seconds": 1, "calls": 1, "round": 1}',
        '{"size": 1024, "path": "host", "seconds": true, "calls": 1, "round": 1}',
        '{"size": 1024, "path": "host", "seconds": "1", "calls": 1, "round": 1}',
        f'{{"size": 1024, "path": "host", "seconds": 1, "calls": 1{400 * "0"}, "round": 1}}',
        f'{{"size": 1024, "path": "host", "seconds": 1, "calls": 1{5000 * "0"}, "round": 1}}',
        f'{{"size": 1{400 * "0"}, "path": "host", "seconds": 1, "calls": 1, "round": 1}}',
    ],
)
def test_a_line_that_is_no_sample_is_named_and_nothing_changed(output: Path, line: str) -> None:
    filled(output, LINES[0])
    output.write_text(f"{output.read_text()}{line}\n{written(LINES[0])}\n")
    before = output.read_bytes()
    with pytest.raises(FileError, match="line 3 is no sample"), opened(output, HEADER):
        pass
    with pytest.raises(TimingsError, match="line 3 is no sample"):
        read(output)
    assert output.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["size,host\n1,2\n", "{}\n", '{"format": "other"}\n', "\x00\n", "x"]
)
def test_a_file_of_another_kind_is_left_as_it_is(output: Path, text: str) -> None:
    output.write_text(text)
    with pytest.raises(StoreError, match="no file of samples; it is left as it is"):
        filled(output, LINES[0])
    assert output.read_text() == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"experiment": "yours"}, "experiment differs: 'mine' there, 'yours' here"),
        ({"sizes": (1024, 99)}, "sizes differs: 1024 B to 8192 B in 4 there, 1024 B to 99 B in 2"),
        ({"step": 2}, "step differs: 1 there, 2 here"),
        ({"how": {"pin": False, "warm_up": 1}}, "how differs: pin = True there, pin = False here"),
        ({"machine": MACHINE | {"cpu": "6502"}}, "another machine, cpu differs: 'Z80' there, '65"),
        ({"machine": MACHINE | {"cores": 2}}, "cores differs: 1 there, 2 here"),
    ],
)
def test_another_measurement_is_refused(output: Path, change: dict[str, Any], said: str) -> None:
    filled(output, LINES[0])
    before = output.read_bytes()
    with (
        pytest.raises(StoreError, match=said),
        opened(output, replace(HEADER, **change)),
    ):
        pass
    assert output.read_bytes() == before


def test_what_took_no_time_is_begun_anew_by_another_measurement(output: Path) -> None:
    filled(output, Failed(size=1024, path="host", message="no such command"))
    mended = replace(HEADER, experiment="mine, mended")
    with opened(output, mended) as store:
        assert store.before == Recorded(header=mended)
        store.append(LINES[0])
    assert read_samples(output).header == mended
    assert read_samples(output).failed == ()


def test_what_may_differ(output: Path) -> None:
    filled(output, LINES[0])
    other = replace(
        HEADER, machine=MACHINE | {"load": 9.0}, resolution=1e-6, begun="2032-01-01", notes=()
    )
    with opened(output, other) as store:
        assert store.before.header == HEADER
    another = replace(HEADER, machine=MACHINE | {"cpu": "6502"})
    with opened(output, another, other_machine=True) as store:
        assert store.before.header == HEADER


def test_one_process_at_a_time(output: Path) -> None:
    with (
        opened(output, HEADER),
        pytest.raises(StoreError, match="another process is measuring into it"),
        opened(output, HEADER),
    ):
        pass


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="cannot be written to: No such file"),
        opened(tmp_path / "not" / "there.jsonl", HEADER),
    ):
        pass


def test_another_version_is_told() -> None:
    text = written(HEADER).replace('"version": 1', '"version": 2') + "\n"
    with pytest.raises(FileError, match="of version 2; this logca reads version 1"):
        parsed(text, "file")


def test_a_header_that_lacks_something_is_told() -> None:
    text = written(HEADER).replace('"step": 1, ', "") + "\n"
    with pytest.raises(FileError, match="header, lacks or garbles 'step'"):
        parsed(text, "file")


def test_a_fit_reads_samples_with_notes_and_provenance(output: Path) -> None:
    times = [
        sample(size, path, seconds, number=number)
        for number in range(2)
        for size in (8192, 1024, 4096, 2048)
        for path, seconds in (("host", size * 1e-9), ("accelerated", 2e-6))
    ]
    filled(output, *times, sample(16384, "host"), LINES[2])
    with opened(output, HEADER) as store:
        store.append(Failed(size=16384, path="accelerated", message="no memory"))
        store.append(UnmeasuredSize(size=65536, message="it would take longer"))
        store.append(UnmeasuredSize(size=32768, message="it would take long"))
    found = read(output)
    assert found.timings.granularity == (1024, 2048, 4096, 8192)
    assert [list(each) for each in found.timings.host] == [
        [size * 1e-9] * 2 for size in (1024, 2048, 4096, 8192)
    ]
    assert [each.size for each in found.timings.accelerated] == [2, 2, 2, 2]
    assert found.timings.resolution == 1e-7 / 4
    assert found.notes == (
        "it is so",
        "start of the device: 1.5 s, once, not in any of the times",
        "16 KiB left out: accelerated failed: no memory",
        "2 sizes from 32 KiB to 64 KiB left out: it would take long; give a larger budget or fewer "
        "points",
    )
    assert found.provenance == {
        "timings": output.name,
        "sha256": sha256(output.read_bytes()).hexdigest(),
        "experiment": "mine against yours",
        "machine": "Z80, 1 core, CP/M 2.2, Python 3.11",
        "measured": "2031-05-04",
    }


def test_what_a_fit_cannot_use_is_told(output: Path) -> None:
    filled(output, LINES[0], LINES[1])
    with pytest.raises(TimingsError, match=r"no size has times of both paths; .*8 KiB left out"):
        read(output)
    with pytest.raises(TimingsError, match="units and paths of their own"):
        read(output, host="cpu")


def test_a_fit_of_what_was_measured_finds_the_device(linear: World, output: Path) -> None:
    linear.measure(output, Plan(budget=60))
    found = fit(output)
    low, high, _ = found.interval("g1")
    assert low < 20e-6 / 0.9e-9 < high
    assert found.parameters["A"] == pytest.approx(10, rel=0.1)


def test_bytes_that_are_no_text_are_left_as_they_are(output: Path) -> None:
    filled(output, *LINES)
    with output.open("ab") as file:
        file.write(b'{"failed": 1024, "path": "host", "message": "caf\xe9"}\n')
    before = output.read_bytes()
    filled(output)
    assert output.read_bytes() == before
    with output.open("ab") as file:
        file.write(b'{"size": \xe9\xe9')
    filled(output, LINES[0])
    assert output.read_bytes() == before + f"{written(LINES[0])}\n".encode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device on this system")
def test_a_full_disk_is_named_and_what_is_written_is_kept(output: Path) -> None:
    filled(output, *LINES)
    before = output.read_bytes()
    with (
        opened(output, HEADER) as store,
        open("/dev/full", "ab", buffering=0) as full,
        pytest.raises(StoreError, match=r"No space left.* all times before are kept"),
    ):
        replace(store, file=full).append(LINES[0])
    assert output.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device on this system")
def test_a_device_is_no_file_of_samples(output: Path) -> None:
    output.symlink_to("/dev/full")
    with pytest.raises(StoreError, match="no ordinary file"), opened(output, HEADER):
        pass


@pytest.mark.parametrize(
    "change", [{"sizes": ()}, {"sizes": (1.5, 2)}, {"resolution": float("nan")}, {"resolution": 0}]
)
def test_a_header_with_what_cannot_be_is_told(change: dict[str, object]) -> None:
    with pytest.raises(FileError, match="line 1, the header"):
        parsed(written(replace(HEADER, **change)), "x.jsonl")
