"""Emitted code of which more than sizes was edited, so that it answers something else."""

import re

import pytest

from logca.numeric.audit.code_text import syntax_of
from logca.numeric.audit.emitted_code import foreign_line
from logca.numeric.audit.rule import RuleError, code_rule
from logca.numeric.generate.offload.rule import OffloadRule, SizeRange
from logca.numeric.generate.offload.source import LANGUAGES, source_of_rule

ENDINGS = {
    "c": "h", "cpp": "hpp", "cuda": "cuh", "rust": "rs", "javascript": "js", "python": "py"
}  # fmt: skip
HEADS = {  # of should_offload, as it is emitted
    "c": "static inline bool logca_should_offload(size_t size)\n",
    "cpp": "inline bool should_offload(std::size_t size)\n",
    "rust": "pub fn should_offload(size: usize) -> bool {\n",
    "javascript": "export function should_offload(size) {\n",
    "python": "def should_offload(size: float) -> bool:\n",
}


def emitted(language: str, name: str = "", macro: str = "") -> str:
    rule = OffloadRule(
        name=name,
        origin="By hand.",
        variable=f"LOGCA_OFFLOAD_{name.upper()}".removesuffix("_"),
        likely=(SizeRange(above=100, last=200), SizeRange(above=317, last=None)),
        staying=(SizeRange(above=1, last=None),),
        starting=(SizeRange(above=2, last=None),),
        facts={"fit": "aes.json"},
        notes=("it's no text's end",),
        macro=macro,
    )
    return source_of_rule(language, rule, "logca codegen")


def refused(text: str, language: str) -> str:
    """The message, of one line, with which a file is refused."""
    with pytest.raises(RuleError) as told:
        code_rule(text, f"f.{ENDINGS[language]}")
    assert "\n" not in str(told.value)
    return str(told.value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "macro"), [("", ""), ("aes_128", ""), ("logca", "N")])
def test_all_that_is_emitted_is_read(language: str, name: str, macro: str) -> None:
    text, file = emitted(language, name, macro), f"f.{ENDINGS[language]}"
    for each in (
        text,
        text.replace("\n", "\r\n"),
        f"\ufeff{text}",
        text.replace("317", "64_000"),
        text.replace("    ", "\t"),
        text.replace("    ", "  "),
        text.replace(")\n{", ") {"),
    ):
        assert len(code_rule(each, file).ranges) == 2
    assert foreign_line(text, file) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_edited_line_of_emitted_definitions_is_told(language: str) -> None:
    """But for should_offload_from, which the audit does not ask."""
    text, told = emitted(language), 0
    lines, kept = text.split("\n"), True
    for at, line in enumerate(lines):
        if re.match(r"\S.*should_offload\w*\(", line):
            kept = False
        elif re.match(r"[^\s{}].*\(|let|enum|struct|static|#define", line):
            kept = True
        word = re.search(r'\w+(?=[^\w"]*$)', line)
        if kept and word and not re.match(r"\s*(#(?!d)|/|\*|import|from|use|namespace)", line):
            if re.match(r"__all__|#define \w+$|}  //|\s+\"\"\"", line):
                continue
            edited = line[: word.start()] + "changed" + line[word.end() :]
            found = refused("\n".join([*lines[:at], edited, *lines[at + 1 :]]), language)
            assert found.startswith(f"f.{ENDINGS[language]}: ")
            assert edited.strip()[:30] in found.replace("\\'", "'").replace("\\\\", "\\")
            told += 1
    assert told >= 10


BEFORE = {  # what makes another function of one, where it stands before it
    "javascript": ["async ", "export async ", "x = ", "if (0) {\n", "<!-- f()\n", "(", "label: "],
    "python": ["@lambda f: lambda size: not f(size)\n", "async ", "@wrong\n\n# why\n", "if 0:\n  "],
    "rust": ["async ", "#[cfg(test)]\n", "fn f() {\n", "#[wrapped] "],
    "c": ["#if 0\n", "#ifdef FAST\n", "__attribute__((cold)) ", "int f() {\n"],
    "cpp": ["template <class T>\n", "struct A {\n", "unsigned ", "constexpr "],
}


