"""Formulas of shapes: bytes, work and items of a call from columns such as m, n, k.

What users write is read by Python's own grammar, and nothing but numbers, columns, + - * / **,
log2, sqrt, min and max is taken from it, so that a formula can do nothing else.
"""

import ast
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from logca.common.errors import LogcaError
from logca.common.near_misses import did_you_mean

__all__ = [
    "FUNCTIONS",
    "KERNELS",
    "ROLES",
    "ShapeError",
    "ShapeFormula",
    "kernel_formulas",
    "shape_formula",
]

ROLES = ("bytes", "work", "items")
"""Amounts of a shape that formulas tell."""

FUNCTIONS = {"log2": 1, "sqrt": 1, "min": 2, "max": 2}
"""Functions that a formula may call, and how many arguments each has [1]."""

_ALLOWED = f"numbers, columns, + - * / **, {', '.join(FUNCTIONS)}"
_LONGEST = 300  # characters of a formula
_CHARACTERS = re.compile(r"[\w\s.,()+*/-]*", re.ASCII)  # of those parts
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


class ShapeError(LogcaError, ValueError):
    """Shapes, a formula of theirs or their timings make no sense; the message says what would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFormula:
    """A formula of columns, such as ``4*(m*k + k*n + m*n)``."""

    role: str  # bytes, work or items
    text: str  # as it was written
    columns: tuple[str, ...]  # that it uses, in the order in which they first occur

    def tree(self) -> ast.expr:
        """The formula as Python's grammar has it, of allowed parts only."""
        return _parsed(self.text, self.role)

    def __call__(self, columns: Mapping[str, Any]) -> Any:
        """Its value at values of the columns: numbers or arrays; not checked [its own unit]."""
        values = {name: np.asarray(columns[name], dtype=np.float64) for name in self.columns}
        with np.errstate(all="ignore"):
            return _evaluated(self.tree(), values)

    def checked(self, columns: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Its values, which are finite and not negative [its own unit]."""
        found = np.asarray(self(columns), dtype=np.float64)
        found = np.broadcast_to(found, np.broadcast_shapes(found.shape, *_shapes(columns)))
        wrong = ~(np.isfinite(found) & (found >= 0))
        if wrong.any():
            place = tuple(int(each[0]) for each in np.nonzero(np.atleast_1d(wrong)))
            at = ", ".join(
                f"{name} = {np.broadcast_to(columns[name], found.shape or (1,))[place]:g}"
                for name in self.columns
            )
            value = np.atleast_1d(found)[place]
            raise ShapeError(
                f"{self.role} = {self.text} is {value:g} at {at or 'every shape'}; it must be a "
                "finite number, zero or more"
            )
        return found


def _shapes(columns: Mapping[str, Any]) -> list[tuple[int, ...]]:
    return [np.shape(each) for each in columns.values()]


def shape_formula(role: str, text: str) -> ShapeFormula:
    """A formula that a user wrote.

    Examples
    --------
    >>> product = shape_formula("work", "2*m*n*k")
    >>> product.columns, float(product({"m": 2, "n": 3, "k": 4}))
    (('m', 'n', 'k'), 48.0)
    """
    tree = _parsed(text, role)
    with np.errstate(all="ignore"):
        _check_numbers(tree, f"{role} = {text.strip()}")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = [
        node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    ]
    names.sort(key=lambda node: node.col_offset)
    return ShapeFormula(
        role=role, text=text.strip(), columns=tuple(dict.fromkeys(node.id for node in names))
    )


def _parsed(text: str, role: str) -> ast.expr:
    if not text.strip():
        raise ShapeError(f"the formula of {role} is empty; write one such as 4*m*n, of columns")
    if len(text) > _LONGEST:
        raise ShapeError(f"the formula of {role} has {len(text)} characters, more than {_LONGEST}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ShapeError(
            f"{role} = {text.strip()!r} is no formula; it may have {_ALLOWED}"
        ) from None
    _check(tree, role)
    # A comment, which the tree does not have, would be code in a file that has the formula's text.
    if not _CHARACTERS.fullmatch(text):
        raise ShapeError(f"{role} = {text.strip()!a} has something else beside {_ALLOWED}")
    return tree


def _check(node: ast.expr, role: str) -> None:
    """Refuse what no formula may have."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return
        case ast.Name(id=name) if not keyword.iskeyword(name) and name.isascii():
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            return _check(inner, role)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            _check(left, role)
            return _check(right, role)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if len(args) == FUNCTIONS.get(
            name
        ):
            for each in args:
                _check(each, role)
            return None
        case ast.Call(func=ast.Name(id=name), args=args) if name in FUNCTIONS:
            wanted = "one argument" if FUNCTIONS[name] == 1 else "two arguments"
            raise ShapeError(f"{role}: {ast.unparse(node)}: {name} has {wanted}, not {len(args)}")
        case ast.Call(func=ast.Name(id=name)):
            hint = did_you_mean(name, FUNCTIONS) or f"known: {', '.join(FUNCTIONS)}"
            raise ShapeError(f"{role}: there is no function {name!r}; {hint}")
        case ast.BinOp(op=ast.BitXor()):
            raise ShapeError(f"{role}: {ast.unparse(node)}: write a power as **")
    raise ShapeError(f"{role}: {ast.unparse(node)!r:.60} is not allowed there; only {_ALLOWED}")


def _check_numbers(node: ast.expr, formula: str) -> bool:
    """Refuse parts without columns that have no finite value, such as 1/0; true of other ones."""
    if isinstance(node, ast.Name):
        return False
    parts = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    if not all([_check_numbers(each, formula) for each in parts if isinstance(each, ast.expr)]):
        return False
    try:
        fine = bool(np.isfinite(float(_evaluated(node, {}))))
    except (OverflowError, ZeroDivisionError, TypeError):  # the last of a complex number
        fine = False
    if not fine:
        raise ShapeError(
            f"{formula} has {ast.unparse(node):.60}, which is no finite real number; it may have "
            f"{_ALLOWED}, and its numbers are below 1.8e308"
        )
    return True


_CALLED = {"log2": np.log2, "sqrt": np.sqrt, "min": np.minimum, "max": np.maximum}


def _evaluated(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """The value of a formula, with numbers or arrays for its columns [its own unit].

    Numbers are doubles from the start: an integer of Python has as many digits as it takes.
    """
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=op, operand=inner):
            value = _evaluated(inner, values)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            one, other = (_evaluated(each, values) for each in (left, right))
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
                case ast.Div():
                    return one / other
                case ast.Pow():
                    return one**other
        case ast.Call(func=ast.Name(id=name), args=args):
            return _CALLED[name](*(_evaluated(each, values) for each in args))
    raise AssertionError(ast.dump(node))


KERNELS: dict[str, dict[str, str]] = {
    "gemm": {"bytes": "{element}*(m*k + k*n + m*n)", "work": "2*m*n*k"},
    "gemv": {"bytes": "{element}*(m*n + m + n)", "work": "2*m*n"},
    "copy": {"bytes": "size*copies", "items": "copies"},
    "fft": {"bytes": "4*{element}*n", "work": "5*n*log2(n)"},
}
"""Formulas of known kernels by name and role, for elements of so many bytes.

Matrices and vectors are read and written once; a copy has columns size [B] and copies; a Fourier
transform is one of complex numbers out of place, two elements each.
"""


def kernel_formulas(name: str, element: int = 4) -> dict[str, str]:
    """Formulas of a known kernel, for elements of so many bytes.

    Examples
    --------
    >>> kernel_formulas("gemm", 8)
    {'bytes': '8*(m*k + k*n + m*n)', 'work': '2*m*n*k'}
    """
    if name not in KERNELS:
        hint = did_you_mean(name, KERNELS) or f"known: {', '.join(KERNELS)}"
        raise ShapeError(f"there is no kernel {name!r}; {hint}")
    if not (isinstance(element, int) and element > 0):
        raise ShapeError(f"an element has {element!r} bytes; it must be a whole number from 1 on")
    return {role: text.format(element=element) for role, text in KERNELS[name].items()}
