"""An evaluator of the terms that the exporter writes, from their text alone, to many digits."""

import operator
import re
from collections.abc import Callable, Mapping

import mpmath

__all__ = ["evaluate"]

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(.))")


def _power(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(0) if x <= 0 else mpmath.exp(y * mpmath.log(x))


_FUNCTIONS: Mapping[str, tuple[int, Callable[..., mpmath.mpf]]] = {
    "Rpower": (2, lambda x, y: mpmath.exp(y * mpmath.log(x))),
    "power": (2, _power),
    "ln": (1, mpmath.log),
    "exp": (1, mpmath.exp),
    "sqrt": (1, mpmath.sqrt),
    "sin": (1, mpmath.sin),
    "cos": (1, mpmath.cos),
    "asin": (1, mpmath.asin),
    "acos": (1, mpmath.acos),
    "sinh": (1, mpmath.sinh),
    "cosh": (1, mpmath.cosh),
    "arcsinh": (1, mpmath.asinh),
    "Rabs": (1, abs),
    "Rmax": (2, max),
    "Rmin": (2, min),
}


_DECISIONS: Mapping[str, Callable[[mpmath.mpf, mpmath.mpf], bool]] = {
    "Rlt_dec": operator.lt,
    "Rle_dec": operator.le,
    "Rgt_dec": operator.gt,
    "Rge_dec": operator.ge,
    "Req_EM_T": operator.eq,
}


class _Reader:
    """Reads a term by Coq's precedence: application, ^, unary - and /, * and /, + and -."""

    def __init__(self, text: str, values: Mapping[str, mpmath.mpf]) -> None:
        self.tokens = [
            m.group(m.lastindex or 0) for m in _TOKEN.finditer(text) if m.group().strip()
        ]
        self.values = values

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def sum(self) -> mpmath.mpf:
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = self.tokens.pop(0)
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> mpmath.mpf:
        value = self.unary()
        while self.peek() in ("*", "/"):
            sign = self.tokens.pop(0)
            other = self.unary()
            value = value * other if sign == "*" else value / other
        return value

    def unary(self) -> mpmath.mpf:
        if self.peek() == "-":
            self.tokens.pop(0)
            return -self.unary()
        if self.peek() == "/":
            self.tokens.pop(0)
            return 1 / self.unary()
        value = self.atom()
        if self.peek() == "^":
            self.tokens.pop(0)
            value = value ** int(self.atom())
        return value

    def atom(self) -> mpmath.mpf:
        token = self.tokens.pop(0)
        if token == "(":
            value = self.sum()
            assert self.tokens.pop(0) == ")"
            return value
        if token.isdigit():
            return mpmath.mpf(token)
        if token in _FUNCTIONS:
            count, function = _FUNCTIONS[token]
            return function(*[self.atom() for _ in range(count)])
        if token == "if":
            return self.by_case()
        return self.values[token]

    def by_case(self) -> mpmath.mpf:
        decision = _DECISIONS[self.tokens.pop(0)]
        holds = decision(self.atom(), self.atom())
        assert self.tokens.pop(0) == "then"
        value = self.sum()
        assert self.tokens.pop(0) == "else"
        otherwise = self.sum()
        return value if holds else otherwise


def evaluate(text: str, values: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    """The value of a term for values of its variables."""
    reader = _Reader(text, values)
    value = reader.sum()
    assert not reader.tokens, reader.tokens
    return value
