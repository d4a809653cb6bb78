"""Signs, symbols and quantities as written in text, LaTeX and MathML."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from logca.derive.core import catalogue
from logca.derive.core.symbols import TABLE
from logca.derive.notation.boxes import Accent, Letter, Node, Number, Row, Script, Sign, Word

__all__ = ["SIGNS", "Glyph", "latex_of", "layout_of", "text_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """A sign in each markup."""

    text: str  # with the spaces around it
    latex: str  # a macro or character that KaTeX and mathtext know
    mathml: str  # the content of ``<mo>``


def _glyph(text: str, latex: str = "", mathml: str = "") -> Glyph:
    return Glyph(text=text, latex=latex or text.strip(), mathml=mathml or text.strip())


SIGNS: dict[str, Glyph] = {
    "+": _glyph(" + "),
    "-": _glyph(" − ", "-"),
    "neg": _glyph("−", "-"),
    "times": _glyph("·", r"\,", "\u2062"),
    "dot": _glyph("·", r"\cdot"),
    "/": _glyph("/"),
    "=": _glyph(" = "),
    "!=": _glyph(" ≠ ", r"\neq"),
    "<": _glyph(" < ", "<", "<"),
    "<=": _glyph(" ≤ ", r"\leq"),
    ">": _glyph(" > ", ">", ">"),
    ">=": _glyph(" ≥ ", r"\geq"),
    "and": _glyph(" and ", r"\ \mathrm{and}\ ", "and"),
    "or": _glyph(" or ", r"\ \mathrm{or}\ ", "or"),
    ",": _glyph(", ", r",\,"),
    ";": _glyph("; ", ";"),
    "->": _glyph(" → ", r"\to"),
    "<->": _glyph(" ↔ ", r"\leftrightarrow"),
    "oo": _glyph("∞", r"\infty"),
    "d": _glyph("∂", r"\partial "),
    "sum": _glyph("∑", r"\sum"),
    "of": _glyph(" ", r"\,", " "),
    "!": _glyph("!"),
    "'": _glyph("′", r"\prime"),
    "*": _glyph("*", "*"),
    "(": _glyph("("),
    ")": _glyph(")"),
    "up": _glyph("↑", r"\uparrow"),
    "down": _glyph("↓", r"\downarrow"),
}
"""Every sign a layout may hold."""

_GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau"
    "|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Xi|Sigma|Phi|Psi|Omega"
)
_LETTERS = {"ell": "ℓ"}
_ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~"}
_TOKEN = re.compile(r"\\mathrm\{[^{}]*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S")


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    letter = "LAMDA" if name.lower() == "lambda" else name.upper()
    return unicodedata.lookup(f"GREEK {case} LETTER {letter}")


@cache
def text_of(name: str) -> str:
    """The name in a terminal; it still reads like the name in claims.

    Examples
    --------
    >>> text_of("L0"), text_of("beta"), text_of("g1")
    ('L₀', 'β', 'g1')
    """
    if _GREEK.fullmatch(name):
        return _greek(name)
    stem, digits = _split_digits(name)
    if digits and name not in catalogue.names():
        return text_of(stem) + "".join(chr(ord("₀") + int(digit)) for digit in digits)
    return name


def _split_digits(name: str) -> tuple[str, str]:
    stem = name.rstrip("0123456789")
    return (stem, name[len(stem) :]) if len(stem) == 1 or _GREEK.fullmatch(stem) else (name, "")


@cache
def latex_of(name: str) -> str:
    r"""The symbol or quantity in LaTeX.

    Examples
    --------
    >>> latex_of("gA2"), latex_of("xi"), latex_of("ratio")
    ('g_{A/2}', '\\xi', '\\mathrm{ratio}')
    """
    if name in TABLE:
        return TABLE[name].latex
    if name in catalogue.names():
        return catalogue.formula(name).latex or _plain_latex(name)
    return _plain_latex(name)


def _plain_latex(name: str) -> str:
    if name.endswith("'"):
        return f"{_plain_latex(name[:-1])}'"
    if _GREEK.fullmatch(name):
        return f"\\{name}"
    stem, digits = _split_digits(name)
    if digits:
        return f"{_plain_latex(stem)}_{{{digits}}}"
    stem, _, rest = name.partition("_")
    if rest and len(stem) == 1:
        below = rest if len(rest) == 1 else rf"\mathrm{{{rest}}}".replace("_", r"\,")
        return f"{stem}_{{{below}}}"
    return name if len(name) == 1 else rf"\mathrm{{{name}}}".replace("_", r"\,")


@cache
def layout_of(latex: str) -> Node:
    """The layout of a symbol's LaTeX, for markups that are not LaTeX.

    Examples
    --------
    >>> layout_of("g_1")
    Script(base=Letter(letter='g'), sub=Number(digits='1'), sup=None)
    """
    return _Snippet(latex).row()


class _Snippet:
    """Reads the few constructs that occur in the LaTeX of symbols."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.tokens: Iterator[str] = iter(_TOKEN.findall(latex))
        self.ahead = next(self.tokens, "")

    def take(self) -> str:
        token, self.ahead = self.ahead, next(self.tokens, "")
        return token

    def row(self) -> Node:
        parts: list[Node] = []
        while self.ahead not in ("", "}"):
            if self.ahead in (r"\,", r"\ "):
                self.take()
                parts.append(Sign("times"))
                continue
            parts.append(self.scripted())
        self.take()
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def scripted(self) -> Node:
        base = self.atom()
        sub: Node | None = None
        sup: Node | None = None
        while self.ahead in ("_", "^", "'"):
            mark = self.take()
            if mark == "_":
                sub = self.atom()
            else:
                sup = Sign("'") if mark == "'" else self.atom()
        return base if sub is None and sup is None else Script(base, sub=sub, sup=sup)

    def atom(self) -> Node:
        token = self.take()
        if token == "{":
            return self.row()
        if token.startswith(r"\mathrm{"):
            return Word(token[8:-1].replace(r"\,", " "))
        if token.startswith("\\"):
            return self.command(token[1:])
        if token[0].isdigit():
            return Number(token)
        return Letter(token) if token.isalpha() else Sign(token)

    def command(self, name: str) -> Node:
        if name in _ACCENTS:
            return Accent(self.atom(), _ACCENTS[name])
        if _GREEK.fullmatch(name.removeprefix("var")):
            return Letter(_greek(name.removeprefix("var")))
        if name in _LETTERS:
            return Letter(_LETTERS[name])
        for key, glyph in SIGNS.items():
            if glyph.latex.strip() == f"\\{name}":
                return Sign(key)
        if name in ("max", "min", "ln", "log", "exp"):
            return Word(name)
        raise ValueError(f"\\{name} in {self.latex!r} is not known to the printers")
