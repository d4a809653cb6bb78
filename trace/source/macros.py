"""Values that macros have at the end of C sources, and the sizes of work among them."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from logca.common.errors import TraceError
from logca.common.files import source_text
from logca.common.near_misses import did_you_mean
from logca.common.programs import threads
from logca.common.toml import shown
from logca.trace.source.compiler import checked_sources, preprocessed

__all__ = ["traced_sizes"]

DEFINITION = re.compile(r"#define (\w+) (.*)")
WHOLE = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]{0,3}")
BASES = {"0x": 16, "0b": 2}
LONGEST = 400  # signs of a number that may be meant as one
BRACKETS = re.compile(r"\(\s*(.*?)\s*\)")


Texts = Mapping[Path, Mapping[str, str]]
"""For each source what its macros stand for."""


def macro_texts(
    sources: str | Path | Iterable[str | Path],
    defines: Mapping[str, object],
    includes: Iterable[str | Path],
    flags: Iterable[str],
) -> Texts:
    """Texts of the macros without arguments at the end of each source."""
    texts = preprocessed(sources, macros=True, defines=defines, includes=includes, flags=flags)
    found = {}
    for path, text in texts.items():
        lines = [DEFINITION.fullmatch(line.rstrip()) for line in text.splitlines()]
        found[path] = {line.group(1): line.group(2) for line in lines if line is not None}
    return found


def agreed_values(known: Texts, wanted: Iterable[str]) -> dict[str, int]:
    """The values of some macros, which must be the same in all sources."""
    found: dict[str, int] = {}
    for path, own in known.items():
        for name in wanted:
            value = whole_number(name, own) if name in own else None
            if value is not None and found.setdefault(name, value) != value:
                raise TraceError(
                    f"macro {name} is {found[name]} in one source, but {value} in "
                    f"{path}: give it with -D {name}=NUMBER"
                )
    for name in wanted:
        if name not in found:
            theirs = dict.fromkeys(each for path in known for each in own_macros(path))
            near = did_you_mean(name, theirs, cutoff=0.0, before=" ")
            raise TraceError(
                f"macro {name} of the work size is defined nowhere:{near}{' Or' if near else ''} "
                f"give the value to trace with -D {name}=NUMBER"
            )
    return found


def own_macros(source: Path) -> list[str]:
    """Macros with a whole number that a source defines itself."""
    text = source_text(source) or ""
    return re.findall(r"(?m)^\s*#\s*define\s+(\w+)\s+[0-9]+\b", text)


def traced_sizes(
    sources: str | Path | Iterable[str | Path],
    work: Mapping[str, int],
    *,
    defines: Mapping[str, object] | None = None,
    includes: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
) -> dict[str, int]:
    """Values that the macros of the work size have where nothing sets them to it."""
    if not work:
        return {}
    paths, folders, options = checked_sources(sources), list(includes), list(flags)
    given = dict(defines or {})
    with threads() as pool:
        before, after = pool.map(
            lambda macros: macro_texts(paths, macros, folders, options), (given, {**given, **work})
        )
    traced, changed = agreed_values(before, work), agreed_values(after, work)
    for name, size in work.items():
        if changed[name] != size:
            raise TraceError(
                f"{name} stays {changed[name]} whatever is given, because a source defines it in "
                f"any case: put `#ifndef {name}` and `#endif` around the definition"
            )
    gone = {
        name: text
        for path, own in before.items()
        for name, text in own.items()
        if name not in after[path] and WHOLE.fullmatch(text.strip())
    }
    if gone:
        raise TraceError(
            f"the sources no longer define {', '.join(gone)} where {', '.join(work)} is given: "
            "name them in the work size too, such as "
            f"{','.join(f'{name}={text.strip()}' for name, text in gone.items())}"
        )
    return traced


def whole_number(name: str, texts: Mapping[str, str]) -> int:
    """The whole number that a macro stands for, perhaps through other macros."""
    text, seen = texts[name].strip(), {name}
    while (value := whole_number_of_c(text)) is None:
        inside = BRACKETS.fullmatch(text)
        if inside is not None:
            text = inside.group(1)
        elif text in texts and text not in seen:
            seen.add(text)
            text = texts[text].strip()
        else:
            raise TraceError(
                f"macro {name} of the work size is {shown(texts[name].strip())}, no whole number: "
                f"give the value to trace with -D {name}=NUMBER"
            )
    return value


def whole_number_of_c(text: str) -> int | None:
    """The whole number that C reads in a text; None if it reads none, as in 09.

    Examples
    --------
    >>> whole_number_of_c("0x40u"), whole_number_of_c("010"), whole_number_of_c("09")
    (64, 8, None)
    """
    if WHOLE.fullmatch(text) is None or len(text) > LONGEST:
        return None
    digits = text.rstrip("uUlL").lower()
    base = BASES.get(digits[:2], 8 if digits.startswith("0") else 10)
    return int(digits, base) if base != 8 or not {*"89"} & {*digits} else None
