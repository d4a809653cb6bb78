"""Code that is not as `logca codegen` writes it, and may change what should_offload answers."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from string import Template

from logca.numeric.audit.code_text import Syntax, source_line, syntax_of, tokens

__all__ = ["foreign_line"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Emitted:
    """Emitted code of a language, apart from the functions that ask for sizes."""

    runs: tuple[list[list[str]], ...]  # tokens of its definitions, for each language
    names: frozenset[str]  # that it defines, as far as should_offload needs them
    words: frozenset[str]  # all of its words
    basic: frozenset[str]  # its words around sizes, which the language or a library defines


# Read as data: this room runs without those that generate code.
_TEMPLATES = files("logca.numeric").joinpath("generate", "offload", "templates")
_OF_SIZES = re.compile(  # words in the sizes that an audit reads
    r"U?INT(?:64|MAX)_(?:C|MAX)|(?:ULLONG|ULONG|SIZE)_MAX|uint64_t|uintmax_t|numeric_limits|u64"
    r"|math|inf|Infinity|Number"
)
_VARIABLE = re.compile(r"LOGCA_OFFLOAD[A-Z0-9_]*")
_NUMBER = re.compile(r"never, auto and (a [^\"\\\n]*)")
_DEFINED = re.compile(  # by emitted code, at the beginning of a line
    r"^(?:[a-z][\w:<> ]*?\b(\w+)\(|(?:let|enum|struct|static) (\w+)|\#define (\w+))", re.MULTILINE
)
_ASKING = ("$likely_within", "$state", "$starting_within")  # in functions that ask for sizes
_BEFORE_CALL = re.compile(
    r"[(\[{},;:.?!+/-]|::|[!=]?==?|&&|\|\||=>|return|if|elif|while|and|or|not|else|assert|await|yield"
    r"|\n.*|\# .*",
    re.DOTALL,
)
_BEFORE_NAME = re.compile(  # that it defines, or leaves undefined
    "type|struct|enum|union|mod|let|var|class|using|function|fn|def|del"
)
_EXPORTS = re.compile(  # of JavaScript, of what stands there, under its name
    r"(?:export|\bexports =) \{ (?:\w+ , )*(?:\w+ )?\}(?! from| =)"
    r"|\bexports \. (?P<name>\w+) = (?P=name)(?= ;|$)|\bmodule \. exports = \w+(?= ;|$)"
)
_FORMAT = re.compile(r"`|[rR]?[fFtT][rR]?[\"']")  # a text with code in it
_GUARD = re.compile(r"# ifndef (\w+)\n# define \1")
_MACRO = re.compile(r"# (?:define|undef) (\w+)")
_ENDS = re.compile(r"[;{}]|\# ")  # a statement
_SCOPES = {"namespace", "extern", "mod"}  # which leave what is in their braces as it is


def foreign_line(text: str, file: str) -> str | None:
    r"""First line that is not as `logca codegen` writes it, and may change the rule; None if none.

    Emitted definitions are to stand, token for token, where they are always there. Other code
    beside them may call, but not define, what they define.

    Examples
    --------
    >>> code = "def should_offload(size): return _within(size, 357, math.inf)\n"
    >>> foreign_line(code + "should_offload = print", "aes.py")
    'should_offload = print'
    """
    syntax = syntax_of(text, file)
    if syntax is None:
        return None
    code = tokens(text, syntax)
    texts = [each.text for each in code]
    heads = _matches(re.compile(rf"{syntax.head}(?={syntax.opened}|;)"), texts)
    defined = (found for span, found in heads if texts[span.stop] != ";")  # not only declared
    prefix = next((found["prefix"] for found in defined), None)
    if prefix is None:
        named = (each for each in texts if each.endswith("should_offload"))
        prefix = next(named, "").removesuffix("should_offload")
    emitted = _emitted(text, prefix, syntax)
    spans = [
        *(range(at, at + len(run)) for run in chain(*emitted.runs) for at in _places(texts, run)),
        *(each for each, _ in heads),
    ]
    always = _always(texts)
    misplaced = {each: _misplaced(texts, each, syntax, always) for each in spans}
    own = {at for each in spans if misplaced[each] is None for at in each}
    if syntax.html:
        own.update(at for each, _ in _matches(_EXPORTS, texts) for at in each)
    found = [each for each in (_gap(texts, runs) for runs in emitted.runs) if each is not None]
    for at in range(len(texts)):
        if at not in own and _is_foreign(texts, at, syntax, emitted):
            reasons = (misplaced[each] for each in spans if at in each)
            reason = next((each for each in reasons if each is not None), None)
            found.append(_edited(texts, at, chain(*emitted.runs)) if reason is None else reason)
            break
    return source_line(text, syntax, code[min(found)]) if found else None


def _gap(texts: Sequence[str], runs: Sequence[list[str]]) -> int | None:
    """Where one of the emitted definitions is missing; None if all are there, or none is."""
    places = [next(_places(texts, run), None) for run in runs]
    known = [each for each in places if each is not None]
    if not known or len(known) == len(runs):
        return None
    missing = places.index(None)
    last = known[missing - 1] + len(runs[missing - 1]) if missing else known[0] - len(runs[0])
    start = max(0, min(last, len(texts) - 1))
    return min(start + (_alike(texts[start:], runs[missing]) or 0), len(texts) - 1)


def _edited(texts: Sequence[str], at: int, runs: Iterable[Sequence[str]]) -> int:
    """The first token that is not as in the emitted definition of a name, or the name."""
    found = [at]
    for run in runs:
        start = at - run.index(texts[at]) if texts[at] in run else -1
        if start >= 0 and (alike := _alike(texts[start:], run)) is not None:
            found.append(start + alike)
    return max(found)


def _alike(texts: Sequence[str], run: Sequence[str]) -> int | None:
    """Number of tokens before the first that is not as in a run; None if all are as there."""
    pairs = enumerate(zip(texts, run, strict=False))
    return next((at for at, (each, emitted) in pairs if each != emitted), None)


def _emitted(text: str, prefix: str, syntax: Syntax) -> _Emitted:
    """The code that is emitted beside should_offload of that prefix: paragraphs of templates."""
    number = _NUMBER.search(text)
    variable = min(_VARIABLE.findall(text), key=len, default="LOGCA_OFFLOAD")
    values = {"prefix": prefix, "variable": variable, "macro": variable}
    values |= {"number": number[1] if number else "a number of bytes"}
    languages, names, words, basic = [], {f"{prefix}should_offload"}, set[str](), set[str]()
    for file, namespace in syntax.templates:
        if not prefix.startswith(namespace):
            continue
        runs = list[list[str]]()
        languages.append(runs)
        for paragraph in _TEMPLATES.joinpath(file).read_text(encoding="utf-8").split("\n\n"):
            code = Template(paragraph).safe_substitute(values)
            run = [each.text for each in tokens(code, syntax)]
            defined = {name for found in _DEFINED.findall(code) for name in found if name}
            names |= defined
            words |= {each for each in run if each.isidentifier()}
            if _ASKING[0] in paragraph:
                basic |= {each for each in run if each.isidentifier()} - defined - {"size"}
            elif defined and not any(each in paragraph for each in _ASKING):
                runs.append(run)
    return _Emitted(
        runs=tuple(languages),
        names=frozenset(names - {f"{prefix}should_offload_from"}),
        words=frozenset(words | names),
        basic=frozenset(basic),
    )


def _matches(pattern: re.Pattern[str], texts: Sequence[str]) -> list[tuple[range, re.Match[str]]]:
    """Tokens that a pattern matches where a space stands between any two."""
    starts, at = {}, 0
    for index, each in enumerate(texts):
        starts[at] = index
        at += len(each) + 1
    starts[at] = len(texts)
    matches = pattern.finditer(" ".join(texts) + " ")
    return [
        (range(starts[each.start()], starts[each.end() + 1 - each[0].endswith(" ")]), each)
        for each in matches
        if each.start() in starts and each.end() + 1 - each[0].endswith(" ") in starts
    ]


def _misplaced(
    texts: Sequence[str], span: range, syntax: Syntax, always: Sequence[bool]
) -> int | None:
    """The token because of which an emitted definition is not as emitted; None if it is."""
    if not syntax.indented:
        before = texts[span.start - 1] if span.start else ";"
        if before not in ("{", "}", ";") and not before.startswith("# "):
            return span.start - 1
        return None if always[span.start] else span.start - (before == "{")
    is_head = not texts[span.start].startswith("\n")
    at = span.start - is_head  # the line break before it
    if at < 0 or texts[at] != "\n":
        return span.start
    if not is_head and texts[span.stop : span.stop + 1] not in ([], ["\n"]):
        return span.stop
    line = at - 1
    while line >= 0 and not texts[line].startswith("\n"):
        line -= 1
    return line + 1 if texts[line + 1] == "@" else None


def _places(texts: Sequence[str], run: Sequence[str]) -> Iterator[int]:
    """Where a run of tokens begins."""
    for at in range(len(texts) - len(run) + 1):
        if texts[at] == run[0] and texts[at : at + len(run)] == run:
            yield at


def _always(texts: Sequence[str]) -> list[bool]:
    """For each token, True if it is in no braces but those of a namespace, and in no #if."""
    found, opened, conditions = [], list[bool](), list[bool]()
    for at, each in enumerate(texts):
        found.append(not any(opened) and not any(conditions))
        if each in ("(", "[", "{"):
            opened.append(not (each == "{" and _opens_scope(texts, at)))
        elif each in (")", "]", "}"):
            del opened[-1:]
        elif each.startswith("# if"):
            conditions.append(_GUARD.fullmatch("\n".join(texts[at : at + 2])) is None)
        elif each.startswith("# el"):
            conditions[-1:] = [True]
        elif each.startswith("# endif"):
            del conditions[-1:]
    return found


