"""How long tracing takes for programs of 100,000 lines that run for a moment, and what memory.

The programs are written here: thousands of functions over hundreds of structures, an interpreter
whose one function has 500 cases and 10,000 lines, and vectors by intrinsics. They are denser than
what people write: no comment, every function live, a structure type for each. Programs of others
can be named beside them, as `--program sqlite3.c shell.c --program duktape.c use.c`. Counted
are seconds, and processor seconds of ours and of compiler and linker, beyond those of the traced
run; the peak is of memory resident at once in the largest process. Machines differ by more than
twice: beside it stands the processor time of the compiler alone, for an optimised program with
debug data. --keep writes the programs only; --write puts the results into large.md beside this
file, with what was measured on the same machine before these costs were looked at.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import processor
from logca.trace.compile.machine_code import link_command
from logca.trace.source.compiler import toolchain

HERE = Path(__file__).parent
WANTED_SECONDS = 20.0
WANTED_MEMORY = 1 << 30
BEFORE = {
    "structures": (88.5, 959),
    "interpreter": (88.0, 958),
    "vectors": (51.8, 855),
}
"""Processor time [s] and peak [MiB] at commit 3745ee1e, on the idle machine of the table."""
MEASURE = """
import json, resource, sys, time
start = time.perf_counter()
from logca import trace
found = trace.profile(sys.argv[1:])
wall = time.perf_counter() - start - found.run.wall_s
own, others = (resource.getrusage(who) for who in (0, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "wall": wall,
    "seconds": sum(each.ru_utime + each.ru_stime for each in (own, others)) - found.run.wall_s,
    "memory": 1024 * max(own.ru_maxrss, others.ru_maxrss),
    "accesses": found.loads + found.stores,
    "files": found.program.files,
    "ending": found.run.ending,
}))
"""


def small_functions(lines: int) -> Iterator[str]:
    """Functions of 20 lines, each over one of many structures with members of their own."""
    count = lines // 29
    for number in range(count):
        yield f"struct record{number} {{"
        yield f"    int count{number}, kind{number}; double value{number}, sum{number};"
        yield f"    struct record{max(number - 1, 0)} *next{number}; char name{number}[24];"
        yield "};"
        yield f"static struct record{number} table{number}[8];"
        yield f"static double step{number}(int n) {{"
        yield "    double found = 0;"
        yield "    for (int i = 0; i < n; i++) {"
        yield f"        struct record{number} *each = &table{number}[i & 7];"
        yield f"        each->count{number} += i;"
        yield f"        if (each->count{number} % 3 == {number % 3})"
        yield f"            each->value{number} += each->sum{number} * 0.5;"
        yield "        else"
        yield f"            each->sum{number} += n + each->kind{number};"
        yield f"        each->name{number}[i & 15] = (char)i;"
        yield "        switch (i & 3) {"
        yield f"        case 0: found += each->value{number}; break;"
        yield f"        case 1: found -= each->sum{number}; break;"
        yield f"        case 2: each->kind{number}++; break;"
        yield "        }"
        yield "    }"
        yield f"    while (n > 1 && table{number}[n & 7].kind{number} > 2) {{"
        yield f"        table{number}[n & 7].kind{number} /= 2;"
        yield "        n--;"
        yield "    }"
        yield "    return found;"
        yield "}"
        yield ""
        yield ""
    yield "int main(void) {"
    yield "    double all = 0;"
    yield from (f"    all += step{number}(20);" for number in range(count))
    yield "    return all < 0;"
    yield "}"


def interpreter(cases: int = 500) -> Iterator[str]:
    """One function with a loop around a switch of many cases of 18 lines, and what it calls."""
    yield "static long registers[64], memory[4096], counts[500];"
    yield "static int code[2000];"
    yield "static long run(int steps) {"
    yield "    long a = 1, b = 2, top = 0;"
    yield "    for (int pc = 0; pc < steps; pc++) {"
    yield "        long *where = &registers[pc & 63];"
    yield "        switch (code[pc % 2000]) {"
    for case in range(cases):
        yield f"        case {case}:"
        yield f"            counts[{case}]++;"
        for number in range(7):
            yield f"            if (where[0] > {case + number})"
            yield f"                memory[(a + {number * case}) & 4095] += b;"
        yield f"            a = registers[{case % 64}] + memory[(b + {case}) & 4095];"
        yield f"            b = a * {case + 1} + top;"
        yield f"            *where = b ^ {case};"
        yield "            break;"
    yield "        }"
    yield "        top += a;"
    yield "    }"
    yield "    return top;"
    yield "}"
    yield "static void load(void) {"
    yield f"    for (int i = 0; i < 2000; i++) code[i] = i * 7919 % {cases};"
    yield "}"


def whole_interpreter() -> Iterator[str]:
    """The interpreter, with 90,000 lines of small functions beside it."""
    yield from interpreter()
    for line in small_functions(90_000):
        yield line
        if line == "    double all = 0;":
            yield "    load();"
            yield "    all += run(20000);"


def vectors(lines: int) -> Iterator[str]:
    """Rounds of a hash on vectors, by intrinsics of what every x86-64 has."""
    yield "#include <emmintrin.h>"
    yield "static unsigned block[4096];"
    count = lines // 16
    for number in range(count):
        yield f"static void round{number}(unsigned *at) {{"
        yield "    __m128i a = _mm_loadu_si128((const __m128i *)at);"
        yield "    __m128i b = _mm_loadu_si128((const __m128i *)(at + 4));"
        for turn in range(5):
            yield f"    a = _mm_add_epi32(a, _mm_xor_si128(b, _mm_set1_epi32({number + turn})));"
            yield f"    b = _mm_or_si128(_mm_slli_epi32(b, {turn + 3}), _mm_srli_epi32(b, 9));"
        yield "    _mm_storeu_si128((__m128i *)at, a);"
        yield "    _mm_storeu_si128((__m128i *)(at + 4), b);"
        yield "}"
    yield "int main(void) {"
    yield from (f"    round{number}(block + {number * 8 % 4088});" for number in range(count))
    yield "    return block[5] == 1;"
    yield "}"


PROGRAMS = {
    "structures": lambda: small_functions(100_000),
    "interpreter": whole_interpreter,
    "vectors": lambda: vectors(30_000),
}


def built(sources: list[Path], folder: Path) -> float:
    """The processor time of the compiler for an optimised program with debug data [s]."""
    tool, executable = toolchain(), folder / "alone"
    command = link_command(tool, sources, executable, flags=["-g"])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=tool.environment(), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(name: str, sources: list[Path], folder: Path) -> tuple[str, bool]:
    """A row of the table, and whether time and memory are as wanted."""
    command = [sys.executable, "-c", MEASURE, *map(str, sources)]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = json.loads(said)
    assert found["ending"] == "exit"
    # lines that say which file they are from may name files that are not there
    files = {file.resolve() for file in (*sources, *map(Path, found["files"])) if file.is_file()}
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    seconds, peak = found["seconds"], found["memory"] / 2**20
    before = "{:.1f} | {:.0f}".format(*BEFORE[name]) if name in BEFORE else " | "
    row = (
        f"| {name} | {lines:,} | {found['accesses'] / 1e6:.2f} | {built(sources, folder):.1f} "
        f"| {found['wall']:.1f} | {seconds:.1f} | {peak:.0f} | {before} |"
    )
    return row, found["wall"] <= WANTED_SECONDS and found["memory"] <= WANTED_MEMORY


def main() -> None:
    """Measure, print, and say by the exit code whether time and memory are as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        nargs="+",
        type=Path,
        metavar="FILE",
        help="C files of one more program, which is called as the first of them; again for others",
    )
    parser.add_argument("--write", action="store_true", help="write large.md")
    parser.add_argument("--keep", type=Path, help="only write the programs into this folder")
    options = parser.parse_args()
    rows, good = [], True
    with tempfile.TemporaryDirectory() as home:
        folder = options.keep or Path(home)
        programs = {name: [folder / f"{name}.c"] for name in PROGRAMS}
        for name, program in PROGRAMS.items():
            text = "\n".join(program()) + "\n"
            programs[name][0].write_text(text, encoding="utf-8")
        if options.keep:
            return
        programs |= {sources[0].stem: sources for sources in options.program}
        for name, sources in programs.items():
            row, as_wanted = measured(name, sources, folder)
            rows.append(row)
            good &= as_wanted
    lines = [
        "# Tracing large programs",
        "",
        f"Measured on {processor()}, load {os.getloadavg()[0]:.1f} at the end. Wanted are at most "
        f"{WANTED_SECONDS:.0f} s and {WANTED_MEMORY >> 20} MiB.",
        "",
        "| program | lines | accesses [10^6] | compiler alone [s] | time [s] | processor time [s] "
        "| peak [MiB] | before [s] | before [MiB] |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
    ]
    result = "\n".join(lines) + "\n"
    print(result)
    if options.write:
        (HERE / "large.md").write_text(result, encoding="utf-8")
    raise SystemExit(not good)


if __name__ == "__main__":
    main()
