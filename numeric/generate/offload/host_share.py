"""Code that says which part of the work the host keeps, with the parameters of a basis."""

from collections.abc import Sequence
from dataclasses import replace
from shlex import join

from logca.numeric.accelerator.accelerator import Accelerator
from logca.numeric.accelerator.parameter_ranges import MODEL
from logca.numeric.fit.fit import Fit
from logca.numeric.generate.codegen.source_files import FILES
from logca.numeric.generate.codegen.source_program import SourceFunction, bound_program
from logca.numeric.generate.offload.rule import check_kernel_name, printable

__all__ = ["HOST_SHARE", "host_share_source"]

HOST_SHARE = "host_share"
"""The function, and the formula that it evaluates."""

_DOUBLE = {"fortran": "_real64", "rust": "_f64"}
"""Endings of numbers in double precision, where one is needed."""


def host_share_source(
    language: str, basis: Fit | Accelerator, options: Sequence[str], *, name: str = ""
) -> str:
    """A source file with `host_share(g)`: the part of the work that the host keeps at g bytes.

    `options` name the basis on the command line, for the comment that says how the file came about.
    With a kernel's name it is NAME_host_share.
    """
    check_kernel_name(name)
    program = bound_program(language, HOST_SHARE, basis.latency)
    suffix = _DOUBLE.get(language, "")
    values = {each: f"{float(_parameter(basis, each))!r}{suffix}" for each in MODEL}
    values |= {"name": f"{name}_" if name else "", "constant": "", "linear": ""}
    values |= {"unit": "seconds" if isinstance(basis, Fit) else basis.unit}
    functions = (_bound(each, values) for each in program.functions)
    command = f"logca codegen --lang {language} --what {HOST_SHARE} {printable(join(options))}"
    command += f" --name {name}" * bool(name)
    return "\n".join(FILES[language](replace(program, functions=tuple(functions)), command)) + "\n"


def _parameter(basis: Fit | Accelerator, name: str) -> float:
    return basis.parameters[name] if isinstance(basis, Fit) else float(getattr(basis, name))


def _bound(function: SourceFunction, values: dict[str, str]) -> SourceFunction:
    """The function with values where its text has names between two @."""

    def filled(text: str) -> str:
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        return text

    return replace(function, name=filled(function.name), lines=[*map(filled, function.lines)])
