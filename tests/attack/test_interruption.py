"""Killed, interrupted, out of room, or side by side: nothing that was written is lost or halved."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attack_inputs import EVERYTHING, MODEL, PROGRAM, TIMINGS

LONG = """
#ifndef N
#define N 3000000
#endif
static float a[4096];
int main(void) {
  for (int r = 0; r < 200; r++)
    for (int i = 0; i < N; i++) a[i % 4096] += i;
  return a[3] < 0;
}
"""
SWEEP = "sweep --g 16B:32MiB:400 --A 2:64:400 --o 1:1000:400 --L 500 --C 32 --beta 1"
WRITING = {
    "trace": ("trace long.c -o out.parquet", "out.parquet"),
    "sweep": (f"{SWEEP} --block-points 20000 -o out.zarr", "out.zarr"),
    "book": ("book -o out.html", "out.html"),
    "report": ("report fit.json -o out.html", "out.html"),
    "codegen": (f"codegen {MODEL} --lang c -o out.h", "out.h"),
    "measure": ("measure --host a --accelerated b", "out.jsonl"),
}
EVERY_DAY = ("trace", "sweep", "codegen")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "long.c").write_text(LONG)
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "timings.csv").write_text(TIMINGS)
    logca(tmp_path, "fit timings.csv -o fit.json")
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "NO_COLOR": "1", "LOGCA_CACHE": str(folder / "cache")}


def started(folder: Path, words: str | Sequence[str]) -> "subprocess.Popen[bytes]":
    listed = words.split() if isinstance(words, str) else words
    return subprocess.Popen(
        [sys.executable, "-m", "logca", *listed],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def logca(folder: Path, words: str | Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
    process = started(folder, words)
    out, err = process.communicate(timeout=600)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def stopped(folder: Path, words: str, after_s: float, how: signal.Signals) -> tuple[int, bytes]:
    """A verb that gets a signal after some time, if it is not done until then."""
    process = started(folder, words)
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
    return process.returncode, err


VERBS = [
    name for name in ("trace", "sweep", "book", "report", "codegen")
    if EVERYTHING or name in EVERY_DAY
]  # fmt: skip
MOMENTS = (0.2, 0.6, 1.2, 2.0, 3.5) if EVERYTHING else (1.0,)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("verb", VERBS)
def test_under_its_name_a_file_is_whole(verb: str, how: signal.Signals, folder: Path) -> None:
    words, name = WRITING[verb]
    old = b"precious"
    for moment in MOMENTS:
        output = folder / name
        if verb != "sweep":
            output.write_bytes(old)
            words_ = f"{words} --force"
        else:
            words_ = words
        code, err = stopped(folder, words_, moment, how)
        assert b"Traceback" not in err, err.decode()
        if how is not signal.SIGKILL:
            # a shell says both as 128 and the signal
            assert code in (0, 128 + how, -how), (code, err)
        if verb == "sweep":
            continue
        contents = output.read_bytes()
        assert contents == old or WHOLE[verb](contents), (moment, len(contents))
        if how is not signal.SIGKILL:
            assert not [*folder.glob("*.part*")]


WHOLE: dict[str, Callable[[bytes], bool]] = {
    "trace": lambda octets: octets[:4] == octets[-4:] == b"PAR1",
    "book": lambda octets: octets.rstrip().endswith(b"</html>"),
    "report": lambda octets: octets.rstrip().endswith(b"</html>"),
    "codegen": lambda octets: octets.rstrip().endswith(b"#endif") or b"}" in octets[-40:],
}


def test_a_sweep_that_was_killed_again_and_again_is_the_same_in_the_end(folder: Path) -> None:
    pytest.importorskip("zarr")
    small = SWEEP.replace(":400", ":60")
    words = f"{small} --block-points 1000 -o out.zarr"
    for moment in (0.9, 1.0, 1.1, 1.2) if EVERYTHING else (1.0,):
        stopped(folder, words, moment, signal.SIGKILL)
    assert logca(folder, words).returncode == 0
    assert logca(folder, f"{small} -o whole.zarr").returncode == 0
    code = (
        "import sys, logca, xarray\n"
        "with logca.open_sweep('out.zarr') as a, logca.open_sweep('whole.zarr') as b:\n"
        "    xarray.testing.assert_equal(a.load(), b.load())\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


def test_a_full_disk_is_told_and_leaves_no_half_file(folder: Path) -> None:
    # a limit on the size of a file is what a full disk is to who writes one; Python before 3.14
    # leaves half files of compiled modules there, which -B keeps it from
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "from logca.cli import main\nmain()\n"
    )
    for words, name in (
        (f"codegen {MODEL} --lang c -o out.h", "out.h"),
        ("report fit.json -o out.html", "out.html"),
        ("fit timings.csv -o other.json", "other.json"),
    ):
        found = subprocess.run(
            [sys.executable, "-B", "-c", code, *words.split()],
            cwd=folder,
            env=environment(folder),
            capture_output=True,
        )
        assert found.returncode in (2, 5), found.stderr.decode()
        assert b"Traceback" not in found.stderr
        assert b"cannot be written" in found.stderr or b"too large" in found.stderr
        assert not (folder / name).exists()
        assert not [*folder.glob("*.part*")]


def test_reproduce_resumes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    cache = folder / "own"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    words = "reproduce cgpredict --table 4 --model paper --json"
    process = started(folder, words)
    unfinished = cache / "logca" / "unfinished"
    deadline = time.monotonic() + 120
    while len([*unfinished.glob("*/[!.]*")]) < 2 and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = {path.name: path.stat().st_mtime_ns for path in unfinished.glob("*/[!.]*")}
    assert len(kept) >= 2
    if not EVERYTHING:
        return
    again = logca(folder, words)
    assert again.returncode == 0, again.stderr.decode()
    assert not [*unfinished.glob("*/[!.]*")]
    anew = logca(folder, words)
    assert json.loads(again.stdout) == json.loads(anew.stdout)


@pytest.mark.parametrize("verb", ["sweep", "codegen"])
def test_two_processes_write_one_output(verb: str, folder: Path) -> None:
    words, name = WRITING[verb]
    if verb == "sweep":
        words = words.replace(":400", ":60").replace("20000", "1000")
    both = [started(folder, words) for _ in range(2)]
    ended = [(*process.communicate(timeout=120), process.returncode) for process in both]
    for _, err, code in ended:
        assert b"Traceback" not in err, err.decode()
        assert code in (0, 2)
    assert 0 in [code for *_, code in ended]
    assert (folder / name).exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into read-only folders")
def test_a_folder_that_is_read_only_is_told(folder: Path) -> None:
    folder.chmod(0o500)
    try:
        found = logca(folder, f"codegen {MODEL} --lang c -o out.h")
    finally:
        folder.chmod(0o700)
    assert found.returncode in (2, 5)
    assert b"cannot be written" in found.stderr


@pytest.mark.parametrize(
    "contents",
    [
        *(b"", b"{", b'{"format": "other", "version": 99}', b"\xff" * 99, b"[" * 100_000),
        b'"no word"',  # in the place of a verdict
        None,  # a pipe that nobody writes to
    ],
    ids=["empty", "cut", "other", "octets", "deep", "word", "pipe"],
)
def test_caches_that_are_damaged_or_of_another_version_cost_time_only(
    contents: bytes | None, folder: Path
) -> None:
    words = "check isca2017-eq5"
    right = logca(folder, "check --anew isca2017-eq5")
    assert right.returncode == 0
    [path] = (path for path in (folder / "cache").rglob("*") if path.is_file())
    written = path.read_bytes()
    path.unlink()
    if contents is None:
        os.mkfifo(path)
    else:
        path.write_bytes(
            written.replace(b'"PROVED"', contents) if contents == b'"no word"' else contents
        )
    again = logca(folder, words)
    assert (again.returncode, again.stderr) == (0, b"")
    assert again.stdout.splitlines()[0] == right.stdout.splitlines()[0]
