"""Options for parameters of the model: one value, a list or a range."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logca.cli.errors import UsageFailure

if TYPE_CHECKING:
    from logca.numeric.accelerator import Accelerator

__all__ = [
    "AXES",
    "Axis",
    "Device",
    "DeviceFile",
    "Kernel",
    "accelerator",
    "numbers",
    "single",
]

AXES = """
**Values.** One number fixes a parameter. `435,16000` is an axis with these values, `2:64:7` one
with 7 values from 2 to 64 and equal factors between them, `0:500:11:lin` one with equal steps.
Lists may contain ranges. Granularities are bytes, or have a unit: `16B:32MiB:200`.
"""

_SIZES = {"g", "g_low", "g_high"}
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
    """What the options of a device ask for.

    Raises
    ------
    UsageFailure
        If a kernel or a file is named, but no device.
    """
    if device is None:
        if kernel is not None or device_file is not None:
            raise UsageFailure("--kernel and --device-file go with --device")
        return None
    from logca.numeric.devices import find_device, load_devices

    among = None if device_file is None else load_devices(device_file)
    return find_device(device, kernel, among=among).accelerator(latency=latency)


def numbers(given: Mapping[str, str | None]) -> dict[str, float | list[float]]:
    """The values of the options that are given [unit of each].

    Examples
    --------
    >>> numbers({"g": "4KiB", "A": "2:16:4", "o": "435, 16_000", "L": None})
    {'g': 4096.0, 'A': [2.0, 4.0, 8.0, 16.0], 'o': [435.0, 16000.0]}
    """
    return {name: _values(name, text) for name, text in given.items() if text is not None}


def single(given: Mapping[str, str | None]) -> dict[str, float]:
    """As `numbers`, of options that take one value [unit of each].

    Raises
    ------
    UsageFailure
        If there are several.
    """
    found = {}
    for name, value in numbers(given).items():
        if isinstance(value, list):
            raise UsageFailure(f"--{name} takes one value here, not several")
        found[name] = value
    return found


def _values(name: str, text: str) -> float | list[float]:
    pieces = [piece.strip() for piece in text.split(",")]
    if pieces == [""]:
        raise UsageFailure(f"--{name} is empty; give a value, or several")
    if len(pieces) == 1 and ":" not in text:
        return _number(name, pieces[0])
    return [value for piece in pieces for value in _range(name, piece)]


def _range(name: str, piece: str) -> list[float]:
    from logca.numeric.sweeping.spacing import spaced

    first, *rest = piece.split(":")
    if not rest:
        return [_number(name, first)]
    if len(rest) not in (2, 3) or not rest[1].strip().isdigit():
        raise UsageFailure(
            f"--{name} {piece!r} is no range; write FROM:TO:COUNT, or FROM:TO:COUNT:lin"
        )
    last, count, *spacing = rest
    return spaced(_number(name, first), _number(name, last), int(count), *map(str.strip, spacing))


def _number(name: str, text: str) -> float:
    if name in _SIZES:
        from logca.numeric.sizes import parse_size

        return parse_size(text)
    try:
        return float(text)
    except ValueError:
        raise UsageFailure(f"--{name} {text!r} is not a number") from None
