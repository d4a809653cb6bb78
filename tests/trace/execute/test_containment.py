"""A hostile program changes nothing of the user's, reaches nobody, and leaves nothing behind."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from logca.common.errors import TraceError
from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.execute import containment
from logca.trace.execute.run import Run, run

SOURCE = Path(__file__).with_name("programs") / "hostile.c"
LIMITS = Limits(time_s=20.0, memory_B=256 << 20, disk_B=64 << 20, processes=16)

needs_landlock = pytest.mark.skipif(
    containment.landlock() < containment.SIGNALS, reason="the kernel's Landlock is older"
)


@pytest.fixture(scope="module")
def hostile() -> Compiled:
    return compile_program(SOURCE)


@pytest.fixture
def victim() -> Iterator["subprocess.Popen[bytes]"]:
    waiting = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(waiting, start_new_session=True) as process:
        yield process
        process.kill()


def tried(compiled: Compiled, *arguments: str, limits: Limits = LIMITS) -> Run:
    return run(compiled, arguments=arguments, limits=limits, on_chunk=lambda chunk: None)


def refused(found: Run) -> set[str]:
    """What was tried, all of it refused."""
    assert found.ending == "exit", found.message
    lines = [line.rpartition(": ") for line in found.stdout.decode().splitlines()]
    assert [what for what, _, answer in lines if answer != "refused"] == []
    return {what for what, *_ in lines}


@needs_landlock
def test_files_of_the_user_stay_as_they_are(hostile: Compiled, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "file"
    file.write_text("precious")
    before = file.stat()
    what = refused(tried(hostile, "files", str(file), str(folder)))
    assert len(what) == 21
    assert file.read_text() == "precious"
    after = file.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns, after.st_nlink) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
        1,
    )
    assert [*folder.iterdir()] == [file]


def test_there_is_no_network(hostile: Compiled) -> None:
    assert refused(tried(hostile, "network")) >= {"internet", "local", "ring", "shared memory"}


@needs_landlock
def test_other_processes_are_left_alone(
    hostile: Compiled, victim: "subprocess.Popen[bytes]"
) -> None:
    what = refused(tried(hostile, "others", str(victim.pid)))
    assert what >= {"signal", "signal all", "trace", "limit", "session", "root", "mount"}
    assert victim.poll() is None


def test_limits_hold_before_the_programs_first_function(hostile: Compiled) -> None:
    assert refused(tried(hostile, "soon")) == {"memory", "time", "file"}


def test_nothing_is_left_running(hostile: Compiled) -> None:
    assert tried(hostile, "stay").ending == "exit"
    assert running_now("hostile") == []


def running_now(name: str) -> list[str]:
    """Processes of a name that have not ended."""
    patience = time.monotonic() + 5
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = path.read_text(errors="replace")
            except OSError:
                continue
            if f"({name[:15]})" in text and text.rpartition(")")[2].split()[0] != "Z":
                found.append(text)
        if not found or time.monotonic() > patience:
            return found
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("what", "ending", "words"),
    [
        ("processes", "processes", "more than 16 processes"),
        ("memory", "memory", "processes took more than 256 MiB"),
        ("disk", "disk", "files took more than 64 MiB"),
        ("unnamed", "disk", "files took more than 64 MiB"),
        ("hidden", "disk", "files took more than 64 MiB"),
        ("deep", "uncounted", "folders cannot be looked into"),
        ("dead", "processes", "more than 16 processes"),
        ("slow", "processes", "more than 16 processes"),
    ],
)
def test_limits_hold_for_all_that_it_starts(
    hostile: Compiled, what: str, ending: str, words: str
) -> None:
    start = time.monotonic()
    found = tried(hostile, what)
    assert (found.ending, words in found.message) == (ending, True), found.message
    assert time.monotonic() - start < 15
    assert running_now("hostile") == []


def test_its_own_folder_and_the_users_files_to_read_are_there(
    hostile: Compiled, tmp_path: Path
) -> None:
    file = tmp_path / "input"
    file.write_text("input")
    found = tried(hostile, "own", str(file))
    assert found.stdout.decode().splitlines() == [
        "rename: DONE",
        "null: DONE",
        "read: DONE",
        "temporary: DONE",
    ]


def test_a_program_that_writes_into_its_trace_harms_nobody(hostile: Compiled) -> None:
    with pytest.raises(TraceError, match="written into its own counters"):
        tried(hostile, "scribble")


@pytest.mark.parametrize("what", ["early", "flood", "forge"])
def test_a_program_that_forges_its_trace_neither_ends_nor_holds_the_reader(
    hostile: Compiled, what: str
) -> None:
    start = time.monotonic()
    # what it leaves may be no trace: then that is said
    with suppress(TraceError):
        tried(hostile, what, limits=replace(LIMITS, time_s=5.0))
    assert time.monotonic() - start < 30


def test_folders_in_folders_are_removed(
    hostile: Compiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tried(hostile, "nest")
    assert not [*tmp_path.glob("logca-run-*")]


def test_what_holds_is_told() -> None:
    assert "use a network" in containment.guarantees()
    if containment.landlock() >= containment.SIGNALS:
        assert not containment.missing_guarantees()


@pytest.mark.parametrize(
    ("version", "words"), [(0, "write wherever you can"), (4, "end your other processes")]
)
def test_what_does_not_hold_is_told_before(
    monkeypatch: pytest.MonkeyPatch, version: int, words: str
) -> None:
    monkeypatch.setattr(containment, "landlock", lambda: version)
    assert words in containment.missing_guarantees()
    assert "signal other processes" not in containment.guarantees()


def test_a_program_that_cannot_be_contained_is_not_run() -> None:
    with pytest.raises(Exception, match="could not be contained: seccomp: Invalid"):
        containment.refused(125, b"logca-containment: seccomp: Invalid argument\n")
    containment.refused(125, b"of its own")
    containment.refused(0, b"logca-containment: said by the program\n")
