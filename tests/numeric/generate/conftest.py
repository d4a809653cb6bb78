"""Compilers and interpreters for generated sources, each with a program that reads a table."""

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import sympy as sp

from logca.numeric.generate.codegen.tree import TargetFunction
from logca.numeric.generate.languages.registry import source
from logca.numeric.generate.write import FOLDER

sys.path.append(str(Path(__file__).parent))
from fitted_programs import DEVICE_CODE
from target_functions import functions


@pytest.fixture
def same_sympy() -> None:
    """The SymPy that generated what ships: another one may order terms differently."""
    stamped = re.search(r"^SymPy (\S+)\.$", (FOLDER / "iteration.py").read_text("utf-8"), re.M)
    assert stamped is not None
    if stamped[1] != sp.__version__:
        pytest.skip(f"generated with SymPy {stamped[1]}; another one may order terms differently")


COLUMNS = (
    *("g", "s", "g_low", "g_high", "o", "L", "C", "A", "beta", "r", "q", "m", "n", "length", "f"),
    *("rho", "p_host", "p_overhead", "p_link", "p_accelerator"),
    *("u_host", "u_link", "u_accelerator", "u_shared", "growth"),
    *("spread_o", "spread_L", "spread_C", "deviation"),
)
STRICT = "-O2 -Wall -Wextra -Werror -pedantic -Wconversion"

Row = dict[str, float]
Results = dict[str, list[float]]
RunGenerated = Callable[[str, Sequence[str], Sequence[Row]], Results]
RunSource = Callable[[str, str, Sequence[TargetFunction], Sequence[Row]], Results]


def arguments(function: TargetFunction) -> str:
    return ", ".join(parameter.name for parameter in function.parameters)


def c_calls(called: Sequence[TargetFunction], prefix: str) -> str:
    return "".join(
        f'printf("%.17g\\n", (double){prefix}{each.name}({arguments(each)}));\n' for each in called
    )


def c_main(
    called: Sequence[TargetFunction], header: str = "logca.h", prefix: str = "logca_"
) -> str:
    pointers = ", ".join(f"&{name}" for name in COLUMNS)
    return (
        f'#include "{header}"\n#include <stdio.h>\nint main(void) {{\n'
        f"double {', '.join(COLUMNS)};\n"
        f'while (scanf("{"%lf " * len(COLUMNS)}", {pointers}) == {len(COLUMNS)}) {{\n'
        f"{c_calls(called, prefix)}}}\nreturn 0;\n}}\n"
    )


def cpp_main(called: Sequence[TargetFunction]) -> str:
    return c_main(called, "logca.hpp", "logca::").replace("(void)", "()")


def cuda_main(called: Sequence[TargetFunction]) -> str:
    """On the device too, if there is one: a second block of results."""
    used = {parameter.name for each in called for parameter in each.parameters}
    values = ", ".join(f"{name} = row[{COLUMNS.index(name)}]" for name in sorted(used))
    stores = "".join(
        f"out[{place}] = (double)logca_{each.name}({arguments(each)});\n"
        for place, each in enumerate(called)
    )
    body = f"const double {values};\n{stores}"
    size, width = len(called), len(COLUMNS)
    scanned = f'for (int i = 0; i < {width}; ++i) if (scanf("%lf", row + i) != 1) return 0;\n'
    printed = f'for (int i = 0; i < {size}; ++i) printf("%.17g\\n", out[i]);\n'
    return (
        f'#include "logca.cuh"\n#include <cstdio>\n'
        f"void on_host(const double *row, double *out) {{\n{body}}}\n"
        f"__global__ void on_device(const double *row, double *out) {{\n{body}}}\n"
        f"int main() {{\nint devices = 0;\ncudaGetDeviceCount(&devices);\n"
        f"double row[{width}], out[{size}], *there = nullptr;\n"
        f"if (devices) cudaMallocManaged(&there, sizeof(row) + sizeof(out));\n"
        f"for (;;) {{\n{scanned}on_host(row, out);\n{printed}"
        f"if (devices) {{\nfor (int i = 0; i < {width}; ++i) there[i] = row[i];\n"
        f"on_device<<<1, 1>>>(there, there + {width});\ncudaDeviceSynchronize();\n"
        f"for (int i = 0; i < {size}; ++i) out[i] = there[{width} + i];\n}}\n{printed}}}\n}}\n"
    )