@pytest.mark.parametrize(
    ("language", "before"), [(key, each) for key in BEFORE for each in BEFORE[key]]
)
def test_what_stands_before_should_offload_is_told(language: str, before: str) -> None:
    text, head = emitted(language), HEADS[language]
    assert text.count(head) == 1
    bare = head.removeprefix("export ") if language == "javascript" else head
    found = refused(text.replace(head, before + bare), language)
    assert before.strip().split("\n")[0] in found or bare.strip() in found


PARAMETERS = {
    "javascript": ["size, within = never", "size = 9", "...size", "{ size }"],
    "python": ["size: float, _within=other", "size, _within=other", "size=9", "*size", "size, /"],
    "rust": ["size: u8", "size: u32", "mut size: usize", "size: Usize"],
    "c": ["unsigned char size", "uint8_t size", "int size", "size_t size, ..."],
    "cpp": ["unsigned char size", "std::uint8_t size", "auto size", "std::size_t size = 9"],
}


@pytest.mark.parametrize(
    ("language", "into"), [(key, each) for key in PARAMETERS for each in PARAMETERS[key]]
)
def test_other_parameters_are_refused(language: str, into: str) -> None:
    head = re.sub(r"\(.*\)", lambda _: f"({into})", HEADS[language])
    found = refused(emitted(language).replace(HEADS[language], head), language)
    assert re.match(r"^f\.\w+ has no should_offload\(size\) as `logca codegen ", found)
    assert head.strip().removesuffix("{")[:60] in found


def test_a_generator_is_refused() -> None:
    text = emitted("javascript").replace("function should_offload(", "function* should_offload(")
    assert "'export function* should_offload(size) {'" in refused(text, "javascript")


BESIDE = {  # what defines a name another time
    "javascript": [
        "should_offload = () => false;",
        "window.should_offload = f;",
        "globalThis['should_offload'] = f;",
        "const should_offload = f;",
        "var { should_offload } = other;",
        "within = () => false;",
        "setting = true;",
        "function within(size, above, last) { return false; }",
        "let Infinity = 9;",
        "module.exports = { should_offload: other };",
        "export { should_offload } from './other.js';",
        "within\\u0020= f;",
        "const text = `${should_offload = other}`;",
        "--> f()",
    ],
    "python": [
        "should_offload = lambda size: False",
        "should_offload: int = 3",
        "_within = other",
        "global should_offload",
        "del should_offload",
        "import other as should_offload",
        "from other import _within",
        "from other import *",
        "for should_offload in others: pass",
        "def should_offload(*size): pass",
        "class should_offload: pass",
        "globals()['should_offload'] = other",
        "ｓhould_offload = 3",  # the same name, to Python
        "math.inf = 3",
        "import numbers as math",
        "print(f'{(_within := other)}')",
    ],
    "rust": [
        "use other::within;",
        "type usize = u8;",
        "type u64 = u8;",
        "use other::Small as u64;",
    ],
    "c": [
        "#define logca_should_offload(size) 0",
        "#  define logca_within(size, above, last) 0",
        "#define return return !",
        "#define size_t unsigned char",
        "#undef UINT64_MAX",
        "%:define size_t unsigned char",
        "typedef unsigned char size_t;",
        "typedef unsigned char uint64_t;",
    ],
    "cpp": [
        "namespace logca { using size_t = unsigned char; }",
        "namespace logca { inline bool should_offload(int size) { return false; } }",
        "bool logca::should_offload(unsigned char size) { return false; }",
        "using other::within;",
    ],
}


