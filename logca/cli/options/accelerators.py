"""Options that name an accelerator: a fit, a device, parameters, or one but for some of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from logca.cli.options.axes import Axis, accelerator_option
from logca.cli.options.completion import complete_devices, complete_kernels
from logca.cli.options.platform import clock
from logca.cli.options.ranges import (
    LATENCY,
    Given,
    given_values,
    single,
)
from logca.cli.terminal.errors import UsageFailure

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator
    from logca.numeric.fit.fit import Fit
    from logca.numeric.paper.devices import Device as Entry
    from logca.numeric.paper.devices import Devices

__all__ = [
    "DEVICE_FILE",
    "FIT",
    "OPTIONS",
    "Chosen",
    "chosen",
    "entries_of",
    "form_of",
    "frequency",
    "several",
    "with_accelerator",
]

_HERTZ = 10**9
_FASTEST_GHZ = 1000


FIT = "A fit: the file that `logca fit -o` wrote."
_FIT = accelerator_option(help=FIT, metavar="FIT.json")
_DEVICE = accelerator_option(
    help="A device, see `logca devices`; parameters that are given too replace its own.",
    autocompletion=complete_devices,
    metavar="NAME",
)
_KERNEL = accelerator_option(
    help="Kernel of the device.", autocompletion=complete_kernels, metavar="NAME"
)
DEVICE_FILE = "A TOML file with devices of your own."
_DEVICE_FILE = accelerator_option(help=DEVICE_FILE, metavar="FILE.toml")
_LATENCY = accelerator_option(
    help=LATENCY.format(""), show_default="the accelerator's, or constant"
)
OPTIONS: dict[str, Any] = {
    "fit": Annotated[Path | None, _FIT],
    "device": Annotated[str | None, _DEVICE],
    "kernel": Annotated[str | None, _KERNEL],
    "device_file": Annotated[Path | None, _DEVICE_FILE],
    "o": Axis.o,
    "L": Axis.L,
    "C": Axis.C,
    "A": Axis.A,
    "beta": Axis.beta,
    "latency": Annotated[Literal["constant", "linear"] | None, _LATENCY],
    "clock": Axis.clock,
}
"""The options by name."""

_REPEATED: dict[str, Any] = {
    **OPTIONS,
    "fit": Annotated[list[Path] | None, _FIT],
    "device": Annotated[list[str] | None, _DEVICE],
    "kernel": Annotated[list[str] | None, _KERNEL],
}
"""The options where a verb takes several accelerators."""

_NEEDED = ("o", "L", "C", "A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Choice of an accelerator by the options."""

    fit: Path | None  # file of a fit
    # device, kernel: a device and one of its kernels
    device: str | None
    kernel: str | None
    device_file: Path | None  # where the device is from; from Table 5 if left out
    texts: Mapping[str, str]  # parameters that are given by themselves, as they are written
    latency: str | None  # form of latency, if given
    clock_Hz: float | None  # clock, if given [Hz]

    def is_anything(self) -> bool:
        """True if there is an accelerator at all."""
        return any((self.fit, self.device, self.kernel, self.device_file, self.texts))

    def base(self) -> "Accelerator | None":
        """The accelerator of the fit or the device, without parameters given by themselves."""
        if self.fit is not None:
            return replace(self._fitted().accelerator, name=self.fit.name)
        entry = self._entry()
        return None if entry is None else entry.accelerator(latency=self.latency)

    def parts(
        self,
        more: Mapping[str, str | None] | None = None,
        *,
        base: "Accelerator | None" = None,
        into: str = "",
    ) -> "tuple[Accelerator | None, Given]":
        """The fit's or device's accelerator, and what is given by itself, in one unit of time.

        More options may have values, too; `into` is the unit, if it is known.
        """
        base = self.base() if base is None else base
        unit = "" if base is None else base.unit
        texts = {**self.texts, **(more or {})}
        found = given_values(texts, base=unit, clock_Hz=self.clock_Hz, into=into)
        if base is not None and self.clock_Hz is not None:
            base = base.in_unit(found.unit, clock_Hz=self.clock_Hz)
        return base, found

    def accelerator(self) -> "Accelerator":
        """The accelerator."""
        base = self.base()
        if base is not None:
            return self.changed(base)
        missing = [f"--{name}" for name in _NEEDED if name not in self.texts]
        if missing:
            raise UsageFailure(
                "name an accelerator: --fit FIT.json, --device NAME --kernel NAME (see `logca "
                f"devices`), or its parameters; missing: {', '.join(missing)}"
            )
        from logca.numeric.accelerator.accelerator import Accelerator

        _, found = self.parts()
        return Accelerator(
            **single(found),
            unit=found.unit,
            latency=form_of(found, self.latency, "constant"),
            name=self.said(),
        )

    def changed(self, base: "Accelerator") -> "Accelerator":
        """An accelerator with the parameters that are given by themselves in place of its own."""
        same, found = self.parts(base=base)
        if not self.texts:
            return same or base
        form_of(found, base.latency, base.latency)
        values: dict[str, Any] = {**single(found)}
        return replace(same or base, **values, name=self._what_if(base.name))

    def basis(self) -> "Fit | Accelerator":
        """The fit if it is one, with its intervals, or the accelerator."""
        if self.fit is None or self.texts or self.clock_Hz is not None:
            return self.accelerator()
        return self._fitted()

    def name(self) -> str:
        """Name in answers; empty for parameters of one's own."""
        if self.fit is not None:
            return self._what_if(self.fit.name) if self.texts else self.fit.name
        base = self.base()
        return "" if base is None else self.changed(base).name

    def _what_if(self, name: str) -> str:
        """A name with the parameters given by themselves, which leave a fit's breaks out."""
        bare = self.fit is not None and bool(self._fitted().breaks)
        return f"{name} with {self.said()}{' (without its breaks)' * bare}"

    def form_taken(self) -> str:
        """Clause that says which form the latency has by the unit of L; empty if told otherwise."""
        named = (self.fit, self.device, self.device_file, self.latency)
        if "L" not in self.texts or any(each is not None for each in named):
            return ""
        _, found = self.parts()
        if found.values["L"] == 0:
            return ""
        text = self.texts["L"].strip()
        if found.per_byte:
            return f"latency is taken as linear, per byte, because --L {text} has /B"
        return f"latency is taken as constant, per offload, because --L {text} has no /B"

    def said(self) -> str:
        """The parameters given by themselves, as they are written."""
        return ", ".join(f"{name} = {_plain(text)}" for name, text in self.texts.items())

    def words(self) -> tuple[str, ...]:
        """The options, for a command that is to be told; files without their folders."""
        given = {
            "--fit": self.fit.name if self.fit else None,
            "--device": self.device,
            "--kernel": self.kernel,
            "--device-file": self.device_file.name if self.device_file else None,
            **{f"--{name}": text for name, text in self.texts.items()},
            "--latency": self.latency,
            "--clock": None if self.clock_Hz is None else f"{self.clock_Hz / _HERTZ:g}GHz",
        }
        named = [(option, value) for option, value in given.items() if value is not None]
        return tuple(word for pair in named for word in pair)

    def _fitted(self) -> "Fit":
        if self.fit is None:
            raise UsageFailure("name a fit: --fit FIT.json")
        if self.device is not None or self.kernel is not None or self.device_file is not None:
            raise UsageFailure(
                f"--fit {self.fit} is an accelerator already; leave it out, or leave out --device, "
                "--kernel and --device-file"
            )
        if self.latency is not None:
            raise UsageFailure(f"{self.fit} has its own form of latency: leave out --latency")
        from logca.numeric.fit.fit import Fit

        return Fit.load(self.fit)

    def _entry(self) -> "Entry | None":
        """The row of Table 5, or of the file; None without a device."""
        from logca.numeric.paper.devices import find_device, load_devices

        if self.device_file is None:
            if self.device is None and self.kernel is not None:
                raise UsageFailure(
                    f"--kernel {self.kernel} goes with --device NAME, or with --device-file; "
                    "`logca devices` lists them"
                )
            return None if self.device is None else find_device(self.device, self.kernel)
        among = load_devices(self.device_file)
        names = list(dict.fromkeys(entry.device for entry in among))
        if self.device is None and len(names) > 1:
            raise UsageFailure(
                f"{self.device_file} has several devices; name one with --device: "
                f"{', '.join(names)}"
            )
        return find_device(self.device or names[0], self.kernel, among=among)


