"""Columns called as anything that a language, its headers or the emitted file has a name for.

Emitted files are asked for their own names by another reader, compilers for their macros, languages
for their global names; files with columns of all these names are compiled, run, and answer as fits.
"""

import builtins
import keyword
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import fitted_programs
import numpy as np
import pytest
from pygments import lexers
from pygments.token import Keyword, Name, Token

from logca.numeric.generate.offload.parameter_names import parameter_names
from logca.numeric.generate.offload.rule import OffloadError
from logca.numeric.generate.offload.shapes import source
from logca.numeric.shapes import formulas
from logca.numeric.shapes.fit import ShapeFit, fit_shapes

LANGUAGES = ("c", "cpp", "cuda", "rust", "javascript", "python")
HEADERS = {
    "c": "math.h stdbool.h stdio.h stdlib.h string.h",
    "cpp": "cmath cstdio cstdlib string_view",
}
TARGETS = ("x86_64-linux-gnu", "x86_64-linux-musl", "aarch64-macos", "x86_64-windows-gnu")
# words that users met, and what each language's reference lists
STRANGE = {
    "c": "linux unix NAN EOF M_PI INFINITY HUGE_VAL logca_override int y0 signgam index M N K I _ "
    "__linux __linux__ _Bool typeof constexpr shape_M FILE size_t",
    "cpp": "linux unix NAN EOF M_PI INFINITY logca_t_detail detail std logca class operator xor "
    "concept requires co_await import module final override char8_t thread_local M N _ __x",
    "cuda": "threadIdx blockDim warpSize __device__ __global__ float4 dim3 NAN M N int class _",
    "rust": "SETTING Some None Ok Err Box Vec String Option read_setting OnceLock env std f64 str "
    "u8 drop self_ Self crate super dyn async gen union raw r macro_rules main M N _ __x",
    "javascript": "read_setting_once read_setting setting_read undefined NaN Infinity arguments "
    "eval let static yield await async of get set enum implements package console Math process M _",
    "python": "_setting setting math os warnings cache min max text should_offload __debug__ match "
    "case type _ __all__ self cls None_ print M N f",
}


@pytest.fixture(autouse=True)
def long_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "_LONGEST", 10**6)


def drawn(seed: int, columns: int, count: int) -> np.ndarray:
    """Shapes of small and of large calls."""
    draw = np.random.default_rng(seed)
    return (np.exp(draw.uniform(0, 8, count)) * draw.uniform(1, 2, (columns, count))).round(2)


@cache
def fitted(columns: tuple[str, ...]) -> ShapeFit:
    """Fitted to times of which those of the smallest shape contradict the model."""
    shape = dict(zip(columns, drawn(3, len(columns), 24), strict=True))
    every = sum(shape.values())
    table = {**shape, "host": every * 1e-6, "accelerated": 1e-6 * np.median(every) + 1e-9 * every}
    table["accelerated"][np.argmin(every)] = every.min() * 1e-7
    return fit_shapes(table, bytes=f"{columns[0]} + min({columns[0]}, 0)", work=added(columns))


def added(names: tuple[str, ...]) -> str:
    """A sum that is no deeper than it must be."""
    if len(names) == 1:
        return names[0]
    half = len(names) // 2
    return f"({added(names[:half])} + {added(names[half:])})"


def emitted(language: str, columns: tuple[str, ...]) -> str:
    return source(language, fitted(columns), name="t")


def allowed(names: set[str]) -> set[str]:
    """Those that a column of a fit may have."""
    fine = (each for each in names if each.isidentifier() and each.isascii())
    return {each for each in fine if not keyword.iskeyword(each)} - {"offloading", "ratio"}


def names_in(language: str, text: str) -> set[str]:
    """Names of any kind in a source file, as a library for colours sees them."""
    lexer = lexers.get_lexer_by_name({"cuda": "cpp"}.get(language, language))
    kinds = (Name, Keyword, Token.Literal.String.Affix)
    found = [text for kind, text in lexer.get_tokens(text) if any(kind in each for each in kinds)]
    return {each for token in found for each in re.findall(r"\w+", token)}