@pytest.mark.parametrize(
    ("language", "line"), [(key, each) for key in BESIDE for each in BESIDE[key]]
)
def test_a_second_definition_is_told(language: str, line: str) -> None:
    text, file = emitted(language), f"f.{ENDINGS[language]}"
    for edited in (f"{text}\n{line}\n", f"{line}\n{text}"):
        if edited.startswith("-->"):
            continue  # it is a comment only where a line has begun
        assert foreign_line(edited, file) == line
        refused(edited, language)


HARMLESS = {
    "javascript": [
        "if (should_offload(9) || !should_offload(10)) { f(); }",
        "module.exports = { should_offload, should_offload_from };",
        "exports.should_offload = should_offload;",
        "while (count --> 0) { f(); }",
        "const text = 'should_offload = f'; print(`${should_offload(9)} == ${f(9)}`); f ??= g;",
        "export default f;",
    ],
    "python": [
        "print([should_offload(each) for each in range(9)])",
        "if should_offload(9):\n    print(not should_offload(10))",
        "import numpy as np\nfrom math import pi",
        "def run(size):\n    return fast(size) if should_offload(size) else slow(size)",
    ],
    "rust": [
        "#[test]\nfn all() { assert!(should_offload(9)); let x = 9 as u64; }",
        "fn run(size: usize) -> bool { !should_offload(size) }",
    ],
    "c": [
        "#define FAST 1\n#ifdef FAST\nint f(size_t n) { return logca_should_offload(n); }\n#endif",
        "static const size_t least = 9; typedef unsigned char byte;",
    ],
    "cpp": [
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif',
        "bool f(std::size_t n) { return logca::should_offload(n) && n > 9; }",
    ],
}


@pytest.mark.parametrize(
    ("language", "line"), [(key, each) for key in HARMLESS for each in HARMLESS[key]]
)
def test_code_that_asks_should_offload_may_stand_beside_it(language: str, line: str) -> None:
    text = emitted(language)
    for edited in (f"{text}\n{line}\n", f"{line}\n{text}"):
        assert len(code_rule(edited, f"f.{ENDINGS[language]}").ranges) == 2


def test_a_guard_of_another_name_leaves_a_header_as_it_is() -> None:
    text = re.sub(r"LOGCA_OFFLOAD_\w+_H\b", "OUR_HEADER", emitted("c"))
    assert len(code_rule(text, "f.h").ranges) == 2
    for edited in ("", "#define OUR_HEADER\n#else\n"):
        found = refused(text.replace("#define OUR_HEADER\n", edited), "c")
        assert found.endswith(
            "leave all but sizes as it was, or name its threshold with --threshold"
        )


def test_a_statement_of_python_on_another_level_is_told() -> None:
    text = emitted("python")
    line = "        above = setting"
    assert "'above = setting'" in refused(text.replace(line, line.removeprefix("    ")), "python")
    moved = text.replace("    return above <", "        return above <")
    assert "'return above < size <= last'" in refused(moved, "python")


@pytest.mark.parametrize("language", HEADS)
def test_a_file_may_have_should_offload_alone_but_not_half_of_what_it_calls(language: str) -> None:
    text = emitted(language)
    start = text.index(HEADS[language])
    body = text[start : text.index("should_offload_from", start)]
    alone = body[: body.rindex("}" if language != "python" else "\n\n\n") + 1]
    assert len(code_rule(alone, f"f.{ENDINGS[language]}").ranges) == 2
    setting = re.search(r"^\S.*\b(\w*(?:environment|read_setting|_setting))\(", text, re.MULTILINE)
    assert setting is not None
    line = setting[0].replace(setting[1], "other")
    assert line in refused(text.replace(setting[0], line), language)


def test_templates_are_those_of_the_languages() -> None:
    """The room that audits has their names for itself, for it runs without what generates."""
    for language, ending in ENDINGS.items():
        syntax = syntax_of("", f"f.{ending}")
        assert syntax is not None
        style = LANGUAGES[language]
        assert (style.template, style.namespace) in syntax.templates
