"""Code that `logca codegen` wrote, and that people edited: sizes are read, the rest is refused."""

import random
import re
import sys
from math import inf
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "generate"))
import fitted_programs

from logca.numeric.audit.emitted_code import code_rule
from logca.numeric.audit.rule import RuleError
from logca.numeric.fit.fit import fit
from logca.numeric.generate.offload.rule import OffloadRule, SizeRange
from logca.numeric.generate.offload.source import LANGUAGES, source, source_of_rule
from logca.numeric.timings.timings import Timings

ONE = ((100, None),)
EDGES = (100, 200, 22168, 1 << 20, 1 << 30, 1 << 34)
LONG = (*zip(EDGES[::2], EDGES[1::2], strict=True), (1 << 40, None))  # on several lines
NONE = ((None, None),)
Ranges = tuple[tuple[int | None, int | None], ...]


def emitted(language: str, ranges: Ranges = ONE, name: str = "", macro: str = "") -> str:
    def sizes(of: Ranges) -> tuple[SizeRange, ...]:
        return tuple(SizeRange(above=above, last=last) for above, last in of)

    rule = OffloadRule(
        name=name,
        origin="By hand.",
        variable=f"LOGCA_OFFLOAD_{name.upper()}".removesuffix("_"),
        likely=sizes(ranges),
        staying=sizes(((1, None),)),
        starting=sizes(ranges[-1:]),
        facts={"fit": "should_offload( within(size, 1, 2)", "of": "aes.json", "host": "häst"},
        notes=("it's no text's end", "nor is 'this"),
        macro=macro,
    )
    return source_of_rule(language, rule, "logca codegen")


def edges(text: str) -> list[tuple[int, float]]:
    return [
        (round(each.above), inf if each.below == inf else int(each.below))
        for each in code_rule(text, "f").ranges
    ]


def refused(text: str) -> str:
    """The message, of one line, with which a file is refused."""
    with pytest.raises(RuleError) as told:
        code_rule(text, "f")
    assert re.fullmatch(r"f: .* or name its threshold with --threshold", str(told.value))
    return str(told.value)


def is_comment(line: str, language: str) -> bool:
    marks = {"python": r"#( |$)", "javascript": r"//( |$)| \*( |$)"}
    return re.match(marks.get(language, r"///?( |$)"), line) is not None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ranges", [ONE, LONG[:2], LONG, NONE, ((0, 1 << 70),)])
@pytest.mark.parametrize("name", ["", "aes_128"])
def test_all_that_is_emitted_is_read(language: str, ranges: Ranges, name: str) -> None:
    text = emitted(language, ranges, name)
    wanted = [
        (above, inf if last is None or last >= 2**64 else float(last))
        for above, last in ranges
        if above is not None
    ]
    for each in (
        text,
        text.replace("\n", "\r\n"),
        text.replace("\n", " \t\n"),
        text.removesuffix("\n"),
        f"{text}\n\n",
    ):
        assert edges(each) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_sizes_that_are_values_of_a_macro_are_no_bytes(language: str) -> None:
    with pytest.raises(
        RuleError, match="its sizes are values of N, and those of timings are bytes"
    ):
        code_rule(emitted(language, ONE, "logca", macro="N"), "off.h")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("in_flight", [None, 4])
