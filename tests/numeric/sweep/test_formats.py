"""Sweeps in files: every format, larger than a block, interrupted, and what may be replaced."""

import csv
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import h5netcdf
import numpy as np
import pyarrow.parquet as pq
import pytest
import xarray as xr
import zarr

import logca
from logca.numeric.sweep import resume
from logca.numeric.sweep.blocks import cut
from logca.numeric.sweep.resume import (
    boot,
    journal_of,
    read_journal,
    set_aside,
    writing_journal,
)

QUANTITIES = ("speedup", "T0", "gain_o", "g1")
PARAMETERS: dict[str, Any] = {
    "A": [2.0, 3.0, 50.0],
    "g": np.geomspace(16, 2**25, 11),
    "L": [0.0, 1.0, 10.0, 100.0],
    "o": 435,
    "C": 32,
    "beta": 0.9,
    "r": 2,
}
BLOCK = 25
BLOCKS = 3 * 2  # 11 times 4 points in two blocks, for each of three values of A

suffixes = pytest.mark.parametrize("suffix", [".zarr", ".nc", ".parquet"])


def swept(output: Path | None = None, **changes: Any) -> xr.Dataset:
    changes = {"block": BLOCK, **PARAMETERS, **changes}
    with logca.sweep(QUANTITIES, output=output, **changes) as found:
        return found.load()


@cache
def wanted() -> xr.Dataset:
    """What most of the sweeps here are to give."""
    return swept()


class Broken(Exception):
    pass


def broken_after(points: int) -> Callable[[int, int], None]:
    def tell(done: int, of: int) -> None:
        if done >= points:
            raise Broken

    return tell


