"""Emitted thresholds, compiled or run, against what `decide` says."""

import itertools
import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import fitted_programs
import numpy as np
import pytest

from logca.common.errors import ArgumentError
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import thresholds
from logca.numeric.fit.profile_likelihood import ConfidenceInterval as Interval
from logca.numeric.fit.size_ranges import DOES_NOT_PAY, PAYS, Thresholds
from logca.numeric.generate.offload.rule import (
    OffloadError,
    SizeRange,
    offload_rule,
    printable,
)
from logca.numeric.generate.offload.source import LANGUAGES, source, source_of_rule
from logca.numeric.streams.decide import decide_in_flight
from logca.numeric.streams.thresholds import thresholds_in_flight
from logca.numeric.timings.timings import Timings

Row = str
STATES = (None, True, False)
GRID = np.logspace(6, 24, 9, base=2)
HOSTILE = 'C:\\cpu\\ "x" """ */ ?' + "?/ \u202e ü\nint main;"
NOWHERE = Interval(nan, nan, 1.0)
# Copies between GPUs by two protocols, after UCX's pull request 5132: a win from 16 to 128 KiB.
STEP_SIZES = [2**power for power in range(11, 20)]
STEP_HOST = [6, 12, 22, 45, 90, 175, 350, 20, 31]
STEP_OTHER = [8, 14, 24, 13, 14, 15, 18, 24, 35]
MOST = 2**52


IN_FLIGHT = {"stream": 4}
"""Requests in flight that code is emitted for, by kernel."""


def stream(draw: np.random.Generator) -> Fit:
    """A fit of times with four requests in flight, which an offload serves side by side."""

    def times(shared: float) -> Timings:
        noise = np.exp(0.03 * draw.standard_normal((2, GRID.size, 3)))
        paths = (2e-9 * GRID, (5e-6 + 4e-10 * GRID) / shared)
        host, other = (list(each[:, None] * one) for each, one in zip(paths, noise, strict=True))
        return Timings(granularity=GRID, host=host, accelerated=other)

    return fit(times(1), latency="constant").with_flights({4: times(4)})


def ranges_of(name: str, each: Fit) -> Thresholds:
    """What emitted code is to answer by."""
    if name in IN_FLIGHT:
        return thresholds_in_flight(each, IN_FLIGHT[name])
    return thresholds(each)


@pytest.fixture(scope="module")
def kernels() -> dict[str, Fit]:
    """Fits of all kinds; intervals are made up where timings would have to be searched for."""
    draw = np.random.default_rng(8)
    time = 5e-9 * GRID**0.85
    noise = np.exp(0.03 * draw.standard_normal((2, GRID.size, 3)))
    twice = fit(
        Timings(
            granularity=GRID,
            host=list(time[:, None] * noise[0]),
            accelerated=list((9e-6 + 2.5e-10 * GRID + time / 4)[:, None] * noise[1]),
        ),
        latency="linear",
        provenance={"timings": "t.csv", "sha256": "0f" * 32, "machine": HOSTILE},
    )
    estimate = twice.estimates["linear"]

    def other(**changed: float) -> dict[str, object]:
        curve = estimate.best.curve._replace(**changed)
        return {"linear": estimate._replace(best=estimate.best._replace(curve=curve))}

    def kind(g1: Interval, upper: Interval = NOWHERE, **changed: float) -> Fit:
        intervals = {**twice.intervals, "g1": g1, "g1_upper": upper}
        same = Timings(granularity=GRID, host=time, accelerated=time)  # contradicts no curve
        return replace(twice, intervals=intervals, estimates=other(**changed), timings=same)

    return {
        "twice": twice,
        "once": kind(Interval(8e3, 1.1e4), L=-60.0),
        "never": kind(NOWHERE, D=9.0),
        "always": kind(Interval(0.0, 0.1), o=-60.0, L=-60.0),
        "untold": kind(Interval(8e3, inf, 0.4), L=-60.0),
        "steps": fit(Timings(granularity=STEP_SIZES, host=STEP_HOST, accelerated=STEP_OTHER)),
        "stream": stream(draw),
        "xor": kind(
            Interval(0.0, 300.0),
            Interval(2.0**70, 2.0**80, 0.01),
            o=-60.0,
            L=-60.0,
        ),
    }


