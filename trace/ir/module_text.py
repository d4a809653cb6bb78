"""Searches in the text of a module, which for a large program has a hundred million characters.

A search for a plain text is a hundred times faster than one for a pattern at the starts of lines:
patterns are for the few lines that such a search finds. LLVM prints a module's types and variables
first, then functions, then groups of attributes, then metadata, and no end of a line inside a text.
"""

from collections.abc import Callable, Iterator

__all__ = ["attributes_in", "functions_in", "lines_with", "replaced", "with_attributes"]


def lines_with(text: str, word: str) -> Iterator[tuple[int, str]]:
    r"""The lines in which a word is, and where they start [1].

    A word that begins with an end of line is one that lines behind the first one start with.

    Examples
    --------
    >>> list(lines_with("one\ntwo words\nwords", "words"))
    [(4, 'two words'), (14, 'words')]
    >>> list(lines_with("one\ntwo words\nwords", "\nwords"))
    [(14, 'words')]
    """
    starts = word.startswith("\n")
    at = text.find(word)
    while at >= 0:
        start = at + 1 if starts else text.rfind("\n", 0, at) + 1
        end = text.find("\n", at + 1)
        end = len(text) if end < 0 else end
        yield start, text[start:end]
        at = text.find(word, end)


def replaced(text: str, word: str, change: Callable[[str], str | None]) -> str:
    r"""The text with other lines for those in which a word is; None takes one out.

    Examples
    --------
    >>> replaced("one\ntwo words\nthree", "words", lambda line: line.upper())
    'one\nTWO WORDS\nthree'
    >>> replaced("one\ntwo words\nthree", "words", lambda line: None)
    'one\nthree'
    """
    pieces, last = [], 0
    for start, line in lines_with(text, word):
        new = change(line)
        if new is None:
            pieces.append(text[last:start])
            last = start + len(line) + 1
        elif new is not line:
            pieces += [text[last:start], new]
            last = start + len(line)
    return "".join([*pieces, text[last:]]) if pieces else text


def functions_in(text: str) -> Iterator[tuple[int, int]]:
    r"""Where the functions with a body start, and where their last lines end [1].

    Examples
    --------
    >>> text = "@a = global i8 0\ndefine void @f() {\n  ret void\n}\ndeclare void @g()\n"
    >>> [text[start:end] for start, end in functions_in(text)]
    ['define void @f() {\n  ret void\n}']
    """
    start = 0 if text.startswith("define ") else text.find("\ndefine ") + 1
    while start > 0 or text.startswith("define ", start):
        end = text.find("\n}", start)
        end = len(text) if end < 0 else end + 2
        yield start, end
        start = text.find("\ndefine ", end) + 1
        if not start:
            return


def attributes_in(text: str) -> tuple[int, int]:
    r"""Where the groups of attributes start and end [1]; twice the end of a text without any.

    Examples
    --------
    >>> text = "declare void @f() #0\n\nattributes #0 = { cold }\n\n!0 = !{}\n"
    >>> start, end = attributes_in(text)
    >>> text[start:end]
    'attributes #0 = { cold }\n'
    """
    start = 0 if text.startswith("attributes #") else text.find("\nattributes #") + 1
    if not start and not text.startswith("attributes #"):
        return len(text), len(text)
    end = text.find("\n!", start)
    return start, len(text) if end < 0 else end


def with_attributes(text: str, change: Callable[[str], str]) -> str:
    """The text with groups of attributes that were changed."""
    start, end = attributes_in(text)
    return "".join([text[:start], change(text[start:end]), text[end:]])
