"""What all readers hand over: runs, with their names and parameters or sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logca.numeric.fitting.timings import TimingsError
from logca.numeric.fitting.units import said, size_of, unit_in

__all__ = [
    "ACCELERATED",
    "HOST",
    "SIZES",
    "Benchmark",
    "Sample",
    "sized",
    "words",
]

SIZES = frozenset({"granularity", "size", "sizes", "bytes", "nbytes", "length", "message"})
HOST = frozenset({"host", "cpu", "baseline", "software", "sw", "scalar", "unaccelerated"})
ACCELERATED = frozenset(
    {"accelerated", "accelerator", "gpu", "fpga", "cuda", "hardware", "hw", "offload", "offloaded"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """Runs of one benchmark with one set of parameters.

    Parameters
    ----------
    name : str
        What ran, without its parameters [text].
    parameters : Mapping
        Their names and values as the file has them [text].
    seconds : tuple
        A time for each run, each above 0 [s].
    where : str
        The place in the file [text].
    """

    name: str
    parameters: Mapping[str, object]
    seconds: tuple[float, ...]
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Runs of one path at one size.

    Parameters
    ----------
    name : str
        Which path [text].
    granularity : float
        Size of the offloaded data [B].
    seconds : tuple
        A time for each run, each above 0 [s].
    where : str
        The place in the file [text].
    """

    name: str
    granularity: float
    seconds: tuple[float, ...]
    where: str


def words(text: str) -> list[str]:
    """Words of a name, in small letters [text].

    Examples
    --------
    >>> words("BM_GemmHost<float>")
    ['bm', 'gemm', 'host', 'float']
    """
    found, last = [""], ""
    for letter in text:
        camel = letter.isupper() and last.islower()
        if not letter.isalpha() or camel:
            found.append("")
        if letter.isalpha():
            found[-1] += letter.lower()
        last = letter
    return [word for word in found if word]


def sized(
    benchmarks: Sequence[Benchmark], wanted: str | None, unit: str | None, file: str
) -> tuple[list[Sample], list[str]]:
    """Samples from benchmarks: one parameter is the size, the others become part of the name.

    Parameters
    ----------
    benchmarks : sequence of Benchmark
        What the file has [1].
    wanted : str or None
        The parameter that is the size; None to find it [text].
    unit : str or None
        Its unit; None for the one in the parameter's name, or else bytes, unless the values have
        units of their own [text].
    file : str
        The file, for messages [text].

    Returns
    -------
    tuple
        The samples, and notes for the user [1].

    Raises
    ------
    TimingsError
        If no parameter, or more than one, can be the size.
    """
    if not benchmarks:
        raise TimingsError(f"{file}: no runs; is it the right file?")
    key = _size_parameter(benchmarks, wanted, file)
    unit = unit or unit_in(key)
    notes: list[str] = []
    samples: list[Sample] = []
    assumed = False
    for each in benchmarks:
        if key not in each.parameters:
            notes.append(f"{each.where}: {each.name} has no {key!r}, which is the size; left out")
            continue
        value = each.parameters[key]
        bare = unit is None and _is_number(value)
        if bare and not assumed:
            assumed = True
            notes.append(
                f"{key} is taken as bytes; other units: {said('units', granularity='KiB')}"
            )
        rest = [f"{name}={other}" for name, other in each.parameters.items() if name != key]
        where = f"{file}: {each.where}: {key}"
        samples.append(
            Sample(
                name=", ".join([each.name, *rest]),
                granularity=size_of(value, "B" if bare else unit, where),
                seconds=each.seconds,
                where=each.where,
            )
        )
    return samples, notes


def _size_parameter(benchmarks: Sequence[Benchmark], wanted: str | None, file: str) -> str:
    values: dict[str, list[str]] = {}
    for each in benchmarks:
        for name, value in each.parameters.items():
            values.setdefault(name, []).append(str(value))
    if wanted is not None:
        if wanted not in values:
            known = f"known are {', '.join(values)}" if values else "there are none"
            raise TimingsError(f"{file}: there is no parameter {wanted!r}; {known}")
        return wanted
    if not values:
        raise TimingsError(
            f"{file}: no benchmark has a parameter, so sizes are unknown; run it over sizes, such "
            "as BENCHMARK(...)->Range(...), pytest.mark.parametrize, hyperfine -L bytes 4096,8192"
        )
    varying = [name for name in values if len(set(values[name])) > 1]
    speaking = [name for name in varying or values if SIZES & set(words(name))]
    numeric = [name for name in varying if any(each[:1].isdigit() for each in values[name])]
    for found in (list(values), speaking, numeric):
        if len(found) == 1:
            return found[0]
    raise TimingsError(
        f"{file}: several parameters may be the size: {', '.join(numeric or values)}; say which: "
        + said("columns", granularity=next(iter(numeric or values)))
    )


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