def rust_main(called: Sequence[TargetFunction]) -> str:
    calls = "".join(
        f'println!("{{:?}}", logca::{each.name}({arguments(each)}){" as u8" * each.answers});\n'
        for each in called
    )
    return (
        '#![allow(non_snake_case, unused_variables)]\n#[path = "logca.rs"]\nmod logca;\n'
        "fn main() {\n"
        "let text = std::io::read_to_string(std::io::stdin()).unwrap();\n"
        "let all: Vec<f64> = text.split_whitespace().map(|each| each.parse().unwrap()).collect();\n"
        f"for row in all.chunks({len(COLUMNS)}) {{\n"
        f"let [{', '.join(COLUMNS)}] = row else {{ panic!() }};\n"
        f"let ({', '.join(COLUMNS)}) = ({', '.join(f'*{name}' for name in COLUMNS)});\n"
        f"{calls}}}\n}}\n"
    )


def fortran_main(called: Sequence[TargetFunction]) -> str:
    calls = "".join(
        f"out = merge(1.0_real64, 0.0_real64, logca_{each.name}({arguments(each)}))\n"
        if each.answers
        else f"out = logca_{each.name}({arguments(each)})\n"
        for each in called
    ).replace("\n", "\nwrite (*, '(ES26.17E3)') out\n")
    return (
        "program table\nuse, intrinsic :: iso_fortran_env, only: real64\nuse logca\nimplicit none\n"
        f"real(kind=real64) :: {', '.join(COLUMNS)}, out\ninteger :: status\ndo\n"
        f"read (*, *, iostat=status) {', '.join(COLUMNS)}\nif (status /= 0) exit\n"
        f"{calls}end do\nend program table\n"
    )


