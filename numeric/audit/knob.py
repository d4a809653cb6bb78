"""A knob of a program: measured forced both ways, and the setting that follows from the fit."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, inf

from logca.common.sizes import format_size
from logca.numeric.audit.audit import audit
from logca.numeric.audit.rule import PresentRule
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.fit.hysteresis_thresholds import pays_where, thresholds
from logca.numeric.fit.size_ranges import ranges_text
from logca.numeric.measure.commands import FROM_START, command_timer, programs_digest, words_of
from logca.numeric.measure.experiment import Experiment, ExperimentError, Timer
from logca.numeric.timings.crossing import faster, ratio_noise
from logca.numeric.timings.timings import Timings, compared_timings

__all__ = ["KNOB", "Knob", "KnobSetting", "knob_experiment", "knob_of", "setting"]

KNOB = "{knob}"
"""Stands in a command for the value of a knob."""

_LOUD = 0.1  # noise in which a knob that matters may hide
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """A knob, and the values that force it both ways."""

    name: str  # of the variable, the option or the constant
    kind: str  # "variable" of the environment, "option", or "constant" of a header
    # on, off: the values with which every size is offloaded, and none
    on: str
    off: str
    command: str  # with {bytes}, and {knob} unless it is a variable
    build: str | None  # command that builds the program of a constant, with {knob}

    def written(self, value: str) -> str:
        """A value as one sets it: a line of a shell, words of the command, a line of C.

        Examples
        --------
        >>> knob = knob_of("--limit", "1", "99999", "./copy --limit={knob} {bytes}")
        >>> knob.written("8192")
        '--limit=8192'
        """
        if self.kind == "variable":
            return f"export {self.name}={shlex.quote(value)}"
        if self.kind == "constant":
            return f"#define {self.name} {value}"
        words = shlex.split(self.command)
        at = next(place for place, word in enumerate(words) if KNOB in word)
        told = words[at].replace(KNOB, value)
        separate = words[at] == KNOB and words[at - 1] == self.name
        return shlex.join([self.name, told] if separate else [told])

    def threshold(self, least: float, most: float) -> str:
        """Where a knob that is a threshold in bytes offloads: "above" it or "below"; else empty.

        The values of a threshold have all sizes between them; those of a switch have not.
        """
        try:
            on, off = float(self.on), float(self.off)
        except ValueError:
            return ""
        if on <= least and off > most:
            return "above"
        return "below" if off <= least and on > most else ""


def knob_of(name: str, on: str, off: str, command: str, build: str | None = None) -> Knob:
    """A knob by its name: a constant if there is a build, an option if the command has {knob}."""
    kind = "constant" if build is not None else "option" if KNOB in command else "variable"
    name = name.removeprefix("env:")
    if kind == "variable" and not _NAME.fullmatch(name):
        raise ExperimentError(
            f"knob {name!r} is no variable of the environment, and the command has no {KNOB}: "
            f"write it where the value goes, such as {name}={KNOB}"
        )
    if kind == "constant" and not _NAME.fullmatch(name):
        raise ExperimentError(f"knob {name!r} is no name of a constant; write one such as LIMIT")
    for what, text in {"command": command, "build": build or ""}.items():
        words_of(text, what)
        if kind == "constant" and KNOB not in text:
            raise ExperimentError(
                f"{what} {text!r} has no {KNOB}: write it in both, so that each value of {name} "
                f"has a program of its own, such as prog-{KNOB}"
            )
    if on == off:
        raise ExperimentError(f"{name} is {on} both ways: give --on and --off different values")
    return Knob(name=name, kind=kind, on=on, off=off, command=command, build=build)


def knob_experiment(knob: Knob, sizes: tuple[int, int], longest: float) -> Experiment:
    """The program with its knob forced off, as the host, and on, as the accelerated path."""
    compiler = shlex.split(knob.build)[0] if knob.build else ""
    if compiler and KNOB not in compiler and shutil.which(compiler) is None:
        raise ExperimentError(f"build: {compiler} cannot be run: No such file or directory")
    return Experiment(
        name=f"{knob.command}; {knob.name} = {knob.off} or {knob.on}; {knob.build or 'not built'}",
        title=f"{knob.name} = {knob.off} against {knob.on}",
        host=_timer(knob, knob.off, longest),
        accelerated=_timer(knob, knob.on, longest),
        sizes=sizes,
        notes=(FROM_START,),
        pin=False,
        prepare=lambda: _built(knob, longest),
    )


def _timer(knob: Knob, value: str, longest: float) -> Timer:
    variables = {knob.name: value} if knob.kind == "variable" else None
    command = knob.command.replace(KNOB, value)
    path = f"{knob.name} = {value}:"
    return command_timer(command, path, longest, variables, built=knob.build is not None)


def _built(knob: Knob, longest: float) -> str:
    """Build the programs of both values; a digest of what the command runs."""
    for value in (knob.off, knob.on):
        _build(knob, value, longest)
    words = shlex.split(knob.command)
    own = dict.fromkeys([words[0], *(word for word in words if KNOB in word)])
    return programs_digest(
        word.replace(KNOB, value) for value in (knob.off, knob.on) for word in own
    )


def _build(knob: Knob, value: str, longest: float) -> None:
    if knob.build is None:
        return
    words = shlex.split(knob.build.replace(KNOB, value))
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=longest
        )
    except OSError as error:
        raise ExperimentError(f"build: {words[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise ExperimentError(
            f"build {shlex.join(words)!r} ran longer than {longest:g} s"
        ) from None
    if done.returncode:
        told = (done.stderr.strip() or done.stdout.strip()).partition("\n")[0]
        raise ExperimentError(f"build {shlex.join(words)!r}: exit status {done.returncode}: {told}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnobSetting:
    """Value that a knob is to be set to, by a fit of times with it off and on."""

    knob: Knob
    timings: Timings
    basis: Fit | None  # what the times are fitted by; None if the knob changes nothing
    lines: tuple[str, ...]  # to be pasted; none if the knob changes nothing
    # the one threshold, in whole bytes; None if the knob is a switch, or one value does for all [B]
    threshold: int | None
    notes: tuple[str, ...] = ()  # what one setting cannot do

    def answer(self) -> str:
        """Sentence that says what to set, and where that pays; or that the knob changes nothing."""
        name, timings = self.knob.name, self.timings
        if self.basis is None:
            least, most = (format_size(float(timings.granularity[place])) for place in (0, -1))
            noise = max(ratio_noise(compared_timings(timings))[0])
            same = (
                f"with {self.knob.off} and with {self.knob.on} the program takes the same time, "
                f"within a noise of {100 * noise:.2g} %, at all {len(timings)} sizes from {least} "
                f"to {most}"
            )
            if noise > _LOUD:
                return f"It cannot be told what {name} changes: {same}; measure longer (--budget)."
            return f"{name} changes nothing: {same}; does {name} reach the program?"
        where = pays_where(self.basis)
        if not thresholds(self.basis).told:
            return f"The most likely setting of {name} is below: {where}."
        if self.threshold is not None:
            return f"Set {name} to {self.threshold}: {where}."
        return f"Set {name} to {self.knob.on} where it pays: {where}."


def setting(
    knob: Knob, timings: Timings, provenance: Mapping[str, str] | None = None
) -> KnobSetting:
    """The setting of a knob that follows from times with it off, as the host, and on."""
    if not any(faster(compared_timings(timings))):
        return KnobSetting(knob=knob, timings=timings, basis=None, lines=(), threshold=None)
    basis = fit(timings, provenance=provenance)
    lines, threshold, note = _set(knob, basis)
    return KnobSetting(
        knob=knob,
        timings=timings,
        basis=basis,
        lines=lines,
        threshold=threshold,
        notes=(note,) if note else (),
    )


def _set(knob: Knob, basis: Fit) -> tuple[tuple[str, ...], int | None, str]:
    """Lines, threshold if one is set, and what they cannot do."""
    sizes = basis.timings.granularity
    least, most = float(sizes[0]), float(sizes[-1])
    likely = thresholds(basis).likely
    amid = tuple(each for each in likely if each.above < most and each.below > least)
    if not amid or (len(amid) == 1 and amid[0].above < least and amid[0].below > most):
        return (knob.written(knob.on if amid else knob.off),), None, ""
    way = knob.threshold(least, most)
    if not way:
        mark = "//" if knob.kind == "constant" else "#"
        lines = [f"{knob.written(knob.on)}  {mark} {ranges_text((each,))}" for each in amid]
        lines.append(f"{knob.written(knob.off)}  {mark} else")
        return tuple(lines), None, f"{knob.name} is a switch: choose by size, where it is called"
    below = way == "below"
    end = amid[0].below if below else amid[0].above
    if len(amid) == 1 and (amid[0].above <= 0 if below else amid[0].below == inf):
        size = ceil(end) if below else floor(end) + 1
        return (knob.written(str(size)),), size, ""
    best = audit(basis, PresentRule(name=knob.name, ranges=amid, below=below)).best_threshold
    several = (
        f"one threshold cannot say that it pays {ranges_text(amid)}; this one costs least over one "
        "call at each measured size"
    )
    if 0 < best < inf:
        return (knob.written(f"{best:.0f}"),), int(best), several
    return (knob.written(knob.on if (best == inf) == below else knob.off),), None, several
