"""From a fit of shapes to a source file with should_offload(m, n, k), from a template per language.

The times of both paths are the expressions of the generated functions, with numbers for the times
of the parts; formulas of shapes are printed as they were written.
"""

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from shlex import join
from textwrap import indent, wrap
from typing import NamedTuple

from logca.common.readable_numbers import probability
from logca.numeric.generate.offload.parameter_names import parameter_names
from logca.numeric.generate.offload.rule import OffloadError, check_kernel_name, printable
from logca.numeric.generate.offload.source import (
    LANGUAGES,
    OffloadLanguage,
    commented,
    head_lines,
    template,
)
from logca.numeric.generated import shapes as generated
from logca.numeric.shapes.decide import margin
from logca.numeric.shapes.fit import ShapeFit

__all__ = ["source"]

_SENTENCE = "Whether offloading a call of this shape most likely pays."
_STATE = "Whether to offload a call of this shape, by what the caller does now."
_HYSTERESIS = (
    "A caller that offloads keeps offloading until the host is faster by a factor of {margin}; one "
    "that does not starts only where offloading is faster by as much. Times leave open which path "
    "is faster where they are closer."
)
_LOCALS = {"bytes": "data_bytes", "work": "work", "items": "items"}


class _Style(NamedTuple):
    """Syntax of a language, as far as formulas and decisions need it."""

    template: str
    functions: Mapping[str, str]  # of both operands, or one
    parameter: str  # one of the function
    local: str  # a value with a name
    exception: str  # a shape at which what was measured decides
    unused: str  # for compilers that warn of a value that nothing takes
    answer: str = "return {host} > {other};"
    # the same by what the caller does now
    from_state: str = (
        "return offloading ? {host} * {margin} > {other} : {host} > {other} * {margin};"
    )
    equal: str = "{name} == {value}"
    both: str = " && "
    true: str = "true"
    false: str = "false"
    step: int = 4  # columns of indentation [1]


_C = _Style(
    template="shape_should_offload.h",
    functions={
        "power": "pow({}, {})",
        "sqrt": "sqrt({})",
        "log2": "log2({})",
        "min": "fmin({}, {})",
        "max": "fmax({}, {})",
    },
    parameter="double {}",
    local="const double {name} = {value};",
    exception="if ({shape}) {{\n    return {answer};\n}}",
    unused="(void){};",
)
_CPP = _C._replace(
    template="shape_should_offload.hpp",
    functions={name: f"std::{text}" for name, text in _C.functions.items()},
)
_STYLES = {
    "c": _C,
    "cpp": _CPP,
    "cuda": _CPP,
    "rust": _C._replace(
        template="shape_should_offload.rs",
        functions={
            "power": "f64::powf({}, {})",
            "sqrt": "f64::sqrt({})",
            "log2": "f64::log2({})",
            "min": "f64::min({}, {})",
            "max": "f64::max({}, {})",
        },
        parameter="{}: f64",
        local="let {name} = {value};",
        exception="if {shape} {{\n    return {answer};\n}}",
        unused="let _ = {};",
        answer="{host} > {other}",
        from_state="if offloading {{\n    {host} * {margin} > {other}\n}} else {{\n    {host} > "
        "{other} * {margin}\n}}",
    ),
    "javascript": _C._replace(
        template="shape_should_offload.js",
        functions={
            "power": "Math.pow({}, {})",
            "sqrt": "Math.sqrt({})",
            "log2": "Math.log2({})",
            "min": "Math.min({}, {})",
            "max": "Math.max({}, {})",
        },
        parameter="{}",
        local="const {name} = {value};",
        exception="if ({shape}) {{\n  return {answer};\n}}",
        unused="",
        equal="{name} === {value}",
        step=2,
    ),
    "python": _C._replace(
        template="shape_should_offload.py.txt",
        functions={
            "power": "math.pow({}, {})",  # never complex
            "sqrt": "math.sqrt({})",
            "log2": "math.log2({})",
            "min": "min({}, {})",
            "max": "max({}, {})",
        },
        parameter="{}: float",
        local="{name} = {value}",
        exception="if {shape}:\n    return {answer}",
        unused="",
        answer="return {host} > {other}",
        from_state="if offloading:\n    return {host} * {margin} > {other}\n"
        "return {host} > {other} * {margin}",
        both=" and ",
        true="True",
        false="False",
        step=8,
    ),
}