@pytest.fixture(scope="module")
def sizes(kernels: Mapping[str, Fit]) -> list[int]:
    """Two thousand and some: random ones, and all near a threshold."""
    draw = random.Random(6)
    found = [int(2 ** draw.uniform(0, 52)) for _ in range(2_000)]
    for each in map(ranges_of, kernels, kernels.values()):
        for ranges in (each.likely, each.staying, each.starting):
            for end in (end for each in ranges for end in (each.above, each.below)):
                found += [int(end) + step for step in (-1, 0, 1, 2) if 1 < end < MOST]
    return [*found, 1, 2, MOST]


@pytest.fixture(scope="module")
def decided(kernels: Mapping[str, Fit], sizes: Sequence[int]) -> dict[str, list[str]]:
    """What `thresholds`, from which `decide` has its answer, says of all sizes."""
    return {
        name: [
            "".join(str(int(found.pays(size, offloading=state))) for state in STATES)
            for size in sizes
        ]
        for name, found in ((name, ranges_of(name, each)) for name, each in kernels.items())
    }


def overridden(rows: list[str], sizes: Sequence[int], setting: str, found: Thresholds) -> list[str]:
    """What the answers become under a setting, by the words of the emitted comment."""
    if setting in ("always", "never"):
        return [str(int(setting == "always")) * 3] * len(rows)
    if not re.fullmatch("[0-9]+", setting):
        return rows
    least = max(int(setting), 1)
    ranges = (found.likely, found.staying, found.starting)
    ends = [max((part.below for part in each), default=inf) for each in ranges]
    return ["".join(str(int(least <= size < end)) for end in ends) for size in sizes]


SETTINGS: tuple[dict[str, str], ...] = (
    {},
    {"twice": "always", "once": "never", "never": "auto", "always": "", "untold": "4096"},
    {
        "twice": "70000",
        "steps": "4096",
        "once": "0",
        "never": "65536",
        "always": "9" * 30,
        "xor": "12345",
    },
    {"twice": "64KiB", "once": "-1", "never": " 5", "always": "Always", "xor": "0x10"},
)