def _statement(texts: Sequence[str], at: int) -> Sequence[str]:
    """Tokens of a statement before one of its tokens."""
    start = at
    while start and not _ENDS.match(texts[start - 1]):
        start -= 1
    return texts[start:at]


def _opens_scope(texts: Sequence[str], at: int) -> bool:
    statement = _statement(texts, at)
    return "(" not in statement and not _SCOPES.isdisjoint(statement)


def _is_foreign(texts: Sequence[str], at: int, syntax: Syntax, emitted: _Emitted) -> bool:
    """True if a token beside emitted code may change that."""
    text, before = texts[at], texts[at - 1] if at else ";"
    after = [*texts[at + 1 : at + 3], "", ""]
    if macro := _MACRO.match(text):
        return macro[1] in emitted.words or _OF_SIZES.fullmatch(macro[1]) is not None
    if text == "\\" or (text in ("<!--", "-->") and syntax.html):
        return True
    if syntax.preprocessor and text in ("%:", "??="):  # other ways to write the # of a directive
        return True
    if _FORMAT.match(text):
        assigned = re.findall(r"(\w+)\s*:?=(?!=)", text)
        return not emitted.names.isdisjoint(assigned)
    if text.strip("\"'`") in emitted.names and text not in emitted.names:
        return after[:2] == ["]", "="]
    if syntax.indented and ((before, text) == ("import", "*") or _is_disguised(text)):
        return True
    if text in emitted.names:
        return not (after[0] == "(" and _may_call(texts, at - 1))
    if text in emitted.basic or _OF_SIZES.fullmatch(text):
        if after[0] == "=" or _BEFORE_NAME.fullmatch(before) is not None:
            return True
        if before == "as":  # in Rust also a cast
            return syntax.indented or syntax.html or "use" in _statement(texts, at)
    named = before in ("using", "type")
    if after[0] == ";":
        named = named or "typedef" in _statement(texts, at)
    return named and text in emitted.words


def _is_disguised(text: str) -> bool:
    """True if Python reads other letters, apart from texts."""
    return '"' not in text and "'" not in text and unicodedata.normalize("NFKC", text) != text


def _may_call(texts: Sequence[str], at: int) -> bool:
    """True if what stands there, before a name and a bracket, does not make it a definition."""
    while at >= 0 and texts[at] == "::":
        at -= 1 + (at > 0 and texts[at - 1].isidentifier())
    return at < 0 or _BEFORE_CALL.fullmatch(texts[at]) is not None