def accepted(language: str, names: set[str]) -> tuple[str, ...]:
    """Those that are not refused, in order."""
    if language != "python":
        return tuple(sorted(allowed(names)))
    found, own = [], names_in(language, emitted(language, ("plain", "other_plain")))
    for name in sorted(allowed(names)):
        try:
            emitted(language, (name, "plain"))
            found.append(name)
        except OffloadError:
            assert name in own | {"math", "min", "max", "__debug__"}
    return tuple(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_with_columns_of_every_name_in_them_answer_as_the_fit(
    language: str, tmp_path: Path
) -> None:
    plain = names_in(language, emitted(language, ("plain", "other_plain")))
    assert {"should_offload", "t_should_offload", "logca_t_should_offload"} & plain
    tried = plain | set(STRANGE[language].split()) | {"work", "items", "data_bytes", "offloaded"}
    others = set(dir(builtins)) if language == "python" else set()
    columns = tuple(sorted({*accepted(language, tried), *allowed(others - tried)}))
    assert len(columns) > 20
    found = fitted(columns)
    assert found.contradicted
    shapes = drawn(4, len(columns), 40)
    shapes[:, 0] = list(found.timings.shape(found.contradicted[0]).values())
    order = dict(zip(columns, shapes, strict=True))
    chain = fitted_programs.TOOLCHAINS[language]
    run = fitted_programs.program(
        tmp_path,
        language,
        {"t": emitted(language, columns)},
        replace(
            chain,
            main=lambda names: main(language, [order[name] for name in found.columns]),
            build=re.sub(r"library\S* ", "", chain.build) + " -lm" * (language == "c"),
        ),
    )
    wanted = found.pays(**order)
    assert [row == "1" for row in run([], {}).rows] == wanted.tolist()
    assert 0 < wanted.mean() < 1


def main(language: str, shapes: list[np.ndarray]) -> dict[str, str]:
    """A program that asks about shapes that it knows."""
    calls = [", ".join(f"{value!r}" for value in shape.tolist()) for shape in np.array(shapes).T]
    match language:
        case "c" | "cpp" | "cuda":
            suffix = {"c": ".h", "cpp": ".hpp", "cuda": ".cuh"}[language]
            name = f"main.{ {'c': 'c', 'cpp': 'cpp', 'cuda': 'cu'}[language] }"
            asked = "logca_t_should_offload" if language == "c" else "logca::t_should_offload"
            lines = [f'printf("%d\\n", {asked}({call}));' for call in calls]
            head = f'#include "t{suffix}"\n#include <stdio.h>\nint main(void) {{\n'
            return {name: head + "\n".join(lines) + "\nreturn 0;\n}\n"}
        case "rust":
            lines = [f'println!("{{}}", t::should_offload({call}) as u8);' for call in calls]
            return {"main.rs": "mod t;\nfn main() {\n" + "\n".join(lines) + "\n}\n"}
        case "javascript":
            lines = [f"console.log(Number(should_offload({call})));" for call in calls]
            return {"main.mjs": "import { should_offload } from './t.mjs';\n" + "\n".join(lines)}
    lines = [f"print(int(t.should_offload({call})))" for call in calls]
    return {"main.py": "import t\n" + "\n".join(lines)}


def preprocessed(language: str, target: str, text: str, *options: str) -> str:
    """What a compiler for another machine makes of a file, before it compiles it."""
    kind = {"c": "c", "cpp": "c++"}[language]
    command = [sys.executable, "-m", "ziglang", "c++" if kind == "c++" else "cc", "-target", target]
    ran = subprocess.run(
        [*command, "-x", kind, "-E", *options, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_no_macro_of_compilers_and_headers_is_a_parameter(language: str, target: str) -> None:
    pytest.importorskip("ziglang")
    includes = "".join(f"#include <{name}>\n" for name in HEADERS[language].split())
    text = emitted(language, ("plain", "other_plain"))
    assert set(HEADERS[language].split()) == set(re.findall(r"#include <(.*)>", text))
    macros = re.findall(r"^#define (\w+) ", preprocessed(language, target, includes, "-dM"), re.M)
    assert len(macros) > 300
    columns = sorted(allowed({*macros}))
    names = [*parameter_names(language, columns, text).values()]
    assert len(set(names)) == len(columns)
    declared = f"void f({', '.join(f'double {name}' for name in names)});"
    assert declared in " ".join(preprocessed(language, target, f"{includes}{declared}\n").split())


STANDARD = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp stdalign
stdarg stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype
"""


def test_no_macro_of_another_standard_header_is_a_parameter() -> None:
    pytest.importorskip("ziglang")
    includes = "".join(f"#include <{name}.h>\n" for name in STANDARD.split())
    macros = re.findall(
        r"^#define (\w+) ", preprocessed("c", "x86_64-linux-gnu", includes, "-dM"), re.M
    )
    columns = sorted(allowed({*macros}))
    assert {"complex", "noreturn", "bool", "and"} <= {*macros}
    names = [*parameter_names("c", columns, emitted("c", ("plain", "other_plain"))).values()]
    declared = f"void f({', '.join(f'double {name}' for name in names)});"
    made = preprocessed("c", "x86_64-linux-gnu", f"{includes}{declared}\n")
    assert declared in " ".join(made.split())


def test_names_that_callers_do_not_use_are_replaced() -> None:
    columns = ("m", "int", "N", "shape_int", "shape_N_")
    names = {"m": "m", "int": "shape_int_", "N": "shape_N", "shape_int": "shape_int"}
    assert parameter_names("c", columns, "") == names | {"shape_N_": "shape_N_"}
    assert parameter_names("rust", ("N", "int"), "") == {"N": "N", "int": "int"}
    assert parameter_names("rust", ("m", "k"), "let k = 1;") == {"m": "m", "k": "shape_k"}
    text = emitted("c", ("m", "int"))
    assert "logca_t_should_offload(double m, double shape_int)" in text
    assert "@param {number} shape_eval" in emitted("javascript", ("m", "eval"))
    with pytest.raises(OffloadError, match=r"column 'k' is a word of python .* or of the file"):
        parameter_names("python", ("m", "k"), "k = 1")
