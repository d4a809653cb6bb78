"""What generated sources look like: comments, names, layout; and what is refused."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from target_functions import functions

from logca.derive.core.symbols import TABLE
from logca.numeric.accelerator.parameter_ranges import LATENCIES
from logca.numeric.generate.codegen.source_program import DEFAULT, CodegenError, offered
from logca.numeric.generate.codegen.tree import Let, statements_in
from logca.numeric.generate.languages.registry import LANGUAGES, source
from logca.numeric.generate.languages.write import CODE, files

ROOT = Path(__file__).parents[4]
WIDTHS = dict.fromkeys(LANGUAGES, 100) | {"python": 88, "julia": 92}
MARKS = {"rust": "///", "fortran": "!", "javascript": r"\*", "python": "$", "julia": "$"}
"""What a line of a comment begins with."""

RESERVED = {
    "and as assert async await break class continue def del elif else except finally for from"
    " global if import in is lambda nonlocal not or pass raise return try while with yield",
    "auto bool case char const default do double enum extern float goto inline int long near far"
    " register restrict short signed sizeof static struct switch typedef union unsigned void"
    " volatile delete explicit export friend mutable namespace new operator private protected"
    " public template this throw typename using virtual",
    "abstract become box crate dyn final fn impl let loop macro match mod move mut override priv"
    " pub ref self super trait type typeof unsafe unsized use where gen",
    "baremodule begin catch end function local module primitive quote outer where",
    "arguments debugger eval instanceof interface package var",
}


@cache
def all_names() -> tuple[str, ...]:
    return tuple(offered())


@cache
def all_of(language: str) -> str:
    """All that there is, in a language."""
    return source(language, all_names())


@pytest.fixture(scope="module", params=LANGUAGES)
def everything(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A language, and all that there is in it."""
    return request.param, all_of(request.param)


def test_lines_fit(everything: tuple[str, str]) -> None:
    language, text = everything
    assert [line for line in text.splitlines() if len(line) > WIDTHS[language]] == []
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_comments_give_every_unit_and_source(everything: tuple[str, str]) -> None:
    language, text = everything
    mark = MARKS.get(language, "//")
    words = " ".join(re.sub(rf"^ *{mark}(?: |$)", "", text, flags=re.MULTILINE).split())
    for function in functions(all_names(), "both"):
        assert function.answers or f"[{function.unit}]" in words
        for parameter in function.parameters:
            described = f"{parameter.meaning} [{parameter.unit}]"
            assert described in words or f"{described[0].upper()}{described[1:]}" in words
        for note in function.notes:
            assert note in words


def test_units_are_those_of_the_table() -> None:
    for function in functions(all_names(), "both"):
        for parameter in function.parameters:
            if parameter.name != "L":
                name = {"length": "N"}.get(parameter.name, parameter.name)
                assert parameter.unit == str(TABLE[name].unit)
    (linear,) = functions(["speedup"], "linear")
    units = {parameter.name: parameter.unit for parameter in linear.parameters}
    assert units["C"] == "cycles/B**beta"
    assert units["L"] == "cycles/B"
    (constant,) = functions(["speedup"], "constant")
    assert {each.name: each.unit for each in constant.parameters}["L"] == "cycles"


def test_the_head_says_how_it_was_made(everything: tuple[str, str]) -> None:
    language, text = everything
    words = re.sub(r"\n *(//|!|#)? *", "", text[:5000])
    assert f"logca codegen --lang {language} --what {','.join(all_names())}" in words
    assert re.search(r"logca \d+\.\d+\.\d+, formulas [0-9a-f]{16}", words)


def test_the_head_names_the_papers_as_the_references_do() -> None:
    references = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    named = re.findall(r"(altaf\d+) is doi:([^,\s]+)", source("c").replace("\n//", ""))
    assert len(named) == 2
    for key, doi in named:
        entry = references.partition(f"{{{key},")[2].partition("\n}")[0]
        assert f"doi = {{{doi}}}" in entry


