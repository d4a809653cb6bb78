"""Decisions of `logca offload` beside those of published times on a CPU and on a GPU.

Run as `python -m benchmarks.offload.published`; `--write` writes docs/offload-published.md. The
host of the prediction is one core of this machine, and that of a row its own.
"""

import argparse
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import processor
from logca.common.errors import LogcaError
from logca.offloading.break_even import interpolated
from logca.offloading.offload import offload

ROOT = Path(__file__).parents[2]
ROWS = Path(__file__).with_name("published.toml")
PAGE = ROOT / "docs" / "offload-published.md"
NEAR = 0.8, 1.25
"""Measured speedups in between say little about the decision [1]."""
LINK = "pcie3"
SPAN = 8
"""Times that the sizes looked at go below the least of a table [1]."""

HEAD = """# Offload decisions beside published times

`make offload-published` writes this page: for loops whose times on a CPU and on a GPU others have
published, the speedup that they measured and the one that `logca offload` predicts, from C
programs that do the same. The predicted host is one core of {host}, the measured one its own:
what is compared is the decision. Copies, where the measured time has them, are pageable over
PCI Express 3.0, to an H100 over 5.0; where it has none, all arrays are on the GPU.

{summary}

| kernel | size | GPU | copies | measured | predicted | same decision |
|---|---:|---|---|---:|---:|---|
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A published row, and what is predicted."""

    kernel: str
    size: int
    device: str
    copies: bool
    source: str
    measured: float  # speedup [1]
    predicted: float | None  # speedup [1]; None if there is none
    why: str  # why there is none

    @property
    def counts(self) -> bool:
        """True if the measured speedup says clearly whether it pays."""
        return not NEAR[0] <= self.measured <= NEAR[1]

    @property
    def right(self) -> bool:
        """True if both say the same."""
        return self.predicted is not None and (self.predicted > 1) == (self.measured > 1)


def decisions(table: Mapping[str, Any]) -> Iterator[Decision]:
    """Each row of a table with its prediction."""
    sizes = [size for size, _, _ in table["rows"]]
    kernel = Path(table["kernel"])
    predicted: dict[int, float] = {}
    why = ""
    try:
        found = offload(
            ROOT / kernel,
            size=f"N={max(8, min(sizes) // SPAN)}:{max(sizes)}",
            device=table["device"],
            link=table.get("link", LINK) if table["copies"] else "integrated",
            pageable=table["copies"],
            defines=table.get("defines", {}),
        )
        for size in sizes:
            host = [point.host_s for point in found.points]
            times = [host, found.way.accelerated_s]
            own, other = (interpolated(found.sizes, each, size) for each in times)
            predicted[size] = own / other
    except LogcaError as error:
        why = str(error)
    for size, cpu, gpu in table["rows"]:
        yield Decision(
            kernel=" ".join([kernel.stem, *table.get("defines", {}).values()]),
            size=size,
            device=table["device"],
            copies=table["copies"],
            source=table["source"],
            measured=cpu / gpu,
            predicted=predicted.get(size),
            why=why,
        )


def page(rows: list[Decision]) -> str:
    """The page, with its summary."""
    clear = [row for row in rows if row.counts]
    right = sum(row.right for row in clear)
    wrong = ", ".join(f"{row.kernel} at {row.size:,}" for row in clear if not row.right)
    summary = (
        f"Of {len(clear)} rows with a measured speedup below {NEAR[0]} or above {NEAR[1]}, the "
        f"decision is the same in {right} ({100 * right / len(clear):.0f} %)"
        + (f"; not in {wrong}. " if wrong else ". ")
        + f"{len(rows) - len(clear)} more are in between."
    )
    lines = [
        f"| {row.kernel} | {row.size:,} | {row.device} | {'yes' if row.copies else 'no'} | "
        f"{row.measured:.3g} | {row.why if row.predicted is None else f'{row.predicted:.3g}'} | "
        f"{'yes' if row.right else 'no' if row.counts else 'between'} |"
        for row in rows
    ]
    sources = "\n".join(f"- {source}" for source in dict.fromkeys(row.source for row in rows))
    return (
        HEAD.format(host=processor(), summary=summary)
        + "\n".join(lines)
        + f"\n\nThe times are from, as read in November 2026:\n\n{sources}\n\n"
        + "All but the longest two times of PolyBench/GPU are 11 to 70 times those on another\n"
        + "H100 ([GPU times, measured](gpu-validation.md)): the first launch of a program loads\n"
        + "its code, for which no prediction has a time. The star on an H100 takes 10 µs a step,\n"
        + "as OpenACC waits for each launch; predicted are launches that follow each other.\n"
    )


def main() -> None:
    """Print the table, and write it if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = []
    for table in tomllib.loads(ROWS.read_text(encoding="utf-8"))["table"]:
        for row in decisions(table):
            print(row.kernel, row.size, row.device, f"{row.measured:.3g}", row.predicted, row.why)
            rows.append(row)
    text = page(rows)
    print(text[: text.index("|")])
    if given.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
