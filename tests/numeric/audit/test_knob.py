"""Settings of knobs, against programs whose times are known or that everyone has."""

import sys
from math import inf
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "fit"))
from known_devices import CONSTANT, SLOWER, Known

from logca.numeric.audit.knob import Knob, knob_experiment, knob_of, setting
from logca.numeric.measure.experiment import ExperimentError
from logca.numeric.timings.timings import Timings

OFF = str(2**40)


def variable(on: str = "1", off: str = OFF) -> Knob:
    return knob_of("MIN_BYTES", on, off, "./serve {bytes}")


def test_a_threshold_is_the_first_size_that_pays() -> None:
    timings = CONSTANT.timings(0.01)
    found = setting(variable(), timings)
    assert found.threshold == pytest.approx(CONSTANT.where(1.0), rel=0.05)
    assert found.lines == (f"export MIN_BYTES={found.threshold}",)
    assert found.basis is not None
    pays = found.basis.accelerator.speedup([found.threshold - 1.0, found.threshold])
    assert pays[0] <= 1 <= pays[1]
    assert found.answer().startswith(f"Set MIN_BYTES to {found.threshold}: it pays from ")


@pytest.mark.parametrize(
    ("device", "value"),
    [(SLOWER, OFF), (Known(o=1e-9, C=1e-6, A=3.0), "1")],
)
def test_one_value_may_do_for_all_sizes(device: Known, value: str) -> None:
    found = setting(variable(), device.timings(0.01))
    assert (found.lines, found.threshold) == ((f"export MIN_BYTES={value}",), None)


def test_a_switch_has_a_value_for_each_range() -> None:
    knob = knob_of("--threads", "2", "1", "prog --threads {knob} {bytes}")
    found = setting(knob, CONSTANT.timings(0.01))
    assert [line.partition("  #")[0] for line in found.lines] == ["--threads 2", "--threads 1"]
    assert found.lines[0].endswith("KiB on")
    assert "is a switch" in found.notes[0]


def test_two_crossings_get_the_threshold_that_costs_least() -> None:
    host = np.array([6, 12, 22, 45, 90, 175, 350, 20, 31]) * 1e-6
    other = np.array([8, 14, 24, 13, 14, 15, 18, 24, 35]) * 1e-6
    sizes = [2.0**power for power in range(11, 20)]
    found = setting(variable(), Timings(granularity=sizes, host=host, accelerated=other))
    assert found.threshold is not None
    assert 8192 < found.threshold <= 16384
    assert found.notes[0].startswith("one threshold cannot say that it pays from 8.")


def test_a_knob_that_changes_nothing_is_told() -> None:
    same = Known(o=0.0, C=1e-9, A=1.0)
    found = setting(variable(), same.timings(0.01, repeats=5))
    assert found.lines == ()
    assert found.answer().startswith(
        f"MIN_BYTES changes nothing: with {OFF} and with 1 the program"
    )
    assert found.answer().endswith("does MIN_BYTES reach the program?")
    loud = setting(variable(), same.timings(0.3, repeats=5))
    assert loud.answer().startswith("It cannot be told what MIN_BYTES changes: ")


@pytest.mark.parametrize(
    ("on", "off", "way"),
    [("1", OFF, "above"), (OFF, "1", "below"), ("2", "1", ""), ("yes", "no", ""), ("0", inf, "")],
)
def test_values_that_enclose_all_sizes_are_a_threshold(on: str, off: str, way: str) -> None:
    assert variable(on, off if isinstance(off, str) else "x").threshold(1024, 1 << 20) == way


@pytest.mark.parametrize(
    ("name", "command", "build", "told"),
    [
        ("--flag", "prog {bytes}", None, "is no variable of the environment, and the command has"),
        ("A-B", "p-{knob} {bytes}", "cc -o p-{knob}", "is no name of a constant"),
        ("LIMIT", "./p {bytes}", "cc -DLIMIT={knob}", "command './p {bytes}' has no {knob}"),
        ("LIMIT", "./p-{knob} {bytes}", "cc -o p", "build 'cc -o p' has no {knob}"),
        ("LIMIT", "./p-{knob} {bytes}", "cc -o 'p-{knob}", "is not well quoted: No closing quot"),
    ],
)
def test_what_is_no_knob(name: str, command: str, build: str | None, told: str) -> None:
    with pytest.raises(ExperimentError) as raised:
        knob_of(name, "1", "2", command, build)
    assert told in str(raised.value)


def test_a_variable_reaches_the_program_and_a_build_is_done_for_each_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = "sh -c 'echo $MIN_BYTES >> said; exit 0' - {bytes}"
    experiment = knob_experiment(knob_of("MIN_BYTES", "1", "9", command), (1, 8), 10)
    experiment.accelerated(4, 1)
    experiment.host(4, 1)
    assert (tmp_path / "said").read_text() == "1\n9\n"
    build = "sh -c 'echo exit 0 > prog-{knob}'"
    knob = knob_of("LIMIT", "1", "9", "sh prog-{knob} {bytes}", build)
    built = knob_experiment(knob, (1, 8), 10)
    assert not [*tmp_path.glob("prog-*")]
    programs = built.prepare()
    assert built.host(4, 1) > 0
    assert built.prepare() == programs
    assert sorted(path.name for path in tmp_path.glob("prog-*")) == ["prog-1", "prog-9"]
    with pytest.raises(ExperimentError, match=r"build .sh -c .*: exit status 3: no such header"):
        knob_experiment(
            knob_of(
                "LIMIT", "1", "9", "p-{knob} {bytes}", "sh -c 'echo no such header; exit 3; {knob}'"
            ),
            (1, 8),
            10,
        ).prepare()


def test_values_are_written_as_they_are_set() -> None:
    words = "dd if=/dev/zero of=/dev/null bs={knob} count={bytes} iflag=count_bytes"
    assert knob_of("bs", "65536", "512", words).written("512") == "bs=512"
    assert (
        knob_of("LIMIT", "1", "2", "p-{knob}", "cc -o p-{knob}").written("7") == "#define LIMIT 7"
    )
    assert variable().written("7 or so") == "export MIN_BYTES='7 or so'"
