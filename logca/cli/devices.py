"""`logca devices`: accelerators of the paper and GPUs, or the accelerators of a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logca.cli.options.accelerators import DEVICE_FILE, entries_of
from logca.cli.options.completion import complete_devices_and_gpus, complete_kernels
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption
from logca.cli.terminal.output import show, show_answer, show_json, show_latex, width

if TYPE_CHECKING:
    from logca.gpu.devices.parameters import GpuDevice

__all__ = ["devices"]

_ROOMY = 90
"""Columns of a terminal that Table 5 fits into with room to spare."""


def devices(
    device: Annotated[
        str | None,
        typer.Argument(
            help="A device, such as ultrasparc-t2, or a GPU, such as rtx-4090.",
            autocompletion=complete_devices_and_gpus,
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
    """List accelerators and GPUs with their parameters, or show where those of one are from.

    Accelerators are for the LogCA model and GPUs for `logca gpu`; files of your own are described
    in docs/devices.md and docs/gpu-devices.md.

    **Examples**

        logca devices                              Table 5 of the ISCA paper, and GPUs

        logca devices sparc-t4                     one device, with sources

        logca devices ultrasparc-t2 sha            one kernel of it

        logca devices rtx-4090                     a GPU, with sources

        logca devices --device-file mine.toml      your own devices

        logca devices --json                       all of it, for a program

        logca devices --as latex                   the table for a paper
    """
    from logca.common.terminal import folding
    from logca.show.devices import device_details, device_row, device_table, devices_answer
    from logca.show.gpu.devices import gpu_row, gpu_table, gpus_answer

    if device is not None and device.lower().endswith(".toml"):
        raise UsageFailure(f"{device} is a file, not a device; write --device-file {device}")
    if device is not None and device_file is None and _is_gpu(device):
        _show_gpu(device, kernel, as_json=as_json, markup=markup)
        return
    chosen = entries_of(device, kernel, device_file)
    if markup is not None:
        show_latex([device_table(chosen)], as_json=as_json)
        return
    gpus = _gpus() if device is None and device_file is None else []
    answer = " ".join((devices_answer(chosen), *([gpus_answer(gpus)] if gpus else ())))
    if as_json:
        rows = [device_row(entry) for entry in chosen]
        shown = {"rows": rows} if kernel is None else rows[0]
        also = {"gpus": [gpu_row(gpu) for gpu in gpus]} if gpus else {}
        show_json({"answer": answer, **shown, **also})
        return
    show_answer(answer)
    if device is None:
        gap = 2 if width() >= _ROOMY else 1
        show(folding(device_table(chosen), gap=gap))
        if gpus:
            show("", folding(gpu_table(gpus), gap=gap))
    else:
        show(*(device_details(entry, described=device_file is None) for entry in chosen))


def _gpus() -> "list[GpuDevice]":
    from logca.gpu.devices.parameters import device, devices

    return [device(name) for name in devices()]


def _is_gpu(name: str) -> bool:
    """True if a GPU has this name, or one that is nearer to it than that of any accelerator."""
    from logca.common.near_misses import near_misses
    from logca.gpu.devices.parameters import devices as gpus
    from logca.numeric.paper.devices import devices as entries

    accelerators = {entry.device for entry in entries()}
    near = near_misses(name, (*accelerators, *gpus()))
    return name not in accelerators and any(each in gpus() for each in near)


def _show_gpu(name: str, kernel: str | None, *, as_json: bool, markup: object) -> None:
    """Print a GPU with its sources."""
    from logca.gpu.devices.parameters import device
    from logca.show.gpu.devices import gpu_facts, gpu_row, gpu_table

    gpu = device(name)
    if kernel is not None:
        raise UsageFailure(f"{name} is a GPU: any C program runs on it, so leave out {kernel!r}")
    if markup is not None:
        show_latex([gpu_table([gpu])], as_json=as_json)
    elif as_json:
        show_json({"answer": gpu.title, **gpu_row(gpu), "parameters": gpu.rows()})
    else:
        show_answer(gpu.title)
        show(gpu_facts(gpu.rows()))
