"""How errors are told, and how a signal ends a command: in this process."""

import errno
import signal
from collections.abc import Iterator

import pytest

from logca.cli.terminal import errors
from logca.cli.terminal.errors import Failure, end_orderly, failure
from logca.common.errors import LogcaError


@pytest.fixture
def unhandled() -> Iterator[None]:
    """Both signals as a shell leaves them, for as long as the test takes."""
    names = (signal.SIGTERM, signal.SIGHUP)
    before = {name: signal.signal(name, signal.SIG_DFL) for name in names}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.mark.usefixtures("unhandled")
def test_a_signal_ends_once_and_the_second_lets_it_clean_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(errors, "_asked", -10.0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    end_orderly()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    leave = signal.getsignal(signal.SIGTERM)
    assert callable(leave)
    with pytest.raises(SystemExit) as end:
        leave(signal.SIGTERM, None)
    assert end.value.code == 128 + signal.SIGTERM
    leave(signal.SIGTERM, None)


def test_a_full_disk_and_a_missing_file_are_one_line() -> None:
    full = failure(OSError(errno.ENOSPC, "No space left on device"))
    assert full == Failure(message="output cannot be written: No space left on device", code=5)
    missing = failure(FileNotFoundError(errno.ENOENT, "No such file or directory", "rows.csv"))
    assert missing is not None
    assert "rows.csv" in missing.message


def test_an_error_of_ours_is_told_and_a_defect_keeps_its_traceback() -> None:
    assert failure(ZeroDivisionError()) is None
    assert failure(LogcaError("N must be positive")) == Failure(
        message="N must be positive", code=2
    )
