"""Ends of the command: exit codes, errors of the user in one sentence each, and signals."""

import errno
import os
import re
import signal
import sys
import time
from _thread import interrupt_main
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from types import FrameType
from typing import Any

from logca.common.errors import LogcaError
from logca.common.near_misses import near_misses
from logca.common.visible_text import visible

__all__ = [
    "BAD_INPUT",
    "BROKEN_PIPE",
    "CONTRADICTION",
    "FAILED_PROGRAM",
    "FAILURE",
    "INTERRUPTED",
    "Failure",
    "UsageFailure",
    "as_typed",
    "code_of_signal",
    "end_orderly",
    "failure",
    "mistake",
    "one_of",
    "tell",
    "too_much",
    "value_of",
]

FAILED_PROGRAM = 1
BAD_INPUT = 2
CONTRADICTION = 4
FAILURE = 5
INTERRUPTED = 130
BROKEN_PIPE = 141

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_CONTRADICTION = "two methods contradict each other: "


class UsageFailure(LogcaError, ValueError):
    """Something asked of the command line that cannot be done; the message says what instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Message for the user, and the exit code."""

    message: str  # one line
    code: int  # exit code [1]


def failure(error: BaseException) -> Failure | None:
    """Message and exit code of an error; None if it is a defect whose traceback should show."""
    if isinstance(error, LogcaError) and error.exit_code is not None:
        prefix = _CONTRADICTION if error.exit_code == CONTRADICTION else ""
        return Failure(message=f"{prefix}{error}", code=error.exit_code)
    if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
        return Failure(message=f"output cannot be written: {error.strerror}", code=FAILURE)
    if isinstance(error, OSError):
        return Failure(message=str(error), code=FAILURE)
    return None


def tell(message: str, most: int = 80) -> None:
    """Print an error on stderr: one line for programs, folded between words on a terminal."""
    told = visible(f"logca: {message}")
    half = 2000
    more = len(told) - 2 * half
    if more > 0:  # what a message quotes may be a file's whole contents
        told = f"{told[:half]} ({more:,} characters left out) {told[-half:]}"
    if sys.stderr.isatty():
        from shutil import get_terminal_size
        from textwrap import fill

        columns = min(get_terminal_size().columns, most)
        # lines of a compiler stay as they are: they point at places in the source
        first, *rest = told.splitlines()
        folded = fill(first, columns, break_long_words=False, break_on_hyphens=False)
        told = "\n".join((folded, *rest))
    print(told, file=sys.stderr)


_PARAMETER = re.compile(r"(?:limit )?\b([A-Za-z_]\w*) = (\S+?)(?=[,;:]?(?:\s|$))")
_OPTIONS_OF_PARAMETERS = {
    "f": "--fraction",
    "m": "--batch",
    "memory_B": "--memory-limit",
    "q": "--gain",
    "r": "--improvement",
    "records": "--record-limit",
    "rho": "--within",
    "s": "--speedup",
    "time_limit": "--solve-within",
    "time_s": "--time-limit",
}


def as_typed(message: str, words: Sequence[str]) -> str:
    """A message about parameters, such as "q = 0.5 must be ...", with the options that were typed.

    Examples
    --------
    >>> as_typed("q = 0.5 must be greater than 1", ["regions", "--gain", ".5"])
    '--gain .5 must be greater than 1'
    >>> as_typed("A = 1 must be greater than 1", ["sweep", "--A=1:64:7"])
    '--A 1:64:7: 1 must be greater than 1'
    """

    def option(found: re.Match[str]) -> str:
        name, shown = found.groups()
        own = f"--{name.replace('_', '-')}"
        for each in (_OPTIONS_OF_PARAMETERS.get(name, own), own):
            typed = value_of([each], words)
            if typed is not None and _same(typed, shown):
                return f"{each} {typed}"
            if typed is not None and not found.start():
                return f"{each} {typed}: {shown}"
        return found[0]

    return _PARAMETER.sub(option, message) if _PARAMETER.match(message) else message


def value_of(names: Sequence[str], words: Sequence[str]) -> str | None:
    """The value that was typed behind an option, the last one of several."""
    found = None
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names and equals:
            found = value
        elif word in names and place + 1 < len(words):
            found = words[place + 1]
    return found


def _same(typed: str, shown: str) -> bool:
    try:
        values = float(typed), float(shown)
    except ValueError:
        return typed == shown.strip("'")
    return values[0] == values[1] or typed.strip().lower() == shown.lower()