def entries_of(device: str | None, kernel: str | None, file: Path | None) -> "Devices":
    """Rows of Table 5, or of a file of devices: all, those of a device, or one of its kernels."""
    from logca.numeric.paper.devices import Devices, devices, find_device, kernels_of, load_devices

    among = None if file is None else load_devices(file)
    if device is None:
        return devices() if among is None else among
    if kernel is None:
        return kernels_of(device, among=among)
    return Devices([find_device(device, kernel, among=among)])


_LINEAR = ("linear", "a byte", "an offload, such as 10us")
_CONSTANT = ("constant", "an offload", "a byte, such as 1.5ns/B")


def form_of(found: Given, form: str | None, usual: str) -> str:
    """Form of the latency that the unit of L tells, held against the form that is asked for."""
    if found.per_byte is None:
        return form or usual
    told, said, other = _LINEAR if found.per_byte else _CONSTANT
    if form is not None and form != told:
        raise UsageFailure(
            f"--L is a time of {said}, so the latency is {told}, not {form}: give --latency {told},"
            f" or the latency of {other}"
        )
    return told


def _plain(text: str) -> str:
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.strip()


def chosen(options: Mapping[str, Any]) -> Chosen:
    """Choice of an accelerator by the options."""
    return Chosen(
        fit=options["fit"],
        device=options["device"],
        kernel=options["kernel"],
        device_file=options["device_file"],
        **_shared(options),
    )


