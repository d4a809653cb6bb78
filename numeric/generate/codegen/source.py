"""From what is asked for to a source file: what `logca codegen` prints."""

from collections.abc import Sequence
from importlib import import_module

from logca.numeric.generate.codegen.language import Language
from logca.numeric.generate.codegen.layout import text_of
from logca.numeric.generate.codegen.program import program
from logca.numeric.generate.codegen.wanted import DEFAULT

__all__ = ["LANGUAGES", "source"]

LANGUAGES = ("c", "cpp", "cuda", "rust", "julia", "fortran", "javascript", "python")
"""The languages, each a module of `logca.numeric.generate.languages` [text]."""


def source(language: str, names: Sequence[str] = DEFAULT, latency: str = "both") -> str:
    """A source file that needs nothing but its language's standard library [text].

    Parameters
    ----------
    language : str
        One of `LANGUAGES` [text].
    names : sequence of str
        Quantities [text].
    latency : str
        Form of latency: "constant", "linear" or "both" [text].

    Raises
    ------
    CodegenError
        If a name is unknown, or names nothing under this latency.

    Examples
    --------
    >>> print(source("rust", ["T0"]).splitlines()[-4].strip())
    pub fn T0(g: f64, C: f64, beta: f64) -> f64 {
    """
    found: Language = import_module(f"logca.numeric.generate.languages.{language}").LANGUAGE
    written = program(names, latency, found.provided)
    command = f"logca codegen --lang {language} --what {','.join(written.names)}"
    return text_of(written, f"{command} --latency {latency}", found)