def javascript_main(called: Sequence[TargetFunction]) -> str:
    def call(function: TargetFunction) -> str:
        names = [parameter.name for parameter in function.parameters]
        first = names[:1] if names[:1] in (["g"], ["s"]) else []
        named = ", ".join(name for name in names if name not in first)
        return f"logca.{function.name}({''.join(f'{each}, ' for each in first)}{{ {named} }})"

    calls = "".join(f"console.log(String(Number({call(each)})));\n" for each in called)
    return (
        "import * as logca from './logca.mjs';\nimport { readFileSync } from 'node:fs';\n"
        "for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {\n"
        f"const [{', '.join(COLUMNS)}] = line.trim().split(' ').map(Number);\n{calls}}}\n"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """How a language's sources become a program that runs."""

    tools: tuple[str, ...]
    source: str
    main_file: str
    main: Callable[[Sequence[TargetFunction]], str]
    build: str
    run: str = "./program"


C_FILES = {"source": "logca.h", "main_file": "main.c", "main": c_main}
TOOLCHAINS = {
    "c": Toolchain(
        tools=("cc", "gcc", "clang"),
        build=f"{{tool}} -std=c99 {STRICT} main.c -o program -lm",
        **C_FILES,
    ),
    "c++": Toolchain(
        tools=("c++", "g++", "clang++"),
        build=f"{{tool}} -std=c++11 {STRICT} -x c++ main.c -o program",
        **C_FILES,
    ),
    "cpp": Toolchain(
        tools=("c++", "g++", "clang++"),
        source="logca.hpp",
        main_file="main.cpp",
        main=cpp_main,
        build=f"{{tool}} -std=c++17 {STRICT} main.cpp -o program",
    ),
    "cuda": Toolchain(
        tools=("nvcc",),
        source="logca.cuh",
        main_file="main.cu",
        main=cuda_main,
        build=f"{{tool}} -Werror all-warnings {DEVICE_CODE} main.cu -o program",
    ),
    "rust": Toolchain(
        tools=("rustc",),
        source="logca.rs",
        main_file="main.rs",
        main=rust_main,
        build="{tool} --edition 2021 -O -D warnings main.rs -o program",
    ),
    "fortran": Toolchain(
        tools=("gfortran",),
        source="logca.f90",
        main_file="main.f90",
        main=fortran_main,
        build="{tool} -std=f2008 -O2 -Wall -Werror -ffree-line-length-132 logca.f90 main.f90"
        " -o program",
    ),
    "javascript": Toolchain(
        tools=("node", "nodejs"),
        source="logca.mjs",
        main_file="main.mjs",
        main=javascript_main,
        build="",
        run="{tool} main.mjs",
    ),
}


def tool(names: Sequence[str]) -> str:
    """The first of some commands that is there; the test is skipped if none is."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path.home() / ".cargo" / "bin")])
    for name in names:
        if found := shutil.which(name, path=path):
            return found
    pytest.skip(f"no {' or '.join(names)} on this machine")


def built(
    folder: Path, language: str, text: str, called: Sequence[TargetFunction]
) -> tuple[Path, str]:
    """A program for functions of a source file: its folder, and the tool that made it."""
    chain = TOOLCHAINS[language]
    found = tool(chain.tools)
    (folder / chain.source).write_text(text)
    (folder / chain.main_file).write_text(chain.main(called))
    if chain.build:
        done = subprocess.run(
            chain.build.format(tool=found).split(),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return folder, found


def out_of_process(
    folder: Path,
    found: str,
    language: str,
    called: Sequence[TargetFunction],
    rows: Sequence[Row],
) -> Results:
    """What a program prints for each row of a table."""
    chain = TOOLCHAINS[language]
    table = "".join(
        " ".join(repr(float(row.get(name, 1))) for name in COLUMNS) + "\n" for row in rows
    )
    ran = subprocess.run(
        chain.run.format(tool=found).split(),
        cwd=folder,
        input=table,
        capture_output=True,
        text=True,
        check=True,
    )
    values = [float(line) for line in ran.stdout.split()]
    blocks = [values[place : place + len(called)] for place in range(0, len(values), len(called))]
    if language == "cuda":
        blocks = [*blocks[::2], *blocks[1::2]]
    return {each.name: [block[place] for block in blocks] for place, each in enumerate(called)}


def python_of(julia: str) -> str:
    """Julia's text as Python reads it: what is generated has the same operators and precedence.

    It shows that the arithmetic is right, not that Julia accepts the file.
    """
    text = re.sub(r'""".*?"""\n', "", julia, flags=re.DOTALL)
    text = re.sub(r"^ *end$\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\(\n    (.*)\n\)", r"(\1)", text)
    for pattern, replacement in (
        (r"^function (\w+)\(; (.*)\)$", r"def \1(*, \2):"),
        (r"^function (.*)\)$", r"def \1):"),
        (r"^def (.*); ", r"def \1, *, "),
        (r"^( *)if !\((.*)\)$", r"\1if not (\2):"),
        (r"^( *if .*[^:])$", r"\1:"),
        (r"for _ in 1:(\d+)$", r"for _ in range(\1):"),
        (r"&&", "and"),
        (r"\|\|", "or"),
        (r"\^", "**"),
        (r"\bfalse\b", "False"),
    ):
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def julia_max(*values: float) -> float:
    return math.nan if any(map(math.isnan, values)) else max(values)


def julia_min(*values: float) -> float:
    return math.nan if any(map(math.isnan, values)) else min(values)


def in_process(
    language: str, text: str, called: Sequence[TargetFunction], rows: Sequence[Row]
) -> Results:
    """In Python a result out of range is an error instead of infinity."""
    space: dict[str, Callable[..., float]] = {}
    if language == "julia":
        text = python_of(text)
        space |= vars(math) | {"abs": abs, "max": julia_max, "min": julia_min}
        space |= {"NaN": math.nan}  # type: ignore[dict-item]
    exec(compile(text, f"logca ({language})", "exec"), space)
    found: Results = {}
    for function in called:
        listed = [parameter.name for parameter in function.parameters]
        first = listed[:1] if listed[:1] in (["g"], ["s"]) else []
        found[function.name] = []
        for row in rows:
            keywords = {name: row[name] for name in listed if name not in first}
            try:
                value = space[function.name](*(row[name] for name in first), **keywords)
            except OverflowError:
                value = float("inf")
            found[function.name].append(float(value))
    return found


@pytest.fixture(scope="session")
def run_generated(tmp_path_factory: pytest.TempPathFactory) -> RunGenerated:
    """Results of generated functions by name, one for each row; CUDA's a second time.

    What is compiled for a test is kept for those that want the same functions.
    """

    @cache
    def build(language: str, names: tuple[str, ...]) -> tuple[Path, str]:
        text = source({"c++": "c"}.get(language, language), names)
        folder = tmp_path_factory.mktemp("generated")
        return built(folder, language, text, functions(names, "both"))

    def run(language: str, names: Sequence[str], rows: Sequence[Row]) -> Results:
        called = functions(names, "both")
        if language in ("python", "julia"):
            return in_process(language, source(language, names), called, rows)
        return out_of_process(*build(language, tuple(names)), language, called, rows)

    return run


@pytest.fixture
def run_source(tmp_path: Path) -> RunSource:
    """Results of the functions of one source file by name, one for each row; CUDA's twice."""

    def run(
        language: str, text: str, called: Sequence[TargetFunction], rows: Sequence[Row]
    ) -> Results:
        if language in ("python", "julia"):
            return in_process(language, text, called, rows)
        return out_of_process(*built(tmp_path, language, text, called), language, called, rows)

    return run
