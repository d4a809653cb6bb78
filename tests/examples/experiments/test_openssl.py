"""OpenSSL with and without the CPU's instructions: right results, and a switch that works."""

import hashlib
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logca.examples.experiments import openssl as experiments
from logca.examples.experiments import openssl_kernels
from logca.examples.experiments.openssl import WORKER, open_aes, open_sha256
from logca.examples.experiments.openssl_kernels import IV, CipherLoop, kernel, openssl
from logca.examples.experiments.openssl_pipe import open_aes_pipe
from logca.examples.experiments.openssl_switch import AES, SHA, SIMD, Switch, environment
from logca.examples.experiments.workers import working
from logca.numeric.measure.experiment import ExperimentError, FailedRunError

NIST_PLAIN = bytes.fromhex(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
NIST_CBC = bytes.fromhex(
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
)
"""NIST SP 800-38A, F.2.1: CBC-AES128.Encrypt."""

x86 = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"), reason="the switch is one of x86"
)


def flags() -> set[str]:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("flags"):
            return set(line.partition(":")[2].split())
    return set()


needs_aes = pytest.mark.skipif(
    sys.platform != "linux" or "aes" not in flags(), reason="needs AES instructions"
)
needs_sha = pytest.mark.skipif(
    sys.platform != "linux" or "sha_ni" not in flags(), reason="needs SHA instructions"
)


def family(pid: int) -> set[int]:
    """Processes below one, by the table of the system; zombies too."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(words[1])
    found = {pid}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def computes(pid: int) -> bool:
    """Whether a process is there and is no zombie; those without parents are others' to bury."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def no_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that start from here on find no numba: they start sooner."""
    (tmp_path / "numba.py").write_text("raise ImportError\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)


def computed(name: str) -> CipherLoop:
    return kernel(name, openssl(), fast=False)


def test_aes_is_that_of_nist() -> None:
    cbc = computed("aes-128-cbc")
    assert cbc.compute(NIST_PLAIN) == NIST_CBC
    assert cbc.compute(NIST_PLAIN) == NIST_CBC


def test_each_block_of_the_counter_mode_is_a_block_of_the_chain() -> None:
    cbc, ctr = computed("aes-128-cbc"), computed("aes-128-ctr")
    stream = ctr.compute(bytes(48))
    for place in range(3):
        counter = (int.from_bytes(IV, "big") + place).to_bytes(16, "big")
        plain = bytes(a ^ b for a, b in zip(IV, counter, strict=True))
        assert cbc.compute(plain) == stream[16 * place : 16 * place + 16]


@pytest.mark.parametrize("size", [0, 1, 55, 56, 64, 1000])
def test_sha256_is_that_of_python(size: int) -> None:
    data = os.urandom(size)
    assert computed("sha256").compute(data) == hashlib.sha256(data).digest()


def test_a_compiled_loop_computes_the_same() -> None:
    crypto = openssl()
    fast = kernel("sha256", crypto, fast=True)
    assert fast.is_compiled
    assert fast.compute(NIST_PLAIN) == hashlib.sha256(NIST_PLAIN).digest()


@x86
@needs_aes
@pytest.mark.parametrize("off", [None, AES, AES | SIMD], ids=["on", "off", "off too"])
@pytest.mark.usefixtures("no_numba")
def test_the_switch_switches_and_results_stay(off: Switch | None) -> None:
    with working(WORKER, "aes-128-cbc", environment=environment(off)) as (worker, report):
        assert worker.ask(path="here", data=NIST_PLAIN.hex())["result"] == NIST_CBC.hex()
        assert AES.is_seen(report["capabilities"]) == (off is None)


@x86
@needs_sha
@pytest.mark.usefixtures("no_numba")
def test_without_sha_instructions_openssl_keeps_its_vectors() -> None:
    with working(WORKER, "sha256", environment=environment(SHA)) as (_, report):
        first, second = report["capabilities"]
    known = openssl().capabilities
    assert not SHA.is_seen((first, second))
    assert (first, second) == (known[0], known[1] & ~SHA.second)


@x86
@needs_aes
def test_aes_instructions_pay_and_processes_end() -> None:
    before = family(os.getpid())
    experiment = open_aes()
    size = 1 << 20
    try:
        assert len(family(os.getpid()) - before) == 2
        host = min(experiment.host(size, 1) for _ in range(5))
        accelerated = min(experiment.accelerated(size, 1) for _ in range(5))
        assert host > 1.5 * accelerated
        assert any("numba" in note for note in experiment.notes)
        assert any("vpaes" in note for note in experiment.notes)
        assert not any("no effect" in note for note in experiment.notes)
    finally:
        experiment.close()
    assert family(os.getpid()) == before
    with pytest.raises(ExperimentError, match="has ended"):
        experiment.host(size, 1)


@x86
@needs_sha
@pytest.mark.usefixtures("no_numba")
def test_sha256_says_what_is_left_and_what_calls_cost() -> None:
    experiment = open_sha256(simd="off")
    try:
        assert experiment.name == "sha256 simd=false"
        assert experiment.accelerated(4096, 2) > 0
        with pytest.raises(FailedRunError, match="less than 2 GiB"):
            experiment.host(1 << 31, 1)
        assert "left on the host: SHA-256 on whole numbers" in experiment.notes
        assert any("logca[fast]" in note for note in experiment.notes)
    finally:
        experiment.close()


def test_a_switch_that_does_nothing_is_told() -> None:
    seen = experiments._effect(AES, (AES.first, 0), 1.0)
    assert "no effect" in seen[1]
    assert "no effect on the speed" in experiments._effect(AES, (0, 0), 1.0)[1]
    assert len(experiments._effect(AES, (0, 0), 6.0)) == 1


def test_other_machines_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(ExperimentError, match=r"x86 only.*aarch64.*commands or functions"):
        open_aes()


@x86
@pytest.mark.usefixtures("no_numba")
def test_a_cpu_without_the_instructions_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    without = Switch(name="AES-NI", first=0, second=0, decisive=(0, 1 << 63))
    monkeypatch.setattr(experiments, "AES", without)
    with pytest.raises(ExperimentError, match="sees no AES-NI instructions on this CPU"):
        open_aes()


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssl_kernels, "_places", lambda: [None, "no-such-library.so"])
    with pytest.raises(ExperimentError, match=r"no OpenSSL 3.*install"):
        openssl()


