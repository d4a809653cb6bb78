"""Programs around emitted thresholds: they read sizes, and print three answers for each kernel."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

STRICT = "-Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow"
DEVICE_CODE = "" if Path("/dev/nvidiactl").exists() else "-Xcicc -O0 -Xptxas -O0"
"""Options of nvcc: where no device will run its code, nothing is gained by making it fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """How emitted files become a program that runs.

    Parameters
    ----------
    tools : tuple of str
        Commands, of which one is enough; "ziglang" is the compiler of that package.
    suffix : str
        What names of emitted files end in.
    main : callable
        From names of kernels to the program, one file or two.
    build, run : str
        Commands; no build if there is nothing to build.
    """

    tools: tuple[str, ...]
    suffix: str
    main: Callable[[Sequence[str]], dict[str, str]]
    build: str
    run: str = "./program"


def c_like(names: Sequence[str], suffix: str, prefix: str, main: str) -> dict[str, str]:
    """Two files that both include all headers, as those of a library are."""
    headers = "".join(f'#include "{name}{suffix}"\n' for name in names)
    calls = "".join(
        f'printf("%d%d%d", {prefix}{name}_should_offload(size), '
        f"{prefix}{name}_should_offload_from(size, true), "
        f"{prefix}{name}_should_offload_from(size, false));\n"
        for name in names
    )
    library = suffix.replace("h", "c") if suffix == ".h" else f"_library{Path(main).suffix}"
    return {
        main: f"{headers}#include <stdio.h>\nint also(void);\nint main(void) {{\n"
        'unsigned long long read;\nwhile (scanf("%llu", &read) == 1) {\n'
        f'const size_t size = (size_t)read;\n{calls}printf("\\n");\n}}\nreturn also() > 1;\n}}\n',
        f"library{library}": f"{headers}int also(void);\n"
        f"int also(void) {{ return {prefix}{names[0]}_should_offload(0) ? 1 : 0; }}\n",
    }


def rust(names: Sequence[str]) -> dict[str, str]:
    modules = "".join(f"mod {name};\n" for name in names)
    calls = "".join(
        f'print!("{{}}{{}}{{}}", {name}::should_offload(size) as u8, '
        f"{name}::should_offload_from(size, true) as u8, "
        f"{name}::should_offload_from(size, false) as u8);\n"
        for name in names
    )
    return {
        "main.rs": f"{modules}fn main() {{\n"
        "for line in std::io::read_to_string(std::io::stdin()).unwrap().lines() {\n"
        f"let size: usize = line.parse().unwrap();\n{calls}println!();\n}}\n}}\n"
    }


def javascript(names: Sequence[str]) -> dict[str, str]:
    imports = "".join(f"import * as {name} from './{name}.mjs';\n" for name in names)
    calls = ", ".join(
        f"{name}.should_offload(size), {name}.should_offload_from(size, true), "
        f"{name}.should_offload_from(size, false)"
        for name in names
    )
    return {
        "main.mjs": f"{imports}import {{ readFileSync }} from 'node:fs';\n"
        "const lines = readFileSync(0, 'utf8').trim().split('\\n');\n"
        "const exact = (one) => Number.isSafeInteger(Number(one)) ? Number(one) : BigInt(one);\n"
        "console.log(lines.map(exact).map((size) =>\n"
        f"[{calls}].map(Number).join('')).join('\\n'));\n"
    }


def python(names: Sequence[str]) -> dict[str, str]:
    calls = ", ".join(
        f"{name}.should_offload(size), {name}.should_offload_from(size, True), "
        f"{name}.should_offload_from(size, False)"
        for name in names
    )
    return {
        "main.py": f"import sys\nimport {', '.join(names)}\n"
        f"for size in map(int, sys.stdin):\n    print(*map(int, [{calls}]), sep='')\n"
    }


TOOLCHAINS = {
    "c": Toolchain(
        tools=("cc", "gcc", "clang", "ziglang"),
        suffix=".h",
        main=lambda names: c_like(names, ".h", "logca_", "main.c"),
        build=f"{{tool}} -std=c99 {STRICT} main.c library.c -o program",
    ),
    "cpp": Toolchain(
        tools=("c++", "g++", "clang++"),
        suffix=".hpp",
        main=lambda names: c_like(names, ".hpp", "logca::", "main.cpp"),
        build=f"{{tool}} -std=c++17 {STRICT} main.cpp library_library.cpp -o program",
    ),
    "cuda": Toolchain(
        tools=("nvcc",),
        suffix=".cuh",
        main=lambda names: c_like(names, ".cuh", "logca::", "main.cu"),
        build=f"{{tool}} -Werror all-warnings {DEVICE_CODE} main.cu library_library.cu -o program",
    ),
    "rust": Toolchain(
        tools=("rustc",),
        suffix=".rs",
        main=rust,
        build="{tool} --edition 2021 -D warnings main.rs -o program",
    ),
    "javascript": Toolchain(
        tools=("node", "nodejs"), suffix=".mjs", main=javascript, build="", run="{tool} main.mjs"
    ),
    "python": Toolchain(
        tools=(sys.executable,),
        suffix=".py",
        main=python,
        build="",
        run="{tool} -W always main.py",
    ),
}


def tool(names: Sequence[str]) -> str:
    """The first of some commands that is there; the test is skipped if none is."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path.home() / ".cargo" / "bin")])
    for name in names:
        if name == "ziglang":
            return f"{sys.executable} -m ziglang cc"
        if found := shutil.which(name, path=path):
            return found
    pytest.skip(f"no {' or '.join(names)} on this machine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a program said.

    Parameters
    ----------
    rows : list of str
        For each size a digit for each answer.
    told : str
        What it said on stderr.
    """

    rows: list[str]
    told: str


def program(
    folder: Path, language: str, sources: Mapping[str, str], chain: Toolchain | None = None
) -> Callable[[Sequence[object], Mapping[str, str]], Answers]:
    """Build a program; what is returned runs it with sizes, or other lines, and an environment."""
    chain = chain or TOOLCHAINS[language]
    found = tool(chain.tools)
    files = {f"{name}{chain.suffix}": text for name, text in sources.items()}
    for name, text in {**files, **chain.main(list(sources))}.items():
        (folder / name).write_text(text, encoding="utf-8")
    if chain.build:
        command = chain.build.format(tool=found).split()
        built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stdout + built.stderr
        assert built.stdout + built.stderr == ""

    def run(sizes: Sequence[object], environment: Mapping[str, str]) -> Answers:
        own = {name: value for name, value in os.environ.items() if "LOGCA" not in name}
        ran = subprocess.run(
            chain.run.format(tool=found).split(),
            cwd=folder,
            input="".join(f"{size}\n" for size in sizes),
            env=own | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return Answers(rows=ran.stdout.split(), told=ran.stderr)

    return run