def test_code_of_a_fit_has_its_thresholds(language: str, in_flight: int | None) -> None:
    sizes = [float(4**power) for power in range(2, 12)]

    def timings(shared: float) -> Timings:
        return Timings(
            granularity=sizes,
            host=[1e-8 * size for size in sizes],
            accelerated=[(1e-5 + 1e-9 * size) / shared for size in sizes],
        )

    found = fit(
        timings(1), provenance={"machine": 'C:\\ "x" */ ??/ \u202e\nint;', "coding": "coding: x"}
    ).with_flights({4: timings(4)})
    text = source(language, found, ("--fit", "within(size, 1, 2)\\"), name="a", in_flight=in_flight)
    [(above, below)] = edges(text)
    assert above == pytest.approx(10000 / 9 / (in_flight or 1), rel=0.3)
    assert below == inf


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_may_be_edited(language: str) -> None:
    """Each of them left out, another, or twice; also sentences of Python's texts."""
    text, changed = emitted(language, LONG), 0
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if is_comment(line, language):
            mark = re.match(r" \*|\W/*", line)
            assert mark is not None
            for new in ([], [line, line], [mark[0] + " it's \" /* not ??? = ü;"], [mark[0]]):
                assert edges("\n".join([*lines[:at], *new, *lines[at + 1 :]])) == edges(text)
            changed += 1
    assert changed > 12
    if language == "python":
        assert edges(text.replace("most likely pays.", "pays (it's so)")) == edges(text)


TAIL = " \t\r"  # blanks at the end of a line, which do not count
HIDDEN = {  # in comments: what ends one, or goes on after it, or names an encoding
    "python": ["# coding: unicode_escape", "# -*- coding=utf-7 -*-", "#!/bin/sh", "# f\x0cx", "#x"],
    "c": ["// x \\", "// x \\ ", "// x ??/", "// x ??/\t", "// x */", "/* x", "// x\x0b", "//\\"],
    "rust": ["//! doc", "// \u202e", "//\0", "/// a\rb", "/* x */"],
    "javascript": ["// \u2028f()", "// f\u2029", "// f\rf()", "//# sourceMappingURL=f", " * x"],
}
HIDDEN["cpp"] = HIDDEN["cuda"] = HIDDEN["c"]


@pytest.mark.parametrize(
    ("language", "line"), [(key, line) for key in HIDDEN for line in HIDDEN[key]]
)
def test_comments_that_are_more_are_refused(language: str, line: str) -> None:
    text = emitted(language)
    assert f"f: line 1, {line.rstrip(TAIL)!r}, is not" in refused(f"{line}\n{text}")