def source(
    language: str, fit: ShapeFit, options: Sequence[str] = ("--fit", "FIT"), *, name: str = ""
) -> str:
    """A source file that says whether to offload a shape, on the standard library alone.

    It has `should_offload`, of a number for each column of the fit, which answers as `pays` of the
    fit does, and `should_offload_from`, which knows what the caller does now, and answers as
    `decide_shape`. `options` name the fit on the command line, for the comment that says how the
    file came about; with a kernel's name the functions have a prefix in C, C++ and CUDA C++. A
    column whose name the language or the file needs is refused in Python, where callers may name
    arguments; elsewhere its parameter has another name.
    """
    if language not in _STYLES:
        raise OffloadError(
            f"there is no should_offload of shapes in {language}, only in {', '.join(_STYLES)}"
        )
    check_kernel_name(name)
    style, comments = _STYLES[language], LANGUAGES[language]
    variable = "_".join(["LOGCA_OFFLOAD", *([name.upper()] if name else [])])
    command = f"logca codegen --lang {language} --what should_offload {printable(join(options))}"
    command += f" --name {name}" * bool(name)
    kernel = f" {name}" if name else ""
    head = head_lines(
        f"Does it pay to offload{kernel}? A boundary of shapes that LogCA fitted to timings.",
        command,
        _facts(fit),
        fit.warnings,
        f"The environment variable {variable} overrides the boundary: always, never or auto (the "
        f"boundary, as if it were not set). It is read once, {comments.read}. Any other value "
        "gives a warning, and counts as auto.",
        comments.width - len(comments.mark) - 1,
    )
    prefix = comments.namespace + (f"{name}_" if name else "")
    bare = template(style.template).substitute(defaultdict(str, prefix=prefix, variable=variable))
    names = parameter_names(language, fit.columns, bare + _syntax(style))
    within = margin(fit)
    told = _HYSTERESIS.format(margin=f"{within:.4g}")
    body, body_from = (
        indent("\n".join(_body(fit, style, names, answer)), " " * style.step)
        for answer in (style.answer, style.from_state.replace("{margin}", repr(within)))
    )
    text = template(style.template).substitute(
        head=commented(comments.mark, head),
        variable=variable,
        prefix=prefix,
        guard="$guard",
        mathematics="import math\n" if "math." in body else "",
        comment=_wrapped(_SENTENCE, comments),
        sentence=_SENTENCE,
        hysteresis_comment=_wrapped(f"{_STATE} {told}", comments),
        hysteresis=_wrapped(told, comments),
        state=_STATE,
        typed=commented(comments.doc, (f"@param {{number}} {each}" for each in names.values())),
        parameters=", ".join(map(style.parameter.format, names.values())),
        body=body,
        body_from=body_from,
    )
    # Of the contents: two headers for one name are an error of the compiler, not one left out.
    digest = sha256(text.encode()).hexdigest()[:8].upper()
    return text.replace("$guard", f"{variable}_{digest}_H")


def _wrapped(text: str, comments: OffloadLanguage) -> str:
    return commented(comments.doc, wrap(text, comments.width - len(comments.doc) - 1))


def _facts(fit: ShapeFit) -> dict[str, str]:
    """Formulas, times of the parts and provenance, in the order in which they are told."""
    unit = "" if fit.relative else " s"
    found = {role: formula.text for role, formula in fit.formulas.items()}
    for key, value in fit.parameters.items():
        if value:
            found[key.replace("_", " ")] = f"{value:.6g}{unit if key != 'beta' else ''}"
    found["confidence"] = probability(fit.level)
    found |= {printable(key): printable(value) for key, value in fit.provenance.items()}
    return found


def _syntax(style: _Style) -> str:
    """Text of all that a style puts into a file, without what is put into that."""
    texts = [*style.functions.values(), *(each for each in style if isinstance(each, str))]
    return "\n".join(re.sub(r"\{\w*\}", " ", each) for each in texts if each != style.template)


