"""Emitted code that people edited: comments, texts in quotes, and what else stands around sizes."""

import re
from functools import cache
from itertools import pairwise

import pytest

from logca.numeric.audit.code_text import offload_functions
from logca.numeric.audit.rule import RuleError, code_rule
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.generate.offload.rule import OffloadRule, SizeRange
from logca.numeric.generate.offload.source import LANGUAGES, source, source_of_rule
from logca.numeric.timings.timings import Timings

ENDINGS = {
    "c": "h", "cpp": "hpp", "cuda": "cuh", "rust": "rs", "javascript": "js", "python": "py"
}  # fmt: skip
EDGES = [100, 200, 22168, 1 << 20]


def rule_of(ranges: tuple[SizeRange, ...], name: str = "") -> OffloadRule:
    return OffloadRule(
        name=name,
        origin="By hand.",
        variable="LOGCA_OFFLOAD",
        likely=ranges,
        staying=(SizeRange(above=1, last=None),),
        starting=(SizeRange(above=2, last=None),),
        facts={"fit": "should_offload( within(size, 1, 2)"},
        notes=("it's no text's end", 'nor is "this'),
    )


def emitted(language: str, name: str = "") -> str:
    """Code with several ranges, on several lines."""
    pairs = [*[*pairwise(EDGES)][::2], (1 << 30, None), (1 << 40, 1 << 41)]
    ranges = tuple(SizeRange(above=above, last=last) for above, last in pairs)
    return source_of_rule(language, rule_of(ranges, name), "logca codegen")


def edges(text: str, file: str) -> list[float]:
    return [round(each.above) for each in code_rule(text, file).ranges]


@cache
def fitted() -> Fit:
    sizes = [float(4**power) for power in range(2, 12)]
    return fit(
        Timings(
            granularity=sizes,
            host=[1e-8 * size for size in sizes],
            accelerated=[1e-5 + 1e-9 * size for size in sizes],
        )
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["", "aes_128"])
@pytest.mark.parametrize("named", [True, False])
def test_emitted_ranges_are_read(language: str, name: str, named: bool) -> None:
    """Also without an ending: then the code says which language it is."""
    file = f"f.{ENDINGS[language]}" if named else "f"
    assert edges(emitted(language, name), file) == [100, 22168, 1 << 30, 1 << 40]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_fit_is_no_code(language: str) -> None:
    """The header of emitted code has the command, and that the name of the fit."""
    name = "should_offload( within(size, 100, 200).json"
    text = source(language, fitted(), ("--fit", name))
    assert " ".join(name.split()) in re.sub(r"\s+(?:#|//)\s+|\s+", " ", text)
    plain = code_rule(source(language, fitted()), "f").ranges
    assert code_rule(text, f"f.{ENDINGS[language]}").ranges == plain


OLD = {  # a definition that is none, before one that is
    "py": [
        "# def should_offload(size): return _within(size, 100, math.inf)\n",
        '"""\ndef should_offload(size):\n    return _within(size, 100, math.inf)\n"""\n',
        "old = 'def should_offload(size): return _within(size, 100, math.inf)'\n",
        "# it was: should_offload(size) was _within(size, 100, math.inf)\n",
    ],
    "h": [
        "// bool should_offload(size_t size) { return within(size, 100, 200); }\n",
        "// it goes on \\\nbool should_offload(size_t size) { return within(size, 1, 2); }\n",
        "/* it's\nbool should_offload(size_t size) { return within(size, 100, 200); } */\n",
        'char *s = "\\" bool should_offload(size_t size) { return within(size, 100, 200); }";\n',
        "int limit = 1'000; // it's bool should_offload(size_t size) { return 1; }\n",
        "bool should_offload(size_t size);\nint f() { if (should_offload(9)) { return 1; } }\n",
    ],
    "cpp": ['auto s = R"x(" bool should_offload(int size) { return within(size, 1, 2); })x";\n'],
    "rs": [
        "/* /* */ fn should_offload(size: usize) -> bool { within(size, 100, 200) } */\n",
        'let s = r#"" fn should_offload(size: usize) -> bool { within(size, 100, 200) }"#;\n',
        "fn f<'a>(q: &'a str) { match c { '\"' => 1, '\\'' => 2, '/' => 3 } }\n",
        "fn f() { if should_offload(9) { g() } }\n",
    ],
    "js": [
        "// function should_offload(size) { return within(size, 100, 200); }\n",
        "const s = `\nfunction should_offload(size) { return within(size, 100, 200); }`;\n",
        "const quote = /[/\"']/; const half = 9 / 2;\n",
    ],
}
NEW = {
    "py": "def should_offload(size): return _within(size, 22168, math.inf)\nx = 1\n",
    "h": "bool should_offload(size_t size) { return within(size, 22168, UINT64_MAX); }\n",
    "rs": "fn should_offload(size: usize) -> bool { within(size, 22_168, u64::MAX) }\n",
    "js": "export function should_offload(size) { return within(size, 22168, Infinity); }\n",
}
NEW["cpp"] = NEW["h"]