def test_no_name_is_a_keyword_or_differs_by_case_only(everything: tuple[str, str]) -> None:
    keywords = set(" ".join(RESERVED).split())
    for function in functions(all_names(), "both"):
        local = {each.name for each in statements_in(function.body) if isinstance(each, Let)}
        names = [parameter.name for parameter in function.parameters]
        assert not {*local, *names, function.name} & keywords
        assert len({name.lower() for name in {*local, *names}}) == len({*local, *names})
    _, text = everything
    assert not re.search(r"\b(start|limit|t|cost|moved) = .*\bend\b", text)


@pytest.mark.usefixtures("same_sympy")
def test_the_written_functions_are_fresh() -> None:
    """Whatever the seed of hashes: that of this process is random."""
    there = {path.name: path.read_text("utf-8") for path in CODE.iterdir()}
    fresh = files()
    assert set(there) == set(fresh), "run `make generate`"
    assert [name for name in fresh if there[name] != fresh[name]] == [], "run `make generate`"


@pytest.mark.parametrize("width", ["88", "100"])
def test_python_is_as_ruff_wants_it(width: str) -> None:
    text = all_of("python")
    for words in (
        ["format", "--line-length", width, "--diff", "-"],
        ["check", "--line-length", width, "-"],
    ):
        command = [sys.executable, "-m", "ruff", *words, "--isolated"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_rust_is_as_rustfmt_wants_it(tmp_path: Path) -> None:
    rustfmt = shutil.which("rustfmt")
    if rustfmt is None:
        pytest.skip("no rustfmt on this machine")
    path = tmp_path / "logca.rs"
    path.write_text(all_of("rust"))
    done = subprocess.run([rustfmt, "--check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_nothing_is_there_that_was_not_needed() -> None:
    text = source("c", ["speedup"], "constant")
    assert text.count("static inline") == 1
    assert "stdbool" not in text
    text = source("c", ["g1"], "constant")
    assert re.findall(r"double (logca_\w+)\(", text) == [
        "logca_corrected_root",
        "logca_power_root",
        "logca_g1_constant",
    ]
    assert "import math" not in source("python", ["T0"])


def test_a_function_for_each_form_of_latency_that_makes_a_difference() -> None:
    def named(*names: str, latency: str) -> list[str]:
        return [function.name for function in functions(names, latency)]

    assert named("T0", "T1", latency="both") == ["T0", "T1_constant", "T1_linear"]
    assert named("T0", "T1", latency="linear") == ["T0", "T1_linear"]
    assert named("g_peak", "cutoff_o", latency="both") == ["g_peak", "cutoff_o"]
    assert named("g1_upper", latency="constant") == ["g1_upper_constant"]


def test_a_name_counts_once() -> None:
    assert source("c", ["T0", "T1", "T0"]) == source("c", ["T0", "T1"])


def test_the_default_can_be_generated() -> None:
    assert [function.name for function in functions(DEFAULT, "linear")] == [
        "speedup_linear",
        "g1_linear",
        "should_offload_linear",
    ]


def test_digest_follows_the_formulas() -> None:
    digests = {
        re.search("formulas ([0-9a-f]+)", source("c", [name], latency))[1]  # type: ignore[index]
        for name, latency in (("T0", "both"), ("T1", "both"), ("T1", "linear"))
    }
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("name", "latency", "said"),
    [
        ("sped", "both", "did you mean speedup"),
        ("qqqq", "both", "--list"),
        ("g_peak", "constant", "under linear latency only"),
        ("cutoff_o", "linear", "under constant latency only"),
    ],
)
def test_what_cannot_be_had_is_refused(name: str, latency: str, said: str) -> None:
    with pytest.raises(CodegenError, match=said):
        source("c", [name], latency)


def test_all_choices_of_latency_stand_for_forms_that_exist() -> None:
    assert set(LATENCIES) == {"constant", "linear"}
