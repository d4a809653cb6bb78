"""Layouts as boxes of characters, in two dimensions."""

from sympy.printing.pretty.stringpict import prettyForm, stringPict

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
from logca.derive.notation.signs import SIGNS, text_of

__all__ = ["boxes"]


def boxes(node: Node) -> str:
    """The layout drawn with fraction bars, raised exponents and tall brackets."""
    drawn = _draw(node)
    lines = str(drawn).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def _draw(node: Node) -> prettyForm:
    match node:
        case Name(name):
            return prettyForm(text_of(name))
        case Letter(written) | Number(written) | Word(written):
            return prettyForm(written)
        case Sign(key):
            return prettyForm(SIGNS[key].text)
        case Row(parts):
            return _beside(*(_draw(part) for part in parts))
        case Fraction(over, under):
            above, below = _draw(over), _draw(under)
            bar = prettyForm("─" * max(above.width(), below.width()))
            stacked, _ = stringPict.stack(above, bar, below)
            return prettyForm(stacked, baseline=above.height())
        case Choose(over, under):
            pair = (_draw(over), prettyForm(", "), _draw(under))
            return _beside(prettyForm("binomial"), prettyForm(*_beside(*pair).parens()))
        case Script(Sign("sum"), sub, sup) if sub is not None and sup is not None:
            sign = prettyForm(SIGNS["sum"].text)
            above, below = _draw(sup), _draw(sub)
            stacked, _ = stringPict.stack(above, sign, below)
            return prettyForm(stacked, baseline=above.height())
        case Script(base, sub, sup):
            return _script(_draw(base), sub, sup)
        case Fence(body, marks):
            return prettyForm(*_draw(body).parens(left=marks[0], right=marks[1]))
        case Radical(body):
            return _beside(prettyForm("√"), prettyForm(*_draw(body).parens()))
        case Accent(body, mark):
            return _beside(_draw(body), prettyForm(mark))
        case Cases(rows):
            return _cases(rows)
        case RootOf(letter, left, right, rising):
            words = f"the {'rising' if rising else 'falling'} root {letter} of "
            sides = (_draw(left), prettyForm(" = "), _draw(right))
            return _beside(prettyForm(words), *sides)


def _beside(*parts: stringPict) -> prettyForm:
    return prettyForm(*stringPict.next(*parts))


def _script(base: prettyForm, sub: Node | None, sup: Node | None) -> prettyForm:
    raised = prettyForm("") if sup is None else _draw(sup)
    lowered = prettyForm("") if sub is None else _draw(sub)
    width = max(raised.width(), lowered.width())
    blank = [" " * base.width()]
    top = [] if sup is None else [line.ljust(width) for line in str(raised).splitlines()]
    bottom = [] if sub is None else [line.ljust(width) for line in str(lowered).splitlines()]
    lines = (
        [blank[0] + line for line in top]
        + [line + " " * width for line in str(base).splitlines()]
        + [blank[0] + line for line in bottom]
    )
    return prettyForm("\n".join(lines), baseline=len(top) + base.baseline)


def _cases(rows: tuple[tuple[Node, Node | None], ...]) -> prettyForm:
    values = [_draw(value) for value, _ in rows]
    width = max(value.width() for value in values)
    lines: list[str] = []
    for value, (_, condition) in zip(values, rows, strict=True):
        when = prettyForm("otherwise") if condition is None else _draw(condition)
        word = prettyForm("" if condition is None else "if ")
        padding = prettyForm(" " * (width - value.width() + 2))
        lines += [*str(_beside(value, padding, word, when)).splitlines(), ""]
    body = prettyForm("\n".join(lines[:-1]), baseline=(len(lines) - 1) // 2)
    return prettyForm(*body.parens(left="{", right=""))
