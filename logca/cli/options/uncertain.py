"""Distributions of parameters as they are typed: o=20% A=20:30, or fit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.options.accelerators import Chosen
from logca.cli.options.ranges import pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import check_writable, write_telling
from logca.cli.terminal.output import show, show_json

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator
    from logca.numeric.chance.accelerator import UncertainAccelerator
    from logca.numeric.chance.distributions import Distribution
    from logca.numeric.fit.fit import Fit

__all__ = ["PICTURES", "Uncertainty", "answer_uncertain"]

PICTURES = (".svg", ".png", ".pdf")
"""Endings of a picture."""

_OWN = "fit"
_NAMES = ("o", "L", "C", "A", "beta")
_FORM = "NAME=20% (log-normal), or NAME=FROM:TO (uniform)"
_PERCENT = re.compile(r"([+-]?[0-9._]+(?:[eE][+-]?[0-9]+)?|nan|inf)\s*%")


class Uncertainty:
    """Types of the options."""

    uncertain = Annotated[
        list[str] | None,
        typer.Option(
            help="What is not known exactly: 'o=20% A=20:30' is a log-normal o, two thirds of it "
            "within a factor of 1.2, and a uniform A; 'fit' is the confidence of --fit.",
            metavar="NAME=VALUES...",
            rich_help_panel="Chance",
            show_default=False,
        ),
    ]
    speedup = Annotated[
        float | None,
        typer.Option(
            help="Target speedup; with --uncertain, how likely it is exceeded.",
            metavar="FACTOR",
            rich_help_panel="Chance",
            show_default="1, so that it pays",
        ),
    ]
    picture = Annotated[
        Path | None,
        typer.Option(
            help="Picture to write: with --uncertain, .svg, .png or .pdf.",
            metavar="FILE",
            rich_help_panel="Chance",
            show_default=False,
        ),
    ]


def answer_uncertain(
    chosen: Chosen,
    sizes: Sequence[float],
    texts: Sequence[str],
    *,
    speedup: float | None,
    picture: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Print how likely sizes pay, and from which size on they do; and draw it, if asked for."""
    if picture is not None:
        check_writable(picture, PICTURES, force=force)
        if len(sizes) > 1:
            raise UsageFailure(f"--picture {picture} is of one size; name one")
    words = [word for text in texts for word in re.split(r"[\s,]+", text.strip()) if word]
    if not words:
        raise UsageFailure(f"--uncertain {' '.join(texts)!r} is empty; write {_FORM}")
    basis, name, form = _basis(chosen, words)
    from logca.numeric.chance.decide import decide_uncertain
    from logca.show.chance import chance_data, chance_shown

    target = 1.0 if speedup is None else speedup
    found = [decide_uncertain(basis, size, speedup=target) for size in sizes]
    if picture is not None:
        from logca.plots.chance import chance_picture
        from logca.plots.render import picture as contents

        drawn = chance_picture(found[0])
        write_telling(picture, contents(drawn, picture.suffix.lower(), width="page"))
    if as_json:
        show_json(chance_data(found, name, form))
    else:
        show(*chance_shown(found, name, form))


def _basis(chosen: Chosen, words: Sequence[str]) -> "tuple[UncertainAccelerator | Fit, str, str]":
    if _OWN in words:
        from logca.numeric.fit.fit import Fit

        if len(words) > 1:
            raise UsageFailure(
                f"--uncertain {' '.join(words)}: a fit's confidence goes with no other distribution"
            )
        if chosen.fit is None:
            raise UsageFailure("--uncertain fit is the confidence of a fit: name it with --fit")
        basis = chosen.basis()
        if not isinstance(basis, Fit):
            raise UsageFailure("--uncertain fit: parameters beside --fit, or --clock, change it")
        return basis, chosen.name(), ""
    given = pairs("--uncertain", words, _FORM, once=True)
    for name in given:
        if name not in _NAMES:
            raise UsageFailure(
                f"--uncertain {name}={given[name]}: {name} is no parameter; choose one of "
                f"{', '.join(_NAMES)}"
            )
    base = chosen.base()
    known = (
        chosen if base is not None else replace(chosen, texts={**_stand_ins(given), **chosen.texts})
    )
    accelerator = known.accelerator()
    from logca.numeric.accelerator.parameter_ranges import DomainError
    from logca.numeric.chance.accelerator import UncertainAccelerator

    values: dict[str, Any] = {name: getattr(accelerator, name) for name in _NAMES}
    unit, form = accelerator.unit, accelerator.latency
    own = UncertainAccelerator(**values, latency=form, unit=unit, name=accelerator.name)
    for name, text in given.items():
        try:
            put_in: dict[str, Any] = {name: _distribution(name, text, accelerator, chosen)}
            own = replace(own, **put_in)
        except DomainError as error:
            raise UsageFailure(f"--uncertain {name}={text}: {error}") from None
    if chosen.fit is not None:
        rest = "the other parameters of the fit are taken as certain; --uncertain fit is its own"
        return own, chosen.name(), rest
    return own, "" if base is None else chosen.name(), known.form_taken()


def _stand_ins(given: Mapping[str, str]) -> dict[str, str]:
    """Numbers in place of ranges, until these are put in: an accelerator is of numbers."""
    ends = {name: text.split(":")[-1] for name, text in given.items() if ":" in text}
    return {**ends, "A": "2"} if "A" in ends else ends


def _distribution(
    name: str, text: str, accelerator: "Accelerator", chosen: Chosen
) -> "Distribution | float":
    from logca.numeric.chance.distributions import LogNormal, Uniform

    percent = _PERCENT.fullmatch(text)
    if percent is not None:
        share, median = _number(percent[1]), getattr(accelerator, name)
        if not 0 <= share < float("inf"):
            raise UsageFailure(
                f"--uncertain {name}={text}: a spread is 0 % or more, such as {name}=20%"
            )
        if median == 0:
            raise UsageFailure(
                f"--uncertain {name}={text}: {name} is 0, so a part of it is too; give a range, "
                f"such as {name}=0:10"
            )
        return LogNormal(median=median, factor=1 + share / 100)
    first, colon, last = text.partition(":")
    if not colon or not first or not last or ":" in last:
        raise UsageFailure(f"--uncertain {name}={text}: write {_FORM}")
    least, most = (_value(name, end, accelerator, chosen) for end in (first, last))
    if least > most:
        raise UsageFailure(f"--uncertain {name}={text}: write the smaller end first")
    return Uniform(least=least, most=most)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _value(name: str, text: str, accelerator: "Accelerator", chosen: Chosen) -> float:
    from logca.numeric.accelerator.parameter_ranges import DomainError, number_from, written_value

    found = written_value(name, text)
    if chosen.clock_Hz is not None:
        return found.within(accelerator.unit, chosen.clock_Hz)
    if found.unit not in ("", accelerator.unit):
        raise DomainError(
            f"{name} = {text} is in {found.unit}, and the accelerator in {accelerator.unit}: give "
            "the clock that turns one into the other, such as --clock 2.5GHz"
        )
    return number_from(name, text, accelerator.unit, accelerator.latency)