def _shared(options: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: options[name] for name in (*_NEEDED, "beta")}
    return {
        "texts": {name: text for name, text in given.items() if text is not None},
        "latency": options["latency"],
        "clock_Hz": frequency(options["clock"]),
    }


def frequency(text: str | None) -> float | None:
    """The clock [Hz]; None without one."""
    found = clock(text)
    if found is None:
        return None
    if not 0 < found <= _FASTEST_GHZ:
        raise UsageFailure(
            f"--clock {text} is no clock: write it in GHz, such as 2.5GHz; it is above 0 and at "
            f"most {_FASTEST_GHZ} GHz"
        )
    return float(found * _HERTZ)


def several(options: Mapping[str, Any]) -> list[Chosen]:
    """Choices by options that may be repeated: none, one accelerator, or one for each device."""
    fits: Sequence[Path] = options["fit"] or []
    devices: Sequence[str] = options["device"] or []
    kernels: Sequence[str] = options["kernel"] or []
    file = options["device_file"]
    if len(kernels) > 1 and len(kernels) != len(devices):
        raise UsageFailure(
            f"--kernel {' --kernel '.join(kernels)}: {len(kernels)} kernels for {len(devices)} of "
            "--device; give one kernel for all devices, or one for each"
        )
    shared = _shared(options)
    names: list[tuple[str | None, str | None]] = []
    for place, device in enumerate(devices):
        names.append((device, kernels[place % len(kernels)] if kernels else None))
    if not devices and (kernels or file or (any(shared.values()) and not fits)):
        names.append((None, kernels[0] if kernels else None))
    return [
        *(Chosen(fit=fit, device=None, kernel=None, device_file=None, **shared) for fit in fits),
        *(
            Chosen(fit=None, device=device, kernel=kernel, device_file=file, **shared)
            for device, kernel in names
        ),
    ]


def with_accelerator(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options that name an accelerator, and their meaning as `accelerator`.

    A verb whose parameter is called `accelerators` takes several, as a list. An option that a verb
    has itself stays as it is there.
    """
    own = signature(verb, eval_str=True)
    many = "accelerators" in own.parameters
    meaning = "accelerators" if many else "accelerator"
    offered = _REPEATED if many else OPTIONS

    @wraps(verb)
    def called(**given: Any) -> None:
        options = {
            name: given[name] if name in own.parameters else given.pop(name) for name in offered
        }
        verb(**given, **{meaning: several(options) if many else chosen(options)})

    kept = [each for each in own.parameters.values() if each.name != meaning]
    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in offered.items()
        if name not in own.parameters
    ]
    # Typer reads the signature from here; functions have no such attribute as far as mypy knows.
    called.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in (*kept, *added)}
    return called
