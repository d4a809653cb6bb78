"""Programs that we run end with us: at an error, an interrupt, and if we are killed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logca.common.programs import finished, threads


def _asleep() -> "subprocess.CompletedProcess[bytes]":
    return finished(("sleep", "600"), 600, environment=os.environ)


def _asleep_in_a_pool_of_its_own() -> None:
    with threads(1) as pool:
        pool.submit(_asleep).result()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_what_threads_wait_for_ends_with_an_error_beside_them(error: type[BaseException]) -> None:
    started = time.monotonic()
    waited = []

    def fail() -> None:
        with threads(2) as pool:
            waited.extend((pool.submit(_asleep), pool.submit(_asleep_in_a_pool_of_its_own)))
            time.sleep(0.3)
            raise error

    with pytest.raises(error):
        fail()
    assert time.monotonic() - started < 60
    assert waited[0].result().returncode < 0


def test_a_program_ends_with_us_even_if_we_are_killed(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = (
        "import os\n"
        "from logca.common.programs import finished\n"
        f"finished(['sh', '-c', 'exec 3> {pipe}; echo up >&3; sleep 600'], 600, "
        "environment=os.environ)\n"
    )
    started = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", script]) as ours, pipe.open() as said:
        assert said.readline() == "up\n"
        time.sleep(0.2)  # its start is told right after it, not before
        ours.kill()
        assert said.read() == ""  # which ends when nobody is left who could write
    assert time.monotonic() - started < 60
