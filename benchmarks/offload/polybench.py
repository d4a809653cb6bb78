"""Answers of `logca offload` for PolyBench's kernels, and how long each of them took.

Run as `python -m benchmarks.offload.polybench`; `--write` writes docs/offload-polybench.md. Kernels
can be named. Each is asked in a process of its own, as a user would ask.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks.measuring import processor

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "offload-polybench.md"
KERNELS = ROOT / "examples" / "polybench"
DEVICE, LINK = "h100-pcie", "pcie5"
WANTED_SECONDS = 60.0

PAPER = (
    *("2dconv", "2mm", "3dconv", "3mm", "atax", "bicg", "corr", "covar", "fdtd-2d", "gemm"),
    *("gesummv", "gramschm", "mvt", "syr2k", "syrk"),
)
"""Kernels of PolyBench/GPU."""

OTHERS = (
    *("adi", "deriche", "doitgen", "durbin", "floyd-warshall", "gemver", "heat-3d", "jacobi-1d"),
    *("jacobi-2d", "lu", "ludcmp", "symm", "trmm"),
)
"""Further ones of PolyBench/C that have loops for threads."""

HEAD = """# Offload decisions for PolyBench's kernels

`make offload-polybench` writes this page: `logca offload` for each program of
[examples/polybench](../examples/polybench/README.md), with the sizes that it proposes itself, on
NVIDIA H100 PCIe over PCI Express 5.0. The host is one core of {host}.

**From** is the break-even as N and as bytes of the data, with the interval in which it is expected;
**resident** is that with all arrays on the GPU before and after. **At most** is the greatest
speedup of the loops at one of the sizes, **bottleneck** the largest part of the accelerated time at
the break-even. The last column is how long the answer took on two cores, timing of the host
included.

{summary}

| kernel | from N | data | interval | resident | at most | at N | bottleneck | took [s] |
|---|---:|---:|---|---:|---:|---:|---|---:|
"""


def answers(names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any] | str, float]]:
    """The answer for each kernel, or the error, and how long it took [s]."""
    for name in names:
        words = [sys.executable, "-m", "logca", "offload", str(KERNELS / f"{name}.c")]
        words += ["--device", DEVICE, "--link", LINK, "--json"]
        start = time.perf_counter()
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        took = time.perf_counter() - start
        said: dict[str, Any] | str = ended.stderr.strip()
        if ended.returncode == 0:
            said = json.loads(ended.stdout)
        yield name, said, took


def row(name: str, said: dict[str, Any] | str, took: float) -> str:
    """The row of a kernel."""
    if isinstance(said, str):
        return f"| {name} | {said} | | | | | | | {took:.0f} |"
    found, parts = said["break_even"], bottleneck(said)
    data = "" if found["least_bytes"] is None else f"{found['least_bytes'] / 1024:.0f} KiB"
    resident = [way for way in said["alternatives"] if way["name"].startswith("link integrated")]
    return (
        f"| {name} | {least(found, said)} | {data} | {interval(found)} | "
        f"{least(resident[0], said) if resident else ''} | {found['best']:.3g} | "
        f"{found['best_size']} | {parts} | {took:.0f} |"
    )


def least(found: dict[str, Any], said: dict[str, Any]) -> str:
    """From which size on it pays."""
    if not found["pays_at_largest"]:
        return f"not up to {said['sizes'][-1]['size']}"
    if found["least"] is None:
        return f"every, {said['sizes'][0]['size']} on"
    return str(ceil(found["least"]))


def interval(found: dict[str, Any]) -> str:
    """The interval of the break-even."""
    if not found["certain"]:
        return "cannot be told"
    low, high = found["least_interval"]
    if not found["pays_at_largest"] or high is None:
        return ""
    return f"{'less' if low is None else ceil(low)} to {ceil(high)}"


def bottleneck(said: dict[str, Any]) -> str:
    """The largest part of the accelerated time where it begins to pay, else at its best."""
    sizes, found = said["sizes"], said["break_even"]
    start = found["least"] if found["pays_at_largest"] and found["least"] else found["best_size"]
    point = next(each for each in sizes if each["size"] >= start)
    parts: dict[str, float] = point["parts_s"]
    name = max(parts, key=parts.__getitem__)
    return f"{name} {100 * parts[name] / sum(parts.values()):.0f} %"


def main() -> None:
    """Ask for each kernel, print the rows, and write the page if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernels", nargs="*", help="only these")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    rows, longest, pays, resident, can = [], 0.0, 0, 0, 0
    for name, said, took in answers(options.kernels or [*PAPER, *OTHERS]):
        rows.append(row(name, said, took))
        print(rows[-1], flush=True)
        longest = max(longest, took)
        if not isinstance(said, str):
            pays += said["break_even"]["pays_at_largest"]
            ways = {way["name"]: way["pays_at_largest"] for way in said["alternatives"]}
            stays = [pay for name, pay in ways.items() if name.startswith("link integrated")]
            can += len(stays)
            resident += sum(stays)
    summary = (
        f"{len(rows)} kernels were asked for. {pays} pay at the largest size with copies; with all "
        f"arrays resident {resident} of the {can} whose arrays the host does not reach between "
        f"launches. The longest answer took {longest:.0f} s; wanted are {WANTED_SECONDS:.0f} s."
    )
    print(summary)
    if options.write:
        head = HEAD.format(host=processor(), summary=summary)
        PAGE.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
