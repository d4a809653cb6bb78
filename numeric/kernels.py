"""Kernels of altaf2017 and their exponents: Table 4, and the text of section 5."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from logca.numeric.toml_files import packaged

__all__ = ["Kernel", "kernels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel of the paper.

    Parameters
    ----------
    kernel : str
        Its name here, such as "radix-sort" [text].
    title, full_title : str
        Its name in Table 5 and in Table 4 [text].
    complexity : str
        Operations as a function of the number of elements n, by Table 4 [text].
    beta : Decimal
        Exponent of the granularity that the text of section 5 works with, exactly as printed [1].
    beta_table4 : Decimal
        Exponent of the granularity in Table 4, exactly as printed [1].
    source, reading : str
        Where `beta` is from, and why it and not the other is the default [text].
    """

    kernel: str
    title: str
    full_title: str
    complexity: str
    beta: Decimal
    beta_table4: Decimal
    source: str
    reading: str


@cache
def kernels() -> tuple[Kernel, ...]:
    """The kernels in the order of Table 4.

    Examples
    --------
    >>> [(kernel.title, str(kernel.beta), str(kernel.beta_table4)) for kernel in kernels()[:2]]
    [('AES', '1', '1.01'), ('SHA', '1', '0.97')]
    """
    table = packaged("table4.toml")
    return tuple(
        Kernel(
            kernel=name,
            title=entry["title"],
            full_title=entry["full_title"],
            complexity=entry["complexity"],
            beta=Decimal(entry["beta"]),
            beta_table4=Decimal(entry["beta_table4"]),
            source=f"{entry['beta_source']}",
            reading="\n".join(table["readings"][text] for text in entry["reading"]),
        )
        for name, entry in table["kernels"].items()
    )
