"""Timings from GPU-BLOB's CSV: BLAS on a CPU, and on a GPU in three ways of offloading.

Fields: UoB-HPC/GPU-BLOB, include/utilities.hh (initCSVFile, writeLineToCsv): the seconds are those
of all iterations, with five decimals; the size is that of all operands, with three.
"""

from collections.abc import Iterator, Mapping, Sequence

from logca.common.sizes import format_size
from logca.numeric.timings.benchmark_runs import Runs, TimedRun
from logca.numeric.timings.timings import TimingsError
from logca.numeric.timings.units import number, rounding, size_of, time_of

__all__ = ["gpu_blob_runs", "is_gpu_blob", "of_one_size"]

_SIZE, _TIME = "Total Problem Size (KiB)", "Total Seconds"
_TITLES = {"Device", "Kernel", _SIZE, "Iterations", _TIME}
_APART = {"Kernel": "{}", "Sparsity": "sparsity {}"}  # what parts paths if it differs
_STEP = 1e-5  # of the seconds, as they are written [s]
_BYTES = {"h": 2, "b": 2, "s": 4, "d": 8, "c": 8, "z": 16}  # of an element, by a kernel's letter


def is_gpu_blob(titles: Sequence[str]) -> bool:
    """True if these are the titles of GPU-BLOB's tables."""
    return set(titles) >= _TITLES


def gpu_blob_runs(titles: Sequence[str], rows: Sequence[tuple[int, list[str]]], file: str) -> Runs:
    """Runs of a table, each the time of one iteration."""
    samples, notes, step = [], [], 1.0
    table = [(line, dict(zip(titles, cells, strict=False))) for line, cells in rows]
    apart = [
        title for title in _APART if len({row[title] for _, row in table if row.get(title)}) > 1
    ]
    for line, row in table:
        where = f"{file}: line {line}"
        if len(row) < len(titles):
            raise TimingsError(f"{where}: {len(row)} values, and the header has {len(titles)}")
        iterations = number(row["Iterations"], f"{where}: Iterations")
        if iterations < 1 or iterations != int(iterations):
            raise TimingsError(
                f"{where}: Iterations {row['Iterations']!r} must be 1, 2, 3, ...: mend the number"
            )
        name = " ".join([row["Device"], *(_APART[title].format(row[title]) for title in apart)])
        if number(row[_TIME], f"{where}: {_TIME}") == 0:
            notes.append(f"{name}: time 0 at some sizes, which five decimals do not show: left out")
            continue
        seconds = time_of(row[_TIME], "s", f"{where}: {_TIME}") / iterations
        step = min(step, _STEP / iterations)
        samples.append(
            TimedRun(
                name=name,
                granularity=_size(row, where),
                seconds=(seconds,),
                where=f"line {line}",
                shape={
                    each: number(row[each], f"{where}: {each}") for each in "MNK" if each in row
                },
            )
        )
        if iterations > 1 and "once" in name.lower():
            notes.append(
                f"{name}: data move once for all {int(iterations)} iterations, so that a time has "
                f"1/{int(iterations)} of the transfers"
            )
    notes.append("times are the total seconds over the iterations")
    return Runs(samples=samples, notes=list(dict.fromkeys(notes)), resolution=step)


def of_one_size(samples: Sequence[TimedRun]) -> Iterator[str]:
    """Notes on shapes of the same size, which count as runs of it."""
    shapes: dict[tuple[str, float], set[tuple[float, ...]]] = {}
    for each in samples:
        key = each.name, each.granularity
        shapes.setdefault(key, set()).add(tuple((each.shape or {}).values()))
    for (name, size), several in shapes.items():
        if len(several) > 1:
            listed = ", ".join(" x ".join(f"{n:.10g}" for n in each) for each in sorted(several))
            yield (
                f"{name}: shapes {listed} have the same size, {format_size(size)}, and count as "
                "runs of it; fit them as shapes, such as with --kernel gemm"
            )


def _size(row: Mapping[str, str], where: str) -> float:
    """Bytes of all operands: of a matrix product as M, N, K and the kernel's letter have them."""
    kib = size_of(row[_SIZE], "KiB", f"{where}: {_SIZE}")
    kernel = row["Kernel"].lower()
    if kernel[1:] != "gemm" or kernel[0] not in _BYTES or not {"M", "N", "K"} <= set(row):
        return kib
    m, n, k = (number(row[each], f"{where}: {each}") for each in "MNK")
    size = _BYTES[kernel[0]] * (m * k + k * n + m * n)
    if abs(size - kib) > rounding(row[_SIZE]) * kib + 1e-9 * size:
        raise TimingsError(
            f"{where}: {_SIZE} {row[_SIZE]} contradicts M = {row['M']}, N = {row['N']}, K = "
            f"{row['K']} of {row['Kernel']}, which are {size / 1024:.4g} KiB: mend the row"
        )
    return size