def _body(fit: ShapeFit, style: _Style, names: Mapping[str, str], by: str) -> Iterator[str]:
    """Statements of a function: shapes at which measurements decide, then both times."""
    for place in fit.contradicted:
        shape = style.both.join(
            style.equal.format(name=names[column], value=repr(value))
            for column, value in fit.timings.shape(place).items()
        )
        answer = style.true if fit.measured_faster[place] > 0 else style.false
        yield from style.exception.format(shape=shape, answer=answer).splitlines()
    taken = names.values()
    told = {role: _unused(local, taken) for role, local in _LOCALS.items() if role in fit.formulas}
    for role, name in told.items():
        value = _printed(_renamed(fit.formulas[role].tree(), names), style)
        yield style.local.format(name=name, value=value)
    host, other = _unused("host", taken), _unused("offloaded", taken)
    known: dict[str, ast.expr] = {
        _LOCALS[role]: ast.Name(id=told[role]) if role in told else ast.Constant(value=0.0)
        for role in _LOCALS
    }
    known |= {name: ast.Constant(value=value) for name, value in fit.parameters.items()}
    times = {
        name: _inserted(_expression(f"_shape_time_{path}"), known)
        for path, name in (("host", host), ("accelerated", other))
    }
    nodes = (node for time in times.values() for node in ast.walk(time))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    if style.unused:
        yield from (style.unused.format(name) for name in told.values() if name not in used)
    for name, time in times.items():
        yield style.local.format(name=name, value=_printed(time, style))
    yield from by.format(host=host, other=other).splitlines()


def _unused(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _renamed(tree: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """A formula with other names of its columns."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in called:
            node.id = names[node.id]
    return tree


def _expression(name: str) -> ast.expr:
    """Expression that a generated function returns."""
    tree = ast.parse(inspect.getsource(getattr(generated, name)))
    [returned] = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    assert returned is not None
    return returned


def _inserted(node: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    """An expression with its names replaced; without terms that are zero, and first powers."""
    match node:
        case ast.Name(id=name):
            return known[name]
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _inserted(left, known), _inserted(right, known)
            first, last = (getattr(each, "value", None) for each in (one, other))
            if isinstance(op, ast.Add) and 0 in (first, last):
                return other if first == 0 else one
            if isinstance(op, ast.Mult) and 0 in (first, last):
                return ast.Constant(value=0.0)
            if isinstance(op, ast.Pow) and (last == 1 or first == 0):
                return one
            return ast.BinOp(left=one, op=op, right=other)
    raise AssertionError(ast.dump(node))


_SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", 1),
    ast.Sub: ("-", 1),
    ast.Mult: ("*", 2),
    ast.Div: ("/", 2),
}
"""Operators and how closely they bind."""

_UNARY, _ATOM = 3, 4


def _printed(node: ast.expr, style: _Style) -> str:
    return _bound(node, style)[0]


def _bound(node: ast.expr, style: _Style) -> tuple[str, int]:
    """An expression in a language, and how closely it binds."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return repr(float(value)), _ATOM  # never an integer, with all of its digits
        case ast.Name(id=name):
            return name, _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return f"-{_within(inner, style, _ATOM)}", _UNARY
        case ast.UnaryOp(operand=inner):
            return _bound(inner, style)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            both = (_printed(left, style), _printed(right, style))
            return style.functions["power"].format(*both), _ATOM
        case ast.BinOp(left=left, op=op, right=right):
            sign, level = _SIGNS[type(op)]
            # what stands right of a sign of the same kind keeps its brackets: no sum is reordered
            one, other = _within(left, style, level), _within(right, style, level + 1)
            return f"{one} {sign} {other}", level
        case ast.Call(func=ast.Name(id=name), args=args):
            return style.functions[name].format(*(_printed(each, style) for each in args)), _ATOM
    raise AssertionError(ast.dump(node))


def _within(node: ast.expr, style: _Style, level: int) -> str:
    text, own = _bound(node, style)
    return text if own >= level else f"({text})"
