"""Names of the parameters of should_offload(m, n, k): those of the columns where they can be.

A column may be called as anything that the language, its headers or the emitted file itself means
something else by. Where callers do not name arguments, the parameter has a name of its own then;
where they do, in Python, the column is refused.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from logca.numeric.generate.offload.rule import OffloadError

__all__ = ["named_in", "parameter_names"]

_KEYWORDS_OF_C = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while bool true false alignas alignof "
    "and asm bitand bitor catch class compl concept constexpr consteval constinit co_await "
    "co_return co_yield decltype delete explicit export friend mutable namespace new noexcept not "
    "nullptr operator or private protected public requires reinterpret_cast static_cast const_cast "
    "dynamic_cast char8_t char16_t char32_t wchar_t static_assert template this thread_local throw "
    "try typeid typename typeof typeof_unqual using virtual xor and_eq not_eq or_eq xor_eq "
    "y0 y1 j0 j1 yn jn gamma signgam"  # which compilers warn of, if they are hidden
)
_MACROS_OF_C = (
    "alloca complex environ errno imaginary linux math_errhandling matherr noreturn onexit_t "
    "pclose popen ru_first ru_last sa_handler sa_sigaction sched_priority stderr stdin stdout "
    "sv_onstack sys_errlist sys_nerr "
    "unix w_coredump w_retcode w_stopsig w_stopval w_termsig wcswcs wpopen "
    "i386 sun sparc mips mc68000 m68k hpux vax sgi vector pixel"  # of other machines
)
"""Macros without arguments that compilers and headers of C and C++ have, in small letters."""

_KEYWORDS_OF_RUST = (
    "as break const continue crate else enum extern false fn for if impl in let loop match mod "
    "move mut pub ref return self Self static struct super trait true type unsafe use where while "
    "async await dyn abstract become box do final gen macro override priv typeof unsized virtual "
    "yield try _ None Some Ok Err"  # names of the prelude, which match instead of being bound
)
_KEYWORDS_OF_JAVASCRIPT = (
    "await break case catch class const continue debugger default delete do else enum export "
    "extends false finally for function if implements import in instanceof interface let new null "
    "package private protected public return static super switch this throw true try typeof var "
    "void while with yield arguments eval"
)
_WORDS_OF_PYTHON = "__debug__"  # its keywords are in no formula


class _Words(NamedTuple):
    """Words with a meaning of their own in a language."""

    words: frozenset[str]
    macros: bool = False  # whether names that do not begin with a small letter may be macros
    refused: bool = False  # whether callers may name arguments, so that no other name will do


_C = _Words(frozenset(f"{_KEYWORDS_OF_C} {_MACROS_OF_C}".split()), macros=True)
_WORDS = {
    "c": _C,
    "cpp": _C,
    "cuda": _C,
    "rust": _Words(frozenset(_KEYWORDS_OF_RUST.split())),
    "javascript": _Words(frozenset(_KEYWORDS_OF_JAVASCRIPT.split())),
    "python": _Words(frozenset(_WORDS_OF_PYTHON.split()), refused=True),
}

_COMMENT_OR_TEXT = re.compile(
    r'f?"""[\s\S]*?"""'
    r'|f?"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'"
    r"|/\*[\s\S]*?\*/"
    r"|//.*|#.*"
)
_NAME = re.compile(r"(?<![\w.$])[^\W\d]\w*")


def named_in(text: str) -> frozenset[str]:
    """Names in a source file, but those of members.

    Examples
    --------
    >>> sorted(named_in("const text = process.env;  // such as 'auto'"))
    ['const', 'process', 'text']
    """
    return frozenset(_NAME.findall(_COMMENT_OR_TEXT.sub(" ", text)))


def parameter_names(language: str, columns: Sequence[str], text: str) -> dict[str, str]:
    """For each column the name of its parameter, in a file that has this text beside them."""
    known = _WORDS[language]
    taken = known.words | named_in(text)
    found = {}
    for column in columns:
        name = column
        if name in taken or (known.macros and not name[0].islower()):
            if known.refused:
                raise OffloadError(
                    f"column {column!r} is a word of {language} with a meaning of its own, or of "
                    "the file: call it otherwise in the table and in the formulas, and fit again"
                )
            # No macro begins so. A user's own, such as N, may be there where a header is included.
            name = f"shape_{column}"
            while name in taken or name in columns:
                name += "_"
        found[column] = name
    return found