_VERBS_OF_FILES = {
    ".c": "logca trace, gpu or partition",
    ".csv": "logca fit",
    ".json": "logca report, or logca decide SIZE --fit",
    ".jsonl": "logca fit",
    ".zarr": "logca pareto or cheapest",
}
_VERBS_OF_WORDS = {
    "benchmark": "measure",
    "break-even": "granularities",
    "breakeven": "granularities",
    "compile": "trace",
    "docs": "book",
    "draw": "plot",
    "figure": "plot",
    "formulas": "formula",
    "generate": "codegen",
    "help": "--help",
    "predict": "gpu",
    "profile": "trace",
    "prove": "check",
    "run": "trace",
    "simulate": "gpu",
    "speedup": "explain",
    "verify": "check",
    "version": "--version",
}
_OPTIONS_OF_WORDS = {
    "cores": ("--jobs",),
    "define": ("-D",),
    "format": ("--json", "--as"),
    "gpu": ("--device",),
    "high": ("--sizes",),
    "include": ("-I",),
    "language": ("--lang",),
    "least": ("--sizes",),
    "level": ("--confidence",),
    "low": ("--sizes",),
    "most": ("--sizes",),
    "out": ("--output",),
    "range": ("--sizes",),
    "size": ("--g",),
    "target": ("--speedup",),
    "threads": ("--jobs",),
    "timeout": ("--time-limit", "--solve-within"),
    "workers": ("--jobs",),
}


def mistake(error: Any, words: Sequence[str]) -> str:
    """Message of an error of Typer about the words of the command line.

    Typer has its classes of usage errors in a private module: they are told apart by attributes.
    """
    context = getattr(error, "ctx", None)
    message = str(error.message).rstrip(".")
    option = getattr(error, "option_name", None)
    if option is not None and "does not take a value" in message:
        return f"{option} takes no value; write {option} alone"
    if option is not None and not hasattr(error, "possibilities"):
        return f"{option} needs a value; write {option} VALUE"
    if context is None or (not message and getattr(error, "param", None) is None):
        return message  # nothing, where Typer has printed the help
    verb = "logca" if context.parent is None else str(context.info_name)
    more = f"`{'logca' if context.parent is None else f'logca {verb}'} --help` "
    if option is not None:
        return _no_option(option, verb, context.command.params, words, more)
    if getattr(error, "param", None) is not None:
        if hasattr(error, "param_type"):
            return _missing(error.param, verb, more)
        return _bad_value(error, message)
    if unknown := re.fullmatch(r"No such command '(.*?)'.*", message, re.DOTALL):
        return _no_verb(unknown[1], context.command.commands)
    if extra := re.fullmatch(r"Got unexpected extra argument\S* \((.*)\)", message, re.DOTALL):
        return too_much(extra[1], verb, context.command.params, more)
    return message


def _no_option(
    option: str, verb: str, params: Iterable[Any], words: Sequence[str], more: str
) -> str:
    known = {
        name: param
        for param in params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }
    word = option
    if not option.startswith("--"):  # of "-device" Typer names the "-d" only
        word = next((each for each in words if each.startswith(option)), option)
    if re.match(r"-[\d.]", word):
        if verb == "logca":
            return f"logca takes no {word!r}; write a verb first, `logca --help` lists them"
        if any("SIZE" in str(param.metavar) for param in params):
            return f"{word!r} is a negative size; a granularity is more than 0 bytes"
        return f"{verb} takes no {word!r}; an argument cannot be negative"
    bare = word.lstrip("-").partition("=")[0]
    argument = next(
        (each for each in params if each.name == bare and each not in known.values()), None
    )
    if argument is not None:
        before = [each for each in params if each.param_type_name == "argument"]
        usage = " ".join(_shown(each) for each in before[: before.index(argument) + 1])
        return (
            f"{verb} has no option {word.partition('=')[0]}; write {_shown(argument)} alone: "
            f"`logca {verb} {usage}`"
        )
    wanted = f"--{bare}"
    near = [each for each in (wanted, f"-{bare}") if each in known]
    near = near or [each for each in known if each.casefold() == wanted.casefold()]
    near = near or [each for each in _OPTIONS_OF_WORDS.get(bare, ()) if each in known]
    words_of = {each.lstrip("-"): each for each in known if len(each) > 3}
    near = near or [words_of[each] for each in near_misses(bare, words_of, most=2, cutoff=0.75)]
    if not near and len(bare) > 2:
        near = [each for each in known if each.startswith(wanted)]
        near = near or [
            each for each, param in known.items()
            if str(param.help).casefold().startswith(bare.casefold())
        ]  # fmt: skip
    if "--flag" in known and re.match(r"-(O|W|f|g$|l|m|std|pthread)", word):
        return f"{verb} has no option {word}; give it to the compiler with --flag={word}"
    told = " or ".join(_with_meaning(each, known[each]) for each in near[:2])
    hint = f"did you mean {told}?" if told else f"{more}lists its options"
    return f"{verb} has no option {word.partition('=')[0]}; {hint}"


def _with_meaning(name: str, param: Any) -> str:
    """An option; one whose name is a letter with what it means."""
    if len(name.lstrip("-")) > 1:
        return name
    meaning = re.split(r" \[|[.,;:]", str(param.help))[0]
    return f"{name} ({meaning[:1].lower()}{meaning[1:]})"


