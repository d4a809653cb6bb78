"""Options that name an accelerator: a device, parameters of one's own, or a device but for some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.errors import UsageFailure
from logca.cli.parameters import Axis, Device, DeviceFile, Kernel, accelerator, single

if TYPE_CHECKING:
    from logca.numeric.accelerator import Accelerator

__all__ = ["OPTIONS", "Chosen", "Latency", "LatencyForm", "chosen", "several", "with_accelerator"]

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
    """What the options say.

    Parameters
    ----------
    device, kernel : str, optional
        A device and one of its kernels [text].
    device_file : path, optional
        Where the device is from; from Table 5 if left out.
    parameters : dict of str to float
        Parameters that are given by themselves [unit of each].
    latency : str, optional
        Form of latency, if given [text].
    """

    device: str | None
    kernel: str | None
    device_file: Path | None
    parameters: dict[str, float]
    latency: str | None

    def is_anything(self) -> bool:
        """Whether there is an accelerator at all."""
        return self.device is not None or bool(self.parameters) or self.device_file is not None

    def accelerator(self) -> "Accelerator":
        """The accelerator.

        Raises
        ------
        UsageFailure
            If parameters are missing.
        DomainError, DeviceError, DeviceFileError
            If a parameter is out of its domain, or there is no such device.
        """
        base = accelerator(self.device, self.kernel, self.device_file, self.latency)
        if base is not None:
            return self.changed(base)
        missing = [f"--{name}" for name in _NEEDED if name not in self.parameters]
        if missing:
            raise UsageFailure(
                "name an accelerator: --device NAME --kernel NAME (see `logca devices`), or its "
                f"parameters; missing: {', '.join(missing)}"
            )
        from logca.numeric.accelerator import Accelerator

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
    """What the options say.

    Parameters
    ----------
    options : dict of str to object
        Values of `OPTIONS`.
    """
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
    """What options that may be repeated say: nothing, one accelerator, or one for each device.

    Parameters
    ----------
    devices, kernels : sequence of str
        Devices, and one kernel for all of them or one for each [text].
    device_file, parameters, latency
        As for `Chosen`; they hold for all.

    Raises
    ------
    UsageFailure
        If the kernels do not go with the devices.
    """
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