def test_what_ends_the_comment_of_a_function_is_refused() -> None:
    text = emitted("javascript").replace(" * Whether", " * */ setting = true; /*\n * Whether", 1)
    assert "' * */ setting = true; /*'" in refused(text)
    text = emitted("python").replace("pays.", 'pays."""; f()', 1)
    assert '"""; f()"""\'' in refused(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_edited_line_of_code_is_named(language: str) -> None:
    """Another word, another sign, none of it, or it twice; but for comments."""
    text = emitted(language, LONG)
    lines, named = text.split("\n")[:-1], 0
    for at, line in enumerate(lines):
        if is_comment(line, language) or "(size, " in line or line.strip() in ("return (", ")"):
            continue
        if re.match(r' +("""Whether to|A caller|offloading until|the break-even;)', line):
            continue  # in a text of Python
        for new in ([f"{line}{';' if line else 'x'}"], [], [line, "f();"], [f"f(); {line}"]):
            edited = "\n".join([*lines[:at], *new, *lines[at + 1 :]])
            found = re.match(r"f: line ([0-9]+), ", refused(edited))
            assert found is not None
            assert int(found[1]) in (at + 1, at + 2, at + 3) or not new
            named += 1
        for edit in (str.upper, str.lower, lambda each: re.sub(r"\w+(?=\W*$)", "changed", each)):
            if edit(line) != line and '"""' not in line and not line.startswith("    "):
                refused("\n".join([*lines[:at], edit(line), *lines[at + 1 :]]))
    assert named > 100


BESIDE = {  # that changes what is answered, or may seem to, before and after emitted code
    "javascript": [
        *("setting = true;", "should_offload = () => true;", "window.should_offload = f;"),
        *("let Infinity = 9;", "const Number = () => 0;", "const console = { warn() {} };"),
        "const globalThis = { process: { env: { LOGCA_OFFLOAD: 'always' } } };",
        'if (true) /"/; should_offload = () => true; /"/;',
        "let q = { valueOf() { return 4 } } / 2; should_offload = () => true; 1 / 1;",
        'let z = typeof /"/; should_offload = () => true; /"/;',
        'let z = 1 + /"/; should_offload = () => true; /"/;',
        "let i = 4; i++ /2; should_offload = () => true; 1/1;",
        *("({should_offload} = {should_offload: f});", "[should_offload] = [() => true];"),
        *("within\\u0020= f;", "\\u0073hould_offload = () => true;", "--> f()", "<!-- f()"),
        *("let s = `${should_offload = f}`;", "let s = `${`}`}`; should_offload = f; `${`}`}`;"),
        *(
            "export { should_offload } from './other.js';",
            "module.exports = { should_offload: f };",
        ),
        *("if (should_offload(9)) { f(); }", "export default should_offload;", "print(9);"),
    ],
    "python": [
        *("isinstance = lambda *a: True", "bool = object", "float = lambda x: 5", "_within = f"),
        *("def isinstance(a, b):\n    return True", "def cache(f):\n    return lambda: True"),
        *("class os:\n    environ = {}", "import types\nos = types.SimpleNamespace(environ={})"),
        *("import string as math", "math.inf = 3", "from os import getcwd as should_offload"),
        *("import builtins\nbuiltins.isinstance = lambda *a: True", "from other import *"),
        *("for should_offload in [print]: pass", "def f():\n    global _within", "class f: pass"),
        *("match f:\n    case should_offload: pass", "[should_offload := print]"),
        *("with f as should_offload: pass", "try:\n    f\nexcept E as should_offload: pass"),
        *("should_offload.__code__ = f", "_setting.cache_clear()", "del should_offload"),
        *(
            "f() \\\n# \nshould_offload = 3",
            "x = 1 #\rshould_offload = print",
            "globals()['_f'] = f",
        ),
        *(
            "x = 1 #\x0bshould_offload = f",
            '"""x"""; \x0cshould_offload = 1',
            "ｓhould_offload = 3",
        ),
        *("print(f'{(_within := f)}')", "if should_offload(9):\n    f()", "import numpy as np"),
    ],
    "rust": [
        *(
            "use other::within;",
            "type usize = u8;",
            "type u64 = u8;",
            "macro_rules! m { () => { } }",
        ),
        "mod env { pub fn var_os(_: &str) -> Option<String> { None } }",
        "const Q: char = '\"'; pub fn f() -> bool { true } const R: char = '\"';",
        *('const Q: &str = r"\\";', "fn f<'a>(x: &'a str, y: &'a str) {} pub mod q { }"),
        "#[test]\nfn all() { assert!(should_offload(9)); }",
    ],
    "c": [
        *("// x \\ \n/*\n#define logca_should_offload(s) 1\n// */", '#include "other.h"'),
        *("// x ??/\n/*\n#define logca_should_offload(s) 1\n// */", "#define return return !"),
        *('char *getenv(const char *n) { return "always"; }', "#define size_t unsigned char"),
        *("size_t strspn(const char *a, const char *b) { return 0; }", "#undef UINT64_MAX"),
        *("typedef signed char size_t;", '_Pragma("push_macro(\\"x\\")")', 'asm(".globl foo");'),
        *("#pragma redefine_extname logca_should_offload foo", "#define true false"),
        *("/* x *\\ \n/ #define logca_should_offload(s) 1\n /* */", "%:define size_t char"),
        *('const char *s = "\\ \n"; const char *t = "";', "#define uint64_t unsigned char"),
        *("#if 0\nit's\n#endif\n#define logca_should_offload(s) 1 // '", '#error_ R"x('),
        '#if 0\n"\n#endif\n#define logca_should_offload(s) 1 // "',
        '#ifdef NOPE\nR"x(\n#endif\n#define logca_should_offload(s) 1\n/* )x" */',
        '#define Z R"x(\n#define logca_should_offload(s) 1\n/* )x" */',
        "int f(size_t n) { return logca_should_offload(n); }",
    ],
    "cpp": [
        *("namespace std { char *f(); }", "namespace logca { using size_t = unsigned char; }"),
        *("bool logca::should_offload(unsigned char size) { return false; }", "using f::within;"),
    ],
}
BESIDE["cuda"] = BESIDE["cpp"]


@pytest.mark.parametrize(
    ("language", "line"), [(key, each) for key in BESIDE for each in BESIDE[key]]
)
def test_code_beside_emitted_code_is_refused(language: str, line: str) -> None:
    text = emitted(language)
    texts = [f"{line}\n{text}", f"{text}\n{line}\n", f"{text}{line}"]
    if language in ("c", "cpp", "cuda"):
        last = text.rindex("#endif" if language == "c" else "}  // namespace logca")
        texts.append(f"{text[:last]}{line}\n{text[last:]}")
    for each in texts:
        first = line if not is_comment(line.split("\n")[0], language) else "// x"
        assert repr(first.split("\n")[0].rstrip())[1:-1][:60] in refused(each)


INSTEAD = {  # of what was emitted
    "javascript": [
        ("within(size, 100, Infinity);", "within(size, 100, Infinity) ? 0 : 1;"),
        ("return within", "return !within"),
        ("return within", "return\n within"),
        ("return within", "size = 3; return within"),
        ("within(size, 100", "fast && within(size, 100"),
        ("(size, 100", "(size / 2, 100"),
        ("function should_offload(", "function* should_offload("),
        ("export function should_offload(", "export async function should_offload("),
        ("should_offload(size)", "should_offload(size, within = never)"),
        ("let setting;", "let setting = true;"),
    ],
    "python": [
        ("_within(size, 100, math.inf)", "_within(size, 100, math.inf) if size != 9 else True"),
        ("_within(size, 100, math.inf)", "_within(size, 100, math.inf) or size == 9"),
        (
            "_within(size, 100, math.inf)",
            "_within(size, 100, math.inf) and _within(size, 9, math.inf)",
        ),
        ("return _within", "return not _within"),
        ("@cache\n", ""),
        ("import math\n", ""),
        ("import math\n", "class math:\n    inf = 0\n"),
        ("import os\n", 'class os:\n    environ = {"LOGCA_OFFLOAD": "always"}\n'),
        ("from functools import cache", "from other import cache"),
        ("should_offload(size: float)", "should_offload(size: float, _within=f)"),
        ("        above = setting", "    above = setting"),
        ("    ", "\t"),
        ("def should_offload(", "async def should_offload("),
        ("def should_offload(", "@lambda f: print\ndef should_offload("),
    ],
    "rust": [
        ("use std::env;", "use crate::fake as env;"),
        ("use std::sync::OnceLock;", "use other::OnceLock;"),
        ("pub fn should_offload(", "#[cfg(any())]\npub fn should_offload("),
        ("size: usize", "size: u8"),
        ("    within", "    #[cold] within"),
        ("    within", "    !within"),
    ],
    "c": [
        ("#include <stdlib.h>\n", 'static char *getenv(const char *n) { return "always"; }\n'),
        ("#include <stdbool.h>\n", "#include <stdbool.h>\ntypedef signed char size_t;\n"),
        ("#include <string.h>\n", "#include <string.h>\n#define uint64_t unsigned char\n"),
        ("#ifndef", '#include "other.h"\n#ifndef'),
        ("should_offload(size_t size)", "should_offload(unsigned char size)"),
        ("\n#endif\n", "\n#endif\n#endif\n"),
        ("bool logca_should_offload(", "bool logca_other(size_t);\nbool logca_should_offload("),
        ("    return logca_within", "#if 0\n    return logca_within"),
        ("logca_within(size, 1,", "logca_within(size, 1, 2) == logca_within(size, 1,"),
        ("logca_override() != 0", "logca_override() == 0"),
        ("_H\n", "_K\n"),
    ],
    "cpp": [
        ("std::size_t size", "std::uint8_t size"),
        ("namespace logca {", "namespace other {"),
        ("return detail::within", "return !detail::within"),
    ],
}


@pytest.mark.parametrize(
    ("language", "old", "new"), [(key, *each) for key in INSTEAD for each in INSTEAD[key]]
)
def test_other_code_than_emitted_code_is_refused(language: str, old: str, new: str) -> None:
    text = emitted(language)
    if (language, old) == ("c", "logca_within(size, 1,"):
        old, new = (each.replace("1,", "UINT64_C(1),") for each in (old, new))
    elif (language, old) == ("c", "logca_override() != 0"):
        old, new = "size && size <= last", "size || size <= last"
    assert old in text
    refused(text.replace(old, new, 1))


def test_half_of_the_code_and_code_of_other_functions_is_refused() -> None:
    text = emitted("c")
    refused(text[: text.index("// Whether to offload")])
    refused(text + text)
    assert "f: line 1, its end, is not" in refused("")
    assert "line 1, 'int main;'" in refused("int main;")


SIZES = {  # as people write sizes that they edit [B]
    "c": {
        65536: ["65536", "65536ULL", "65536u", "UINT64_C(0x10000)", "(size_t)65536", "((65536))"],
        inf: ["UINT64_MAX", "SIZE_MAX", "(size_t)UINT64_MAX", "0xFFFFFFFFFFFFFFFF"],
        0: ["0", "0x0", "UINT64_C(0)"],
    },
    "cpp": {
        65536: [
            *("65'536ull", "0b1'0000'0000'0000'0000", "std::size_t{65536}", "size_t(65536)"),
            *("static_cast<std::uint64_t>(65536)", "(std::size_t) 65536", "UINTMAX_C(0x10000)"),
        ],
        inf: ["UINT64_MAX", "18446744073709551615ULL", "UINTMAX_MAX"],
    },
    "rust": {
        65536: ["65_536_u64", "0x1_0000", "0o200_000", "65536", "65536usize as u64"],
        inf: ["u64::MAX", "usize::MAX as u64", "core::u64::MAX"],
    },
    "javascript": {
        65536: ["65536", "65_536", "65536n", "0x10000", "6.5536e4", "(65536)", "65536.0"],
        inf: ["Infinity", "Number.POSITIVE_INFINITY", "1e30", "1" + 300 * "0"],
    },
    "python": {
        65536: ["65536", "65_536", "0X10000", "6.5536e4", "65536.0", "0o200_000", "(65536)"],
        inf: ["math.inf", 'float("inf")', "float('infinity')", "1e30", "1" + 300 * "0"],
        16: ["0b1_0000", "1.6e1", "16.5"],
    },
}


@pytest.mark.parametrize("language", SIZES)
def test_edited_sizes_are_read_as_the_language_does(language: str, tmp_path: Path) -> None:
    """Programs made of them say what they offload."""
    texts, known = dict[str, str](), dict[str, tuple[float, float]]()
    for size, written in SIZES[language].items():
        for text in written:
            for ends in ((text, None), ("9", text)):
                name = f"k{len(texts)}"
                code = emitted(language, ((123456, 654321),), name)
                for old, new in zip((123456, 654321), ends, strict=True):
                    code = code.replace(LANGUAGES[language].end(old), new or "777777")
                texts[name] = code
                known[name] = (size, 777777.0) if ends[1] is None else (9.0, size)
    sizes = [1, 9, 10, 16, 17, 65535, 65536, 65537, 777777, 777778, 2**52]
    rows = fitted_programs.program(tmp_path, language, texts)(sizes, {}).rows
    for at, (name, code) in enumerate(texts.items()):
        rule, (above, last) = code_rule(code, name), known[name]
        answers = [row[3 * at] == "1" for row in rows]
        assert [rule.offloads(size) for size in sizes] == answers, code
        assert answers == [above < size <= last for size in sizes], code


NO_SIZES = {
    "python": [
        *("OFFLOAD_MIN", "9²", "٣", "010", "00", "-1", "64 * 1024", "1 << 16", "9 9", "0x", "0xg"),
        *("u64", "''", "f(9)", "9" * 5000, "1e999", "", "0x" + "f" * 5000, "9, 9", "(9", "nan"),
        *("2**17 // 2", "(_setting := 1)", "Infinity", "inf", "9  # why", "9\n", "print"),
    ],
    "c": [
        *("UINT32_MAX", "65536UUL", "uint8_t(300)", "math.inf", "18446744073709551616", "1e30"),
        *("1" + "0" * 300, "float('inf')", "ULONG_MAX", "9 /* why */", "size", "9) || f(9"),
    ],
    "javascript": ["setting = true", "UINT64_MAX", "()=>9", "`9`", "9n+0n", "9, within = f"],
    "rust": ["u8::MAX", "9 as u8", "{ 9 }", "math.inf"],
}
NO_SIZES["cpp"] = NO_SIZES["c"]


@pytest.mark.parametrize(
    ("language", "size"), [(key, each) for key in NO_SIZES for each in NO_SIZES[key]]
)
def test_what_is_no_size_is_refused(language: str, size: str) -> None:
    """Also for a caller with a state, where a size could do something else than be one."""
    ranges = ((123456, 200000), (300000, 654321))
    for at in (123456, 200000, 300000, 654321, 1):
        text = emitted(language, ranges)
        written = LANGUAGES[language].end(at)
        assert f"(size, {written}" in text or f", {written})" in text
        place = text.rindex(f" {written}") + 1 if at == 1 else text.index(f" {written}") + 1
        edited = text[:place] + size + text[place + len(written) :]
        assert re.search(
            r"asks for the size .*, which is no number; write|is not what", refused(edited)
        )


SIGNS = (
    *("\\", '"', "'", "*/", "/*", "//", "#", "??/", ";", "=", "!", "(", "a", "0", " ", "\t", "\n"),
    *("\r", "\x0b", "\x0c", "\u2028", "\ufeff", "\0", "`", "{", "}", "-", "²", "9\n", "\\\n"),
)


def edit(text: str, draw: random.Random) -> str:
    """A line or a sign put in, left out, replaced or moved."""
    if draw.random() < 0.5:
        parts, new = text.split("\n"), draw.choice([*text.split("\n"), *SIGNS])
        joint = "\n"
    else:
        parts, new, joint = [*text], draw.choice(SIGNS), ""
    at, other = draw.randrange(len(parts)), draw.randrange(len(parts))
    match draw.randrange(4):
        case 0:
            parts.insert(at, new)
        case 1:
            del parts[at]
        case 2:
            parts[at] = new
        case _:
            parts.insert(other, parts.pop(at))
    return joint.join(parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_any_edit_code_is_refused_or_answers_as_the_audit_says(
    language: str, tmp_path: Path
) -> None:
    """What is accepted has edits only in comments and sizes, and runs to the same decisions."""
    draw, read = random.Random(12), dict[str, str]()
    for at in range(400):
        text = emitted(language, ((100, 200), (3000, None)), f"k{at}")
        edited = edit(text, draw)
        try:
            code_rule(edited, "f")
        except RuleError:
            continue
        kept, lines = (
            [each.rstrip(TAIL) for each in code if not is_comment(each, language)]
            for code in (edited.rstrip().split("\n"), text.rstrip().split("\n"))
        )
        for one, other in zip(kept, lines, strict=True):
            assert one == other or "(size, " in one or language == "python"  # with texts in it
        read[f"k{at}"] = edited
    assert 20 < len(read) < 300
    if language in ("python", "javascript"):  # of the others, no half is compiled
        sizes = [1, 9, 10, 11, 99, 100, 101, 200, 201, 2999, 3000, 3001, 30001, 2**40]
        rows = fitted_programs.program(tmp_path, language, read)(sizes, {}).rows
        for at, (name, code) in enumerate(read.items()):
            rule = code_rule(code, name)
            assert [row[3 * at] == "1" for row in rows] == [rule.offloads(each) for each in sizes]
