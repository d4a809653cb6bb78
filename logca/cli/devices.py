"""`logca devices`: the devices with parameters that the paper prints, or those of a file."""

from pathlib import Path
from typing import Annotated

import typer

from logca.cli.options.accelerators import DEVICE_FILE, entries_of
from logca.cli.options.completion import complete_devices, complete_kernels
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_answer, show_json, show_latex, width

__all__ = ["devices"]

_ROOMY = 90
"""Columns of a terminal that Table 5 fits into with room to spare."""


def devices(
    device: Annotated[
        str | None,
        typer.Argument(
            help="A device, such as ultrasparc-t2.",
            autocompletion=complete_devices,
            show_default="list all",
        ),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Argument(
            help="One of its kernels, such as aes.",
            autocompletion=complete_kernels,
            show_default="all of the device",
        ),
    ] = None,
    device_file: Annotated[
        Path | None,
        typer.Option(help=DEVICE_FILE, metavar="FILE.toml", show_default="the paper's"),
    ] = None,
    as_json: OutputOption.as_json = False,
    markup: OutputOption.table = None,
) -> None:
    """List devices and their parameters, or show where those of one are from.

    The format of a file of devices is described in docs/devices.md.

    **Examples**

        logca devices                              Table 5 of the ISCA paper

        logca devices sparc-t4                     one device, with sources

        logca devices ultrasparc-t2 sha            one kernel of it

        logca devices --device-file mine.toml      your own devices

        logca devices --json                       all of it, for a program

        logca devices --as latex                   the table for a paper
    """
    from logca.common.terminal import folding
    from logca.show.devices import device_details, device_row, device_table, devices_answer

    if device is not None and device.lower().endswith(".toml"):
        raise UsageFailure(f"{device} is a file, not a device; write --device-file {device}")
    chosen = entries_of(device, kernel, device_file)
    if markup is not None:
        show_latex([device_table(chosen)], as_json=as_json)
        return
    if as_json:
        rows = [device_row(entry) for entry in chosen]
        shown = {"rows": rows} if kernel is None else rows[0]
        show_json({"answer": devices_answer(chosen), **shown})
        return
    show_answer(devices_answer(chosen))
    if device is None:
        show(folding(device_table(chosen), gap=2 if width() >= _ROOMY else 1))
    else:
        show(*(device_details(entry, described=device_file is None) for entry in chosen))