@pytest.fixture(scope="module")
def wanted(
    kernels: dict[str, Fit], sizes: list[int], decided: dict[str, list[str]]
) -> list[list[str]]:
    """For each of the settings what a program is to print, a line for each size."""
    return [
        [
            "".join(row)
            for row in zip(
                *(
                    overridden(
                        decided[name], sizes, settings.get(name, "auto"), ranges_of(name, each)
                    )
                    for name, each in kernels.items()
                ),
                strict=True,
            )
        ]
        for settings in SETTINGS
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_emitted_code_decides_as_decide_does(
    language: str,
    kernels: dict[str, Fit],
    sizes: list[int],
    wanted: list[list[str]],
    tmp_path: Path,
) -> None:
    sources = {
        name: source(
            language,
            each,
            ("--fit", "fit.json"),
            name=name,
            most_likely=name == "untold",
            in_flight=IN_FLIGHT.get(name),
        )
        for name, each in kernels.items()
    }
    run = fitted_programs.program(tmp_path, language, sources)
    ignored = 0
    for settings, rows in zip(SETTINGS, wanted, strict=True):
        asked = sizes if settings is not SETTINGS[-1] else sizes[-99:]
        variables = {f"LOGCA_OFFLOAD_{name.upper()}": text for name, text in settings.items()}
        said = run(asked, variables)
        compared = zip(asked, said.rows, rows[-len(asked) :], strict=True)
        assert [each for each in compared if each[1] != each[2]][:3] == []
        for name, text in settings.items():
            known = text in ("", "auto", "always", "never") or re.fullmatch("[0-9]+", text)
            told = said.told.count(f"LOGCA_OFFLOAD_{name.upper()}={text} is ignored")
            # In C each of the two files that ask about the first kernel reads the variable.
            assert told == (0 if known else 2 if (language, name) == ("c", "twice") else 1)
            ignored += told > 0
    assert ignored == 5


FAR = 2**53 + 1
"""Above it a rule pays that no double can tell from one byte less."""
FARTHEST = 2**64


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_answer_alike_up_to_the_last_byte(
    language: str, kernels: dict[str, Fit], tmp_path: Path
) -> None:
    far = (SizeRange(above=FAR, last=FARTHEST - 2),)
    rule = offload_rule(kernels["always"], "far")
    rule = replace(rule, likely=far, staying=far, starting=far)
    run = fitted_programs.program(
        tmp_path, language, {"far": source_of_rule(language, rule, "logca codegen")}
    )
    asked = [1, *range(FAR - 2, FAR + 4), *range(FARTHEST - 7, FARTHEST)]
    settings = ["auto", "0", "1", *(str(FAR + step) for step in (-1, 0, 1, 2))]
    settings += ["0" * 40 + "5", *(str(FARTHEST + step) for step in range(-7, 3)), "9" * 5000]
    for setting in settings:
        least = FAR + 1 if setting == "auto" else max(int(setting[-20:] or 0), 1)
        if len(setting) == 5000 or least >= FARTHEST - 4:
            least = FARTHEST  # none
        rows = ["111" if least <= size <= FARTHEST - 2 else "000" for size in asked]
        assert run(asked, {"LOGCA_OFFLOAD_FAR": setting}).rows == rows, setting


def test_decide_itself_agrees(
    kernels: dict[str, Fit], sizes: list[int], decided: dict[str, list[str]]
) -> None:
    for name, each in kernels.items():
        for place in range(0, len(sizes), 150):
            if name in IN_FLIGHT:
                told = decide_in_flight(each, sizes[place], IN_FLIGHT[name])
                answers = (told.speedup > 1, told.certainty != DOES_NOT_PAY, told.certainty == PAYS)
                assert "".join(str(int(one)) for one in answers) == decided[name][place]
                continue
            row = [decide(each, sizes[place], offloading=state).offload for state in STATES]
            assert "".join(str(int(offload)) for offload in row) == decided[name][place]


def test_all_kinds_are_there(decided: dict[str, list[str]]) -> None:
    seen = {name: set(rows) for name, rows in decided.items()}
    assert seen["twice"] == {"000", "010", "110", "111"}
    assert seen["once"] == {"000", "010", "110", "111"}
    assert seen["never"] == {"000"}
    assert seen["always"] == {"111"}
    assert seen["untold"] == {"000", "010", "110"}
    assert seen["xor"] == {"110", "111"}
    assert seen["stream"] == {"000", "010", "110", "111"}


def test_a_stream_is_named_and_pays_from_smaller_sizes_on(kernels: dict[str, Fit]) -> None:
    text = source("python", kernels["stream"], name="stream", in_flight=4)
    assert "--name stream --in-flight 4" in " ".join(text.replace("#", "").split())
    assert "in flight         4 requests" in text
    one, four = (ranges_of(name, kernels["stream"]).likely[0] for name in ("one", "stream"))
    assert four.above < one.above / 3
    with pytest.raises(ArgumentError, match="no times with several requests in flight"):
        source("python", kernels["once"], in_flight=4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_name_and_with_zero_bytes(
    language: str, kernels: dict[str, Fit], tmp_path: Path
) -> None:
    """No bytes never pay; the C header compiles in C++ as well."""
    text = source(language, kernels["always"], ("--fit", "fit.json"))
    assert "LOGCA_OFFLOAD" in text
    assert "LOGCA_OFFLOAD_" not in text or language == "c"
    if language == "python":
        space: dict[str, Callable[..., bool]] = {}
        exec(compile(text, "emitted", "exec"), space)
        assert not space["should_offload"](0)
        assert not space["should_offload"](nan)
        assert space["should_offload_from"](1, offloading=False)
    if language == "c":
        (tmp_path / "offload.h").write_text(text, encoding="utf-8")
        main = '#include "offload.h"\nint main() { return logca_should_offload(0); }\n'
        (tmp_path / "main.cpp").write_text(main)
        compiler = fitted_programs.tool(("c++", "g++", "clang++"))
        command = f"{compiler} -std=c++17 {fitted_programs.STRICT} main.cpp -o program"
        subprocess.run(command.split(), cwd=tmp_path, check=True)
        assert subprocess.run(["./program"], cwd=tmp_path, check=False).returncode == 0


def test_threads_that_ask_first_together_get_one_answer(
    kernels: dict[str, Fit], tmp_path: Path
) -> None:
    """Under the thread sanitizer, which ends the program at a race."""
    compiler = fitted_programs.tool(("gcc", "cc", "clang"))
    (tmp_path / "offload.h").write_text(source("c", kernels["twice"]), encoding="utf-8")
    (tmp_path / "main.c").write_text(
        '#include "offload.h"\n#include <pthread.h>\n'
        "static void *ask(void *into) {\n"
        "*(int *)into = logca_should_offload(70000);\nreturn NULL;\n}\n"
        "int main(void) {\npthread_t threads[8];\nint said[8], sum = 0;\n"
        "for (int i = 0; i < 8; ++i) pthread_create(threads + i, NULL, ask, said + i);\n"
        "for (int i = 0; i < 8; ++i) { pthread_join(threads[i], NULL); sum += said[i]; }\n"
        "return sum == 8 ? 0 : 1;\n}\n"
    )
    command = f"{compiler} -std=c99 -fsanitize=thread -g main.c -o program -pthread"
    built = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, check=False)
    if built.returncode:
        pytest.skip("no thread sanitizer on this machine")
    ran = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True, check=False)
    if "unexpected memory mapping" in ran.stderr:
        pytest.skip("the thread sanitizer does not run on this machine")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_comment_says_where_it_comes_from(language: str, kernels: dict[str, Fit]) -> None:
    each = kernels["twice"]
    text = source(language, each, ("--fit", "my fit.json"), name="aes_128")
    words = " ".join(re.sub(r"^ *(//|#)", "", text, flags=re.MULTILINE).split())
    assert f"--lang {language} --what should_offload --fit 'my fit.json' --name aes_128" in words
    assert "timings t.csv" in words
    assert f"sha256 {'0f' * 32}" in words
    assert re.search(r"fitted \d{4}-\d\d-\d\d", words)
    assert "LOGCA_OFFLOAD_AES_128 overrides the thresholds: always, never, auto" in words
    assert "It is read once, at the first question" in words
    for name in ("o", "L", "C", "A", "beta"):
        low, high, _ = each.interval(name)
        assert f"{name} {each.parameters[name]:.4g}" in words
        assert f"(95 %: {low:.4g} to {high:.4g})" in words
    assert "\u202e" not in text
    assert max(len(line) for line in text.splitlines()) <= 100


