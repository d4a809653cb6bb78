"""The screen that `make run` ends with: a question with its answer, the ledger, where to go on.

Everything on it is computed by the package or read from its claims; nothing is typed here twice.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from textwrap import fill

import logca
from logca.common.sizes import format_size
from logca.plots.drawing import accelerator_drawing
from logca.plots.render import picture
from logca.plots.terminal import terminal_curve

WIDTH = 80
DEVICE, KERNEL = "ultrasparc-t2", "aes"
SIZES = (64.0, 4096.0, 2.0**20)
PICTURE = Path("build/aes-on-ultrasparc-t2.svg")
CHANGED_DECISIONS = (
    "cal2015-implication5-decides",
    "isca2017-eq11-sublinear",
    "isca2017-sec1-gpu-breaks-even",
)
"""Corrected claims: each of them, believed as printed, offloads what does not pay."""

COMMANDS = (
    ("logca explain 4KiB --device ultrasparc-t2 --kernel aes", "why, what would help"),
    ("logca fit examples/timings/sha256-pipe.csv", "timings of your own"),
    ("logca gpu examples/polybench/gemm.c", "C code on a GPU"),
    ('logca check --claim "g1 < gA2" --given "A > 2"', "a claim of your own"),
)


def main() -> None:
    """Print the screen; write the picture."""
    print("\n".join([*answer(), "", *curve(), "", *ledger(), "", *onward()]))


def answer() -> list[str]:
    """Does it pay, from which size on, at most how much, half of that where; three sizes."""
    unit = logca.device(DEVICE, KERNEL)
    peak = unit.peak().speedup
    [half] = unit.granularity_for(peak / 2)
    lines = [
        "Should AES be offloaded to the crypto unit of an UltraSPARC T2?",
        f"  Yes, from {unit.break_even()} on; at most {peak:.3g} times as fast, half of that at"
        f" {format_size(half)}.",
        "",
        "  size      speedup   offload?   bottleneck",
    ]
    for size in SIZES:
        speedup, shares = float(unit.speedup(size)), unit.shares(size)
        share, bottleneck = max(zip(shares, shares._fields, strict=True))
        offload = "yes" if speedup > 1 else "no"
        lines.append(
            f"  {format_size(size):8} {speedup:6.3g}x     {offload:8}  {bottleneck}"
            f" ({float(share):.0%} of the time)"
        )
    return lines


def curve() -> list[str]:
    """The speedup over granularity, here and as a file."""
    unit = logca.device(DEVICE, KERNEL)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(picture(accelerator_drawing([unit]), PICTURE.suffix, width="page"))
    drawn = terminal_curve(unit, width=WIDTH - 4, height=11).splitlines()
    return ["  speedup", *(f"  {line}" for line in drawn), f"  as a picture: {PICTURE}"]


def ledger() -> list[str]:
    """Counts of verdicts, and the corrections that change decisions."""
    claims = logca.claims()
    counts = Counter(claim.verdict for claim in claims)
    lines = [
        f"The ledger: {len(claims)} claims of the papers, and theorems beyond them",
        f"  {counts['PROVED']} proved on the whole of their domain",
        f"  {counts['CORRECTED']} corrected: false as printed; the true statement beside it is"
        " proved",
        f"  {counts['UNDECIDED']} undecided: the paper does not print the numbers",
        "Three corrections that change decisions:",
    ]
    for name in CHANGED_DECISIONS:
        claim = claims[name]
        assert claim.corrected is not None
        lines += _wrapped(f"- {claim.statement}", "  ", "    ")
        lines += _wrapped(f"No: {_lowered(claim.corrected.statement)}", "    ", "    ")
    return lines


def onward() -> list[str]:
    """How to enter the environment, and what to do there."""
    widest = max(len(command) for command, _ in COMMANDS)
    return [
        "Go on: enter the environment with `. .venv/bin/activate`, then",
        *(f"  {command:{widest}}  {what}" for command, what in COMMANDS),
    ]


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    whole = re.sub(r" ([-+*/<>=]+) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)
    lines = fill(whole, WIDTH, initial_indent=first, subsequent_indent=rest)
    return lines.replace("\N{NO-BREAK SPACE}", " ").splitlines()


def _lowered(sentence: str) -> str:
    """A sentence that goes on after a colon; a symbol at its beginning stays as it is."""
    word = sentence.partition(" ")[0]
    return sentence if len(word) == 1 or "/" in word else sentence[0].lower() + sentence[1:]


if __name__ == "__main__":
    sys.exit(main())
