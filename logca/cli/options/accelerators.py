"""Options that name an accelerator: a device, parameters, or a device but for some of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.terminal.errors import UsageFailure

if TYPE_CHECKING:
    from logca.numeric.accelerator.accelerator import Accelerator
from logca.cli.options.ranges import single

__all__ = [
    "OPTIONS",
    "Axis",
    "Chosen",
    "Device",
    "DeviceFile",
    "Kernel",
    "Latency",
    "LatencyForm",
    "accelerator",
    "chosen",
    "several",
    "with_accelerator",
]

_PANEL = "Parameters"


def _option(name: str, text: str) -> Any:
    return typer.Option(
        f"--{name}", help=text, metavar="VALUES", rich_help_panel=_PANEL, show_default=False
    )


class Axis:
    """Types of the options, one for each parameter."""

    g = Annotated[str | None, _option("g", "Granularity [B].")]
    s = Annotated[str | None, _option("s", "Target speedup [1].")]
    g_low = Annotated[str | None, _option("g-low", "Smallest granularity of a window [B].")]
    g_high = Annotated[str | None, _option("g-high", "Largest granularity of a window [B].")]
    o = Annotated[str | None, _option("o", "Overhead [cycles].")]
    L = Annotated[str | None, _option("L", "Latency [cycles], or [cycles/B] if linear.")]
    C = Annotated[str | None, _option("C", "Computational index [cycles/B**beta].")]
    A = Annotated[str | None, _option("A", "Acceleration [1].")]
    beta = Annotated[str | None, _option("beta", "Exponent of the complexity [1].")]
    r = Annotated[str | None, _option("r", "Improvement of a parameter [1].")]
    q = Annotated[str | None, _option("q", "Gain in speedup [1].")]


Device = Annotated[
    str | None,
    typer.Option(
        help="Parameters that are not given, of this device; see `logca devices`.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Kernel = Annotated[
    str | None,
    typer.Option(help="Kernel of the device.", rich_help_panel=_PANEL, show_default=False),
]
DeviceFile = Annotated[
    Path | None,
    typer.Option(
        help="A TOML file with devices of your own.", rich_help_panel=_PANEL, show_default=False
    ),
]


def accelerator(
    device: str | None, kernel: str | None, device_file: Path | None, latency: str | None
) -> "Accelerator | None":
    """Accelerator that the options of a device ask for; None without a device."""
    if device is None:
        if kernel is not None or device_file is not None:
            raise UsageFailure("--kernel and --device-file go with --device")
        return None
    from logca.numeric.paper.devices import find_device, load_devices

    among = None if device_file is None else load_devices(device_file)
    return find_device(device, kernel, among=among).accelerator(latency=latency)


_NEEDED = ("o", "L", "C", "A")


class LatencyForm(StrEnum):
    """Forms of latency that a number can be computed with."""

    constant = "constant"
    linear = "linear"


Latency = Annotated[
    LatencyForm | None,
    typer.Option(
        help="Form of the latency: L per offload, or per byte.",
        rich_help_panel="Parameters",
        show_default="the device's, or constant",
    ),
]

OPTIONS: dict[str, Any] = {
    "device": Device,
    "kernel": Kernel,
    "device_file": DeviceFile,
    "o": Axis.o,
    "L": Axis.L,
    "C": Axis.C,
    "A": Axis.A,
    "beta": Axis.beta,
    "latency": Latency,
}
"""The options by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Choice of an accelerator by the options."""

    # device, kernel: a device and one of its kernels
    device: str | None
    kernel: str | None
    device_file: Path | None  # where the device is from; from Table 5 if left out
    parameters: dict[str, float]  # parameters that are given by themselves [unit of each]
    latency: str | None  # form of latency, if given

    def is_anything(self) -> bool:
        """True if there is an accelerator at all."""
        return self.device is not None or bool(self.parameters) or self.device_file is not None

    def accelerator(self) -> "Accelerator":
        """The accelerator."""
        base = accelerator(self.device, self.kernel, self.device_file, self.latency)
        if base is not None:
            return self.changed(base)
        missing = [f"--{name}" for name in _NEEDED if name not in self.parameters]
        if missing:
            raise UsageFailure(
                "name an accelerator: --device NAME --kernel NAME (see `logca devices`), or its "
                f"parameters; missing: {', '.join(missing)}"
            )
        from logca.numeric.accelerator.accelerator import Accelerator

        given: dict[str, Any] = {**self.parameters}
        if self.latency is not None:
            given["latency"] = self.latency
        return Accelerator(**given, name=self._values())

    def changed(self, base: "Accelerator") -> "Accelerator":
        """An accelerator with the parameters that are given by themselves in place of its own."""
        if not self.parameters:
            return base
        given: dict[str, Any] = {**self.parameters}
        return replace(base, **given, name=f"{base.name} with {self._values()}")

    def _values(self) -> str:
        return ", ".join(f"{name} = {value:g}" for name, value in self.parameters.items())


def chosen(options: dict[str, Any]) -> Chosen:
    """Choice of an accelerator by the options, none of which may be repeated."""
    given = {name: options[name] for name in (*_NEEDED, "beta")}
    form = options["latency"]
    return Chosen(
        device=options["device"],
        kernel=options["kernel"],
        device_file=options["device_file"],
        parameters=single(given),
        latency=None if form is None else form.value,
    )


def several(
    devices: Sequence[str],
    kernels: Sequence[str],
    device_file: Path | None,
    parameters: dict[str, float],
    latency: str | None,
) -> list[Chosen]:
    """Choices by options that may be repeated: none, one accelerator, or one for each device."""
    if len(kernels) > 1 and len(kernels) != len(devices):
        raise UsageFailure(
            f"{len(devices)} times --device and {len(kernels)} times --kernel: give one kernel for "
            "all devices, or one for each"
        )
    names: list[tuple[str | None, str | None]] = []
    for place, device in enumerate(devices):
        names.append((device, kernels[place % len(kernels)] if kernels else None))
    if not devices and (parameters or kernels or device_file):
        names.append((None, kernels[0] if kernels else None))
    return [
        Chosen(
            device=device,
            kernel=kernel,
            device_file=device_file,
            parameters=parameters,
            latency=latency,
        )
        for device, kernel in names
    ]


def with_accelerator(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options that name an accelerator, and their meaning as `accelerator`."""

    @wraps(verb)
    def called(**given: Any) -> None:
        options = {name: given.pop(name) for name in OPTIONS}
        verb(**given, accelerator=chosen(options))

    own = signature(verb, eval_str=True)
    kept = [each for each in own.parameters.values() if each.name != "accelerator"]
    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in OPTIONS.items()
    ]
    # Typer reads the signature from here; functions have no such attribute as far as mypy knows.
    called.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in (*kept, *added)}
    return called
