"""How accurate the numbers are: generated functions and roots against mpmath at 50 digits.

Points are drawn log-uniformly: granularity, overhead, latency, computational index and A - 1 over
20 decades each, the exponent over three. `make accuracy` writes table.md beside this file.

Errors of roots are given in units of the last place times the condition number: the sum of the
relative changes of the root per relative change of o, L, C, A, s and beta.
"""

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
from rich.progress import track

from logca import numeric
from logca.numeric.roots.granularity import granularity_for
from logca.numeric.roots.status import RootStatus

DIGITS = 50
CHUNK = 10_000
TABLE = Path(__file__).with_name("table.md")
WELL_CONDITIONED = 10
BETAS = (0.0, 0.5, 0.999, 1.001, 2.0, np.inf)
ULP = mp.mpf(2) ** -52
EXACT = mp.mpf(10) ** -30
Row = tuple[str, str]


def draw(seed: int, n: int) -> dict[str, Any]:
    """Parameters of n points; a tenth has beta within 1e-12 to 1e-2 of one, a tenth exactly one."""
    rng = np.random.default_rng(seed)

    def over(low: float, high: float) -> Any:
        return 10.0 ** rng.uniform(low, high, n)

    g, o, L, C = (over(-10, 10) for _ in range(4))
    A = 1 + over(-10, 10)
    kind = rng.random(n)
    beta = np.where(kind < 0.1, 1 + over(-12, -2) * rng.choice([-1, 1], n), over(-1.7, 1.3))
    beta = np.where(kind > 0.9, 1.0, beta)
    s = np.where(rng.random(n) < 0.5, 1.0, A * rng.random(n))
    close = rng.random(n) < 0.2
    sublinear = (beta < 1) & close
    least = numeric.index_threshold(o=o, L=L, beta=np.where(sublinear, beta, 0.5))
    off = 1 + over(-15, 1)
    C = np.where(sublinear, least * A * s / (A - s) * off, C)
    return {"g": g, "o": o, "L": L, "C": C, "A": A, "beta": beta, "s": s}


def region(beta: float) -> str:
    """The range of exponents that a point belongs to."""
    if beta == 1:
        return "beta = 1"
    for low, high in pairwise(BETAS):
        if low < beta <= high:
            return f"{low:g} < beta <= {high:g}".replace(" <= inf", "")
    raise ValueError(beta)


def measured(seed: int, n: int) -> dict[Row, dict[str, float]]:
    """Worst errors of n points by form of latency and region."""
    mp.mp.dps = DIGITS
    points = draw(seed, n)
    found: dict[Row, dict[str, float]] = {}
    for latency in ("constant", "linear"):
        arguments = {name: points[name] for name in ("o", "L", "C", "A", "beta")}
        values = {
            name: getattr(numeric, name)(points["g"], **arguments, latency=latency)
            for name in ("speedup", "share_o", "share_L", "share_C")
        }
        roots = granularity_for(points["s"], **arguments, latency=latency)
        for index in range(n):
            row = found.setdefault((latency, region(points["beta"][index])), {})
            exact = {name: mp.mpf(values_[index]) for name, values_ in points.items()}
            for name, error in _pointwise(exact, latency, values, index):
                row[name] = max(row.get(name, 0.0), error)
            for name, error in _root_errors(exact, latency, roots, index):
                row[name] = max(row.get(name, 0.0), error)
            row["points"] = row.get("points", 0) + 1
    return found


def _pointwise(
    p: dict[str, Any], latency: str, values: dict[str, Any], index: int
) -> Iterator[tuple[str, float]]:
    moved = p["L"] * (p["g"] if latency == "linear" else 1)
    host = p["C"] * p["g"] ** p["beta"]
    total = p["o"] + moved + host / p["A"]
    exact = {
        "speedup": host / total,
        "share_o": p["o"] / total,
        "share_L": moved / total,
        "share_C": host / p["A"] / total,
    }
    for name, value in exact.items():
        yield name.split("_")[0], _ulps(values[name][index], value)


def _ulps(value: float, exact: Any) -> float:
    """Error in units of the last place of the exact value [1]."""
    _, exponent = mp.frexp(exact)
    return float(abs(mp.mpf(float(value)) - exact) / mp.mpf(2) ** (max(exponent, -1021) - 53))