@pytest.mark.parametrize("name", ["twice", "never", "untold"])
def test_python_is_as_ruff_wants_it(kernels: dict[str, Fit], name: str) -> None:
    text = source("python", kernels[name], most_likely=True)
    for words in (["format", "--diff", "-"], ["check", "-"]):
        command = [sys.executable, "-m", "ruff", *words, "--isolated"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_what_cannot_be_told_is_refused_unless_asked_for(kernels: dict[str, Fit]) -> None:
    with pytest.raises(OffloadError, match="it is uncertain whether there is a break-even"):
        source("c", kernels["untold"])
    text = source("c", kernels["untold"], most_likely=True)
    assert "uncertain: none (40 %)" in text
    assert "start offloading  at no size" in text


@pytest.mark.parametrize("name", ["AES", "aes-128", "1st", "a__b", "a_", "_a", "ä", "a b", "a\n"])
def test_names_that_no_language_would_take_are_refused(kernels: dict[str, Fit], name: str) -> None:
    with pytest.raises(OffloadError, match="no name of a kernel"):
        source("c", kernels["twice"], name=name)


@pytest.mark.parametrize("language", ["julia", "fortran", "cobol"])
def test_other_languages_are_refused(kernels: dict[str, Fit], language: str) -> None:
    with pytest.raises(OffloadError, match="only in c, cpp, cuda, rust, javascript, python"):
        source(language, kernels["twice"])


def test_different_thresholds_for_one_name_do_not_hide_each_other(
    kernels: dict[str, Fit],
) -> None:
    guards = set()
    for name, each in kernels.items():
        if name != "untold":
            text = source("c", each, name="gemm")
            guards |= set(re.findall("#ifndef (LOGCA_OFFLOAD_GEMM_[0-9A-F]{8}_H)", text))
    assert len(guards) == len(kernels) - 1


def test_no_name_that_is_emitted_for_two_kernels_is_the_same(kernels: dict[str, Fit]) -> None:
    def names(kernel: str) -> set[str]:
        text = source("c", kernels["twice"], name=kernel)
        return set(re.findall(r"^(?:static inline \w+ |#define )(\w+)", text, re.MULTILINE))

    kinds = ("", "read", "should", "within", "setting", "override", "never", "environment", "h")
    for one, other in itertools.combinations(kinds, 2):
        assert not names(one) & names(other)


@pytest.mark.parametrize("marks", range(2, 6))
def test_no_trigraph_is_left(marks: int) -> None:
    assert "??" not in printable("?" * marks + "/")
