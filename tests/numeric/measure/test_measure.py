"""What can be measured: commands, functions, experiments by name."""

import gc
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import logca
from logca.numeric.measure import known_experiments
from logca.numeric.measure.commands import command_timer, commands_experiment
from logca.numeric.measure.experiment import Experiment, ExperimentError, FailedRunError
from logca.numeric.measure.measure import callables_experiment
from logca.numeric.timings import machine
from logca.numeric.timings.timings import Timings

SH = "sh -c '{}' - {{bytes}}"


def test_the_time_of_a_command_is_that_of_all_its_runs() -> None:
    timer = command_timer(SH.format("sleep 0.02"), "host", 60)
    began = time.perf_counter()
    found = timer(1, 3)
    assert 0.06 <= found <= time.perf_counter() - began


def test_the_size_goes_where_the_placeholder_is(tmp_path: Path) -> None:
    seen = tmp_path / "a b"
    timer = command_timer(f"sh -c 'echo \"$1\" > \"{seen}\"' - '<{{bytes}} B>'", "host", 60)
    timer(4096, 1)
    assert seen.read_text() == "<4096 B>\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("openssl speed", r"has no \{bytes\}: write it where the size goes"),
        ("no-such-program {bytes}", "host command: there is no program 'no-such-program'"),
        ("./not-here {bytes}", "there is no program './not-here'"),
        ("sh 'unbalanced {bytes}", "not well quoted: No closing quotation"),
        ("head -c {bytes} /dev/zero | md5sum", r"has '\|', which is for a shell.*write sh -c"),
        ("", r"has no \{bytes\}"),
    ],
)
def test_commands_that_cannot_be(command: str, said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        commands_experiment(command, "true {bytes}", (1, 2), 60)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo first >&2; echo out of memory >&2; exit 3", "^exit status 3: out of memory$"),
        ("exit 4", "^exit status 4$"),
        ("kill -SEGV $$", "^ended by SIGSEGV$"),
        (r'printf "a\033[1mb\n" >&2; exit 1', r"^exit status 1: a \[1mb$"),
    ],
)
def test_a_command_that_fails(script: str, said: str) -> None:
    with pytest.raises(FailedRunError, match=said):
        command_timer(SH.format(script), "host", 60)(1, 1)


def test_a_command_that_hangs_is_stopped() -> None:
    timer = command_timer(SH.format("sleep 60; echo"), "host", 0.1)
    began = time.perf_counter()
    with pytest.raises(FailedRunError, match=r"ran longer than 0.1 s, the budget, and was stopped"):
        timer(1, 1)
    assert time.perf_counter() - began < 30


def test_functions_get_the_same_input_which_is_made_once(tmp_path: Path) -> None:
    made, got = [], []

    def make(size: int) -> bytes:
        made.append(size)
        return bytes(size)

    found = callables_experiment(got.append, got.append, make=make, sizes=(1, 2))
    found.host(8, 3)
    found.accelerated(8, 2)
    found.host(16, 1)
    assert made == [8, 16]
    assert [len(each) for each in got] == [8, 8, 8, 8, 8, 16]
    plain = callables_experiment(got.append, got.append, make=None, sizes=(1, 2))
    plain.host(32, 1)
    assert got[-1] == 32


def test_making_the_input_is_not_timed_and_no_garbage_is_collected() -> None:
    seen = []

    def make(size: int) -> None:
        time.sleep(0.05)

    def call(data: None) -> None:
        seen.append(gc.isenabled())

    found = callables_experiment(call, call, make=make, sizes=(1, 2))
    assert found.host(1, 1) < 0.05
    assert seen == [False]
    assert gc.isenabled()


def test_what_is_no_function() -> None:
    three: Any = 3
    with pytest.raises(ExperimentError, match="accelerated = 3 cannot be called"):
        callables_experiment(len, three, make=None, sizes=(1, 2))


def test_from_python(tmp_path: Path) -> None:
    output = tmp_path / "wait.jsonl"

    def measured() -> Timings:
        return logca.measure(
            lambda size: time.sleep(size * 1e-6),
            lambda size: time.sleep(1e-3),
            sizes=(100, "10 kB"),
            output=output,
            precision=0.5,
            points=4,
            name="sleeping",
        )

    timings = measured()
    assert (timings.granularity[0], timings.granularity[-1]) == (100, 10000)
    assert all(each.min() >= 1e-3 for each in timings.accelerated if each.size)
    lines = output.read_text().splitlines()
    measured()
    assert output.read_text().splitlines() == lines
    with pytest.raises(ValueError, match="sizes 10000 to 100"):
        logca.measure(len, len, sizes=(10000, 100), output=output)