def _root_errors(
    p: dict[str, Any], latency: str, roots: Any, index: int
) -> Iterator[tuple[str, float]]:
    status = RootStatus(int(roots.status[index]))
    k = p["C"] * (1 / p["s"] - 1 / p["A"])
    c, l = (p["o"], p["L"]) if latency == "linear" else (p["o"] + p["L"], mp.mpf(0))
    yield "wrong existence", float(_existence_is_wrong(k, c, l, p["beta"], status))
    for root in (roots.lower[index], roots.upper[index]):
        if np.isnan(root):
            continue
        if status is RootStatus.DOUBLE:
            yield "double root, |S/s - 1| / ulp", float(_off_target(p, root, c, l) / ULP)
            continue
        t = mp.log(mp.mpf(root))
        exact, share = _solved(k, c, l, p["beta"], t)
        a, s, b = p["A"], p["s"], p["beta"]
        changes = 2 + a / (a - s) + s / (a - s) + abs(b * exact)
        condition = changes / abs(share - b)
        yield "root / condition", float(abs(mp.expm1(t - exact)) / ULP / condition)
        if condition < WELL_CONDITIONED:
            yield "|S/s - 1|", float(_off_target(p, root, c, l))


def _solved(k: Any, c: Any, l: Any, b: Any, t: Any) -> tuple[Any, Any]:
    """Logarithm of the exact root next to e**t, and latency's share in the cost there."""
    for _ in range(60):
        moved = l * mp.exp(t)
        share = moved / (c + moved)
        step = (mp.log((c + moved) / k) - b * t) / (share - b)
        t -= step
        if abs(step) < EXACT:
            return t, share
    raise ArithmeticError("the exact root was not found from the computed one")


def _off_target(p: dict[str, Any], root: float, c: Any, l: Any) -> Any:
    g = mp.mpf(root)
    host = p["C"] * g ** p["beta"]
    return abs(host / (c + l * g + host / p["A"]) / p["s"] - 1)


def _existence_is_wrong(k: Any, c: Any, l: Any, b: Any, status: RootStatus) -> bool:
    """Whether roots are said to exist that do not, or the other way round, beyond rounding."""
    if k <= 0:
        return status is not RootStatus.BEYOND_ACCELERATION
    absent = status in (RootStatus.NEVER, RootStatus.EVERYWHERE)
    if l == 0 or b > 1:
        return absent
    if b == 1:
        return absent == (k > l)
    excess = mp.log(k) - (1 - b) * mp.log(c / (1 - b)) - b * mp.log(l / b)
    return abs(excess) > 16 * ULP and absent == (excess > 0)


def merged(parts: list[dict[Row, dict[str, float]]]) -> dict[Row, dict[str, float]]:
    """The worst of all parts; points and mistakes are added."""
    whole: dict[Row, dict[str, float]] = {}
    for part in parts:
        for row, columns in part.items():
            mine = whole.setdefault(row, {})
            for name, value in columns.items():
                adds = name in ("points", "wrong existence")
                before = mine.get(name, 0.0)
                mine[name] = before + value if adds else max(before, value)
    return whole


def table(whole: dict[Row, dict[str, float]], n: int) -> str:
    """The table as Markdown."""
    columns = (
        ("points", "points", ",.0f"),
        ("speedup", "speedup [ulp]", ".2f"),
        ("share", "shares [ulp]", ".2f"),
        ("root / condition", "roots [ulp x condition]", ".2f"),
        ("|S/s - 1|", "\\|S(root)/s - 1\\|, condition < 10", ".1e"),
        ("double root, |S/s - 1| / ulp", "\\|S/s - 1\\| at double roots [ulp]", ".1f"),
        ("wrong existence", "wrong on existence", ".0f"),
    )
    lines = [
        "# Accuracy",
        "",
        f"Worst errors over {n:,} random points, by mpmath at {DIGITS} digits: `make accuracy`.",
        "",
        "| latency | region | " + " | ".join(title for _, title, _ in columns) + " |",
        "|---|---|" + "---:|" * len(columns),
    ]
    for latency, name in sorted(whole, key=lambda row: (row[0], _order(row[1]))):
        values = whole[latency, name]
        cells = (format(values[key], form) if key in values else "" for key, _, form in columns)
        lines.append(f"| {latency} | {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _order(name: str) -> float:
    return 1.0 if name == "beta = 1" else float(name.split(" ")[0])


def main() -> None:
    """Measure, print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    options = parser.parse_args()
    chunks = -(-options.points // CHUNK)
    sizes = [min(CHUNK, options.points - CHUNK * index) for index in range(chunks)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(measured, range(chunks), sizes)
        parts = list(track(done, total=chunks, description="measuring", transient=True))
    text = table(merged(parts), options.points)
    print(text)
    if options.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
