"""The looks of a formula, apart from any markup: a tree of boxes, as a typesetter sees it."""

from dataclasses import dataclass

__all__ = [
    "Accent",
    "Cases",
    "Choose",
    "Fence",
    "Fraction",
    "Letter",
    "Name",
    "Node",
    "Number",
    "Radical",
    "RootOf",
    "Row",
    "Script",
    "Sign",
    "Word",
]


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol or quantity; how it is written depends on the markup."""

    name: str


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter of a symbol, as it stands."""

    letter: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number in digits."""

    digits: str


@dataclass(frozen=True, slots=True)
class Sign:
    """An operator, relation or separator, by its key in `logca.derive.notation.signs.SIGNS`."""

    key: str


@dataclass(frozen=True, slots=True)
class Word:
    """Upright letters: the name of a function, or a word between formulas."""

    word: str


@dataclass(frozen=True, slots=True)
class Row:
    """Boxes side by side; `kind` is "sum", "product", "relation" or "" and decides on brackets."""

    parts: tuple["Node", ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Fraction:
    """One box over another."""

    over: "Node"
    under: "Node"


@dataclass(frozen=True, slots=True)
class Choose:
    """A binomial coefficient."""

    over: "Node"
    under: "Node"


@dataclass(frozen=True, slots=True)
class Script:
    """A box with a subscript, a superscript or both."""

    base: "Node"
    sub: "Node | None" = None
    sup: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Fence:
    """A box in brackets: ``()``, ``[]`` or ``||``."""

    body: "Node"
    marks: str = "()"


@dataclass(frozen=True, slots=True)
class Radical:
    """A square root."""

    body: "Node"


@dataclass(frozen=True, slots=True)
class Accent:
    """A letter under a hat, bar or tilde."""

    body: "Node"
    mark: str


@dataclass(frozen=True, slots=True)
class Cases:
    """Values with the conditions under which they hold; a condition of None is the last resort."""

    rows: tuple[tuple["Node", "Node | None"], ...]


@dataclass(frozen=True, slots=True)
class RootOf:
    """The letter's positive value at which the left side rises (or falls) through the right."""

    letter: str
    left: "Node"
    right: "Node"
    rising: bool


Node = (
    Name
    | Letter
    | Number
    | Sign
    | Word
    | Row
    | Fraction
    | Script
    | Fence
    | Radical
    | Accent
    | Cases
    | Choose
    | RootOf
)