def test_a_worker_that_does_not_start_is_told() -> None:
    with (
        pytest.raises(ExperimentError, match=r"exit code 1.*No module named"),
        working("logca.numeric.no_such", environment=environment(None)),
    ):
        pass


@pytest.mark.parametrize(("option", "value"), [("mode", "gcm"), ("simd", "maybe")])
def test_an_option_that_is_none_is_told(option: str, value: str) -> None:
    with pytest.raises(ExperimentError, match=f"{option} = '{value}'"):
        open_aes(**{option: value})


PARENT = """
import os, sys, time
from logca.examples.experiments.openssl_pipe import open_aes_pipe
experiment = open_aes_pipe()
print("ready", flush=True)
experiment.host(1 << 28, 100)
"""


@x86
@needs_aes
@pytest.mark.usefixtures("no_numba")
def test_processes_end_with_their_parent_even_while_they_compute() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        assert parent.stdout.readline() == b"ready\n"
        below = family(parent.pid)
        assert len(below) == 2
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    deadline = time.monotonic() + 10
    while any(map(computes, below)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(computes, below))


@x86
@needs_aes
@pytest.mark.usefixtures("no_numba")
def test_what_comes_through_the_pipe_is_what_the_host_computes() -> None:
    below = family(os.getpid())
    experiment = open_aes_pipe()
    try:
        assert len(family(os.getpid()) - below) == 2
        assert experiment.once["start of the process behind the pipe"] > 0
        assert experiment.host(4096, 2) > 0
        assert experiment.accelerated(4096, 2) > 0
    finally:
        experiment.close()
    assert family(os.getpid()) == below


@x86
@needs_sha
@pytest.mark.usefixtures("no_numba")
@pytest.mark.parametrize("name", ["sha256", "aes-128-cbc"])
def test_data_of_any_size_go_through_the_pipe(name: str) -> None:
    with working(WORKER, name, "1", environment=environment(SHA | AES)) as (worker, report):
        assert SHA.is_seen(report["there"])
        assert not SHA.is_seen(report["capabilities"])
        for size in (16, 65536, 300_000 // 16 * 16, 64):
            data = os.urandom(size)
            worker.ask(path="pipe", size=size, calls=2)
            results = [
                worker.ask(path=path, data=data.hex())["result"] for path in ("here", "pipe")
            ]
            assert results[0] == results[1]
            assert name != "sha256" or results[0] == hashlib.sha256(data).hexdigest()


@x86
@pytest.mark.usefixtures("no_numba")
def test_more_cores_than_there_are_is_told() -> None:
    with (
        pytest.raises(ExperimentError, match=r"cores = 1000000"),
        working(WORKER, "sha256", "1000000", environment=environment(None)),
    ):
        pass