def experiment(threads: str = "2") -> Experiment:
    return Experiment(
        name=f"mine({threads})",
        title="",
        host=lambda size, calls: 1.0,
        accelerated=lambda size, calls: 1.0,
        sizes=(1, 9),
    )


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package brings the experiment `theirs`."""
    entry = EntryPoint("theirs", f"{__name__}:experiment", known_experiments.GROUP)
    monkeypatch.setattr(
        known_experiments,
        "entry_points",
        lambda group: [entry] * (group == known_experiments.GROUP),
    )


def test_an_experiment_of_another_package(plugin: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert known_experiments.known_experiments()[-1].name == "theirs"
    assert known_experiments.known_experiments()[0].source == "logca"
    monkeypatch.setattr(EntryPoint, "load", lambda self: experiment)
    assert known_experiments.open_experiment("theirs", {"threads": "4"}).name == "mine(4)"


def test_listing_loads_nothing(plugin: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(self: EntryPoint) -> Callable[..., Experiment]:
        raise AssertionError

    monkeypatch.setattr(EntryPoint, "load", load)
    known = known_experiments.known_experiments()
    assert len({each.name for each in known}) == len(known)
    assert all(each.description for each in known)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the user's in the current folder."""
    (tmp_path / "mybench.py").write_text(
        "from logca.numeric.measure.experiment import Experiment\n"
        "def open_mine(threads='2'):\n"
        "    timer = lambda size, calls: 1.0\n"
        "    return Experiment(name=f'mine({threads})', title='', host=timer, accelerated=timer,"
        " sizes=(1, 9))\n"
        "def needy(device): pass\n"
        "def lenient(*rest, **options): return open_mine(**options)\n"
        "def raising(): raise RuntimeError('no\\ndevice')\n"
        "number = 3\n"
    )
    (tmp_path / "raising_bench.py").write_text("x = {}['key']\n")
    (tmp_path / "unparsed_bench.py").write_text("\ndef x(:\n")
    (tmp_path / "broken_bench.py").write_text("import no_such_library\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])


def test_a_function_of_the_users(bench: None) -> None:
    assert known_experiments.open_experiment("mybench:open_mine").name == "mine(2)"
    assert known_experiments.open_experiment("mybench:lenient").name == "mine(2)"
    assert known_experiments.open_experiment("mybench:lenient", {"threads": "3"}).name == "mine(3)"
    assert sys.path.index(str(Path.cwd())) == len(sys.path) - 1, "what lies here shadows nothing"


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("sha255", {}, "there is no experiment 'sha255'; did you mean sha256"),
        ("quux", {}, "known are aes, "),
        ("nowhere:open", {}, "there is no module 'nowhere' here"),
        ("mybench:closed", {}, "module mybench has no 'closed'"),
        ("mybench:number", {}, "is no function that opens an experiment"),
        ("mybench:needy", {}, "mybench:needy needs device: give --set device=VALUE"),
        ("mybench:needy", {"device": "1"}, "gave NoneType; its function must give"),
        ("mybench:open_mine", {"size": "1"}, "has no option 'size'; its options are threads"),
        ("broken_bench:open", {}, "No module named 'no_such_library'; install it"),
        ("raising_bench:open", {}, r"cannot be opened: KeyError: 'key' \(raising_bench.py, line 1"),
        ("unparsed_bench:open", {}, r"SyntaxError: .*\(unparsed_bench.py, line 2\)"),
        ("mybench:raising", {}, r"RuntimeError: no device \(mybench.py, line \d+\)"),
        ("../mybench:open_mine", {}, "is no name of a module"),
    ],
)
def test_experiments_that_cannot_be_opened(
    bench: None, name: str, options: dict[str, str], said: str
) -> None:
    with pytest.raises(ExperimentError, match=said):
        known_experiments.open_experiment(name, options)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sizes": (9, 1)}, "give the least first"),
        ({"step": 0}, "step = 0 B"),
        ({"step": 16}, "no multiple of 16 B lies between 1 B and 9 B"),
        ({"sizes": (1.5, 9)}, r"give two whole numbers of bytes"),
        ({"sizes": ("1", "9")}, r"give two whole numbers of bytes"),
        ({"step": 0.5}, r"step = 0.5; give two whole numbers of bytes"),
        ({"name": b"mine"}, "a text"),
        ({"notes": "alone"}, "notes = 'alone'; give a tuple of texts"),
        ({"once": {"start": float("nan")}}, "once, 'start' = nan; give seconds"),
    ],
)
def test_sizes_of_an_experiment(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        replace(experiment(), **change)


def test_the_resolution_of_a_clock_is_its_smallest_step() -> None:
    now = 0

    def clock() -> float:
        nonlocal now
        now += 1
        return now // 7 * 0.25

    assert machine.clock_resolution(clock) == 0.25
    assert 0 < machine.clock_resolution() < 1e-3


def test_what_disturbs_is_noted() -> None:
    facts = machine.machine_facts()
    assert facts["cores"] == os.cpu_count()
    assert machine.machine_notes(facts | {"load": 0.0, "governor": "performance"}) == ()
    assert len(machine.machine_notes(facts | {"load": 99.0, "governor": "powersave"})) == 2


def test_functions_of_one_name_are_told_apart_by_their_code(tmp_path: Path) -> None:
    output = tmp_path / "it.jsonl"

    def measured(host: Callable[[int], object]) -> None:
        logca.measure(host, len, make=bytes, sizes=(64, 4096), output=output, budget=0.1, points=4)

    measured(lambda data: sum(data))
    before = output.read_bytes()
    with pytest.raises(ValueError, match="is of another measurement, experiment differs"):
        measured(lambda data: max(data))
    assert output.read_bytes() == before
    measured(lambda data: sum(data))


def test_sizes_of_another_form() -> None:
    sizes: Any = "1 KiB:2 KiB"
    with pytest.raises(ValueError, match="give least and largest"):
        logca.measure(len, len, sizes=sizes, output="x.jsonl")


def test_a_command_may_have_any_budget() -> None:
    assert command_timer("true {bytes}", "host", 1e300)(1, 1) > 0
