"""From the text of a claim to a syntax tree, within limits; nothing is ever evaluated."""

import ast
import re
import unicodedata
import warnings

from logca.common.errors import LogcaError

__all__ = [
    "MAX_DEPTH",
    "MAX_DIGITS",
    "ClaimSyntaxError",
    "described",
    "exact_number",
    "split_list",
    "tree",
]

MAX_LENGTH = 4000
MAX_DEPTH = 60
MAX_DIGITS = 400
_MAX_BITS = 4 * MAX_DIGITS

_WRITE_INSTEAD = {
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "−": "-",
    "÷": "/",
    "∞": "oo",
    "²": "**2",
    "³": "**3",
    "½": "1/2",
    "∧": "and",
    "∨": "or",
    "¬": "not",
    "→": "implies(p, q)",
    "⇒": "implies(p, q)",
    "√": "sqrt(x)",
    "&": "and",
    "|": "or",
    ";": "and",
}
_PARTS: dict[type[ast.AST], str] = {
    ast.Attribute: "an attribute, as in a.b,",
    ast.Subscript: "a subscript, as in a[b],",
    ast.Lambda: "a lambda",
    ast.IfExp: "a conditional 'a if b else c'",
    ast.NamedExpr: "an assignment :=",
    ast.JoinedStr: "a string",
    ast.Tuple: "a list of several things, joined by commas instead of 'and',",
    ast.List: "a list",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Starred: "a star before a name",
    ast.Compare: "a comparison in the place of a value",
    ast.BoolOp: "'and' or 'or' in the place of a value",
    ast.BinOp: "arithmetic in the place of a statement",
    ast.UnaryOp: "this sign in the place of a statement",
}


class ClaimSyntaxError(LogcaError, ValueError):
    """A claim or hypothesis that the grammar does not admit; the message says where and why."""


def tree(text: object) -> ast.expr:
    """The syntax tree of one expression."""
    if not isinstance(text, str):
        raise ClaimSyntaxError(f"a claim is text, not {type(text).__name__}")
    if not text.strip():
        raise ClaimSyntaxError("the claim is empty; write for example 'g1 < gA2'")
    if len(text) > MAX_LENGTH:
        raise ClaimSyntaxError(
            f"the claim has {len(text)} characters; at most {MAX_LENGTH} are read"
        )
    strange = next((character for character in text if not character.isascii()), "")
    if strange:
        raise ClaimSyntaxError(_not_ascii(strange))
    if "#" in text:
        raise ClaimSyntaxError("# is not part of the claim language: a claim has no comments")
    one_line = " ".join(text.splitlines()).strip()  # a claim may go on over several lines
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(one_line, mode="eval").body
    except SyntaxError as error:
        raise ClaimSyntaxError(_message(one_line, error)) from None
    except (ValueError, RecursionError, MemoryError):
        raise ClaimSyntaxError("the claim cannot be read: too deeply nested, or not text") from None


def _not_ascii(character: str) -> str:
    name = unicodedata.name(character, "")
    instead = _WRITE_INSTEAD.get(character, "")
    if name.startswith("GREEK SMALL LETTER "):
        instead = name.removeprefix("GREEK SMALL LETTER ").lower()
    hint = f"; write {instead}" if instead else ""
    shown = f"'{character}' ({name})" if name else f"U+{ord(character):04X}"
    return f"{shown} is not part of the claim language, which is ASCII{hint}"


def _message(text: str, error: SyntaxError) -> str:
    if "too many nested" in str(error.msg) or "too complex" in str(error.msg):
        return "the claim cannot be read: it is too deeply nested"
    for mark in "&|;":
        if mark in text:
            return f"'{mark}' is not part of the claim language; write {_WRITE_INSTEAD[mark]}"
    if re.search(r"!(?!=)", text):
        return "'!' is not part of the claim language; write not"
    if error.offset == 0:
        return f"the claim ends too early: {text[-24:]!r}"
    column = error.offset or 1
    bare = text
    for relation in ("==", "<=", ">=", "!="):
        bare = bare.replace(relation, "")
    hint = "; equality is written ==" if re.search(r"=(?![^()]*\))", bare) else ""
    if infix := re.search(r"\b(implies|iff)\b(?!\s*\()", text):
        hint = f"; write {infix[1]}(p, q)"
    if re.search("[=-]>", text) or "implies" in hint:
        hint = "; that p implies q is written implies(p, q), or q with p given"
    if run := re.search(r"(?<![\w.])(\d+)([A-Za-df-z(]\w*)", text):
        hint = f"; a product is written with *: {run[1]}*{run[2]}"
    return f"not a claim at column {column}: {text[max(0, column - 12) : column + 12]!r}{hint}"


def described(node: ast.AST) -> str:
    """The kind of a part of the tree, in words.

    Examples
    --------
    >>> described(tree("a.b"))
    'an attribute, as in a.b,'
    """
    return _PARTS.get(type(node), type(node).__name__)


def exact_number(node: ast.Constant, text: str) -> str | None:
    """The digits of a number as written, or None if it is none, or has too many of them.

    Examples
    --------
    >>> exact_number(tree("2.50e3"), "2.50e3"), exact_number(tree("0x10"), "0x10")
    ('2.50e3', '16')
    """
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _MAX_BITS else None
    written = (ast.get_source_segment(text, node) or repr(value)).replace("_", "").lower()
    exponent = written.partition("e")[2] or "0"
    return written if len(written) <= MAX_DIGITS and abs(int(exponent)) <= MAX_DIGITS else None


def split_list(text: str) -> tuple[str, ...]:
    """Split hypotheses at the commas outside parentheses.

    Examples
    --------
    >>> split_list("A > 2, speedup(g=x, o=0) > 1")
    ('A > 2', 'speedup(g=x, o=0) > 1')
    """
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return tuple(part.strip() for part in parts if part.strip())