@pytest.fixture
def unfinished(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    output = tmp_path / f"grid{request.getfixturevalue('suffix')}"
    with pytest.raises(Broken):
        swept(output, progress=broken_after(40), workers=1)
    return output


@suffixes
def test_what_is_read_is_what_is_computed(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    xr.testing.assert_identical(swept(output), wanted())
    assert [path.name for path in tmp_path.iterdir()] == [output.name]
    with logca.open_sweep(output) as again:
        xr.testing.assert_identical(again.load(), wanted())


@suffixes
@pytest.mark.parametrize("axes", [{"g": 64.0, "A": 2.0, "L": 1.0}, {"A": [2.0, 5], "L": 1}])
def test_grids_without_some_axes(tmp_path: Path, suffix: str, axes: dict[str, Any]) -> None:
    axes = {"g": [64.0], **axes}
    xr.testing.assert_identical(swept(tmp_path / f"grid{suffix}", **axes), swept(**axes))


@suffixes
def test_a_part_is_read_without_the_rest(tmp_path: Path, suffix: str) -> None:
    output, point = tmp_path / f"grid{suffix}", {"A": 50.0, "L": 10.0}
    swept(output)
    with logca.open_sweep(output) as found:
        xr.testing.assert_identical(found.sel(point).load(), wanted().sel(point))


def test_zarr_is_read_by_others(tmp_path: Path) -> None:
    swept(tmp_path / "grid.zarr")
    found = xr.open_zarr(tmp_path / "grid.zarr")
    np.testing.assert_array_equal(found.speedup, wanted().speedup)
    group = zarr.open_group(tmp_path / "grid.zarr", mode="r")
    assert group.metadata.zarr_format == 3
    assert group["speedup"].chunks == (1, 6, 4)
    assert group["g1"].shape == (3, 4)


def test_netcdf_is_read_by_others(tmp_path: Path) -> None:
    swept(tmp_path / "grid.nc")
    with xr.open_dataset(tmp_path / "grid.nc") as found:
        np.testing.assert_array_equal(found.speedup, wanted().speedup)
    with h5netcdf.File(tmp_path / "grid.nc") as file:
        assert file["speedup"].dimensions == ("A", "g", "L")
        assert file["speedup"].attrs["units"] == "1"


def test_parquet_is_a_long_table(tmp_path: Path) -> None:
    swept(tmp_path / "grid.parquet")
    table = pq.read_table(tmp_path / "grid.parquet").to_pandas()
    assert list(table) == [*PARAMETERS, *QUANTITIES] == list(dict.fromkeys(table))
    expected = wanted().to_dataframe().reset_index()
    for name in table:
        np.testing.assert_array_equal(table[name], expected[name])
    assert len(list((tmp_path / "grid.parquet").iterdir())) == BLOCKS
    schema = pq.read_schema(tmp_path / "grid.parquet" / "part-00000000.parquet")
    assert schema.field("C").metadata[b"units"] == b"cycles/B**beta"


@suffixes
def test_an_interrupted_sweep_goes_on(unfinished: Path, suffix: str) -> None:
    before = read_journal(journal_of(unfinished))
    assert before is not None
    assert 0 < len(before.done) < BLOCKS
    told: list[int] = []
    found = swept(unfinished, progress=lambda done, of: told.append(done))
    xr.testing.assert_identical(found, wanted())
    assert told[0] >= 20
    assert len(told) == BLOCKS - len(before.done) + 1
    assert not journal_of(unfinished).exists()


@suffixes
def test_blocks_that_are_written_are_not_written_again(
    unfinished: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from logca.numeric.sweep import run

    progress = read_journal(journal_of(unfinished))
    assert progress is not None
    computed: list[int] = []
    real = run.block_values

    def watched(sweep: Any, number: int, **rest: Any) -> Any:
        computed.append(number)
        return real(sweep, number, **rest)

    monkeypatch.setattr(run, "block_values", watched)
    swept(unfinished)
    assert sorted([*computed, *progress.done]) == list(range(BLOCKS))


def is_on_disk(output: Path, number: int, block: Any) -> bool:
    """Whether somebody else, who opens the output now, finds the speedups of a block."""
    if output.suffix == ".nc":
        return block.tobytes() in output.read_bytes()
    if output.suffix == ".zarr":
        found = zarr.open_group(output, mode="r")["speedup"].blocks[number // 2, number % 2]
    else:
        found = pq.read_table(output / f"part-{number:08d}.parquet")["speedup"].to_numpy()
    return bool((np.ravel(found) == np.ravel(block)).all())


@suffixes
def test_the_journal_never_runs_ahead(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / f"grid{suffix}"
    expected = wanted().speedup.values
    places = list(cut(expected.shape, BLOCK).places())
    real, marked = resume.Journal.mark, []

    def watched(self: Any, number: int) -> None:
        marked.append(is_on_disk(output, number, expected[places[number]]))
        real(self, number)

    monkeypatch.setattr(resume.Journal, "mark", watched)
    swept(output)
    assert marked == [True] * BLOCKS


SLOW = """
    import sys, time
    import numpy as np
    import logca

    logca.sweep(
        {quantities!r}, block={block}, output=sys.argv[1], workers=2,
        progress=lambda done, of: time.sleep(0.02 * bool(done)),
        **{parameters!r},
    )
"""


@suffixes
def test_a_killed_sweep_goes_on(tmp_path: Path, suffix: str) -> None:
    parameters = {**PARAMETERS, "g": np.geomspace(16, 2**25, 150).tolist()}
    code = textwrap.dedent(SLOW).format(quantities=QUANTITIES, block=BLOCK, parameters=parameters)
    output = tmp_path / f"grid{suffix}"
    place = journal_of(output)
    running = subprocess.Popen([sys.executable, "-c", code, str(output)])
    try:
        for _ in range(6000):
            if place.exists() and place.read_bytes().count(b"\n") >= 8:
                break
            assert running.poll() is None
            time.sleep(0.005)
    finally:
        running.kill()
        running.wait()
    progress = read_journal(place)
    assert progress is not None
    assert 4 <= len(progress.done) < 60
    with pytest.raises(logca.SweepError, match=f"unfinished, with {len(progress.done)} blocks"):
        logca.open_sweep(output)
    with logca.sweep(QUANTITIES, block=BLOCK, output=output, **parameters) as found:
        xr.testing.assert_identical(found.load(), swept(**parameters))


NEVER_NAMED = """
import sys, time
import logca
from logca.numeric.sweep import parquet_folder

parquet_folder.publish = lambda part, place, force: print(part.name, flush=True) or time.sleep(600)
logca.sweep({quantities!r}, output=sys.argv[1], **{parameters!r})
"""


@pytest.mark.skipif(os.name != "posix", reason="the system has no locks that tell")
def test_what_a_killed_sweep_left_of_a_csv_file_goes_with_the_next(tmp_path: Path) -> None:
    parameters = {**PARAMETERS, "g": [64.0, 4096.0]}
    code = NEVER_NAMED.format(quantities=QUANTITIES, parameters=parameters)
    output = tmp_path / "grid.csv"
    two = [
        subprocess.Popen([sys.executable, "-c", code, str(output)], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        dead, running = (
            tmp_path / (each.stdout.readline().decode().strip() if each.stdout else "")
            for each in two
        )
        two[0].kill()
        two[0].wait()
        assert dead.exists()
        logca.sweep(QUANTITIES, output=output, **parameters)
        assert sorted(tmp_path.iterdir()) == sorted([running, output])
    finally:
        for each in two:
            each.kill()
            each.communicate()


@suffixes
def test_what_was_to_be_replaced_goes_though_that_sweep_was_killed(
    unfinished: Path, suffix: str
) -> None:
    replaced = set_aside(unfinished)
    assert replaced is not None
    alien = unfinished.with_name(f".{unfinished.name}.mine.replaced")
    alien.touch()
    swept(unfinished)
    assert not replaced.exists()
    assert alien.exists()


@suffixes
def test_a_torn_line_does_not_count(unfinished: Path, suffix: str) -> None:
    with journal_of(unfinished).open("a") as file:
        file.write("4")
    progress = read_journal(journal_of(unfinished))
    assert progress is not None
    assert 4 not in progress.done
    xr.testing.assert_identical(swept(unfinished), wanted())


@suffixes
def test_killed_before_anything_was_there(unfinished: Path, suffix: str) -> None:
    place = journal_of(unfinished)
    place.write_text(place.read_text().splitlines()[0] + "\n")
    xr.testing.assert_identical(swept(unfinished), wanted())


@suffixes
def test_a_complete_sweep_is_kept(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    swept(output)
    told: list[int] = []
    swept(output, progress=lambda done, of: told.append(done))
    assert told == []
    with pytest.raises(logca.SweepError, match="exists; force replaces it"):
        swept(output, resume=False)
    swept(output, force=True, progress=lambda done, of: told.append(done))
    assert told


@suffixes
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"o": 436}, "fixed: o = 435, and not o = 436"),
        ({"g": [1, 2.5]}, r"axes: g \(11 from 16 to 3.35544e\+07\), and not g \(2 from 1 to 2.5\)"),
        ({"A": [2.0, 4.0, 50.0]}, "other values of an axis"),
        ({"latency": "linear"}, "latency: constant, and not linear"),
        ({"block": 1000}, "block: 1, 6, 4, and not 3, 11, 4"),
    ],
)
def test_another_sweep_is_not_written_over(
    tmp_path: Path, suffix: str, change: dict[str, Any], message: str
) -> None:
    output = tmp_path / f"grid{suffix}"
    swept(output)
    with pytest.raises(logca.SweepError, match=message):
        swept(output, **change)
    xr.testing.assert_identical(swept(output), wanted())
    xr.testing.assert_identical(swept(output, force=True, **change), swept(**change))


@suffixes
def test_another_unfinished_sweep_is_not_written_over(unfinished: Path, suffix: str) -> None:
    with pytest.raises(logca.SweepError, match="o = 435, and not o = 1"):
        swept(unfinished, o=1)
    with pytest.raises(logca.SweepError, match="is unfinished; resume"):
        swept(unfinished, resume=False)
    xr.testing.assert_identical(swept(unfinished, o=1, force=True), swept(o=1))


@suffixes
def test_an_unfinished_sweep_without_its_journal(unfinished: Path, suffix: str) -> None:
    journal_of(unfinished).unlink()
    with pytest.raises(logca.SweepError, match="journal is missing"):
        swept(unfinished)
    with pytest.raises(logca.SweepError, match="is unfinished"):
        logca.open_sweep(unfinished)
    xr.testing.assert_identical(swept(unfinished, force=True), wanted())


@suffixes
def test_what_no_sweep_wrote_is_left_alone(tmp_path: Path, suffix: str) -> None:
    folder, file = tmp_path / f"folder{suffix}", tmp_path / f"file{suffix}"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    file.write_text("a letter")
    for mine in (folder, file):
        with pytest.raises(logca.SweepError, match="no sweep wrote it"):
            swept(mine)
        with pytest.raises(logca.SweepError, match="was not written by a sweep"):
            logca.open_sweep(mine)
    with pytest.raises(logca.SweepError, match="remove it yourself"):
        swept(folder, force=True)
    assert (folder / "thesis.tex").read_text() == "years of work"
    xr.testing.assert_identical(swept(file, force=True), wanted())


@suffixes
def test_a_journal_that_was_changed_is_not_believed(unfinished: Path, suffix: str) -> None:
    journal = journal_of(unfinished)
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    others = [
        b"".join([*lines[:-1], b"5" + lines[-1][1:]]),  # another block
        b"".join([*lines[:-2], lines[-1]]),  # a line less
        b"".join([*lines[:-2], lines[-1], lines[-2]]),  # in another order
        b"".join([*lines, lines[-1]]),  # twice
        *(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole) - 1)),
    ]
    for other in others:
        journal.write_bytes(other)
        if other.count(b"\n") < whole.count(b"\n"):
            continue  # its last line is not complete, and does not count
        with pytest.raises(logca.SweepError, match="damaged, or not a journal"):
            swept(unfinished)
    journal.write_bytes(whole)
    xr.testing.assert_identical(swept(unfinished), wanted())


@suffixes
def test_an_output_is_of_the_sweep_that_its_journal_tells(unfinished: Path, suffix: str) -> None:
    journal = journal_of(unfinished).read_bytes()
    swept(unfinished, C=99, force=True)
    journal_of(unfinished).write_bytes(journal)
    with pytest.raises(logca.SweepError, match=r"another sweep \(fixed: C = 99"):
        swept(unfinished)


@suffixes
@pytest.mark.parametrize("force", [False, True])
def test_a_journal_alone_makes_no_folder_a_sweeps(
    unfinished: Path, suffix: str, force: bool
) -> None:
    resume.remove(unfinished)
    unfinished.mkdir()
    (unfinished / "thesis.tex").write_text("years of work")
    lines = journal_of(unfinished).read_bytes().splitlines(keepends=True)
    for kept in (lines, lines[:2], []):  # as after a block, before the output was there, and empty
        journal_of(unfinished).write_bytes(b"".join(kept))
        with pytest.raises(logca.SweepError, match="no sweep wrote"):
            swept(unfinished, force=force)
        assert (unfinished / "thesis.tex").read_text() == "years of work"


@suffixes
def test_what_lies_in_the_way_is_left_alone(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    journal, mine = journal_of(output), tmp_path / "mine.txt"
    mine.write_text("data")
    folder = tmp_path / f".{output.name}.beginning"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    journal.write_text("my journal")  # without an end of the line
    with pytest.raises(logca.SweepError, match="damaged, or not a journal"):
        swept(output)
    assert journal.read_text() == "my journal"
    journal.unlink()
    for target in (mine, tmp_path / "missing"):
        journal.symlink_to(target)
        with pytest.raises(logca.SweepError, match="in the way of a journal"):
            swept(output)
        journal.unlink()
    journal.mkdir()
    with pytest.raises(logca.SweepError, match="in the way of a journal"):
        swept(output)
    journal.rmdir()
    output.symlink_to(tmp_path / "unmounted")
    with pytest.raises(logca.SweepError, match=r"is a link to .* which is not there"):
        swept(output)
    output.unlink()
    swept(output)
    assert mine.read_text() == "data"
    assert (folder / "thesis.tex").read_text() == "years of work"


@suffixes
def test_what_is_replaced_goes_when_something_has_come(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    swept(output)
    with pytest.raises(Broken):
        swept(output, C=99, force=True, progress=broken_after(0), workers=1)
    assert [each.name for each in tmp_path.iterdir()] == [output.name]
    with logca.open_sweep(output) as found:
        xr.testing.assert_identical(found.load(), wanted())
    link = tmp_path / f"link{suffix}"
    link.symlink_to(output)
    swept(link, C=99, force=True)
    assert link.is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([output.name, link.name])


@suffixes
def test_a_complete_output_is_kept_beside_a_journal_that_has_just_begun(
    unfinished: Path, suffix: str
) -> None:
    journal = journal_of(unfinished)
    lines = journal.read_bytes().splitlines(keepends=True)
    swept(unfinished)
    before = unfinished.stat().st_ino
    journal.write_bytes(b"".join(lines[:2]))
    xr.testing.assert_identical(swept(unfinished), wanted())
    assert unfinished.stat().st_ino == before


def test_parts_of_another_sweep_make_no_sweep(tmp_path: Path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    swept(one)
    swept(other, C=99)
    part = "part-00000003.parquet"
    (one / part).write_bytes((other / part).read_bytes())
    with pytest.raises(logca.SweepError, match="no sweep wrote it"):
        swept(one)
    with pytest.raises(logca.SweepError, match="was not written by a sweep"):
        logca.open_sweep(one)


@pytest.mark.parametrize("name", ["precious", "..", "../keep.txt", ".grid.zarr.x.beginning"])
def test_a_journal_removes_nothing_but_beginnings_of_its_own(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "here"
    (folder / "precious").mkdir(parents=True)
    (tmp_path / "keep.txt").write_text("mine")
    journal, checked = b"", 0
    for line in ("{}", "boot x", f"beginning {name}"):
        checked = crc32(line.encode(), checked)
        journal += f"{line} {checked:08x}\n".encode()
    (folder / "grid.zarr.journal").write_bytes(journal)
    with pytest.raises(logca.SweepError, match="damaged, or not a journal"):
        swept(folder / "grid.zarr")
    assert (folder / "precious").is_dir()
    assert (tmp_path / "keep.txt").read_text() == "mine"


def test_a_resumed_sweep_writes_through_no_link(tmp_path: Path) -> None:
    output, victim = tmp_path / "grid.parquet", tmp_path / "victim.txt"
    with pytest.raises(Broken):
        swept(output, progress=broken_after(BLOCK), workers=1)
    victim.write_text("mine")
    for number in range(BLOCKS):
        (output / f".part-{number:08d}.parquet").symlink_to(victim)
    xr.testing.assert_identical(swept(output), wanted())
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("suffix", [".zarr", ".parquet"])
def test_what_is_no_part_of_a_sweep_is_not_replaced_with_it(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"grid{suffix}"
    swept(output)
    notes = output / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(logca.SweepError, match=r"notes\.txt in it is no part of a sweep"):
        swept(output, force=True)
    assert notes.read_text() == "mine"
    notes.unlink()
    xr.testing.assert_identical(swept(output, force=True), wanted())


@pytest.mark.parametrize(
    "place",
    ["own/c/0", "own/zarr.json", "speedup/notes.txt", "g/c/mine", "zarr.mine.partial"],
)
def test_what_is_no_part_of_a_sweep_is_seen_below_its_arrays_too(
    tmp_path: Path, place: str
) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    mine = output / place
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(logca.SweepError, match=rf"({place}|own) in it is no part of a sweep"):
        swept(output, force=True)
    assert mine.read_text() == "mine"


def test_links_and_empty_folders_are_no_part_of_a_sweep(tmp_path: Path) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    for make in (lambda at: at.mkdir(), lambda at: at.symlink_to(tmp_path)):
        mine = output / "mine"
        make(mine)
        with pytest.raises(logca.SweepError, match="mine in it is no part of a sweep"):
            swept(output, force=True)
        mine.unlink() if mine.is_symlink() else mine.rmdir()
    xr.testing.assert_identical(swept(output, force=True), wanted())


def test_what_zarr_was_writing_when_it_was_killed_is_replaced(tmp_path: Path) -> None:
    output = tmp_path / "grid.zarr"
    with pytest.raises(Broken):
        swept(output, progress=broken_after(BLOCK), workers=1)
    chunk = next(each for each in output.rglob("c/**/*") if each.is_file())
    for place in (output / "zarr.json", output / "speedup" / "zarr.json", chunk):
        place.with_suffix(f".{16 * '0a'}.partial").write_bytes(b"half")
    xr.testing.assert_identical(swept(output, force=True), wanted())


def test_a_part_under_another_number_makes_no_sweep(tmp_path: Path) -> None:
    output = tmp_path / "grid.parquet"
    swept(output)
    (output / "part-00000002.parquet").replace(output / "part-00000001.parquet")
    with pytest.raises(logca.SweepError, match=r"part-00000001.parquet holds block 2"):
        logca.open_sweep(output)


@suffixes
def test_an_older_copy_under_a_newer_journal_has_no_holes(tmp_path: Path, suffix: str) -> None:
    output, copy = tmp_path / f"grid{suffix}", tmp_path / f"copy{suffix}"
    for points in (BLOCK, 3 * BLOCK):
        with pytest.raises(Broken):
            swept(output, progress=broken_after(points), workers=1)
        if not copy.exists():
            (shutil.copytree if output.is_dir() else shutil.copyfile)(output, copy)
    if output.is_dir():
        shutil.rmtree(output)
    copy.replace(output)
    xr.testing.assert_identical(swept(output), wanted())


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("speedup/c/1/1/0", "lacks speedup/c/1/1/0, as"),
        ("g1/c", "lacks g1/c/0/0, as"),
        ("speedup/zarr.json", "lacks speedup/zarr.json, as"),
        ("A/c/0", "lacks the values of A, as"),
        ("o/c", "lacks the value of o, as"),
        ("L", "lacks L/zarr.json, as"),
    ],
)
def test_a_folder_that_lacks_a_part_is_refused_and_completed(
    tmp_path: Path, part: str, message: str
) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    whole, place = contents(output), output / part
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(logca.SweepError, match=message):
        logca.open_sweep(output)
    xr.testing.assert_identical(swept(output), wanted())
    assert contents(output) == whole
    assert not journal_of(output).exists()


def test_only_what_is_missing_is_computed_again_and_an_interruption_is_harmless(
    tmp_path: Path,
) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    for number in (1, 2):
        shutil.rmtree(output / f"speedup/c/{number}")  # two blocks each
    told: list[int] = []
    with pytest.raises(Broken):
        swept(output, progress=broken_after(132 // 3 + 1), workers=1)
    with pytest.raises(logca.SweepError, match="lacks speedup/c"):
        logca.open_sweep(output)
    xr.testing.assert_identical(
        swept(output, progress=lambda done, of: told.append(done), workers=1), wanted()
    )
    kept, points = told[0], told[-1]
    assert points / 3 < kept < points


@pytest.mark.parametrize("cut_to", [0, 7, 16, -1])
def test_a_chunk_that_was_cut_short_is_refused_and_completed(tmp_path: Path, cut_to: int) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    chunk = output / "speedup/c/1/1/0"
    chunk.write_bytes(chunk.read_bytes()[:cut_to])
    with pytest.raises(logca.SweepError, match="lacks speedup/c/1/1/0, as"):
        logca.open_sweep(output)
    xr.testing.assert_identical(swept(output), wanted())


def test_numbers_that_cannot_be_read_are_told_in_one_line(tmp_path: Path) -> None:
    output = tmp_path / "grid.zarr"
    swept(output)
    for chunk in filter(Path.is_file, (output / "speedup" / "c").rglob("*")):
        octets = chunk.read_bytes()
        chunk.write_bytes(b"\xff" + octets[1:])  # of no version of Blosc
    with logca.open_sweep(output) as found:
        with pytest.raises(logca.SweepError, match=r"values of speedup cannot be read.*force"):
            logca.pareto(found, minimise="A", maximise="speedup")
        with pytest.raises(logca.SweepError, match=r"values of speedup cannot be read.*force"):
            logca.cheapest_change(
                {"o": 435, "L": 1, "C": 32, "A": 2, "beta": 0.9},
                speedup=2,
                g=16,
                among=found,
                costs={"A": 1, "L": 1},
            )


def test_a_block_without_a_number_is_complete(tmp_path: Path) -> None:
    parameters = {"latency": "linear", "o": 10, "L": [80.0, 90.0], "C": 50, "A": 3, "block": 1}
    output = tmp_path / "grid.zarr"
    logca.sweep("g1", output=output, **parameters).close()
    with logca.open_sweep(output) as found:
        assert np.isnan(found.g1).all()
    (output / "g1/c/1").unlink()
    with pytest.raises(logca.SweepError, match="lacks g1/c/1, as"):
        logca.open_sweep(output)


@pytest.mark.parametrize("suffix", [".zarr", ".nc", ".parquet", ".csv"])
def test_a_pipe_is_no_sweep_and_is_not_waited_for(tmp_path: Path, suffix: str) -> None:
    pipe = tmp_path / f"grid{suffix}"
    os.mkfifo(pipe)
    for force in (False, True):
        with pytest.raises(logca.SweepError, match="a pipe or a device"):
            swept(pipe, force=force)
    with pytest.raises(logca.SweepError, match=r"pipe or a device|other programs"):
        logca.open_sweep(pipe)
    assert pipe.is_fifo()


def test_a_table_goes_where_a_link_leads(tmp_path: Path) -> None:
    link = tmp_path / "grid.csv"
    link.symlink_to("elsewhere.csv")
    with pytest.raises(logca.SweepError, match="which is not there"):
        swept(link)
    (tmp_path / "elsewhere.csv").touch()
    swept(link, force=True)
    assert link.is_symlink()
    assert (tmp_path / "elsewhere.csv").stat().st_size > 0


def test_of_two_that_write_one_table_the_second_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "grid.csv"

    def meanwhile(done: int, of: int) -> None:
        if done and not output.exists():
            swept(output)

    with pytest.raises(logca.SweepError, match="exists; force replaces"):
        swept(output, C=99, progress=meanwhile)
    xr.testing.assert_equal(swept(output, force=True), wanted())


@suffixes
def test_two_processes_do_not_write_one_output(unfinished: Path, suffix: str) -> None:
    with (
        writing_journal(journal_of(unfinished)),
        pytest.raises(logca.SweepError, match="another process"),
    ):
        swept(unfinished)
    xr.testing.assert_identical(swept(unfinished), wanted())


def test_outputs_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(logca.SweepError, match="more than 200 bytes"):
        swept(tmp_path / f"{'n' * 230}.zarr")
    assert not list(tmp_path.iterdir())
    with pytest.raises(logca.SweepError, match=r"must end in \.zarr, \.nc, \.parquet, \.csv"):
        swept(tmp_path / "grid.txt")
    with pytest.raises(logca.SweepError, match="there is no folder"):
        swept(tmp_path / "missing" / "grid.zarr")
    with pytest.raises(logca.SweepError, match="there is no"):
        logca.open_sweep(tmp_path / "missing.zarr")
    (tmp_path / "grid.nc").write_text("")
    (tmp_path / "grid.nc.journal").write_text("a diary\n")
    with pytest.raises(logca.SweepError, match="not a journal"):
        swept(tmp_path / "grid.nc")


MEMORY = """
    import resource, sys
    import numpy as np
    import logca

    def run(many, output):
        logca.sweep("speedup", L=np.arange(many), g=np.geomspace(1, 1e6, 500),
            A=np.linspace(2, 64, 500), o=435, C=32, beta=1, block=250_000, workers=2, output=output)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    print(run(8, sys.argv[1]), run(40, sys.argv[2]))
"""


@suffixes
def test_memory_does_not_grow_with_the_grid(tmp_path: Path, suffix: str) -> None:
    outputs = [str(tmp_path / f"{name}{suffix}") for name in ("small", "large")]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(MEMORY), *outputs],
        capture_output=True,
        text=True,
        check=True,
    )
    small, large = map(float, done.stdout.split())
    assert large < small + 30, "MiB, where the larger grid's values take 76 MiB"


def test_csv_has_every_point_with_units_in_the_names(tmp_path: Path) -> None:
    output = tmp_path / "grid.csv"
    found = swept(output)
    xr.testing.assert_identical(found, wanted())
    with output.open(encoding="utf-8", newline="") as file:
        heads, *rows = csv.reader(file)
    assert heads[:4] == ["A [1]", "g [B]", "L [cycles]", "o [cycles]"]
    assert heads[-4:] == ["speedup [1]", "T0 [cycles]", "gain_o [1]", "g1 [B]"]
    table = wanted().to_dataframe().reset_index()
    assert len(rows) == len(table)
    for head, column in zip(heads, zip(*rows, strict=True), strict=True):
        read = [float(cell) if cell else np.nan for cell in column]
        np.testing.assert_array_equal(read, table[head.partition(" ")[0]])


def test_csv_is_written_whole_and_replaced_only_when_told(tmp_path: Path) -> None:
    output = tmp_path / "grid.csv"
    with pytest.raises(Broken):
        swept(output, progress=broken_after(BLOCK))
    assert list(tmp_path.iterdir()) == []
    output.write_text("mine", encoding="utf-8")
    with pytest.raises(logca.SweepError, match="exists; force replaces"):
        swept(output)
    assert output.read_text(encoding="utf-8") == "mine"
    swept(output, force=True)
    assert list(tmp_path.iterdir()) == [output]
    with pytest.raises(logca.SweepError, match="is for other programs"):
        logca.open_sweep(output)


def test_what_does_not_exist_is_an_empty_cell_of_csv(tmp_path: Path) -> None:
    output = tmp_path / "grid.csv"
    logca.sweep("g1", output=output, o=10, L=[0.5, 90.0], C=50, A=3, latency="linear")
    assert [line.split(",")[-1] for line in output.read_text(encoding="utf-8").splitlines()] == [
        '"g1 [B]"', "0.30456852791878175", "",
    ]  # fmt: skip


def checked(lines: list[str]) -> str:
    """Lines of a journal, each with the CRC-32 of all text up to it."""
    told = [
        f"{line} {crc32(''.join(lines[: end + 1]).encode()):08x}\n"
        for end, line in enumerate(lines)
    ]
    return "".join(told)


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        (["created", "0", "1"], {0, 1}),  # by a version that named no start
        (["boot {now}", "created", "0", "1"], {0, 1}),
        (["boot old", "created", "0", "synced", "1"], {0}),
        (["boot old", "0", "synced", "1", "boot {now}", "2"], {0, 2}),
        (["boot {now}", "0", "boot {now}", "1"], {0, 1}),
        (["boot old", "0", "boot older", "1", "synced", "2", "boot {now}", "3"], {1, 3}),
    ],
)
def test_after_a_power_loss_only_what_is_on_the_disk_counts(
    lines: list[str], done: set[int], tmp_path: Path
) -> None:
    journal = tmp_path / "grid.zarr.journal"
    journal.write_text(checked(["{}", *(line.replace("{now}", boot()) for line in lines)]))
    found = read_journal(journal)
    assert found is not None
    assert found.done == done
