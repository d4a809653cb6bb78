"""From a fit to a source file: what `logca codegen --fit` prints."""

from collections.abc import Callable
from shlex import quote

from logca.numeric.fit.fit import Fit
from logca.numeric.generate.offload import c, cpp, javascript, python, rust
from logca.numeric.generate.offload.shipped import OffloadError, Shipped, printable, shipped

__all__ = ["LANGUAGES", "source"]

LANGUAGES: dict[str, Callable[[Shipped, str], str]] = {
    "c": c.text,
    "cpp": cpp.text,
    "cuda": cpp.text,
    "rust": rust.text,
    "javascript": javascript.text,
    "python": python.text,
}
"""The languages, and how each is written."""


def source(
    language: str, fit: Fit, file: str = "FIT", *, name: str = "", most_likely: bool = False
) -> str:
    """A source file that says whether to offload a size, on the standard library alone.

    It has `should_offload(size)` and `should_offload_from(size, offloading)`, for whole numbers of
    bytes; they answer as `thresholds` of the fit does. With a kernel's name they are
    NAME_should_offload and NAME_should_offload_from in C, where all names begin with logca_, and in
    C++ and CUDA C++, where they are in the namespace logca.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise OffloadError(f"there are no thresholds of a fit in {language}, only in {known}")
    what = shipped(fit, name, most_likely=most_likely)
    given = printable(quote(file))
    command = f"logca codegen --lang {language} --what should_offload --fit {given}"
    command += f" --name {name}" * bool(name) + " --most-likely" * most_likely
    return LANGUAGES[language](what, command)
