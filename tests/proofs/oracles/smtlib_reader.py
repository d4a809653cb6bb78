"""A reader of SMT-LIB 2 and of Alethe proofs that knows nothing of the provers.

It evaluates what a certificate asserts, and what the comments above say in mathematics, with
mpmath; the tests ask that both are the same, and true.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import mpmath
from mpmath import mpf

Tree = str | list["Tree"]

DIGITS = 50
_TOKEN = re.compile(r'\(|\)|"[^"]*"|[^\s()]+')


class Undefined(Exception):
    """Something has no value."""


@dataclass(frozen=True)
class Asserted:
    """An assertion of a script, and the mathematics in the comment above."""

    name: str
    formula: Tree
    mathematics: str


def trees(text: str) -> list[Tree]:
    """All expressions of a text without comments."""
    stack: list[list[Tree]] = [[]]
    for token in _TOKEN.findall(re.sub(r"(?m)^;.*$", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "brackets do not match"
    return stack[0]


def assertions(script: str) -> list[Asserted]:
    """The assertions of a script."""
    found, said = [], ""
    for line in script.splitlines():
        if line.startswith(";     "):
            said += " " + line[1:].strip()
        elif line.startswith("(assert"):
            (_, (_, formula, _, name)) = trees(line)[0]
            assert isinstance(name, str)
            found.append(Asserted(name, formula, said.strip()))
            said = ""
    return found


def variables(script: str) -> dict[str, str]:
    """What the variables of a script stand for."""
    found, name = {}, ""
    for line in script.splitlines():
        if match := re.fullmatch(r"; (v\d+) is (.*)", line):
            name = match[1]
            found[name] = match[2]
        elif name and line.startswith(";   "):
            found[name] += " " + line[1:].strip()
        else:
            name = ""
    return found


def true(formula: Tree, values: Mapping[str, mpf]) -> bool:
    """The truth of a formula of SMT-LIB; sides that agree to 35 digits are equal."""
    if isinstance(formula, str):
        return {"true": True, "false": False}[formula]
    head, *parts = formula
    if head in ("or", "and", "not"):
        truths = [true(part, values) for part in parts]
        return not truths[0] if head == "not" else (any if head == "or" else all)(truths)
    assert isinstance(head, str)
    left, right = (value(part, values) for part in parts)
    return compare({"=": "==", "distinct": "!="}.get(head, head), left, right)


def compare(sign: str, left: mpf, right: mpf) -> bool:
    """A comparison of numbers that carry rounding errors."""
    equal = abs(left - right) <= mpf(10) ** -35 * max(1, abs(left), abs(right))
    if sign in ("==", "!="):
        return equal == (sign == "==")
    return equal if equal and "=" in sign else not equal and (left < right) == ("<" in sign)


def value(term: Tree, values: Mapping[str, mpf]) -> mpf:
    """The value of a term of SMT-LIB."""
    if isinstance(term, str):
        return values[term] if term in values else mpf(term)
    head, *parts = term
    numbers = [value(part, values) for part in parts]
    if head == "-":
        return -numbers[0] if len(numbers) == 1 else numbers[0] - mpmath.fsum(numbers[1:])
    if head == "/":
        return numbers[0] / numbers[1]
    return mpmath.fsum(numbers) if head == "+" else mpmath.fprod(numbers)


def evaluated(said: str, values: Mapping[str, mpf]) -> mpf:
    """The value of an expression in mathematics; an `Undefined` where it has none."""
    text = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"mpf(\1)", said)
    try:
        found = eval(text, {"__builtins__": {}, "mpf": mpf, **_FUNCTIONS, **values})
    except (ZeroDivisionError, ValueError) as error:
        raise Undefined(said) from error
    if isinstance(found, mpmath.mpc):
        raise Undefined(said)
    return mpf(found)


def says_true(said: str, values: Mapping[str, mpf]) -> bool:
    """The truth of a statement in mathematics, made of comparisons, "or", "and" and "not"."""
    if said in ("True", "False"):
        return said == "True"
    for word, combined in ((" or ", any), (" and ", all)):
        parts = list(_split(said, word))
        if len(parts) > 1:
            return combined(says_true(part[1:-1], values) for part in parts)
    if said.startswith("not ("):
        return not says_true(said[5:-1], values)
    left, sign, right = re.split(r" (==|!=|<=|>=|<|>) ", said)
    return compare(sign, evaluated(left, values), evaluated(right, values))


def _split(said: str, word: str) -> Iterator[str]:
    depth, start = 0, 0
    for index, letter in enumerate(said):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and said.startswith(word, index):
            yield said[start:index]
            start = index + len(word)
    yield said[start:]


def _root(k: mpf, c: mpf, l: mpf, b: mpf, *, rising: bool) -> mpf:
    """The x at which k*x**b - c - l*x changes its sign as asked, by bisection on a grid."""

    def gap(x: mpf) -> mpf:
        return k * x**b - c - l * x

    grid = [mpf(10) ** (mpf(exponent) / 4) for exponent in range(-60, 61)]
    for low, high in pairwise(grid):
        if (gap(low) < 0 <= gap(high)) if rising else (gap(low) > 0 >= gap(high)):
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (middle, high) if (gap(middle) < 0) == rising else (low, middle)
            return high
    raise ValueError("there is no such root")


_FUNCTIONS = {
    "log": mpmath.log,
    "exp": mpmath.exp,
    "sqrt": mpmath.sqrt,
    "max": max,
    "min": min,
    "abs": abs,
    "LowerRoot": lambda *args: _root(*map(mpf, args), rising=True),
    "UpperRoot": lambda *args: _root(*map(mpf, args), rising=False),
}


def premises_of(proof: str) -> tuple[list[Tree], list[list[Tree]]]:
    """The formulas that an Alethe proof assumes, and its steps, with names written out.

    What is assumed within a step, and discharged by it, is a premise of that step alone.
    """
    [steps] = trees(proof)
    shared: dict[str, Tree] = {}
    for step in steps:
        _collect(step, shared)
    full = [_unfolded(step, shared) for step in steps]
    assumed = [step[2] for step in full if step[0] == "assume" and "." not in step[1]]
    return assumed, [step for step in full if isinstance(step, list)]


def _collect(tree: Tree, shared: dict[str, Tree]) -> None:
    if isinstance(tree, list):
        for part in tree:
            _collect(part, shared)
        if len(tree) == 4 and tree[0] == "!" and tree[2] == ":named":
            assert isinstance(tree[3], str)
            shared[tree[3]] = tree[1]


def _unfolded(tree: Tree, shared: Mapping[str, Tree]) -> Tree:
    if isinstance(tree, str):
        return _unfolded(shared[tree], shared) if tree in shared else tree
    if tree and tree[0] == "!":
        return _unfolded(tree[1], shared)
    return [_unfolded(part, shared) for part in tree]


def with_plain_numbers(tree: Tree) -> Tree:
    """A formula in which 0.0, 0/1 and (/ 1.0 2.0) are written alike."""
    if isinstance(tree, str):
        if re.fullmatch(r"-?\d+(\.\d+)?(/\d+)?", tree):
            over, _, under = tree.partition("/")
            return str(mpf(over) / mpf(under or 1))
        return tree
    parts = [with_plain_numbers(part) for part in tree]
    if parts and parts[0] in ("/", "-") and all(_is_number(part) for part in parts[1:]):
        numbers = [mpf(part) for part in parts[1:]]
        return str(-numbers[0] if len(numbers) == 1 else numbers[0] / numbers[1])
    return parts


def _is_number(tree: Tree) -> bool:
    return isinstance(tree, str) and re.fullmatch(r"-?[\d.e+-]+", tree) is not None