def _missing(param: Any, verb: str, more: str) -> str:
    name = param.opts[0] if param.param_type_name == "option" else _shown(param)
    if param.type_descriptor.is_choice:
        return f"{verb} needs {name}: {one_of(_choices(param))}; {more}has examples"
    meaning = re.split(r" \[|[.;](?:\s|$)", str(param.help))[0]
    if meaning[1:2].islower():  # and no name, such as C
        meaning = meaning[:1].lower() + meaning[1:]
    return f"{verb} needs {name} ({meaning}); {more}has examples"


def _shown(param: Any) -> str:
    return str(param.metavar or param.name.upper())


def _bad_value(error: Any, message: str) -> str:
    param = error.param
    name = param.opts[-1] if param.param_type_name == "option" else _shown(param)
    if not hasattr(error.__cause__, "errors"):  # those of pydantic say what was given
        return f"{name}: {message}"
    found = error.__cause__.errors()[0]
    given, kind, limits = found["input"], str(found["type"]), found.get("ctx", {})
    if param.type_descriptor.is_choice:
        choices = _choices(param)
        near = near_misses(str(given), choices)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"{name} {given!r} must be {one_of(choices)}{hint}"
    if kind.startswith("int"):
        return f"{name} {given!r} is not a whole number; write one such as 4"
    if kind.startswith("float"):
        return f"{name} {given!r} is not a number; write one such as 2.5"
    if "ge" in limits:
        return f"{name} {given} is too small; it must be at least {limits['ge']:g}"
    return f"{name} {given!r}: {found['msg']}"


def _choices(param: Any) -> list[str]:
    return [str(getattr(each, "value", each)) for each in param.type_descriptor.choices]


def one_of(choices: Sequence[str]) -> str:
    """Choices, the last behind "or"."""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def _no_verb(word: str, verbs: Iterable[str]) -> str:
    verb = _VERBS_OF_WORDS.get(word.casefold())
    if verb is not None:
        return f"there is no verb {word!r}; did you mean `logca {verb}`?"
    near = near_misses(word, verbs, most=2)
    if near:
        told = " or ".join(f"`logca {each}`" for each in near)
        return f"there is no verb {word!r}; did you mean {told}?"
    verb = _VERBS_OF_FILES.get(PurePath(word).suffix.lower())
    if verb is not None:
        return f"{word!r} is a file, not a verb; write the verb first: {verb}"
    return f"there is no verb {word!r}; `logca --help` lists the verbs"


def too_much(extra: str, verb: str, params: Iterable[Any], more: str) -> str:
    """A message on one argument too many."""
    options = {name for param in params for name in param.opts}
    if re.fullmatch(r"[\d.]+[A-Za-z]*", extra) and verb == "explain":
        return (
            f"explain takes one size, and {extra!r} is one argument too many; `logca decide` takes "
            "several sizes, and a device is named with --device"
        )
    if re.fullmatch(r"[kKMGTPE]?i?[bB](?:ytes?)?\b.*", extra):
        return f"{verb} takes no argument {extra!r}; write a size without a space, such as 4KiB"
    if re.fullmatch(r"([mun\u00b5]?s|cycles|[kMG]?Hz)\b.*", extra):
        return f"{verb} takes no argument {extra!r}; write a unit without a space, such as 10us"
    further = any(param.param_type_name == "argument" for param in params)
    if "--device" in options and not further and not extra.startswith("-"):
        hint = "an accelerator is named by --device NAME --kernel NAME, or by --o, --L, --C and --A"
        return f"{verb} takes no argument {extra!r}; {hint}"
    return f"{verb} takes no further argument {extra!r}; {more}shows what it takes"


_CLEANING_S = 2.0
_asked = -_CLEANING_S
_heard = 0


def end_orderly() -> None:
    """From now on SIGTERM and SIGHUP raise `SystemExit`; those that are ignored still are.

    A signal is obeyed also where Python would forget what its handler raises.
    """
    global _heard
    _heard = 0
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _raise_again


def code_of_signal() -> int:
    """Exit code after a signal that came while this process ran; 0 if none did."""
    return 128 + _heard if _heard else 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _heard
    _heard = number
    raise KeyboardInterrupt


def _raise_again(lost: "sys.UnraisableHookArgs") -> None:
    """Raise again what a handler has raised while an object was finalized: Python drops that."""
    global _asked
    if _heard and issubclass(lost.exc_type, KeyboardInterrupt | SystemExit):
        _asked = -_CLEANING_S
        interrupt_main(signal.Signals(_heard))
    elif not _heard:  # objects that a signal left half made cannot be finalized
        sys.__unraisablehook__(lost)


def _leave(number: int, frame: FrameType | None) -> None:
    global _asked, _heard
    _heard = number
    now = time.monotonic()
    if now - _asked < _CLEANING_S:  # a terminal that closes may say so twice: go on cleaning up
        return
    _asked = now
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for child in active_children():
            if child.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGINT)
    raise SystemExit(128 + number)
