"""The languages that there are, and a source file in one of them, which `logca codegen` prints."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from logca.numeric.generate.codegen.source_files import FILES
from logca.numeric.generate.codegen.source_program import DEFAULT, program

if TYPE_CHECKING:
    from logca.numeric.generate.codegen.language import Language

__all__ = ["LANGUAGES", "language_named", "source"]

LANGUAGES = ("c", "cpp", "cuda", "rust", "julia", "fortran", "javascript", "python")
"""The languages, each a module of `logca.numeric.generate.languages`, or a variant of C there."""

_VARIANTS_OF_C = {"c": "LANGUAGE", "cpp": "CPP", "cuda": "CUDA"}


def language_named(name: str) -> "Language":
    """One of `LANGUAGES`, loaded."""
    module = "c_cpp_cuda" if name in _VARIANTS_OF_C else name
    home = import_module(f"logca.numeric.generate.languages.{module}")
    language: Language = getattr(home, _VARIANTS_OF_C.get(name, "LANGUAGE"))
    return language


def source(language: str, names: Sequence[str] = DEFAULT, latency: str = "both") -> str:
    """A source file that needs nothing but its language's standard library.

    Examples
    --------
    >>> print(source("rust", ["T0"]).splitlines()[-4].strip())
    pub fn T0(g: f64, C: f64, beta: f64) -> f64 {
    """
    written = program(language, names, latency)
    command = f"logca codegen --lang {language} --what {','.join(written.names)}"
    return "\n".join(FILES[language](written, f"{command} --latency {latency}")) + "\n"
