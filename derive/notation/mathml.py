"""Layouts as presentation MathML, with the elements of MathML Core only."""

from xml.sax.saxutils import escape

from logca.derive.notation.boxes import (
    Accent,
    Cases,
    Choose,
    Fence,
    Fraction,
    Letter,
    Name,
    Node,
    Number,
    Radical,
    RootOf,
    Row,
    Script,
    Sign,
    Word,
)
from logca.derive.notation.signs import SIGNS, latex_of, layout_of

__all__ = ["element"]


def element(node: Node, annotation: str, *, display: bool) -> str:
    """A whole ``<math>`` element."""
    style = "block" if display else "inline"
    quoted = escape(annotation, {chr(34): "&quot;"})
    alternative = f' alttext="{quoted}"' if annotation else ""
    space = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    return f'<math {space} display="{style}"{alternative}>{_one(node)}</math>'


def _one(node: Node) -> str:
    """The markup as exactly one element."""
    found = _markup(node)
    single = (
        not isinstance(node, Row | Fence | RootOf | Cases | Choose | Name) and found.count("<") > 0
    )
    return found if single else f"<mrow>{found}</mrow>"


def _markup(node: Node) -> str:
    match node:
        case Name(name):
            return _one(layout_of(latex_of(name)))
        case Letter(letter):
            return f"<mi>{escape(letter)}</mi>"
        case Number(digits):
            return f"<mn>{escape(digits)}</mn>"
        case Sign(key):
            return _sign(key)
        case Word(word):
            shown = "ln" if word == "log" else word
            return f'<mi mathvariant="normal">{escape(shown)}</mi>'
        case Row(parts):
            return "".join(_markup(part) for part in parts)
        case Fraction(over, under):
            return f"<mfrac>{_one(over)}{_one(under)}</mfrac>"
        case Choose(over, under):
            stacked = f'<mfrac linethickness="0">{_one(over)}{_one(under)}</mfrac>'
            return _fenced("()", stacked)
        case Script(base, sub, sup):
            return _script(base, sub, sup)
        case Fence(body, marks):
            return _fenced(marks, _markup(body))
        case Radical(body):
            return f"<msqrt>{_markup(body)}</msqrt>"
        case Accent(body, mark):
            return f'<mover accent="true">{_one(body)}<mo stretchy="false">{mark}</mo></mover>'
        case Cases(rows):
            return _cases(rows)
        case RootOf(letter, left, right, rising):
            arrow = SIGNS["up" if rising else "down"].mathml
            label = (
                f'<msub><mi mathvariant="normal">root</mi><mi>{escape(letter)}</mi></msub>'
                f'<mo stretchy="false" lspace="0" rspace="0">{arrow}</mo>'
            )
            equation = f"{_markup(left)}<mo>=</mo>{_markup(right)}"
            return label + _fenced("[]", equation)


def _sign(key: str) -> str:
    shown = escape(SIGNS[key].mathml)
    if key in ("and", "or"):
        return f'<mspace width="0.5em"/><mtext>{shown}</mtext><mspace width="0.5em"/>'
    if key == "oo":
        return f"<mi>{shown}</mi>"
    if key == "neg":
        return f'<mo form="prefix">{shown}</mo>'
    if key in ("(", ")"):
        return f'<mo stretchy="false">{shown}</mo>'
    if key == "times":
        return f'<mo lspace="0" rspace="0">{shown}</mo><mspace width="0.17em"/>'
    if key == "of":
        return '<mspace width="0.17em"/>'
    return f"<mo>{shown}</mo>"


_TALL = ("<mfrac", "<msqrt", "<mtable", "<munder")


def _fenced(marks: str, markup: str) -> str:
    """A row of its own, so that the brackets grow no taller than what they hold.

    Around one line they keep their size: browsers leave room at those that may grow.
    """
    grows = any(tag in markup for tag in _TALL)
    first, last = _fence(marks[0], "prefix", grows), _fence(marks[1], "postfix", grows)
    return f"<mrow>{first}{markup}{last}</mrow>"


def _fence(mark: str, form: str, grows: bool) -> str:
    grow = f'stretchy="{str(grows).lower()}" fence="true" lspace="0" rspace="0"'
    return f'<mo form="{form}" {grow}>{escape(mark)}</mo>'


def _script(base: Node, sub: Node | None, sup: Node | None) -> str:
    if base == Sign("sum") and sub is not None and sup is not None:
        return f"<munderover><mo>∑</mo>{_one(sub)}{_one(sup)}</munderover>"
    whole = _one(base)
    if base == Word("lim") and sub is not None:
        return f"<munder>{whole}{_one(sub)}</munder>"
    if sub is None:
        assert sup is not None
        return f"<msup>{whole}{_one(sup)}</msup>"
    if sup is None:
        return f"<msub>{whole}{_one(sub)}</msub>"
    return f"<msubsup>{whole}{_one(sub)}{_one(sup)}</msubsup>"


def _cases(rows: tuple[tuple[Node, Node | None], ...]) -> str:
    lines = []
    for value, condition in rows:
        when = (
            "<mtext>otherwise</mtext>"
            if condition is None
            else f'<mtext>if</mtext><mspace width="0.4em"/>{_markup(condition)}'
        )
        left = 'style="text-align:left"'
        lines.append(f"<mtr><mtd {left}>{_markup(value)}</mtd><mtd {left}>{when}</mtd></mtr>")
    table = f'<mtable displaystyle="true">{"".join(lines)}</mtable>'
    return f"<mrow>{_fence('{', 'prefix', True)}{table}</mrow>"