@pytest.mark.parametrize(("ending", "old"), [(each, old) for each in OLD for old in OLD[each]])
def test_what_stands_in_comments_and_texts_does_not_count(ending: str, old: str) -> None:
    for code in (old + NEW[ending], NEW[ending] + old):
        assert edges(code, f"f.{ending}") == [22168]


def test_two_slashes_divide_in_python_and_a_sharp_is_no_comment_in_rust() -> None:
    python = "def should_offload(size): return _within(size, 22168 // 4  # a quarter\n , math.inf)"
    for file in ("f.py", "f"):
        with pytest.raises(RuleError, match=r"asks for the size '22168 // 4', which is no number"):
            code_rule(python, file)
    with pytest.raises(RuleError, match="does something else"):
        code_rule(NEW["rs"].replace("within", "#[cold] within"), "f.rs")
    assert edges(NEW["h"].replace("22168", "22168 // 4\n"), "f.h") == [22168]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_done_to_a_question_is_refused(language: str) -> None:
    """Negated, and-ed, asked of another size, after another statement: in no case passed over."""
    text, file = emitted(language), f"f.{ENDINGS[language]}"
    called = LANGUAGES[language].within.format(prefix=LANGUAGES[language].namespace)
    called = called.removeprefix("{prefix}")
    first = f"{called}(size, {LANGUAGES[language].end(100)}"
    python, either = language == "python", LANGUAGES[language].either
    edits = {
        first: [
            f"{'not ' if python else '!'}{first}",
            f"fast {'and' if python else '&&'} {first}",
            f"size > 5 {either} {first}",
            f"other_{first}",
            f"{called}(size, 1, 2) == {first}",
            first.replace("size", "size / 2"),
        ]
    }
    if language != "rust":
        edits["return " + first if not python else "return ("] = [
            "size = 3; return " + (first if not python else "("),
            "if (size > 9) return " + (first if not python else "("),
        ]
    for old, news in edits.items():
        assert text.count(old) >= 1
        for new in news:
            start = text.index(first) - 40
            edited = text[:start] + text[start:].replace(old, new, 1)
            with pytest.raises(RuleError, match=rf"^should_offload of {file} does something else"):
                code_rule(edited, file)


def test_brackets_around_questions_are_left_out() -> None:
    code = NEW["h"].replace("within", "(within").replace("MAX)", "MAX) || ((within(size, 1, 2))))")
    assert edges(code, "f.h") == [22168, 1]
    python = "def should_offload(size):\n  'A text'\n  return (_within(size, 1, 2)\n or \\\n %s)\n"
    assert edges(python % "_within(size, 3, 4)", "f.py") == [1, 3]
    with pytest.raises(RuleError, match="does something else"):
        code_rule(python % "_within(size, 3, 4) and ready", "f.py")


def test_a_return_that_a_line_break_ends_is_refused() -> None:
    broken = NEW["js"].replace("return ", "return /*\n*/ ")
    with pytest.raises(RuleError, match="does something else"):
        code_rule(broken, "f.js")
    assert edges(NEW["h"].replace("return ", "return /*\n*/ "), "f.h") == [22168]


@pytest.mark.parametrize(
    "code",
    [
        "bool should_offload(size_t size) {\n#if 0\n return within(size, 100, UINT64_MAX);\n"
        "#else\n return within(size, 22168, UINT64_MAX);\n#endif\n}",
        "bool should_offload(size_t size)\n#if 0\n{ return within(size, 100, UINT64_MAX); }\n"
        "#else\n{ return within(size, 22168, UINT64_MAX); }\n#endif\n",
    ],
)
def test_branches_of_the_preprocessor_in_should_offload_are_refused(code: str) -> None:
    with pytest.raises(RuleError, match=r"^should_offload of f\.h has preprocessor lines") as told:
        code_rule(code, "f.h")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("ending", NEW)
def test_two_definitions_are_refused(ending: str) -> None:
    """One of them may be dead code, and both may be kernels."""
    twice = NEW[ending] + "\n" + NEW[ending].replace("22168", "100")
    with pytest.raises(RuleError, match=r"has 2 functions should_offload; leave one of them"):
        code_rule(twice, f"f.{ending}")


def test_languages_without_should_offload_are_not_read_as_others() -> None:
    for file in ("f.f90", "f.jl"):
        assert offload_functions(NEW["h"], file) == ()
        with pytest.raises(RuleError, match="has no should_offload"):
            code_rule(NEW["h"], file)
